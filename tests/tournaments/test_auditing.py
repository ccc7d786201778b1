"""Audits of all stored data: in parts for several workers, with a readable report."""

import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from games import audit as of_a_game
from games import sealing as seals
from games import store
from games.models import Checkpoint, Game, User
from games.play.submit import submit
from games.store import guard, layout
from tests.games.cast import play, table
from tests.tournaments.table_play import play_to_the_end
from tournaments import tasks
from tournaments.errors import NotAllowed
from tournaments.models import Audit, AuditPart, Championship, Round
from tournaments.services import championship_seals
from tournaments.services.audit import auditing
from tournaments.services.entries import entries

pytestmark = [pytest.mark.both, pytest.mark.django_db]


def forge() -> None:
    with connection.cursor() as cursor:
        on = " ON games_event" if connection.vendor == "postgresql" else ""
        names = [name for name in guard._names(connection) if "games_event_" in name]
        for name in names:
            cursor.execute(f"DROP TRIGGER {name}{on}")
        cursor.execute("UPDATE games_event SET type = 'pushed' WHERE seq = 7")


def unguarded(*statements: str) -> None:
    """What only the owner of the database can do: the triggers go, and then these."""
    with connection.cursor() as cursor:
        for table_ in ("games_event", "games_checkpoint", "games_stream"):
            on = f" ON {table_}" if connection.vendor == "postgresql" else ""
            for name in guard._names(connection):
                if f"{table_}_" in name:
                    cursor.execute(f"DROP TRIGGER {name}{on}")
        for statement in statements:
            cursor.execute(statement)


def run(*names: str, **options: Any) -> int:
    try:
        call_command("audit", *names, **options)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def ended(audit: Audit) -> bool:
    audit.refresh_from_db()
    return audit.ended_at is not None


def test_all_games_are_checked_by_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    games = [play(table()) for _ in range(2)]
    assert run() == 0
    assert "2 games, 0 wrong" in capsys.readouterr().out
    assert run(games[0].id) == 0
    assert "1 games, 0 wrong" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no game ffff"):
        run("f" * 32)
    Game.objects.filter(pk=games[1].pk).update(number=9)
    assert run() == 1
    assert "deal 1" in capsys.readouterr().out
    forge()
    assert run(games[0].id) == 1
    assert "event 7" in capsys.readouterr().out


def test_a_game_under_other_rules_is_told_apart_from_a_wrong_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(table())
    monkeypatch.setattr(of_a_game, "has_other_rules", lambda log: True)
    monkeypatch.setattr(of_a_game, "audit_all", lambda log: ["seq 9: recorded 57; the rules give 58"])
    assert run() == 3
    told = capsys.readouterr().out
    assert "0 wrong, 1 under other rules" in told
    assert "the rules give 58" in told


def test_a_game_that_cannot_be_audited_does_not_stop_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = play(table(), 5)
    play(table(), 5)
    real = of_a_game.audit

    def falls_over(game: Game, of_round: list[store.StoredEvent]) -> of_a_game.Report:
        if game.pk == first.pk:
            raise RuntimeError("no more")
        return real(game, of_round)

    monkeypatch.setattr(auditing, "audit_game", falls_over)
    assert run() == 1
    assert "2 games, 1 wrong" in capsys.readouterr().out


def test_the_bar_on_a_terminal_is_not_written_in_red(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(table(), 3)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run(force_color=True) == 0
    shown = capsys.readouterr().err
    assert "2/2, 0 wrong\n" in shown
    assert "\x1b" not in shown


def test_nothing_to_audit_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    assert "0 games, 0 wrong" in capsys.readouterr().out


def test_the_audit_of_a_championship_covers_all_its_streams_and_names_tables(
    open_round: Callable[..., Round],
    championship: Championship,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    play_to_the_end(open_round("dealt", "sheet"))
    table(deals=1)  # of nobody's championship
    file = tmp_path / "report.txt"
    assert run(championship=championship.slug, report=str(file)) == 0
    told = file.read_text()
    assert told == capsys.readouterr().out
    games = Game.objects.filter(round_stream__round__championship=championship)
    assert f"Audit of {championship.name}" in told
    assert f"{games.count()} games and {1 + championship.rounds.count()} other streams" in told
    assert "schieber 1" in told
    forge()
    assert run(championship=championship.slug) == 1
    assert f"{championship.slug}, round 1, table 1" in capsys.readouterr().out
    with pytest.raises(CommandError, match=f"there are: {championship.slug}"):
        run(championship="nowhere")
    with pytest.raises(CommandError, match="cannot be combined with --championship"):
        run(games[0].pk, championship=championship.slug)


def test_only_directors_and_referees_start_an_audit(
    championship: Championship, anna: User, gabi: User
) -> None:
    with pytest.raises(NotAllowed):
        auditing.start_audit(championship, actor=anna)
    assert auditing.start_audit(championship, actor=gabi).started_by == gabi


def test_a_part_is_done_once_and_the_last_one_ends_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "GAMES_PER_PART", 1)
    for _ in range(2):
        play(table(), 3)
    audit = auditing.start_audit()
    first = audit.parts.get(number=1)
    assert tasks.audit_part(first.pk) is True
    assert tasks.audit_part(first.pk) is False
    between = auditing.load_progress(audit)
    assert (between.done, between.total, ended(audit)) == (2, 4, False)
    assert auditing.check_next(audit)
    assert not auditing.check_next(audit)
    after = auditing.load_progress(audit)
    assert (after.done, ended(audit), after.wrong) == (4, True, 0)
    assert after.events > between.events


def test_a_part_whose_worker_has_died_is_free_again() -> None:
    play(table(), 3)
    audit = auditing.start_audit()
    part = audit.parts.get()
    now = timezone.now()
    AuditPart.objects.update(sent_at=now, beat_at=now)
    assert (auditing.check(part.pk), auditing.due()) == (False, [])
    AuditPart.objects.update(sent_at=now - timedelta(minutes=1), beat_at=now - timedelta(minutes=1))
    assert auditing.due() == [part.pk]
    assert auditing.check(part.pk)
    assert auditing.due() == []


def test_each_night_has_one_audit_once_there_were_games(monkeypatch: pytest.MonkeyPatch) -> None:
    noon = timezone.localtime().replace(hour=12)
    monkeypatch.setattr(timezone, "localtime", lambda: noon)
    table()
    Game.objects.update(created_at=noon)
    assert auditing.start_nightly() is None  # nothing to audit yet
    Game.objects.update(created_at=noon - timedelta(days=1))
    audit = auditing.start_nightly()
    assert audit is not None
    assert audit.parts.count() == 1
    assert auditing.start_nightly() is None
    noon += timedelta(days=auditing.KEPT_NIGHTS + 1)
    assert auditing.start_nightly() is not None
    assert not Audit.objects.filter(pk=audit.pk).exists()
    noon = noon.replace(hour=1) + timedelta(days=1)
    assert auditing.start_nightly() is None  # too early


@pytest.mark.django_db(transaction=True)
def test_the_workers_are_told_after_the_commit_and_again_by_the_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.audit_part, "apply_async", lambda *a, **k: None)
    monkeypatch.setattr(auditing, "send", lambda parts: sent.extend(parts))
    play(table(), 3)
    audit = auditing.start_audit()
    part = audit.parts.get()
    assert sent == [part.pk]
    tasks.sweep()
    assert sent == [part.pk, part.pk]


@pytest.fixture
def key(tmp_path: Path, settings: Settings) -> seals.SealKey:
    settings.SEAL_KEY = tmp_path / "seal_key"
    return seals.make_seal_key(settings.SEAL_KEY)


@pytest.fixture
def sealed(open_round: Callable[..., Round], key: seals.SealKey) -> Championship:
    """A round that was sealed before, while and after it was played."""
    round_ = open_round("sheet", "sheet")
    championship_seals.seal_championship(round_.championship)
    for game in Game.objects.filter(tournament_table__round=round_):
        submit(game.pk, {"cmd": "close", "reason": "rain"}, actor="a" * 32, command_id="close")
        championship_seals.seal_championship(round_.championship)
    return round_.championship


def checkpoints_of(championship: Championship) -> list[seals.Checkpoint]:
    return seals.listed(championship.stream_id)


def test_every_checkpoint_is_verified_and_counted(
    sealed: Championship, capsys: pytest.CaptureFixture[str]
) -> None:
    found = checkpoints_of(sealed)
    assert len(found) == 3
    assert run(championship=sealed.slug) == 0
    told = capsys.readouterr().out
    assert f"{len(found)} checkpoints" in told
    assert f"last checkpoint: {' '.join(seals.in_words(found[-1].hash))}" in told
    assert run() == 0  # the nightly one: of everything
    assert f"{len(found)} checkpoints" in capsys.readouterr().out


def test_play_after_the_last_checkpoint_is_no_difference(sealed: Championship, fredi: User) -> None:
    before = store.read_head(sealed.stream_id)
    entries.add_entries(sealed, [entries.NewEntry("Zoé")], actor=fredi)
    assert store.read_head(sealed.stream_id) != before
    assert run(championship=sealed.slug) == 0


def test_a_record_that_was_written_anew_does_not_fit_what_was_sealed(
    sealed: Championship, capsys: pytest.CaptureFixture[str]
) -> None:
    """The database owner can make a consistent chain, but cannot sign it."""
    game = Game.objects.filter(round_stream__round__championship=sealed).earliest("pk")
    lines = list(store.read_raw_events(game.pk))
    digest = layout.genesis(game.pk, "game")
    changes = []
    for seq, event in enumerate(lines):
        raw = event.envelope.replace(b"2026-", b"2025-")
        digest = layout.chain(game.pk, seq, digest, raw)
        changes.append((raw, digest, game.pk, seq))
    unguarded()
    with connection.cursor() as cursor:
        for change in changes:
            cursor.execute(
                "UPDATE games_event SET envelope = %s, hash = %s WHERE stream_id = %s AND seq = %s", change
            )
        cursor.execute("UPDATE games_stream SET head_hash = %s WHERE id = %s", [digest, game.pk])
    store.verify(game.pk)  # nothing to see there
    assert run(championship=sealed.slug) == 1
    told = capsys.readouterr().out
    assert "checkpoints that do not fit what is stored:" in told
    assert f"{sealed.slug}: checkpoints 1 to 3: the streams are not what was sealed" in told


def test_a_stream_that_was_cut_off_is_named(sealed: Championship, capsys: pytest.CaptureFixture[str]) -> None:
    last = checkpoints_of(sealed)[-1].seqs
    game = Game.objects.filter(round_stream__round__championship=sealed).earliest("pk")
    unguarded(f"DELETE FROM games_event WHERE stream_id = '{game.pk}' AND seq = {last[game.pk]}")
    assert run(championship=sealed.slug) == 1
    assert f"stream {game.pk} has no event {last[game.pk]}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE games_checkpoint SET signature = %s WHERE number = 2", "2: its signature is not right"),
        ("UPDATE games_checkpoint SET body = %s WHERE number = 2", "2: it cannot be read"),
        ("DELETE FROM games_checkpoint WHERE number = 2", "2: it does not follow from the one before"),
        ("UPDATE games_checkpoint SET heads = %s WHERE number = 3", "3: a stream has become shorter"),
    ],
)
def test_a_checkpoint_that_was_touched_is_named(
    sealed: Championship, capsys: pytest.CaptureFixture[str], change: str, told: str
) -> None:
    unguarded()
    with connection.cursor() as cursor:
        cursor.execute(change, [b"{}"] * change.count("%s"))
    assert run(championship=sealed.slug) == 1
    assert told in capsys.readouterr().out


def test_a_seal_of_another_key_is_told_apart_from_a_wrong_one(
    sealed: Championship, settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A forger who replaces all checkpoints has to use another key."""
    settings.SEAL_KEY = tmp_path / "another"
    assert run(championship=sealed.slug) == 0  # no key here: nothing to compare with
    seals.make_seal_key(settings.SEAL_KEY)
    assert run(championship=sealed.slug) == 1
    told = capsys.readouterr().out
    assert "sealed with another key than this platform's:" in told
    assert checkpoints_of(sealed)[-1].says.key in told


def test_a_worker_gives_signs_of_life_after_each_checkpoint(sealed: Championship) -> None:
    """Ten thousand games under hundreds of checkpoints take longer than a part may be silent."""
    part = auditing.start_audit(sealed).parts.get()
    steps = list(auditing._check_part(part))
    assert [step.checkpoints for step in steps].count(1) == Checkpoint.objects.count() == 3
    assert max(step.checkpoints for step in steps) == 1
    assert sum(step.checked for step in steps) == len(part.games) + len(part.streams)
