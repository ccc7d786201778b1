"""Evenings with real cards to verify: totals of the desk, pairs, tables of three, corrections, substitutes.

Made through the services; of each the last round is still open.
"""

from collections.abc import Callable
from typing import Any

from games import game_state
from games.models import User
from games.play.submit import submit
from tests.tournaments import table_play
from tournaments import regulations
from tournaments.models import Championship, Entry, Round
from tournaments.services import championship_seals
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing, substitutions
from tournaments.services.entries import entries, pairs
from tournaments.services.referee import corrections
from tournaments.services.rounds import rounds
from tournaments.services.scores import desk_results


def of_pairs() -> Championship:
    """Five pairs hand totals in; one has a bye, somebody plays for another, a total is put right later."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    changes = {"rounds": 3, "hand_in": "totals", "confirmation": "paper"}
    made = championships.create(
        actor=fredi, name="Klubjass", slug="klubjass", preset="partnerschieber", changes=changes
    )
    there = _people(made, 11, fredi)
    entries.leave(there[10], actor=fredi)
    pairs.pair_up(made, zip(there[:10:2], there[1:10:2], strict=True), actor=fredi)
    first, second, third = made.rounds.order_by("number")
    _open(first, fredi)
    tired = first.seatings.get(table__number=1, seat=2).entry
    substitutions.substitute(first, there[10].number, tired.number, deal=1, actor=fredi)
    for round_, points in ((first, 712), (second, 801)):
        if round_ is second:
            _open(round_, fredi)
        _type_totals(round_, points, fredi)
        rounds.close_round(round_, actor=fredi)
        championship_seals.seal_championship(made)
    table = first.tables.select_related("game", "round__championship").get(number=2)
    before = game_state.load_snapshot(str(table.game_id)).state.totals
    swapped = {"scores": list(reversed(before))}
    corrections.correct_result(table, 1, swapped, actor=fredi, reason="Seiten verwechselt")
    _open(third, fredi)
    _type_totals(third, 655, fredi, only=1)
    championship_seals.seal_championship(made)
    return made


def of_threes() -> Championship:
    """Seven people at Differenzler, a table of three; a substitute; a deal is put right later."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi,
        name="Differenzler",
        slug="differenzler",
        preset="differenzler",
        changes={"rounds": 2},
    )
    known = regulations.encode(load_regulations(made))
    regulations_change.change_regulations(
        made, {**known, "byes": {"policy": "three", "three": "scaled"}}, actor=fredi
    )
    there = _people(made, 8, fredi)
    entries.leave(there[7], actor=fredi)
    first, second = made.rounds.order_by("number")
    _open(first, fredi)
    tired = first.seatings.get(table__number=1, seat=1).entry
    substitutions.substitute(first, there[7].number, tired.number, deal=2, actor=fredi)
    for table in first.tables.order_by("number"):
        deal = 1
        while not game_state.load_snapshot(str(table.game_id)).state.over:
            _write_deal(table, deal)
            deal += 1
    rounds.close_round(first, actor=fredi)
    championship_seals.seal_championship(made)
    table = first.tables.select_related("game", "round__championship").get(number=1)
    points = game_state.load_snapshot(str(table.game_id)).state.results[0].card_points
    turned = {"card_points": list(reversed(points)), "predictions": [40] * len(points)}
    corrections.correct_result(table, 1, turned, actor=fredi, reason="verkehrt abgeschrieben")
    _open(second, fredi)
    championship_seals.seal_championship(made)
    return made


EVENINGS: dict[str, Callable[[], Championship]] = {"pairs": of_pairs, "threes": of_threes}


def _people(made: Championship, count: int, actor: User) -> list[Entry]:
    wanted = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(1, count + 1)]
    return entries.add_entries(made, wanted, actor=actor)


def _open(round_: Round, actor: User) -> None:
    round_.refresh_from_db()
    drawing.draw_round(round_, actor=actor)
    for table in round_.tables.all():
        rounds.set_mode(table, "sheet", actor=actor)
    rounds.open_round(round_, actor=actor)


def _type_totals(round_: Round, points: int, actor: User, only: int | None = None) -> None:
    """As the desk does, line by line; the first table has a sweep."""
    for row in desk_results.desk_rows(round_):
        if only in (None, row.table):
            swept = {"scores": [points + 50, 1256 - points], "sweeps": [1, 0]}
            line: dict[str, Any] = swept if row.table == 1 else {"scores": [points, 1256 - points]}
            typed = desk_results.Typed(
                id=f"t{row.table}", people=row.people, seen=row.head, signed=True, **line
            )
            desk_results.save_line(round_, row.table, typed, actor=actor)


def _write_deal(table: Any, deal: int) -> None:
    """Seat 0 writes, seat 1 signs."""
    refs = table_play.refs(table)
    points = [157 - 20 * (len(refs) - 1) - deal, *[20] * (len(refs) - 2), 20 + deal]
    command = {
        "cmd": "enter_result",
        "seat": 0,
        "deal": deal,
        "card_points": points,
        "predictions": [40] * len(refs),
    }
    submit(str(table.game_id), command, actor=refs[0], command_id=f"enter:{deal}")
    table_play.confirm(table, deal)
