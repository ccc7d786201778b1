"""What honest people do on an honest platform has no difference, whatever they play: for both verifiers."""

import io
import json
from pathlib import Path
from types import ModuleType

import pytest
from pytest_django import Settings

from games import sealing
from games.models import User
from games.play.submit import submit
from tests.tournaments import table_play
from tests.verify.cheats.forging import drop
from tests.verify.evening import Evening, export
from tests.verify.mutations import unzipped
from tests.verify.record import Record
from tests.verify.test_browser_verifier import verified
from tournaments import demo_record, regulations
from tournaments.archive import storing
from tournaments.models import Championship, Entry, Official
from tournaments.presets import PRESETS
from tournaments.services import championship_seals as seals
from tournaments.services.audit import auditing
from tournaments.services.championships import championships, officials, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries, pairs
from tournaments.services.referee import corrections, disputes, rulings
from tournaments.services.rounds import breaking_off, rounds
from tournaments.services.scores import published_ranking, tie_break_draws

pytestmark = pytest.mark.both


def evening_of(preset: str) -> Championship:
    """A round of two tables and somebody who has a bye, played to its end by bots."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    found = PRESETS[preset]
    changes = {"rounds": 2, "counting": {"what": "sum", "tie_breaks": ["highest_round", "lot"]}}
    if found.deals:
        changes["deals"] = found.play.seats
    made = championships.create(actor=fredi, name=preset, slug=preset, preset=preset, changes=changes)
    seats = found.play.seats
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(2 * seats + 1)]
    there = entries.add_entries(made, people, actor=fredi)
    if pairs.has_fixed_pairs(made):
        pairs.pair_up(made, [(there[one], there[one + 2]) for one in (0, 1, 4, 5)], actor=fredi)
    first = made.rounds.get(number=1)
    seating_by_hand.seat_by_hand(first, [range(1, seats + 1), range(seats + 1, 2 * seats + 1)], actor=fredi)
    for table in first.tables.all():
        rounds.set_mode(table, "dealt", actor=fredi)
    rounds.open_round(first, actor=fredi)
    seals.seal_championship(made)
    for table in first.tables.select_related("game"):
        demo_record.play_out_with_bots(str(table.game_id))
    rounds.close_round(first, actor=fredi)
    return made


def both(puur_verify: ModuleType, made: Evening, folder: Path) -> list[str]:
    """What the two verifiers find."""
    (folder / "public.zip").write_bytes(made.public)
    (folder / "backup.zip").write_bytes(made.backup)
    found = [str(one) for told in verified(folder, made.words[-1]).values() for one in told["differences"]]
    for data in (made.public, made.backup):
        keys = {one.says.key for one in made.checkpoints}
        found += puur_verify.verify(io.BytesIO(data), made.words[-1], keys).differences
    return found


def audited(championship: Championship) -> list[str]:
    """What the audit finds where all of it lies, rows and all."""
    audit = auditing.start_audit(championship, actor=championship.owner)
    while auditing.check_next(audit):
        pass
    return [f"{finding.kind}: {finding.detail}" for finding in auditing.load_findings(audit)]


SEATED_ALONE = sorted(key for key, held in PRESETS.items() if not (held.has_queue or held.plays_in_teams))
"""Open heats are in test_queue_draws.py, drawn teams in test_team_encounters.py."""


@pytest.mark.long(1)
@pytest.mark.parametrize("preset", SEATED_ALONE)
def test_an_evening_of_any_game_has_no_difference(
    puur_verify: ModuleType, db: None, tmp_path: Path, preset: str
) -> None:
    played = evening_of(preset)
    assert both(puur_verify, export(played), tmp_path) == []
    assert audited(played) == []


@pytest.mark.long
def test_lots_that_were_left_out_are_missed_whatever_day_the_game_says_it_was(
    puur_verify: ModuleType, db: None, tmp_path: Path, key_file: Path
) -> None:
    """A platform writes the day of a game when its cards lie there; the seed was committed to before."""
    record = Record(export(evening_of("plus_minus")).public)
    drop(record.round(1), "forehand_drawn")
    for event in record.game(1):
        event.envelope["recorded_at"] = "2026-11-20T18:00:00.000000Z"
    data = record.sealed(sealing.load_key(key_file))
    (tmp_path / "forged.zip").write_bytes(data)
    [browser] = verified(tmp_path, "").values()
    assert "verify.forehand_lots" in [one["what"] for one in browser["differences"]]
    assert any("whether forehand of table" in one for one in puur_verify.verify(io.BytesIO(data)).differences)


def test_rounds_that_were_given_up_and_a_new_key_are_no_difference(
    puur_verify: ModuleType, db: None, tmp_path: Path, settings: Settings
) -> None:
    """A planned round's stream stays under the seal when there is no such round any more."""
    made = evening_of("santiago")
    before = sealing.find_latest_checkpoint(made.stream_id)
    assert before is not None
    settings.SEAL_KEY = tmp_path / "another"
    sealing.make_seal_key(settings.SEAL_KEY)
    assert seals.accept_key(before.says.key) == [made.slug]
    told = export(made)
    assert both(puur_verify, told, tmp_path) == []
    assert json.loads(unzipped(told.public)["manifest.json"])["key"] == told.checkpoints[-1].says.key
    fredi = User.objects.get(username="fredi")
    other = championships.create(actor=fredi, name="Kurz", slug="kurz", changes={"rounds": 3})
    seals.seal_championship(other)
    fewer = {**regulations.encode(load_regulations(other)), "rounds": 2}
    regulations_change.change_regulations(other, fewer, actor=fredi)
    assert both(puur_verify, export(other), tmp_path) == []
    assert audited(other) == []


def test_tables_beside_the_log_are_of_the_moment_of_the_seal(puur_verify: ModuleType, db: None) -> None:
    """Somebody is entered after the last checkpoint: the page's file has it in both, or in neither."""
    made = evening_of("santiago")
    seals.seal_championship(made)
    fredi = User.objects.get(username="fredi")
    entries.add_entry(made, actor=fredi, name="Late Comer")
    file = storing.make_file(made, lambda: True, lambda done, total: None)
    assert file is not None
    data = b"".join(storing.read_pieces(file))
    assert b"Late Comer" in unzipped(data)["names.json"]
    assert puur_verify.verify(io.BytesIO(data)).differences == []


def disputed_evening() -> Championship:
    """A revoke, a penalty after the round, a deal annulled in play, a sheet corrected, lots, a table broken
    off, the round opened again."""
    fredi, gabi = (User.objects.get_or_create(username=name)[0] for name in ("fredi", "gabi"))
    made = championships.create(actor=fredi, name="Streit", slug="streit", changes={"rounds": 2, "deals": 4})
    officials.appoint(made, gabi, Official.Role.REFEREE, actor=fredi)
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(17)]
    entries.add_entries(made, people, actor=fredi)
    first = made.rounds.get(number=1)
    seating_by_hand.seat_by_hand(first, [range(n, n + 4) for n in (1, 5, 9, 13)], actor=fredi)
    transcribed, sheet, dealt, broken = first.tables.order_by("number")
    for table, mode in ((transcribed, "transcribed"), (sheet, "sheet"), (dealt, "dealt"), (broken, "dealt")):
        rounds.set_mode(table, mode, actor=fredi)
    rounds.open_round(first, actor=fredi)
    for table in (transcribed, sheet, dealt, broken):
        table.refresh_from_db()
    record = table_play.write_revoke(transcribed)
    revoked = disputes.raise_dispute(
        transcribed, actor=fredi, deal=record.deal, trick=record.trick, text="Farbe"
    )
    rulings.rule(revoked, actor=gabi, ruling=table_play.award(record), answer="verleugnet")
    rulings.rule(
        revoked, actor=gabi, ruling={**table_play.award(record), "kind": "warning"}, answer="doch nicht"
    )
    misdealt = disputes.raise_dispute(dealt, actor=fredi, deal=1, text="eine Karte lag offen")
    annul = {"kind": "annul_deal", "deal": 1}
    rulings.rule(misdealt, actor=gabi, ruling=annul, answer="neu geben")
    demo_record.play_out_with_bots(str(dealt.game_id))
    table_play.write_sheet(sheet, [100, 90, 80])
    correct = {"cmd": "correct_result", "seat": 0, "deal": 2, "card_points": [60, 97]}
    submit(str(sheet.game_id), correct, actor=table_play.refs(sheet)[0], command_id="correct")
    table_play.confirm(sheet, 2, seat=3)
    table_play.enter(sheet, 4, 157, sweep=0)
    table_play.confirm(sheet, 4)
    table_play.play_deal(broken)
    rounds.close_round(first, actor=fredi, force=True)
    late = disputes.raise_dispute(dealt, actor=fredi, deal=None, text="hat geredet")
    penalty = {"kind": "penalty", "against": 1, "points": 30}
    rulings.rule(late, actor=gabi, ruling=penalty, answer="dreissig Punkte")
    rounds.reopen_round(first, actor=fredi, reason="zu früh")
    rounds.close_round(first, actor=fredi)
    row = published_ranking.decode_rows(made.snapshots.latest("version"))
    level = [one.key for one in row if one.place == row[0].place]
    tie_break_draws.record_tie_break(
        made, "lot", {key: n for n, key in enumerate(reversed(level), 1)}, actor=fredi
    )
    return made


def test_an_evening_full_of_rulings_has_no_difference(
    puur_verify: ModuleType, db: None, tmp_path: Path
) -> None:
    made = disputed_evening()
    assert both(puur_verify, export(made), tmp_path) == []
    assert audited(made) == []


def test_an_evening_put_right_afterwards_has_no_difference(
    puur_verify: ModuleType, db: None, tmp_path: Path
) -> None:
    """Corrections while a round is open, closed, and when a later one is played; a sweep; a table broken off
    and resumed, another one whose sheet is found later; one person has a bye, and the average follows."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(actor=fredi, name="Zettel", slug="zettel", changes={"rounds": 2, "deals": 4})
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(13)]
    entries.add_entries(made, people, actor=fredi)
    first, second = made.rounds.order_by("number")
    for round_ in (first, second):
        seating_by_hand.seat_by_hand(round_, [range(n, n + 4) for n in (1, 5, 9)], actor=fredi)
        for table in round_.tables.all():
            rounds.set_mode(table, "sheet", actor=fredi)
        if round_ == first:
            rounds.open_round(round_, actor=fredi)
            one, other, third = round_.tables.select_related("game", "round__championship").order_by("number")
            table_play.enter(one, 1, 90)
            breaking_off.break_off(one, actor=fredi, reason="Wirt schliesst")
            breaking_off.resume_table(one, actor=fredi, reason="doch nicht")
            corrections.correct_result(one, 1, {"card_points": [80, 77]}, actor=fredi, reason="verlesen")
            table_play.confirm(one, 1)
            for deal in (2, 3, 4):
                table_play.enter(one, deal, 100)
                table_play.confirm(one, deal)
            table_play.write_sheet(other, [100, 60, 150, 30])
            table_play.write_sheet(third, [100, 60])
            rounds.close_round(round_, actor=fredi, force=True)
    sweep = {"card_points": [157, 0], "sweep": 0}
    corrections.correct_result(other, 3, sweep, actor=fredi, reason="Match vergessen")
    rounds.open_round(second, actor=fredi)
    corrections.correct_result(third, 3, {"card_points": [3, 154]}, actor=fredi, reason="Zettel gefunden")
    corrections.correct_result(third, 4, {"card_points": [2, 155]}, actor=fredi, reason="Zettel gefunden")
    corrections.correct_result(
        one, 4, {"card_points": [0, 157], "sweep": 1}, actor=fredi, reason="Seiten verwechselt"
    )
    for table in second.tables.select_related("game"):
        table_play.write_sheet(table, [100, 60, 40, 30])
    rounds.close_round(second, actor=fredi)
    assert made.snapshots.count() == 6
    assert both(puur_verify, export(made), tmp_path) == []
    assert audited(made) == []


def test_the_average_of_a_corrected_round_is_not_the_platform_s_to_choose(
    puur_verify: ModuleType, db: None, tmp_path: Path, key_file: Path
) -> None:
    """Who leaves out that it was counted anew has to rank by the new average all the same."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(actor=fredi, name="Zettel", slug="zettel", changes={"rounds": 2, "deals": 2})
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(5)]
    entries.add_entries(made, people, actor=fredi)
    first = made.rounds.get(number=1)
    seating_by_hand.seat_by_hand(first, [range(1, 5)], actor=fredi)
    table = first.tables.select_related("round__championship").get()
    rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(first, actor=fredi)
    table.refresh_from_db()
    table_play.write_sheet(table, [100, 150])
    rounds.close_round(first, actor=fredi)
    sweep = {"card_points": [157, 0], "sweep": 0}
    corrections.correct_result(table, 2, sweep, actor=fredi, reason="Match vergessen")
    record = Record(export(made).public)
    drop(record.round(1), "sitting_out_counted")
    for row in record.tables["standingssnapshot"][1]["rows"]:
        for one in row["rounds"]:
            if not one["played"]:
                one["points"], row["total"] = 157, 157
    record.publish()
    data = record.sealed(sealing.load_key(key_file))
    assert any(
        "points in round 1 instead of 157" in one for one in puur_verify.verify(io.BytesIO(data)).differences
    )
