"""Corrections of paper results in any round, with a reason, by permitted people; the ranking follows."""

from collections.abc import Callable

import msgspec
import pytest

from engine import IllegalCommand, decode_command
from games import game_state
from games.errors import Forbidden
from games.models import DealResult, User
from games.rights import claims
from games.store import read
from tests.tournaments import table_play
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Official, Round, Table
from tournaments.services.audit import auditing
from tournaments.services.championships import officials, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.referee import corrections
from tournaments.services.rounds import breaking_off, rounds
from tournaments.services.scores import published_ranking
from tournaments.standings import Figure

Opened = Callable[..., Round]
OTHER = {"card_points": [57, 100]}


@pytest.fixture
def desk(championship: Championship, user: Callable[[str], User], fredi: User) -> User:
    dora = user("Dora")
    officials.appoint(championship, dora, Official.Role.DESK, actor=fredi)
    return dora


@pytest.fixture
def closed(open_round: Opened, fredi: User) -> Round:
    """Round 1 with nine people: two sheets, 100 to 57 in every deal; somebody has a bye."""
    round_ = open_round("sheet", "sheet", people=9)
    table_play.play_to_the_end(round_)
    return rounds.close_round(round_, actor=fredi)


def table_of(round_: Round, number: int = 1) -> Table:
    return round_.tables.select_related("game", "round__championship").get(number=number)


def points_of(championship: Championship, round_: int = 1) -> dict[int, Figure | None]:
    """Number → points of a round in the ranking published last."""
    snapshot = published_ranking.load_latest_snapshot(championship)
    assert snapshot is not None
    return {
        row.key: one.points
        for row in published_ranking.decode_rows(snapshot)
        for one in row.rounds
        if one.round == round_
    }


def wrong(championship: Championship) -> list[str]:
    audit = auditing.start_audit(championship, actor=championship.owner)
    while auditing.check_next(audit):
        pass
    return [finding.detail for finding in auditing.load_findings(audit)]


def test_a_confirmed_result_of_a_closed_round_is_put_right_and_the_ranking_published_anew(
    championship: Championship, closed: Round, gabi: User
) -> None:
    table = table_of(closed)
    numbers = [s.entry.number for s in table.seatings.select_related("entry").order_by("seat")]
    assert [points_of(championship)[n] for n in numbers] == [800, 456, 800, 456]

    events = corrections.correct_result(table, 3, OTHER, actor=gabi, reason="Seiten verwechselt")

    assert [event.reason for event in events] == ["Seiten verwechselt"]  # type: ignore[attr-defined]  # all events are corrections
    assert [points_of(championship)[n] for n in numbers] == [757, 499, 757, 499]
    snapshot = published_ranking.load_latest_snapshot(championship)
    assert snapshot is not None
    assert (snapshot.version, snapshot.reason, snapshot.after_round) == (2, "correction", 1)
    assert all(DealResult.objects.filter(game=table.game).values_list("confirmed", flat=True))
    assert wrong(championship) == []


def test_who_sat_out_gets_the_average_as_it_is_now(
    championship: Championship, closed: Round, fredi: User
) -> None:
    [bye] = closed.byes.select_related("entry")
    assert bye.points == 628
    table = table_of(closed)

    shown = corrections.preview(table, 1, {"card_points": [157, 0], "sweep": 0})
    corrections.correct_result(
        table, 1, {"card_points": [157, 0], "sweep": 0}, actor=fredi, reason="Match vergessen"
    )

    bye.refresh_from_db()
    assert bye.points == points_of(championship)[bye.entry.number] == 653
    [moved] = [shift for shift in shown.movement.elsewhere if shift.number == bye.entry.number]
    assert (moved.total, moved.total_after) == (628, 653)
    assert [event.type for event in read(closed.stream_id)][-1] == "sitting_out_counted"
    assert wrong(championship) == []


def test_a_sweep_that_is_written_down_later_breaks_ties(
    championship: Championship, closed: Round, fredi: User
) -> None:
    table = table_of(closed)
    corrections.correct_result(
        table, 1, {"card_points": [157, 0], "sweep": 0}, actor=fredi, reason="Match vergessen"
    )
    snapshot = published_ranking.load_latest_snapshot(championship)
    assert snapshot is not None
    swept = {row.key for row in published_ranking.decode_rows(snapshot) if row.sweeps}
    assert swept == {s.entry.number for s in table.seatings.filter(seat__in=(0, 2)).select_related("entry")}


def test_what_is_shown_before_is_what_comes_of_it(
    championship: Championship, closed: Round, gabi: User
) -> None:
    table = table_of(closed)
    shown = corrections.preview(table, 8, OTHER)
    assert (shown.scores_before, shown.scores_after) == ((100, 57), (57, 100))
    assert (shown.totals_before, shown.totals_after) == ((800, 456), (757, 499))
    corrections.correct_result(table, 8, OTHER, actor=gabi, reason="x")
    snapshot = published_ranking.load_latest_snapshot(championship)
    assert snapshot is not None
    now = {row.key: row for row in published_ranking.decode_rows(snapshot)}
    for shift in (*shown.movement.at_table, *shown.movement.elsewhere):
        assert (shift.place_after, shift.total_after) == (now[shift.number].place, now[shift.number].total)


def test_an_older_round_is_put_right_while_a_later_one_is_played(
    championship: Championship, closed: Round, fredi: User
) -> None:
    second = championship.rounds.get(number=2)
    drawing.draw_round(second, actor=fredi)
    for each in second.tables.all():
        rounds.set_mode(each, "sheet", actor=fredi)
    rounds.open_round(second, actor=fredi)
    corrections.correct_result(table_of(closed), 1, OTHER, actor=fredi, reason="x")
    table_play.play_to_the_end(second)
    rounds.close_round(second, actor=fredi)
    corrections.correct_result(table_of(closed), 2, OTHER, actor=fredi, reason="y")
    snapshot = published_ranking.load_latest_snapshot(championship)
    assert snapshot is not None
    assert (snapshot.after_round, snapshot.reason) == (2, "correction")
    assert set(points_of(championship).values()) == {456, 542, 628, 714, 800}
    assert wrong(championship) == []


def test_the_desk_corrects_until_it_is_confirmed_and_nobody_s_signature_is_made(
    open_round: Opened, desk: User
) -> None:
    table = table_of(open_round("sheet", people=4))
    table_play.enter(table, 1, 100)
    corrections.correct_result(table, 1, OTHER, actor=desk, reason="verlesen")
    state = game_state.load_snapshot(str(table.game_id)).state
    assert (state.totals, state.results[0].confirmed) == ((57, 100), False)
    table_play.confirm(table, 1)
    with pytest.raises(NotAllowed) as refusal:
        corrections.correct_result(table, 1, OTHER, actor=desk, reason="doch")
    assert refusal.value.code == "corrections/confirmed"
    with pytest.raises(NotAllowed) as refusal:
        corrections.correct_result(table, 2, OTHER, actor=desk, reason="voraus")
    assert refusal.value.code == "corrections/confirmed"


def test_the_desk_corrects_all_of_it_where_the_regulations_say_so_but_not_its_own_table(
    championship: Championship, open_round: Opened, desk: User, fredi: User
) -> None:
    held = load_regulations(championship)
    regulations_change.change_regulations(
        championship, msgspec.structs.replace(held, correcting="desk"), actor=fredi
    )
    round_ = open_round("sheet", "sheet")
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    corrections.correct_result(table_of(round_), 1, OTHER, actor=desk, reason="verlesen")
    assert game_state.load_snapshot(str(table_of(round_).game_id)).state.totals == (757, 499)
    seat = table_of(round_, 2).seatings.select_related("entry").get(seat=0)
    seat.entry.user = desk
    seat.entry.save()
    refused(table_of(round_, 2), desk, "corrections/own_table")
    assert wrong(championship) == []


def refused(
    table: Table,
    actor: User,
    code: str,
    deal: int = 1,
    fields: corrections.Fields = OTHER,
    *,
    reason: str = "x",
    seen: int | None = None,
) -> None:
    head = game_state.load_snapshot(str(table.game_id)).head
    with pytest.raises((TournamentError, IllegalCommand)) as refusal:
        corrections.correct_result(table, deal, fields, actor=actor, reason=reason, seen=seen)
    assert refusal.value.code == code
    assert game_state.load_snapshot(str(table.game_id)).head == head


def test_bad_corrections_change_nothing(
    closed: Round, fredi: User, eva: User, anna: User, gabi: User
) -> None:
    table = table_of(closed)
    refused(table, eva, "tournaments/not_allowed")
    refused(table, gabi, "corrections/no_reason", reason=" ")
    refused(table, gabi, "names/too_long", reason="x" * 201)
    refused(table, gabi, "corrections/changed_since", seen=3)
    refused(table, gabi, "sheet/wrong_sum", fields={"card_points": [57, 57]})
    refused(table, gabi, "enter_result/not_now", deal=9)
    seat = table.seatings.select_related("entry").get(seat=0)
    seat.entry.user = fredi
    seat.entry.save()
    refused(table, fredi, "corrections/own_table")
    assert corrections.find_correction_refusal(table_of(closed, 2), fredi, 1) is None


def test_the_only_official_corrects_at_the_own_table_too(
    championship: Championship, closed: Round, fredi: User, gabi: User
) -> None:
    officials.dismiss(championship, gabi, Official.Role.REFEREE, actor=fredi)
    table = table_of(closed)
    seat = table.seatings.select_related("entry").get(seat=0)
    seat.entry.user = fredi
    seat.entry.save()
    corrections.correct_result(table, 1, OTHER, actor=fredi, reason="sonst ist niemand da")
    assert game_state.load_snapshot(str(table.game_id)).state.totals == (757, 499)


def test_the_same_press_twice_is_one_correction(
    championship: Championship, closed: Round, gabi: User
) -> None:
    table = table_of(closed)
    for _press in range(2):
        corrections.correct_result(
            table, 1, OTHER, actor=gabi, reason="x", seen=None, command_id="correction:1"
        )
    assert championship.snapshots.count() == 2


def test_cards_are_not_corrected_but_ruled_on(open_round: Opened, gabi: User) -> None:
    table = table_of(open_round("dealt", people=4))
    with pytest.raises(TournamentError) as refusal:
        corrections.correct_result(table, 1, OTHER, actor=gabi, reason="x")
    assert refusal.value.code == "corrections/no_sheet"


def test_nobody_sends_a_correction_or_goes_on_past_the_service(
    open_round: Opened, desk: User, fredi: User
) -> None:
    """Over a socket or the API, where no ranking would follow."""
    table = table_of(open_round("sheet", people=4))
    table_play.enter(table, 1, 100)
    game = table_play.game_of(table)
    written = {"seat": 0, "deal": 1, "card_points": [57, 100]}
    for who in (desk, fredi):
        for command in (
            {"cmd": "correct_result", **written, "reason": "x"},
            {"cmd": "enter_result", **written, "deal": 2, "reason": "x"},
            {"cmd": "resume", "reason": "x"},
        ):
            with pytest.raises(Forbidden) as refusal:
                claims.authorise(game, who, decode_command(command))
            assert refusal.value.code == "access/server_only"


def test_a_table_that_was_broken_off_goes_on(open_round: Opened, fredi: User, desk: User) -> None:
    round_ = open_round("sheet", people=4)
    table = table_of(round_)
    table_play.enter(table, 1, 100)
    breaking_off.break_off(table, actor=fredi, reason="Wirt schliesst")
    with pytest.raises(IllegalCommand) as refusal:
        table_play.confirm(table, 1)
    assert refusal.value.code == "sheet/broken_off"
    with pytest.raises(NotAllowed):
        breaking_off.resume_table(table, actor=desk, reason="")
    breaking_off.resume_table(table, actor=fredi, reason="")
    table_play.confirm(table, 1)
    with pytest.raises(IllegalCommand) as refusal:
        breaking_off.resume_table(table, actor=fredi, reason="")
    assert refusal.value.code == "resume/not_closed"


def test_a_round_closed_all_the_same_and_opened_again_is_played_to_its_end(
    championship: Championship, open_round: Opened, fredi: User
) -> None:
    round_ = open_round("sheet", "dealt")
    rounds.close_round(round_, actor=fredi, force=True, reason="Wirt schliesst")
    sheet, dealt = table_of(round_), table_of(round_, 2)
    with pytest.raises(TournamentError) as refusal:
        breaking_off.resume_table(sheet, actor=fredi, reason="")
    assert refusal.value.code == "breaks/round_closed"
    rounds.reopen_round(round_, actor=fredi, reason="doch nicht")
    breaking_off.resume_table(sheet, actor=fredi, reason="")
    with pytest.raises(TournamentError) as refusal:
        breaking_off.resume_table(dealt, actor=fredi, reason="")
    assert refusal.value.code == "breaks/seed_public"
    table_play.write_sheet(sheet, [100] * 8)
    rounds.close_round(round_, actor=fredi)
    assert set(points_of(championship).values()) == {None, 456, 800}
    assert wrong(championship) == []


def test_the_sheet_of_a_broken_off_table_is_written_down_when_later_rounds_are_played(
    championship: Championship, open_round: Opened, fredi: User
) -> None:
    round_ = open_round("sheet", "sheet", people=9)
    table_play.write_sheet(table_of(round_, 2), [100] * 8)
    table_play.write_sheet(table_of(round_), [100] * 6)
    rounds.close_round(round_, actor=fredi, force=True)
    open_round("sheet", "sheet")
    table = table_of(round_)
    corrections.correct_result(table, 7, OTHER, actor=fredi, reason="Zettel gefunden")
    state = game_state.load_snapshot(str(table.game_id)).state
    assert (state.closed, state.over) == (True, False)
    corrections.correct_result(table, 8, OTHER, actor=fredi, reason="Zettel gefunden")
    state = game_state.load_snapshot(str(table.game_id)).state
    assert (state.closed, state.over, state.totals) == (False, True, (714, 542))
    assert set(points_of(championship).values()) == {456, 542, 628, 714, 800}
    assert wrong(championship) == []
