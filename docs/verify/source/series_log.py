"""The stream of a series: what it tells at each published table, and changes without a reason."""

from __future__ import annotations

from .report import Unusable

WITHDRAWN = ("cancelled", "void")
MATCHINGS = {
    "persons_matched": ("persons", "results of %s were given to other persons"),
    "teams_matched": ("teams", "people of %s were moved to other teams"),
    "categories_stated": ("categories", "people of %s were given other categories"),
}
"""Event type → field of its body with a value for each ranked entry, and the fault if one changes later."""


class SeriesLog:
    """The state of a series, event by event of its stream."""

    def __init__(self, report):
        self.report = report
        self.seed = self.rules = None
        self.rules_version = self.published = 0
        self.events = {}  # key → championship, weight, state
        self.said = {"holders": [], "wild_cards": [], "declined": [], "accepted": []}
        self.persons = {}  # event → entry → person
        self.teams, self.categories = {}, {}  # event → entry → team, category; empty without one
        self.rankings = {}
        self.reasons = 0

    def apply(self, event):
        """Apply one event. Raise Unusable for one that cannot follow from those before it."""
        body, where = event["body"], "series, event %d" % event["seq"]
        if (self.seed is None) != (event["type"] == "series_started"):
            raise Unusable("a series starts once, with the seed of its lots")
        self.check_reason(event, where)
        if event["type"] == "series_started":
            self.seed = body["seed"]
        elif event["type"] == "rules_set":
            if body["version"] != self.rules_version + 1:
                raise Unusable("the versions of the rules are not numbered one by one")
            self.rules, self.rules_version = body["rules"], body["version"]
        elif event["type"].startswith("event"):
            self.apply_to_event(event["type"], body)
        elif event["type"] in MATCHINGS:
            name = MATCHINGS[event["type"]][0]
            getattr(self, name)[body["event"]] = body[name]
        elif event["type"] == "table_published":
            if body["version"] != self.published + 1:
                raise Unusable("the tables are not numbered one by one")
            self.rankings, self.published = body["rankings"], body["version"]
        elif event["type"] not in ("team_table_published", "qualification_published", "series_deleted"):
            self.apply_to_ticket(event["type"], body, where)

    def apply_to_event(self, kind, body):
        """Apply a change of the events of the series."""
        if kind == "events_ordered":
            if sorted(body["events"]) != sorted(self.events):
                raise Unusable("other events were put in order than there are")
            self.events = {key: self.events[key] for key in body["events"]}
            return
        key = body["event"]
        if (key in self.events) == (kind == "event_added"):
            raise Unusable("the event %s was added twice, or was never there" % key)
        if kind == "event_added":
            self.events[key] = {name: body[name] for name in ("championship", "weight", "state")}
        elif kind == "event_removed":
            del self.events[key]
        else:
            name = {"event_played_as": "championship", "event_state_changed": "state"}.get(kind, "weight")
            self.events[key][name] = body[name]

    def apply_to_ticket(self, kind, body, where):
        """Apply what was said of a ticket."""
        if kind == "holders_named":
            self.said["holders"] = body["persons"]
            return
        if kind == "wild_card_given" and not str(body["reason"]).strip():
            self.report.add_difference(where, "a wild card was given without a reason")
        name = {
            "wild_card_given": "wild_cards",
            "wild_card_taken_back": "wild_cards",
            "ticket_declined": "declined",
            "declining_undone": "declined",
        }.get(kind, "accepted")
        undone = kind in ("wild_card_taken_back", "declining_undone", "accepting_undone")
        if (body["person"] in self.said[name]) != undone:
            raise Unusable("it was said twice of %s, or taken back without being said" % body["person"])
        kept = [person for person in self.said[name] if person != body["person"]]
        self.said[name] = kept if undone else [*kept, body["person"]]

    def check_reason(self, event, where):
        """Report a change of what a published table was made from that has no reason."""
        what = self.describe_change(event["type"], event["body"])
        if what is None:
            return
        reason = str(event["body"].get("reason", "")).strip()
        if reason:
            self.report.notes.append("%s: %s after a table was published: %s" % (where, what, reason))
        else:
            self.report.add_difference(where, "%s after a table was published, without a reason" % what)

    def describe_change(self, kind, body):
        """Return what an event changes of a published table; None if it needs no reason."""
        key = body.get("event")
        if not self.rankings:
            return None
        if kind == "rules_set":
            return "the rules were changed"
        if kind == "event_added" and body.get("reason"):
            return "the event %s was added" % key
        if kind == "event_weight_changed":
            return "the weight of %s was changed to %s" % (key, body["weight"])
        if kind == "events_ordered":
            order = [one for one in body["events"] if one in self.rankings]
            if order != [one for one in self.events if one in self.rankings]:
                return "the order of the events was changed"
        if kind in MATCHINGS:
            name, told = MATCHINGS[kind]
            before = getattr(self, name).get(key, {})
            if any(body[name].get(entry, value) != value for entry, value in before.items()):
                return told % key
        if key in self.rankings and (
            kind in ("event_removed", "event_played_as")
            or (kind == "event_state_changed" and body["state"] in WITHDRAWN)
        ):
            return "the event %s was withdrawn" % key
        return None
