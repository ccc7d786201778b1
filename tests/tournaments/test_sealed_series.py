"""A series in a stream of its own: what is recorded, what needs a reason, and what is published."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from games import sealing, store
from games.models import Stream, User
from tests.tournaments.series_evenings import evening, publish_totals
from tournaments.clubs import rolls
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, ClubSeries, Entry, Person, SeriesSnapshot, SeriesTicket
from tournaments.series.document import QualifyStep, decode_series
from tournaments.series.log import fold_series
from tournaments.series.qualification import qualify
from tournaments.services.audit import row_audit
from tournaments.services.championships import archiving
from tournaments.services.entries import teams
from tournaments.services.scores.published_ranking import digest_rows
from tournaments.services.series import editing, publishing, stream, tickets
from tournaments.services.series.finals import make_final
from tournaments.services.series.loading import load_series
from tournaments.services.series.previewing import preview_change

SPRING = {"Anna Ammann": 900, "Beat Bühler": 880, "Chiara Caduff": 870, "Dario Derungs": 800}
SUMMER = {"Beat Bühler": 950, "Anna Ammann": 940, "Dario Derungs": 900}
STEPS = (
    QualifyStep(kind="holder"),
    QualifyStep(kind="wild_card"),
    QualifyStep(kind="first", count=2, of="all"),
)


@pytest.fixture(autouse=True)
def _key(tmp_path: Path, settings: Settings) -> None:
    settings.SEAL_KEY = tmp_path / "seal_key"
    sealing.make_seal_key(settings.SEAL_KEY)


@pytest.fixture
def fredi(user: Callable[[str], User]) -> User:
    made = user("Fredi")
    made.may_found = True
    made.save(update_fields=["may_found"])
    return made


@pytest.fixture
def series(fredi: User) -> ClubSeries:
    """Two evenings that count, of which the first two people qualify."""
    made = editing.create_series(rolls.default_club(fredi), name="Jahr", preset="club_average", actor=fredi)
    editing.set_qualification(made, steps=STEPS, level="chain", actor=fredi)
    for name, totals in (("Frühling", SPRING), ("Sommer", SUMMER)):
        editing.add_event(made, championship=evening(fredi, name, totals), actor=fredi)
    return made


def told(series: ClubSeries) -> list[tuple[str, dict[str, Any]]]:
    return [(event.type, event.body) for event in store.read(str(series.stream_id))]


def person(name: str) -> Person:
    return Person.objects.get(name=name)


def qualified(series: ClubSeries) -> list[str]:
    loaded = load_series(series)
    assert loaded.qualification is not None
    return [loaded.persons[one.ref].names.first for one in loaded.qualification.qualified]


def refused(code: str, call: Callable[..., object], *args: object, **more: object) -> None:
    with pytest.raises(TournamentError) as found:
        call(*args, **more)
    assert found.value.code == code


def test_every_change_is_recorded_without_names_and_sealed(series: ClubSeries, fredi: User) -> None:
    event = series.events.get(key="e1")
    editing.edit_event(event, weight=Decimal("1.50"), reason="Beschluss", actor=fredi)
    tickets.give_wild_card(series, person("Dario Derungs"), reason="baut den Saal", actor=fredi)

    kinds = [type_ for type_, _ in told(series)]
    assert kinds == [
        *("series_started", "rules_set", "rules_set", "event_added", "event_added", "events_ordered"),
        *("event_added", "events_ordered", "event_weight_changed", "wild_card_given"),
    ]
    changed = next(body for type_, body in told(series) if type_ == "event_weight_changed")
    assert changed == {"event": "e1", "weight": "1.5", "reason": "Beschluss"}
    assert told(series)[0][1] == {"seed": series.seed}
    written = json.dumps(told(series), ensure_ascii=False)
    assert not any(word in written for name in SPRING for word in name.split())
    assert fold_series(told(series)).events == stream.load_state(series).events
    assert store.verify(str(series.stream_id))
    checkpoint = sealing.find_latest_checkpoint(str(series.stream_id))
    assert checkpoint is not None
    assert checkpoint.seqs == {series.stream_id: len(kinds) - 1}
    checked = sealing.compared(str(series.stream_id), sealing.each(str(series.stream_id)))
    assert {wrong for _, wrong in checked} == {""}


def test_a_series_from_before_it_had_a_stream_gets_one_from_its_present_state(
    series: ClubSeries, fredi: User
) -> None:
    ClubSeries.objects.filter(pk=series.pk).update(stream=None)
    old = ClubSeries.objects.get(pk=series.pk)
    assert stream.read_state(old).events == {}

    editing.add_event(old, name="Herbst", actor=fredi)

    kinds = [type_ for type_, _ in told(old)]
    assert kinds == ["series_started", "rules_set", *["event_added"] * 4, "events_ordered"]
    assert list(fold_series(told(old)).events) == ["e1", "e2", "e3", "final"]


def test_the_stream_follows_whatever_is_changed(series: ClubSeries, fredi: User) -> None:
    def agrees() -> bool:
        rows, streamed = stream.load_state(series), fold_series(told(series))
        same = ("rules", "events", "holders", "wild_cards", "declined", "accepted")
        return all(getattr(rows, name) == getattr(streamed, name) for name in same) and list(
            rows.events
        ) == list(streamed.events)

    first = series.events.get(key="e1")
    editing.move_event(first, earlier=False, reason="Datum", actor=fredi)
    assert agrees()
    editing.edit_event(first, state="void", reason="Verschrieben", actor=fredi)
    editing.remove_event(first, actor=fredi)
    assert agrees()
    tickets.name_holder(series, person("Chiara Caduff"), actor=fredi)
    tickets.give_wild_card(series, person("Dario Derungs"), reason="Jury", actor=fredi)
    ref = f"p{person('Dario Derungs').pk}"
    tickets.accept_ticket(series, ref, actor=fredi)
    tickets.decline(series, ref, actor=fredi)
    assert agrees()
    tickets.undo_ticket(series, "wild_card", ref, actor=fredi)
    tickets.undo_ticket(series, "declined", ref, actor=fredi)
    tickets.undo_ticket(series, "holder", f"p{person('Chiara Caduff').pk}", actor=fredi)
    assert agrees()
    assert not series.tickets.exists()
    editing.rename_series(series, "Anders", actor=fredi)
    assert agrees()


REASONED: list[tuple[str, Callable[[ClubSeries, User, str], object]]] = [
    (
        "series/weight_after_seal",
        lambda made, fredi, reason: editing.edit_event(
            made.events.get(key="final"), weight=Decimal(2), actor=fredi, reason=reason
        ),
    ),
    (
        "series/rules_after_seal",
        lambda made, fredi, reason: editing.set_numbers(
            made, best=1, least=None, steps=[None, None, None], actor=fredi, reason=reason
        ),
    ),
    (
        "series/rules_after_seal",
        lambda made, fredi, reason: editing.choose_preset(made, "season", actor=fredi, reason=reason),
    ),
    (
        "series/rules_after_seal",
        lambda made, fredi, reason: editing.set_qualification(
            made, steps=STEPS[:1], level="all", actor=fredi, reason=reason
        ),
    ),
    (
        "series/rules_after_seal",
        lambda made, fredi, reason: editing.move_event(
            made.events.get(key="e1"), earlier=False, actor=fredi, reason=reason
        ),
    ),
    (
        "series/withdrawn_after_counting",
        lambda made, fredi, reason: editing.remove_event(
            made.events.get(key="e1"), actor=fredi, reason=reason
        ),
    ),
    (
        "series/withdrawn_after_counting",
        lambda made, fredi, reason: editing.edit_event(
            made.events.get(key="e2"), state="cancelled", actor=fredi, reason=reason
        ),
    ),
    (
        "series/withdrawn_after_counting",
        lambda made, fredi, reason: editing.edit_event(
            made.events.get(key="e2"), championship=None, actor=fredi, reason=reason
        ),
    ),
]


@pytest.mark.parametrize(("code", "change"), REASONED)
@pytest.mark.parametrize("blank", ["", "   "])
def test_what_counts_already_changes_with_a_reason_only(
    series: ClubSeries, fredi: User, code: str, change: Callable[[ClubSeries, User, str], object], blank: str
) -> None:
    before, rows = told(series), stream.load_state(series)
    refused(code, change, series, fredi, blank)
    assert (told(series), stream.load_state(series)) == (before, rows), "nothing is half done"

    change(series, fredi, "Beschluss der Versammlung")

    added = [body for _, body in told(series)[len(before) :]]
    assert any(body.get("reason") == "Beschluss der Versammlung" for body in added)


def test_before_an_evening_counts_nothing_needs_a_reason(fredi: User) -> None:
    made = editing.create_series(rolls.default_club(fredi), name="Jahr", preset="season", actor=fredi)
    running = evening(fredi, "Winter", SPRING, finished=False)
    event = editing.add_event(made, championship=running, actor=fredi)
    editing.edit_event(event, weight=Decimal(3), actor=fredi)
    editing.choose_preset(made, "threshold", actor=fredi)
    editing.edit_event(event, state="cancelled", actor=fredi)
    editing.remove_event(event, actor=fredi)
    refused("series/nothing_counts", publishing.publish_table, made, actor=fredi)


def test_a_preview_shows_both_tables_and_leaves_nothing_behind(series: ClubSeries, fredi: User) -> None:
    before, streams = told(series), Stream.objects.count()
    found = preview_change(
        series,
        lambda: editing.edit_event(series.events.get(key="e2"), state="void", actor=fredi, reason="Versuch"),
    )
    assert found.before is not None
    assert found.after is not None
    counted = [
        sorted(len(row.events) for row in loaded.table.unranked) for loaded in (found.before, found.after)
    ]
    assert counted == [[1, 2, 2, 2], [1, 1, 1, 1]]
    assert (told(series), Stream.objects.count()) == (before, streams)


def test_a_corrected_evening_makes_a_new_version_and_accepted_tickets_stay(
    series: ClubSeries, fredi: User
) -> None:
    first = publishing.publish_table(series, actor=fredi)
    assert publishing.publish_table(series, actor=fredi).version == first.version == 1
    assert qualified(series) == ["Beat", "Anna"]
    tickets.accept_ticket(series, f"p{person('Anna Ammann').pk}", actor=fredi)
    summer = Championship.objects.get(name="Sommer")
    publish_totals(summer, [1, 2, 3], [950, 300, 960])
    spring = Championship.objects.get(name="Frühling")
    publish_totals(spring, [1, 2, 3, 4], [200, 880, 870, 800])

    second = publishing.publish_table(series, actor=fredi)

    assert second.version == 2
    assert qualified(series) == ["Dario", "Beat", "Anna"], "by the correction, and beside it who has accepted"
    published = [body for type_, body in told(series) if type_ == "table_published"]
    assert [body["rankings"]["e2"]["version"] for body in published] == [1, 2]
    assert [body["digest"] for body in published] == [digest_rows(one.table) for one in (first, second)]
    assert len([1 for type_, _ in told(series) if type_ == "qualification_published"]) == 2


def test_results_of_a_published_table_move_to_another_person_with_a_reason_only(
    series: ClubSeries, fredi: User
) -> None:
    publishing.publish_table(series, actor=fredi)
    other = rolls.add_person(series.club, actor=fredi, first_name="Anna", family_name="Ammann-Zwei")
    Championship.objects.get(name="Sommer").entries.filter(name="Anna Ammann").update(person=other)

    refused("series/persons_after_seal", publishing.publish_table, series, actor=fredi)
    publishing.publish_table(series, actor=fredi, reason="verwechselt")

    matched = [body for type_, body in told(series) if type_ == "persons_matched"]
    assert [body.get("reason") for body in matched] == [None, None, "verwechselt"]


def test_teams_and_categories_of_a_published_table_change_with_a_reason_only(fredi: User) -> None:
    made = editing.create_series(rolls.default_club(fredi), name="Jahr", preset="two_games", actor=fredi)
    editing.set_qualification(
        made, steps=[QualifyStep(kind="category", category="Frau", count=1)], level="chain", actor=fredi
    )
    for name, totals in (("Frühling", SPRING), ("Sommer", SUMMER)):
        one = evening(fredi, name, totals, changes={"teams": {"size": 4}})
        there = list(one.entries.order_by("number"))
        teams.join(one, there[0::2], "Rot", actor=fredi)
        teams.join(one, there[1::2], "BLAU" if name == "Sommer" else "Blau", actor=fredi)
        one.entries.filter(name__startswith="Chiara").update(category="Frau")
        editing.add_event(made, championship=one, actor=fredi)

    first = publishing.publish_table(made, actor=fredi)

    assert first.teams is not None
    assert len(first.teams) == 2, "a team is the same one however its name is spelt"
    assert [len(row["members"]) for row in first.teams] == [3, 1], "Beat, Dario and Anna changed teams"
    assert not publishing.has_changed(load_series(made), first)
    assert row_audits(made) == []
    spring = Championship.objects.get(name="Frühling")
    for code, change in (
        ("series/categories_after_seal", {"category": "Frau"}),
        ("series/teams_after_seal", {"team": spring.teams.get(name="Blau")}),
    ):
        Entry.objects.filter(championship=spring, name="Anna Ammann").update(**change)
        publish_totals(spring, [1, 2, 3, 4], [900 + made.snapshots.count(), 880, 870, 800])
        before = told(made)
        refused(code, publishing.publish_table, made, actor=fredi)
        assert told(made) == before
        assert publishing.publish_table(made, actor=fredi, reason="falsch erfasst").teams is not None
        stated = [body.get("reason") for type_, body in told(made) if type_ == CODES[code]]
        assert (stated[:2], set(stated[2:])) == ([None, None], {"falsch erfasst"})
    last = made.snapshots.last()
    assert last is not None
    assert last.teams is not None
    last.teams[0]["total"] = 999
    last.save()
    assert row_audits(made) == [f"published teams {last.version}: it is not the one in the stream"]


CODES = {"series/categories_after_seal": "categories_stated", "series/teams_after_seal": "teams_matched"}


def row_audits(made: ClubSeries) -> list[str]:
    made.refresh_from_db()
    return list(row_audit.find_series_differences(made, store.read(str(made.stream_id))))


def test_two_persons_merged_on_the_roll_keep_their_tickets(series: ClubSeries, fredi: User) -> None:
    other = rolls.add_person(series.club, actor=fredi, first_name="Emil", family_name="Egger")
    tickets.give_wild_card(series, other, reason="Jury", actor=fredi)
    keep, gone = person("Dario Derungs"), other.pk
    rolls.merge_persons(keep, other, actor=fredi)
    assert "Dario" in qualified(series)
    publishing.publish_table(series, actor=fredi)
    given = [body["person"] for type_, body in told(series) if type_ == "wild_card_given"]
    assert given == [f"p{gone}", f"p{keep.pk}"]


def test_who_declines_is_replaced_and_comes_back_until_the_next_has_accepted(
    series: ClubSeries, fredi: User
) -> None:
    beat, dario = f"p{person('Beat Bühler').pk}", f"p{person('Dario Derungs').pk}"
    assert qualified(series) == ["Beat", "Anna"]
    tickets.decline(series, beat, actor=fredi)
    assert qualified(series) == ["Anna", "Dario"]
    tickets.undo_ticket(series, "declined", beat, actor=fredi)
    assert qualified(series) == ["Beat", "Anna"]

    tickets.decline(series, beat, actor=fredi)
    tickets.accept_ticket(series, dario, actor=fredi)
    refused("series/ticket_passed_on", tickets.undo_ticket, series, "declined", beat, actor=fredi)
    assert qualified(series) == ["Anna", "Dario"]
    tickets.undo_ticket(series, "accepted", dario, actor=fredi)
    tickets.undo_ticket(series, "declined", beat, actor=fredi)
    assert qualified(series) == ["Beat", "Anna"]


def test_tickets_that_cannot_be_are_refused(series: ClubSeries, fredi: User, gabi: User) -> None:
    dario = person("Dario Derungs")
    elsewhere = rolls.found_club("Anderswo", actor=gabi)
    stranger = rolls.add_person(elsewhere, actor=gabi, first_name="Zita", family_name="Zgraggen")
    refused("series/wild_card_reason", tickets.give_wild_card, series, dario, reason=" ", actor=fredi)
    refused("series/not_on_roll", tickets.name_holder, series, stranger, actor=fredi)
    refused("series/no_ticket", tickets.accept_ticket, series, f"p{dario.pk}", actor=fredi)
    refused("series/no_ticket", tickets.decline, series, "p0", actor=fredi)
    tickets.undo_ticket(series, "declined", "p0", actor=fredi)
    for call in (
        lambda: tickets.name_holder(series, dario, actor=gabi),
        lambda: tickets.give_wild_card(series, dario, reason="x", actor=gabi),
        lambda: tickets.accept_ticket(series, f"p{dario.pk}", actor=gabi),
        lambda: tickets.decline(series, f"p{dario.pk}", actor=gabi),
        lambda: tickets.undo_ticket(series, "holder", f"p{dario.pk}", actor=gabi),
        lambda: publishing.publish_table(series, actor=gabi),
        lambda: editing.set_qualification(series, steps=(), level="all", actor=gabi),
    ):
        with pytest.raises(NotAllowed):
            call()
    assert not SeriesTicket.objects.exists()


def test_the_final_publishes_the_qualification_and_its_players_have_accepted(
    series: ClubSeries, fredi: User
) -> None:
    tickets.name_holder(series, person("Chiara Caduff"), actor=fredi)
    made = make_final(series, actor=fredi, name="Final", preset="santiago")

    published = series.snapshots.get().qualification
    assert published is not None
    assert [one["why"] for one in published["qualified"]] == ["holder", "first", "first"]
    assert sorted(entry.name.split()[0] for entry in made.entries.all()) == ["Anna", "Beat", "Chiara"]
    refs = {one["ref"] for one in published["qualified"]}
    assert set(load_series(series).document.accepted) == refs
    beat = f"p{person('Beat Bühler').pk}"
    refused("series/in_the_final", tickets.decline, series, beat, actor=fredi)
    archiving.delete(made, actor=fredi, name="Final")
    tickets.decline(series, beat, actor=fredi)
    kinds = [type_ for type_, _ in told(series)]
    assert kinds[-3:] == ["event_played_as", "ticket_declined", "accepting_undone"], (
        "the final is planned again"
    )


def test_a_deleted_series_leaves_its_stream(series: ClubSeries, fredi: User) -> None:
    kept = str(series.stream_id)
    editing.delete_series(series, actor=fredi)
    assert not ClubSeries.objects.exists()
    assert store.read(kept)[-1].type == "series_deleted"


def test_without_a_key_a_series_goes_on_unsealed(
    series: ClubSeries, fredi: User, settings: Settings, tmp_path: Path
) -> None:
    settings.SEAL_KEY = tmp_path / "gone"
    publishing.publish_table(series, actor=fredi)
    assert told(series)[-1][0] == "qualification_published"


def test_who_has_accepted_keeps_a_ticket_beside_all_others_but_not_after_declining() -> None:
    document = {
        "rules": {"qualify": {"steps": [{"kind": "first", "count": 1, "of": "all"}]}},
        "events": [
            {
                "key": "e",
                "ranking": [{"place": n, "ref": ref, "total": 10 - n} for n, ref in enumerate("abc", 1)],
            }
        ],
    }
    found = qualify(decode_series({**document, "accepted": ["c", "a"]}))
    assert [(one.ref, one.why) for one in found.qualified] == [("a", "first"), ("c", "accepted")]
    assert found.waiting == ("b",)
    found = qualify(decode_series({**document, "accepted": ["c"], "declined": ["c"]}))
    assert [one.ref for one in found.qualified] == ["a"]


def test_the_audit_finds_a_weight_or_a_table_that_was_bent_in_the_database(
    series: ClubSeries, fredi: User
) -> None:
    made = publishing.publish_table(series, actor=fredi)
    stream_id = str(series.stream_id)

    def differences() -> list[str]:
        return list(row_audit.find_stream_differences(stream_id, store.verify(stream_id)))

    assert differences() == []
    series.events.filter(key="e1").update(weight=5)
    SeriesSnapshot.objects.filter(pk=made.pk).update(table=made.table[::-1])
    assert len(differences()) == 2
    assert any("event e1" in line for line in differences())
    assert "published table 1: it is not the one in the stream" in differences()
    SeriesSnapshot.objects.filter(pk=made.pk).delete()
    assert "published qualification 1: it is missing" in differences()


def test_an_event_that_counts_at_once_is_added_to_a_published_table_with_a_reason_only(
    series: ClubSeries, fredi: User
) -> None:
    played = [evening(fredi, name, SUMMER) for name in ("Herbst", "Winter")]
    planned = editing.add_event(series, name="Herbst", actor=fredi)
    lost = editing.add_event(series, championship=evening(fredi, "Verregnet", SPRING), actor=fredi)
    editing.edit_event(lost, state="cancelled", reason="Beschluss", actor=fredi)
    publishing.publish_table(series, actor=fredi)
    changes: list[Callable[[str], object]] = [
        lambda why: editing.add_event(series, championship=played[1], actor=fredi, reason=why),
        lambda why: editing.edit_event(planned, championship=played[0], actor=fredi, reason=why),
        lambda why: editing.edit_event(lost, state="planned", actor=fredi, reason=why),
    ]

    for change in changes:
        before = told(series)
        refused("series/event_after_seal", change, " ")
        assert told(series) == before
        for event in (planned, lost):
            event.refresh_from_db()
        change("ging vergessen")
        assert told(series)[len(before)][1]["reason"] == "ging vergessen"

    unfinished = evening(fredi, "Heute", SPRING, finished=False)
    editing.add_event(series, championship=unfinished, actor=fredi)
    editing.add_event(series, name="Nächstes Jahr", actor=fredi)
