"""Substitutes for a missing person: for the whole round, or from a deal on."""

from collections.abc import Callable
from functools import partial

import pytest

from frontend.presenters.tables.tables import annotate_substitutes
from games import store
from games.models import Access, Game, Seat, User
from tests.tournaments import table_play
from tournaments import regulations
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Round, Substitute
from tournaments.notices import occasions
from tournaments.services.audit import row_audit
from tournaments.services.championships import regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_checks, draw_undoing, drawing, late_people, substitutions
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.scores import ranking_basis
from tournaments.services.seats.players_at_tables import list_chairs

Opened = Callable[..., Round]
People = Callable[[int], list[Entry]]


def sits_at(round_: Round, table: int, seat: int) -> Entry:
    return round_.seatings.get(table__number=table, seat=seat).entry


def agrees(round_: Round) -> None:
    """The rows of the round are what its stream says."""
    round_.refresh_from_db()
    assert list(row_audit.find_round_differences(round_, store.read(round_.stream_id, parts=False))) == []


def is_refused(code: str, act: Callable[[], object], round_: Round) -> None:
    before = store.read_head(round_.stream_id), list(round_.seatings.values_list("pk", "entry"))
    with pytest.raises(TournamentError) as refusal:
        act()
    assert refusal.value.code == code
    assert (store.read_head(round_.stream_id), list(round_.seatings.values_list("pk", "entry"))) == before


@pytest.fixture
def drawn(arrived: People, championship: Championship, fredi: User) -> Round:
    """Nine people at two tables of four: one has a bye."""
    arrived(9)
    return drawing.draw_round(championship.rounds.get(number=1), actor=fredi)


def the_one_out(round_: Round) -> Entry:
    return round_.byes.get().entry


# --- a chair for the whole round


def test_who_sits_out_takes_the_chair_of_who_is_missing_and_nobody_else_moves(
    drawn: Round, fredi: User
) -> None:
    others = set(drawn.seatings.values_list("table", "seat", "entry"))
    comes, goes = the_one_out(drawn), sits_at(drawn, 2, 1)

    substitutions.take_chair(drawn, comes.number, goes.number, bye=False, actor=fredi)

    assert sits_at(drawn, 2, 1) == comes
    assert len(others - set(drawn.seatings.values_list("table", "seat", "entry"))) == 1
    assert not drawn.byes.exists(), "who is missing has missed the round"
    goes.refresh_from_db()
    assert goes.status == Entry.Status.REGISTERED, "and is not drawn before arriving"
    agrees(drawn)


def test_who_has_withdrawn_stays_withdrawn_when_somebody_takes_the_chair(drawn: Round, fredi: User) -> None:
    comes, goes = the_one_out(drawn), sits_at(drawn, 2, 1)
    for table in drawn.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(drawn, actor=fredi)
    entries.withdraw_entry(goes, actor=fredi, after_round=True)
    substitutions.take_chair(drawn, comes.number, goes.number, bye=False, actor=fredi)
    goes.refresh_from_db()
    assert (goes.status, goes.withdrawn_from) == (Entry.Status.WITHDRAWN, 2)
    agrees(drawn)


def test_pressed_the_other_way_round_it_is_undone(drawn: Round, fredi: User) -> None:
    before = set(drawn.seatings.values_list("table", "seat", "entry")), the_one_out(drawn)
    comes, goes = the_one_out(drawn), sits_at(drawn, 2, 1)
    substitutions.take_chair(drawn, comes.number, goes.number, bye=False, actor=fredi)
    [step] = substitutions.list_replacements(drawn)
    assert step.was_out

    substitutions.take_chair(drawn, goes.number, comes.number, bye=step.was_out, actor=fredi)

    assert (set(drawn.seatings.values_list("table", "seat", "entry")), the_one_out(drawn)) == before
    goes.refresh_from_db()
    assert goes.status == Entry.Status.ARRIVED
    agrees(drawn)


def test_who_leaves_the_chair_but_is_here_sits_out_and_gets_what_that_gives(
    drawn: Round, fredi: User
) -> None:
    comes, goes = the_one_out(drawn), sits_at(drawn, 1, 0)
    substitutions.take_chair(drawn, comes.number, goes.number, bye=True, actor=fredi)
    assert the_one_out(drawn) == goes
    for table in drawn.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(drawn, actor=fredi)
    table_play.play_to_the_end(drawn)
    rounds.close_round(drawn, actor=fredi)
    assert the_one_out(drawn) == goes
    assert drawn.byes.get().points == 628
    agrees(drawn)


def test_after_the_opening_the_chair_goes_with_its_rights_while_nothing_is_written(
    open_round: Opened, fredi: User, anna: User, championship: Championship
) -> None:
    round_ = open_round("sheet", "sheet", people=9)
    comes, goes = the_one_out(round_), sits_at(round_, 2, 3)
    entries.link_account(comes, anna, actor=fredi)
    substitutions.take_chair(round_, comes.number, goes.number, bye=True, actor=fredi)
    game = Game.objects.get(tournament_table__number=2)
    assert Seat.objects.get(game=game, number=3).player_ref == comes.player_ref
    assert list(Access.objects.filter(user=anna).values_list("game", "seat")) == [(game.pk, 3)]
    table_play.write_sheet(round_.tables.get(number=2), [100] * 8)
    totals = {row.key: row.total for row in ranking_basis.live_ranking(championship)}
    assert (totals[comes.number], totals[goes.number]) == (456, 0)
    agrees(round_)


def test_once_something_is_written_the_chair_is_not_for_the_taking(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet", people=9)
    table_play.enter(round_.tables.get(number=2), 1, 100)
    comes, goes = the_one_out(round_), sits_at(round_, 2, 3)
    is_refused(
        "chairs/played",
        lambda: substitutions.take_chair(round_, comes.number, goes.number, bye=True, actor=fredi),
        round_,
    )


def test_who_comes_late_and_is_only_registered_is_here_with_that(
    drawn: Round, championship: Championship, fredi: User
) -> None:
    late = entries.add_entry(championship, actor=fredi, name="Xaver")
    substitutions.take_chair(drawn, late.number, sits_at(drawn, 1, 2).number, bye=True, actor=fredi)
    late.refresh_from_db()
    assert late.status == Entry.Status.ARRIVED
    assert drawn.byes.count() == 2
    agrees(drawn)


# --- a substitute


def test_a_substitute_plays_from_a_deal_on_and_the_result_stays(
    open_round: Opened, fredi: User, championship: Championship
) -> None:
    round_ = open_round("sheet", "sheet", people=9)
    table = round_.tables.get(number=1)
    for deal in range(1, 5):
        table_play.enter(table, deal, 100)
        table_play.confirm(table, deal)
    plays, owner = the_one_out(round_), sits_at(round_, 1, 0)

    substitutions.substitute(round_, plays.number, owner.number, deal=5, actor=fredi)

    for deal in range(5, 9):
        table_play.enter(table, deal, 100)
        table_play.confirm(table, deal)
    totals = {row.key: row.total for row in ranking_basis.live_ranking(championship)}
    assert totals[owner.number] == 800
    assert totals[plays.number] == 0
    assert list(Substitute.objects.values_list("seat", "entry", "deal")) == [(0, plays.pk, 5)]
    agrees(round_)


def test_who_comes_back_plays_again_and_a_slip_is_taken_back(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet", people=9)
    plays, owner = the_one_out(round_), sits_at(round_, 1, 0)
    substitutions.substitute(round_, plays.number, owner.number, deal=3, actor=fredi)
    substitutions.substitute(round_, owner.number, owner.number, deal=6, actor=fredi)
    assert list(Substitute.objects.values_list("entry", "deal")) == [(plays.pk, 3), (owner.pk, 6)]
    agrees(round_)
    substitutions.substitute(round_, owner.number, owner.number, deal=3, actor=fredi)
    assert not Substitute.objects.exists()
    agrees(round_)


def test_the_substitutes_account_has_the_seat_and_who_is_back_has_it_again(
    open_round: Opened, fredi: User, anna: User, eva: User
) -> None:
    round_ = open_round("sheet", "sheet", people=9)
    plays, owner = the_one_out(round_), sits_at(round_, 1, 0)
    entries.link_account(owner, anna, actor=fredi)
    entries.link_account(plays, eva, actor=fredi)

    def who() -> list[str]:
        game = Game.objects.get(tournament_table__number=1)
        return list(
            Access.objects.filter(game=game, role="seat", seat=0).values_list("user__username", flat=True)
        )

    assert who() == ["anna"]
    substitutions.substitute(round_, plays.number, owner.number, deal=2, actor=fredi)
    assert who() == ["eva"]
    substitutions.substitute(round_, owner.number, owner.number, deal=4, actor=fredi)
    assert who() == ["anna"]


def test_everywhere_the_player_of_a_chair_is_who_plays_its_last_deals(
    open_round: Opened, fredi: User
) -> None:
    round_ = open_round("sheet", "transcribed", people=9)
    plays = the_one_out(round_)
    for number, owner in ((1, sits_at(round_, 1, 0)), (2, sits_at(round_, 2, 0))):
        table = round_.tables.get(number=number)
        entries.leave(owner, actor=fredi)
        for deal, player, other in ((5, plays, owner), (8, owner, plays)):
            substitutions.substitute(round_, player.number, owner.number, deal=deal, actor=fredi)

            assert list_chairs(player) == {str(table.game_id): 0}
            assert list_chairs(other) == {}
            places = occasions.places_in_round(round_)
            assert places[player.pk] == (number, 0)
            assert places.get(other.pk, (0, 0)) == (0, 0)
            chair = annotate_substitutes(table.seatings.filter(seat=0)).get()
            assert chair.stands_in == (None if player == owner else plays.pk)  # type: ignore[attr-defined]  # annotated
            assert late_people.list_unseated(round_) == ([] if player == plays else [plays])
            absent = [one.name for one in draw_checks.seated_absent(round_)]
            assert (owner.name in absent) is (player == owner)
        agrees(round_)


@pytest.fixture
def stale(drawn: Round) -> Round:
    """The drawn round with the championship as it was before the regulations changed."""
    assert drawn.championship.regulations_version == 1
    return drawn


def change(round_: Round, fredi: User, **changes: object) -> None:
    made = Championship.objects.get(pk=round_.championship_id)
    data = regulations.encode(load_regulations(made))
    play = {**data["play"], **changes.pop("play", {})}  # type: ignore[dict-item]  # a mapping
    regulations_change.change_regulations(made, {**data, **changes, "play": play}, actor=fredi)


def test_regulations_that_change_meanwhile_hold_for_the_deals_of_a_substitute(
    stale: Round, fredi: User
) -> None:
    plays, owner = the_one_out(stale), sits_at(stale, 1, 0)
    rounds.set_mode(stale.tables.get(number=1), "sheet", actor=fredi)
    change(stale, fredi, deals=4)
    is_refused(
        "chairs/deal",
        lambda: substitutions.substitute(stale, plays.number, owner.number, deal=5, actor=fredi),
        stale,
    )


def test_regulations_that_change_meanwhile_hold_for_an_added_table(
    stale: Round, championship: Championship, fredi: User
) -> None:
    change(stale, fredi, play={"mode": "sheet"})
    late = [
        entries.add_entry(championship, actor=fredi, name=f"Spät {n}", status="arrived").number
        for n in range(3)
    ]
    table = late_people.add_table(stale, [*late, the_one_out(stale).number], actor=fredi)
    assert table.mode == "sheet"


def test_named_before_the_opening_the_substitute_gets_the_seat_when_the_table_opens(
    drawn: Round, fredi: User, eva: User
) -> None:
    plays, owner = the_one_out(drawn), sits_at(drawn, 1, 0)
    entries.link_account(plays, eva, actor=fredi)
    for table in drawn.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    substitutions.substitute(drawn, plays.number, owner.number, actor=fredi)
    rounds.open_round(drawn, actor=fredi)
    assert Access.objects.filter(user=eva, role="seat", seat=0).count() == 1
    agrees(drawn)


def test_before_the_opening_nobody_is_named_a_substitute_where_cards_will_be_dealt(
    drawn: Round, championship: Championship, fredi: User
) -> None:
    seating = drawn.seatings.select_related("table", "entry").order_by("table__number", "seat")[0]
    new = entries.add_entry(championship, actor=fredi, name="Neu Kommt")
    rounds.set_mode(seating.table, "dealt", actor=fredi)
    is_refused(
        "chairs/dealt",
        lambda: substitutions.substitute(drawn, new.number, seating.entry.number, deal=3, actor=fredi),
        drawn,
    )


def test_where_a_substitute_is_named_no_table_is_made_one_where_cards_are_dealt(
    drawn: Round, championship: Championship, fredi: User
) -> None:
    seating = drawn.seatings.select_related("table__round", "entry").order_by("table__number", "seat")[0]
    new = entries.add_entry(championship, actor=fredi, name="Neu Kommt")
    rounds.set_mode(seating.table, "sheet", actor=fredi)
    substitutions.substitute(drawn, new.number, seating.entry.number, deal=3, actor=fredi)
    with pytest.raises(TournamentError) as refused:
        rounds.set_mode(seating.table, "dealt", actor=fredi)
    assert refused.value.code == "rounds/substitute_named"
    seating.table.refresh_from_db()
    assert seating.table.mode == "sheet"


def test_nobody_plays_in_two_places(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet", people=9)
    plays, owner, other = the_one_out(round_), sits_at(round_, 1, 0), sits_at(round_, 2, 0)
    is_refused(
        "chairs/plays_already",
        lambda: substitutions.substitute(round_, other.number, owner.number, deal=2, actor=fredi),
        round_,
    )
    substitutions.substitute(round_, plays.number, owner.number, deal=2, actor=fredi)
    is_refused(
        "chairs/plays_already",
        lambda: substitutions.substitute(round_, plays.number, other.number, deal=2, actor=fredi),
        round_,
    )
    is_refused(
        "chairs/plays_already",
        lambda: substitutions.take_chair(round_, plays.number, other.number, bye=True, actor=fredi),
        round_,
    )


def test_nonsense_is_refused(open_round: Opened, fredi: User, gabi: User, championship: Championship) -> None:
    round_ = open_round("sheet", "dealt", people=9)
    plays, owner, online = the_one_out(round_), sits_at(round_, 1, 0), sits_at(round_, 2, 0)
    for code, player, instead, deal in (
        ("chairs/not_seated", plays.number, 99, 1),
        ("chairs/not_seated", owner.number, plays.number, 1),
        ("chairs/not_entered", 99, owner.number, 1),
        ("chairs/deal", plays.number, owner.number, 0),
        ("chairs/deal", plays.number, owner.number, 9),
        ("chairs/dealt", plays.number, online.number, 1),
    ):
        is_refused(
            code,
            partial(substitutions.substitute, round_, player, instead, deal=deal, actor=fredi),
            round_,
        )
    is_refused(
        "chairs/dealt",
        lambda: substitutions.take_chair(round_, plays.number, online.number, bye=True, actor=fredi),
        round_,
    )
    is_refused(
        "chairs/table_full", lambda: late_people.join_table(round_, plays.number, 1, actor=fredi), round_
    )
    with pytest.raises(NotAllowed):
        substitutions.take_chair(round_, plays.number, owner.number, bye=True, actor=gabi)
    entries.withdraw_entry(plays, actor=fredi)
    is_refused(
        "chairs/not_entered",
        lambda: substitutions.substitute(round_, plays.number, owner.number, actor=fredi),
        round_,
    )
    rounds.close_round(round_, actor=fredi, force=True)
    is_refused(
        "chairs/round_over",
        lambda: substitutions.substitute(round_, plays.number, owner.number, actor=fredi),
        round_,
    )


def test_an_undone_draw_takes_all_of_it_along(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet", people=9)
    plays, owner = the_one_out(round_), sits_at(round_, 1, 0)
    substitutions.substitute(round_, plays.number, owner.number, actor=fredi)
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    agrees(round_)
    drawing.draw_round(round_, actor=fredi)
    assert substitutions.list_replacements(round_) == []
    agrees(round_)
