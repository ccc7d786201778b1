"""Remedies that the regulations propose for a dispute, with their figures.

The desk sees the figures. If a ruling leaves a figure open, the proposed one is used.
"""

from collections.abc import Mapping, Set
from typing import Any, NamedTuple

from django.db.models.functions import Coalesce

from engine.events import CardPlayed, DealScored, ResultEntered
from engine.taking_back import drop_taken_back
from games import game_state
from games.models import Event, Seat
from games.store import layout
from tournaments import dispute_states, incident_kinds
from tournaments.models import Dispute, Entry, Seating
from tournaments.regulations import Regulations, Remedy
from tournaments.services.scores import wrong_sums

Figures = dict[str, Any]


class Proposal(NamedTuple):
    """A proposed remedy.

    `figures`: default details of the ruling; `late`: as `is_late` returns it; `warned`: the remedy is a
    penalty in place of a second warning for the same kind of incident.
    """

    remedy: Remedy
    figures: Figures
    late: bool
    warned: bool

    def completed(self, given: Mapping[str, Any]) -> Figures:
        """Return the given details of a ruling, with the proposed figures for the missing ones."""
        return {**given, **{name: value for name, value in self.figures.items() if given.get(name) is None}}


def propose_remedy(
    dispute: Dispute, regulations: Regulations, incident: str, given: Mapping[str, Any]
) -> Proposal | None:
    """Return the proposal for an incident; None for an unknown incident.

    `given`: the facts, with the names of the engine's command `rule`, and `written`: the card points on the
    sheet by side.
    """
    deal, against, written = given.get("deal"), given.get("against"), given.get("written")
    late = deal is not None and is_late(dispute, deal)
    plain = incident_kinds.remedy_for(incident, regulations, late=late)
    if plain is None:
        return None
    graver = plain.ruling == "warning" and plain.points > 0
    warned = graver and against is not None and is_warned(dispute, incident, against)
    remedy = Remedy(ruling="penalty", article=plain.article, points=plain.points) if warned else plain
    figures: Figures = {}
    if remedy.ruling == "penalty" and remedy.points:
        figures["points"] = remedy.points
    if incident == "wrong_sum" and deal is not None and written is not None:
        game = str(dispute.table.game_id)
        figures["scores"] = wrong_sums.list_corrected_scores(
            game, deal, written, regulations.wrong_sum, against, replacing=dispute.ruling_number
        )
    return Proposal(remedy, figures, late, warned)


def is_late(dispute: Dispute, deal: int) -> bool:
    """Return whether the person who raised the dispute had played a card of this deal by then.

    If a phone of the table or an official raised it, all players must have played one. A deal with a result
    always counts as played.
    """
    game = str(dispute.table.game_id)
    seats = dict(Seat.objects.filter(game=game).values_list("player_ref", "number"))
    speaks = {seats[dispute.raised_ref]} if dispute.raised_ref in seats else set(seats.values())
    now, have_played = 0, set()
    for event in drop_taken_back(game_state.load_snapshot(game).events[: dispute.seen_seq + 1]):
        now = getattr(event, "deal", None) or now
        if now == deal and isinstance(event, DealScored | ResultEntered):
            return True
        if now == deal and isinstance(event, CardPlayed):
            have_played.add(event.seat)
    return speaks <= have_played


def is_warned(dispute: Dispute, incident: str, seat: int) -> bool:
    """Return whether the person in `seat` was warned before for the same kind of incident.

    At this table, a warning to the other players of their side counts too. Three queries regardless of the
    number of disputes, two more after an undone draw.
    """
    same = Dispute.objects.filter(
        table__round__championship=dispute.table.round.championship_id,
        incident=incident,
        status__in=dispute_states.RULED_ON,
    ).exclude(ruling_number=None)
    ruled = set(same.exclude(pk=dispute.pk).values_list("table__game", "ruling_number"))
    ruling_events = Event.objects.filter(stream__in={game for game, _ in ruled}, type="ruling_made")
    warned: set[tuple[str, int]] = set()
    for game, envelope in ruling_events.values_list("stream", "envelope"):
        ruling = layout.decode_envelope(bytes(envelope)).body
        at_table = (game, ruling["ruling"]) in ruled
        if at_table and ruling["kind"] == "warning" and ruling.get("against") is not None:
            warned.add((game, ruling["against"]))
    if not warned:
        return False
    here = str(dispute.table.game_id)
    people = _entries_by_seat({here, *(game for game, _seat in warned)}, dispute.table.round.championship_id)
    sides = dispute.table.game.sides if dispute.table.game is not None else []
    own = [at for at in range(len(sides)) if sides[at] == sides[seat]] or [seat]
    return any((here, at) in warned for at in own) or people.get((here, seat)) in {
        people.get(place) for place in warned
    }


def _entries_by_seat(games: Set[str], championship: int) -> dict[tuple[str, int], int]:
    """Return (game, seat) → id of the entry for which the seat counts, also for undone draws."""
    seatings = Seating.objects.filter(table__game__in=games)
    counts_for = Coalesce("entry__merged_into", "entry")
    people = {(game, at): who for game, at, who in seatings.values_list("table__game", "seat", counts_for)}
    if games <= {game for game, _seat in people}:
        return people
    seats = Seat.objects.filter(game__in=games).values_list("game", "number", "player_ref")
    places = {(game, number): ref for game, number, ref in seats if (game, number) not in people}
    found = Entry.objects.filter(championship=championship, player_ref__in=set(places.values()))
    of_ref = dict(found.values_list("player_ref", Coalesce("merged_into", "pk")))
    return people | {place: of_ref[ref] for place, ref in places.items() if ref in of_ref}
