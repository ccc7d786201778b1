"""A championship as a file: contents, permissions, and import."""

import contextlib
import hashlib
import io
import json
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.models import ForeignKey
from django.test import Client
from pytest_django import Settings

from games import game_state, sealing, store
from games.models import Access, Checkpoint, Deadline, DealResult, Game, Stream, User
from games.randomness import round_seed
from games.sealing import SealKey, checkpoints, merkle
from games.sealing.errors import BrokenSeal
from games.sealing.verifying import verify_checkpoints
from tests.tournaments import table_play
from tournaments import demo_record
from tournaments.archive import (
    BACKUP,
    PUBLIC,
    ArchiveError,
    contents,
    export_championship,
    import_championship,
    map_by_username,
    reading,
    writing,
)
from tournaments.archive.writing import signed_message
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Official, Round, SeatChange
from tournaments.models.figure import FigureField
from tournaments.services.championship_seals import seal_if_possible
from tournaments.services.championships import championships, officials
from tournaments.services.entries import entries
from tournaments.services.money import bookings
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking, ranking_basis

pytestmark = pytest.mark.both

Opened = Callable[..., Round]
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("key") / "seal_key"
    sealing.make_seal_key(path)
    return path


@pytest.fixture(autouse=True)
def key(key_file: Path, settings: Settings) -> SealKey:
    settings.SEAL_KEY = key_file
    return sealing.load_key_in_use()


@pytest.fixture
def championship(fredi: User, gabi: User) -> Championship:
    """Three rounds of three deals."""
    changes = {"rounds": 3, "deals": 3}
    made = championships.create(actor=fredi, name="Clubabend", place="Santiago", changes=changes)
    officials.appoint(made, gabi, "referee", actor=fredi)
    return made


@pytest.fixture
def played(championship: Championship, open_round: Opened, fredi: User, anna: User) -> Championship:
    """Round 1 closed, round 2 open: a dealt table, one that is written down, one with a sheet."""
    round_ = open_round("dealt", "transcribed", "sheet", people=13)
    entries.link_account(championship.entries.get(number=1), anna, actor=fredi)
    table_play.write_revoke(round_.tables.get(number=2))
    demo_record.play_out_with_bots(str(round_.tables.get(number=1).game_id))
    table_play.write_sheet(round_.tables.get(number=3), [100] * 3)
    disputes.raise_dispute(round_.tables.get(number=2), actor=fredi, text="Anna hat verleugnet")
    rounds.close_round(round_, actor=fredi, force=True, reason="late")
    open_round("dealt", "sheet", "sheet")
    return championship


def exported(championship: Championship, level: str = BACKUP) -> io.BytesIO:
    out = io.BytesIO()
    export_championship(championship, out, level=level)
    out.seek(0)
    return out


def files_of(archive: io.BytesIO) -> Files:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def zipped(files: Files, key: SealKey | None = None) -> io.BytesIO:
    """A zip of the files; with a key its manifest is made to fit, as somebody would who owns it."""
    if key is not None:
        manifest = json.loads(files["manifest.json"])
        manifest["files"] = {
            name: {
                "size": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
                "personal": name == "names.json",
            }
            for name, data in files.items()
            if not name.startswith("manifest.")
        }
        data = json.dumps(manifest).encode()
        files = {
            **files,
            "manifest.json": data,
            "manifest.sig": key.sign(signed_message(data)).hex().encode(),
        }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    out.seek(0)
    return out


def lines(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()]


def parts_in(files: Files) -> dict[str, int]:
    """Stream → how many events have their secret parts in the file."""
    return {
        name.removeprefix("streams/").removesuffix(".jsonl"): sum("parts" in line for line in lines(data))
        for name, data in files.items()
        if name.startswith("streams/")
    }


def heads() -> dict[str, tuple[str, int, bytes]]:
    return {s.pk: (s.kind, s.head_seq, bytes(s.head_hash)) for s in Stream.objects.all()}


def test_a_public_export_opens_what_is_open_and_nothing_else(played: Championship) -> None:
    first, second = played.rounds.get(number=1), played.rounds.get(number=2)
    opened = parts_in(files_of(exported(played, PUBLIC)))
    for round_, is_open in ((first, True), (second, False)):
        assert (opened[round_.stream_id] > 0) == is_open
        for table in round_.tables.select_related("game"):
            secrets = sum(bool(event.commitments) for event in store.read(str(table.game_id), parts=False))
            assert opened[str(table.game_id)] == (secrets if is_open else 0)
    assert all(opened[r.stream_id] == 0 for r in played.rounds.filter(number__gt=2))


def test_no_secret_stands_anywhere_in_a_public_export(played: Championship) -> None:
    data = b"".join(files_of(exported(played, PUBLIC)).values())
    for round_ in played.rounds.filter(number__gt=1):
        assert round_seed.source_of(round_.stream_id).seed.hex().encode() not in data
    assert b"verleugnet" not in data
    assert b"anna" not in data  # her account; her name is Anna
    backup = b"".join(files_of(exported(played)).values())
    assert b"verleugnet" in backup
    assert round_seed.source_of(round_.stream_id).seed.hex().encode() in backup


def test_names_stand_in_one_file_only(played: Championship) -> None:
    for level in (PUBLIC, BACKUP):
        files = files_of(exported(played, level))
        assert [name for name, data in files.items() if b"Chiara" in data] == ["names.json"]
        assert json.loads(files["manifest.json"])["files"]["names.json"]["personal"] is True


def test_every_column_that_is_free_text_about_people_is_personal() -> None:
    """A new column of text has to be put somewhere: here, or among those that hold none."""
    impersonal = {
        *(
            "slug",
            "name",
            "place",
            "language",
            "public_names",
            "entry_link",
            "status",
            "role",
            "ref",
            "kind",
            "player_ref",
            "id",
            "variant",
        ),
        *(
            "preset",
            "mode",
            "visibility",
            "phase",
            "bot",
            "reason",
            "raised_ref",
            "incident",
            "outcome",
            "way",
            "label",
            "method",
        ),
    }
    found = {
        f"{model.__name__}.{field.name}"
        for model in contents.export_paths()
        for field in model._meta.concrete_fields
        if field.get_internal_type() in {"CharField", "TextField", "SlugField"}
        and not isinstance(field, FigureField)
        and field.name not in contents.PERSONAL_COLUMNS.get(model, ())
        and field.name not in impersonal
    }
    assert found == set()


def test_every_table_that_leads_to_a_championship_is_exported() -> None:
    from django.apps import apps

    of_tournaments = set(apps.get_app_config("tournaments").get_models()) - set(contents.LEFT_OUT)
    assert of_tournaments < set(contents.export_paths())
    seen: set[Any] = set()
    for model in contents.export_paths():
        left = contents.ELSEWHERE.get(model, ())
        columns = [f for f in model._meta.concrete_fields if f.name not in left]
        pointing = {f.related_model for f in columns if isinstance(f, ForeignKey)}
        assert pointing - {model, *contents.OF_THE_PLATFORM, Stream, Game} <= seen
        seen.add(model)


def test_a_cancelled_booking_is_still_cancelled_elsewhere(championship: Championship, fredi: User) -> None:
    bookings.book(championship, "income", "Kollekte", 4000, actor=fredi)
    paid = bookings.book(championship, "expense", "Rechnung von Chiara", 1500, actor=fredi)
    bookings.cancel(paid, actor=fredi)
    backup = exported(championship)
    assert [name for name, data in files_of(backup).items() if b"Chiara" in data] == ["names.json"]
    empty()

    owner = User.objects.get_or_create(username="fredi")[0]
    back = import_championship(backup, owner=owner)
    lines = list(back.bookings.order_by("pk"))
    assert [(line.title, line.amount) for line in lines[:2]] == [
        ("Kollekte", 4000),
        ("Rechnung von Chiara", -1500),
    ]
    assert [line.cancels for line in lines] == [None, None, lines[1]]
    with pytest.raises(TournamentError):
        bookings.cancel(lines[1], actor=owner)


def snapshot_of_pages(championship: Championship) -> dict[str, str]:
    """What anybody sees of a championship."""
    client = Client(headers={"accept-language": "en"})
    games = Game.objects.filter(tournament_table__round__championship=championship).order_by("pk")
    addresses = [f"/c/{championship.slug}/{page}" for page in ("", "rounds/", "standings/", "tables/")]
    addresses += [f"/c/{championship.slug}/rounds/{n}/" for n in (1, 2)]
    addresses += [f"/api/v1/games/{game.pk}/events/" for game in games]
    found = {}
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        found[address] = "\n".join(
            line for line in answer.content.decode().splitlines() if "csrf" not in line.lower()
        )
    return found


_told: dict[str, Any] = {}


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, db: None) -> dict[str, Any]:
    """An empty database; what another one held comes along as values, made once."""
    if not _told:
        _told.update(told_of(request.getfixturevalue("played")))
        empty()
    return _told


def told_of(played: Championship) -> dict[str, Any]:
    return {
        "backup": exported(played),
        "public": exported(played, PUBLIC),
        "heads": heads(),
        "pages": snapshot_of_pages(played),
        "ranking": [published_ranking.decode_rows(s) for s in played.snapshots.order_by("version")],
        "live": ranking_basis.live_ranking(played),
        "results": sorted(DealResult.objects.values_list("game_id", "deal", "scores", "counted", "sweep")),
        "games": sorted(Game.objects.values_list("pk", "status", "deal", "turn_seat", "turn_seq", "totals")),
        "checkpoints": sealing.listed(played.stream_id),
    }


@contextlib.contextmanager
def unguarded() -> Iterator[None]:
    """The triggers go for a moment, as only the owner can let them."""
    from games.store import guard

    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for name in guard._names(connection):
                cursor.execute(f"DROP TRIGGER {name}")
            cursor.execute("PRAGMA defer_foreign_keys=ON")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for table in (*guard.LOG_TABLES, guard.STREAM_TABLE):
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        yield
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    guard.install(connection)


def empty() -> None:
    """As before the first migration's data."""
    with unguarded(), connection.cursor() as cursor:
        tables = [
            t for t in connection.introspection.table_names() if t.startswith(("games_", "tournaments_"))
        ]
        for table in tables:
            cursor.execute(f"DELETE FROM {table}")
    game_state.KEPT.clear()
    assert not Stream.objects.exists()


@pytest.fixture
def hugo(elsewhere: dict[str, Any]) -> User:
    return User.objects.create_user("hugo")


def test_an_import_gives_the_same_heads_standings_and_pages(elsewhere: dict[str, Any], hugo: User) -> None:
    made = import_championship(elsewhere["backup"], owner=hugo)
    assert heads() == elsewhere["heads"]
    assert [published_ranking.decode_rows(s) for s in made.snapshots.order_by("version")] == elsewhere[
        "ranking"
    ]
    assert ranking_basis.live_ranking(made) == elsewhere["live"]
    assert (
        sorted(DealResult.objects.values_list("game_id", "deal", "scores", "counted", "sweep"))
        == (elsewhere["results"])
    )
    games = Game.objects.values_list("pk", "status", "deal", "turn_seat", "turn_seq", "totals")
    assert sorted(games) == elsewhere["games"]
    assert sealing.listed(made.stream_id) == elsewhere["checkpoints"]
    assert snapshot_of_pages(made) == elsewhere["pages"]


def test_an_imported_championship_can_be_continued(elsewhere: dict[str, Any], hugo: User) -> None:
    made = import_championship(elsewhere["backup"], owner=hugo)
    round_ = made.rounds.get(number=2)
    rounds.close_round(round_, actor=hugo, force=True, reason="late")
    last = sealing.find_latest_checkpoint(made.stream_id)
    assert last is not None
    assert last.says.number == len(elsewhere["checkpoints"]) + 1
    championships.edit_championship(made, actor=hugo, place="Zürich")
    again = exported(made)
    assert len(files_of(again)) == len(files_of(elsewhere["backup"]))


def test_nobody_gets_an_office_or_a_seat_by_his_name_alone(elsewhere: dict[str, Any], hugo: User) -> None:
    for name in ("fredi", "gabi", "anna"):
        User.objects.create_user(name)
    made = import_championship(elsewhere["backup"], owner=hugo)
    assert set(made.officials.values_list("user__username", "role")) == {("hugo", "director")}
    assert not made.entries.filter(user__isnull=False).exists()
    assert set(Access.objects.values_list("user__username", flat=True)) == {"hugo"}


def test_accounts_of_the_same_name_are_linked_where_that_is_said(
    elsewhere: dict[str, Any], hugo: User
) -> None:
    gabi = User.objects.create_user("gabi")
    anna = User.objects.create_user("anna")
    made = import_championship(elsewhere["backup"], owner=hugo, accounts=map_by_username)
    assert set(made.officials.values_list("user__username", "role")) == {
        ("gabi", "referee"),
        ("hugo", "director"),
    }
    assert made.entries.get(number=1).user == anna
    game = made.rounds.get(number=2).tables.filter(seatings__entry__user=anna).values_list("game_id")
    assert anna.accesses.filter(game__in=game, role="seat").exists() == game.exists()
    assert gabi.accesses.filter(role="referee").count() == Game.objects.count()
    running = Game.objects.filter(pk__in=game, mode="dealt", status="running")
    told = SeatChange.objects.filter(table__game__in=running).values_list("way", "given_by__username")
    assert set(told) == ({("account", "hugo")} if running else set())


def test_names_can_be_erased_and_the_rest_stays_as_it_was(elsewhere: dict[str, Any], hugo: User) -> None:
    files = files_of(elsewhere["backup"])
    del files["names.json"]
    made = import_championship(zipped(files), owner=hugo)
    assert set(made.entries.values_list("name", flat=True)) == {""}
    assert heads() == elsewhere["heads"]
    assert ranking_basis.live_ranking(made) == elsewhere["live"]


def refused(archive: io.BytesIO, owner: User, code: str, key: str = "") -> None:
    before = Stream.objects.count(), Championship.objects.count(), Entry.objects.count()
    with pytest.raises(ArchiveError) as refusal:
        import_championship(archive, owner=owner, key=key)
    assert refusal.value.code == code, refusal.value
    assert (Stream.objects.count(), Championship.objects.count(), Entry.objects.count()) == before


def test_a_public_export_cannot_be_imported(elsewhere: dict[str, Any], hugo: User) -> None:
    refused(elsewhere["public"], hugo, "archive/not_complete")


def test_nothing_is_imported_twice(elsewhere: dict[str, Any], hugo: User) -> None:
    import_championship(elsewhere["backup"], owner=hugo)
    refused(elsewhere["backup"], hugo, "archive/exists")


def test_a_file_that_a_stranger_signed_is_taken_only_when_that_is_said(
    elsewhere: dict[str, Any], hugo: User, tmp_path: Path
) -> None:
    sealing.make_seal_key(tmp_path / "stranger")
    stranger, files = sealing.load_key(tmp_path / "stranger"), files_of(elsewhere["backup"])

    def by(key: str) -> bytes:
        return json.dumps({**json.loads(files["manifest.json"]), "key": key}).encode()

    theirs = zipped({**files, "manifest.json": by(stranger.public.hex())}, stranger)
    refused(theirs, hugo, "archive/unknown_key")
    refused(zipped({**files, "manifest.json": by(""), "manifest.sig": b""}), hugo, "archive/unsigned")
    import_championship(theirs, owner=hugo, trust_unknown_key=True)


def test_a_file_of_another_key_is_refused_where_one_is_named(
    elsewhere: dict[str, Any], hugo: User, key: SealKey
) -> None:
    refused(elsewhere["backup"], hugo, "archive/signature", key="ab" * 32)
    import_championship(elsewhere["backup"], owner=hugo, slug="other", key=key.public.hex())
    assert Championship.objects.get().slug == "other"


def test_a_championship_sealed_elsewhere_audits_clean_and_the_other_key_is_named(
    elsewhere: dict[str, Any],
    hugo: User,
    key: SealKey,
    settings: Settings,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings.SEAL_KEY = tmp_path / "our_key"
    ours = sealing.make_seal_key(settings.SEAL_KEY)
    refused(elsewhere["backup"], hugo, "archive/unknown_key")
    made = import_championship(elsewhere["backup"], owner=hugo, key=key.public.hex())
    theirs, last = elsewhere["checkpoints"], sealing.find_latest_checkpoint(made.stream_id)
    assert last is not None
    assert (last.says.key, last.says.previous) == (ours.public.hex(), theirs[-1].hash.hex())
    assert audited(made) == 0
    told = capsys.readouterr().out
    assert f"until checkpoint {len(theirs)}, by another installation's key {key.public.hex()}" in told
    # It goes on to a third installation, whose owner trusts ours.
    settings.SEAL_KEY = tmp_path / "third_key"
    sealing.make_seal_key(settings.SEAL_KEY)
    assert audited(made) == 1, "not imported there"
    with pytest.raises(CommandError, match="sealing/unknown_key"):
        call_command("audit", accept_key="ab" * 32)
    call_command("audit", accept_key=ours.public.hex())
    assert audited(made) == 0
    assert key.public.hex() in (told := capsys.readouterr().out)
    assert ours.public.hex() in told


def test_an_export_after_a_change_of_the_key_warns_until_the_old_one_is_accepted(
    championship: Championship,
    key: SealKey,
    settings: Settings,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    exported(championship)
    assert "verifiers will report" not in caplog.text
    settings.SEAL_KEY = tmp_path / "new_key"
    ours = sealing.make_seal_key(settings.SEAL_KEY)

    exported(championship)
    assert (
        f"signed with {ours.public.hex()}, its last checkpoint with the key {key.public.hex()}" in caplog.text
    )
    assert "(sealing/other_key)" in caplog.text
    caplog.clear()

    call_command("audit", accept_key=key.public.hex())
    exported(championship)
    assert "verifiers will report" not in caplog.text


def test_whoever_seals_everything_anew_with_a_key_of_their_own_is_named_and_gets_no_seal_of_ours(
    elsewhere: dict[str, Any],
    hugo: User,
    key: SealKey,
    settings: Settings,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    cheat = sealing.make_seal_key(tmp_path / "cheat")
    files = files_of(elsewhere["backup"])
    manifest = json.loads(files["manifest.json"]) | {"key": cheat.public.hex()}
    swapped = {
        **files,
        "manifest.json": json.dumps(manifest).encode(),
        "checkpoints.jsonl": sealed_by(cheat, lines(files["checkpoints.jsonl"])),
    }
    with pytest.raises(ArchiveError, match=cheat.public.hex()):
        import_championship(zipped(swapped, cheat), owner=hugo, key=key.public.hex())
    made = import_championship(elsewhere["backup"], owner=hugo, key=key.public.hex())
    assert audited(made) == 0
    # In the database, past its guards, with the platform's key out of reach.
    latest = sealing.find_latest_checkpoint(made.stream_id)
    assert latest is not None
    rows = [*lines(files["checkpoints.jsonl"])]
    rows.append({"body": latest.body.decode(), "heads": json.loads(latest.heads)})
    with unguarded():
        for number, line in enumerate(lines(sealed_by(cheat, rows)), 1):
            Checkpoint.objects.filter(stream=made.stream_id, number=number).update(
                body=line["body"].encode(), signature=bytes.fromhex(line["signature"])
            )
    capsys.readouterr()
    for _ in range(2):
        assert audited(made) == 1
        assert f"the last checkpoint is signed with the key {cheat.public.hex()}" in capsys.readouterr().out
        assert seal_if_possible(made) is None
        assert "sealing/other_key" in caplog.text


def sealed_by(key: SealKey, rows: list[Any]) -> bytes:
    """The same checkpoints, as somebody makes them who has another key."""
    made, previous = [], bytes(32).hex()
    for line in rows:
        body = json.loads(line["body"]) | {"key": key.public.hex(), "previous": previous}
        data = json.dumps(body, separators=(",", ":")).encode()
        signed = checkpoints.message(data)
        previous = hashlib.sha256(signed).hexdigest()
        made.append(line | {"body": data.decode(), "signature": key.sign(signed).hex()})
    return b"".join(json.dumps(line).encode() + b"\n" for line in made)


def audited(championship: Championship) -> int:
    """The exit code of an audit."""
    try:
        call_command("audit", championship=championship.slug)
    except SystemExit as ended:
        return int(str(ended.code))
    return 0


def dealt_game(files: Files) -> str:
    """A game of the closed round: it has secret parts and lies under every checkpoint."""
    games = [n for n, data in files.items() if b'"kind":"game"' in data[:100] and b'"nonce"' in data]
    return max(games, key=lambda name: len(files[name]))


def test_what_was_changed_is_refused_by_the_list_and_by_the_log(
    elsewhere: dict[str, Any], hugo: User, key: SealKey
) -> None:
    """Without the key the digests tell; whoever has the key is told by chain, receipts and checkpoints."""
    files = files_of(elsewhere["backup"])
    name = dealt_game(files)
    rows = files[name].splitlines(keepends=True)
    middle = len(rows) // 2
    for changed in (
        b"".join([*rows[:middle], *rows[middle + 1 :]]),
        b"".join([*rows[:middle], rows[middle + 1], rows[middle], *rows[middle + 2 :]]),
        b"".join(rows[:-1]),
        files[name].replace(b'\\"seat\\":1', b'\\"seat\\":2', 1),
        files[name].replace(b'"nonce":"', b'"nonce":"00', 1),
        files[name].replace(b'"kind":"game"', b'"kind":"round"', 1),
    ):
        assert changed != files[name]
        refused(zipped({**files, name: changed}), hugo, "archive/digest")
        refused(zipped({**files, name: changed}, key), hugo, "archive/corrupt")
    without = {n: data for n, data in files.items() if n != name}
    refused(zipped(without), hugo, "archive/digest")
    refused(
        zipped({**files, "championship.json": files["championship.json"].replace(b"13", b"14", 1)}),
        hugo,
        "archive/digest",
    )


def test_checkpoints_that_do_not_belong_are_refused(
    elsewhere: dict[str, Any], hugo: User, key: SealKey
) -> None:
    files = files_of(elsewhere["backup"])
    rows = files["checkpoints.jsonl"].splitlines(keepends=True)
    assert len(rows) >= 2
    signed = json.loads(rows[-1])
    forged = {**signed, "signature": "00" * 64}
    fewer = {**signed, "heads": dict(list(signed["heads"].items())[1:])}
    for changed in (
        rows[1:],
        rows[:-1],
        rows[::-1],
        [json.dumps(forged).encode()],
        [*rows[:-1], json.dumps(fewer).encode()],
        [b"{}"],
        [b"?"],
    ):
        archive = zipped({**files, "checkpoints.jsonl": b"".join(changed)}, key)
        with pytest.raises(ArchiveError) as refusal:
            import_championship(archive, owner=hugo)
        assert refusal.value.code in {"archive/corrupt", "archive/rows", "archive/unreadable"}
    assert not Stream.objects.exists()


def test_rows_that_point_outside_the_file_are_refused(
    elsewhere: dict[str, Any], hugo: User, key: SealKey
) -> None:
    files = files_of(elsewhere["backup"])
    foreign = store.create_stream("game").id
    changes: tuple[Callable[[dict[str, Any]], None], ...] = (
        lambda rows: rows["table"][0].update(game=foreign),
        lambda rows: rows["round"][0].update(stream=foreign),
        lambda rows: rows["seating"][0].update(entry=99_999),
        lambda rows: rows["entry"][0].update(status="elsewhere"),
        lambda rows: rows["entry"].append(rows["entry"][0]),
        lambda rows: rows["championship"].append(rows["championship"][0]),
    )
    for change in changes:
        rows = json.loads(files["championship.json"])
        change(rows)
        archive = zipped({**files, "championship.json": json.dumps(rows).encode()}, key)
        refused(archive, hugo, "archive/rows")


def test_rounds_open_and_close_by_the_clock_here_too(
    elsewhere: dict[str, Any], hugo: User, key: SealKey
) -> None:
    files = files_of(elsewhere["backup"])
    rows = json.loads(files["championship.json"])
    for row, column in ((rows["round"][1], "closes_at"), (rows["round"][2], "opens_at")):
        row[column] = "2031-01-01T18:00:00+00:00"
    made = import_championship(
        zipped({**files, "championship.json": json.dumps(rows).encode()}, key), owner=hugo
    )
    armed = Deadline.objects.filter(due_at__year=2031).values_list("kind", "stream__round__number")
    assert set(armed) == {("round_close", 2), ("round_open", 3)}
    assert made.rounds.get(number=3).opens_at is not None


def test_a_file_from_before_a_column_is_taken(elsewhere: dict[str, Any], hugo: User, key: SealKey) -> None:
    files = files_of(elsewhere["backup"])
    rows = json.loads(files["championship.json"])
    for row in rows["game"]:
        del row["deal_pause"]
    import_championship(zipped({**files, "championship.json": json.dumps(rows).encode()}, key), owner=hugo)
    assert set(Game.objects.values_list("deal_pause", flat=True)) == {0}


def test_a_stream_under_another_name_is_refused(elsewhere: dict[str, Any], hugo: User, key: SealKey) -> None:
    files = files_of(elsewhere["backup"])
    name = dealt_game(files)
    other = {n: d for n, d in files.items() if n != name} | {f"streams/{'0' * 32}.jsonl": files[name]}
    refused(zipped(other, key), hugo, "archive/unreadable")
    refused(zipped({**files, name: b""}, key), hugo, "archive/rows")
    rows = json.loads(files["championship.json"])
    rows["championship"][0]["stream"] = dealt_game(files)[8:40]
    refused(
        zipped({**files, "championship.json": json.dumps(rows).encode()}, key), hugo, "archive/unreadable"
    )


def test_a_checkpoint_in_which_a_stream_got_shorter_is_refused(
    elsewhere: dict[str, Any], hugo: User, key: SealKey
) -> None:
    """Sealed with the right key, signed and chained: only the seqs tell."""
    made = import_championship(elsewhere["backup"], owner=hugo)
    stream = made.stream_id
    last = elsewhere["checkpoints"][-1]

    previous, told = bytes(32), []
    for number, seqs in enumerate((last.seqs, last.seqs | {stream: 0}), 1):
        root = merkle.root(checkpoints.read_heads_at(seqs).values()).hex()
        says = json.loads(last.body) | {"number": number, "previous": previous.hex(), "root": root}
        body = json.dumps(says).encode()
        signature = key.sign(checkpoints.message(body))
        told.append(checkpoints.Checkpoint(body, signature, json.dumps(seqs).encode()))
        previous = told[-1].hash
    verify_checkpoints(stream, told[:1], last.seqs)
    with pytest.raises(BrokenSeal, match="shorter"):
        verify_checkpoints(stream, told, last.seqs)
    with pytest.raises(BrokenSeal, match="cannot be read"):
        verify_checkpoints(stream, [checkpoints.Checkpoint(b"?", b"", b"{}")], {})
    assert store.read_hashes({stream: 9_999, "0" * 32: -1}) == {}


@pytest.mark.parametrize(
    "name",
    ["../names.json", "/etc/passwd", "streams/../x.jsonl", "other.txt", "streams/" + "A" * 32 + ".jsonl"],
)
def test_a_file_with_another_name_is_refused(elsewhere: dict[str, Any], hugo: User, name: str) -> None:
    refused(zipped({**files_of(elsewhere["backup"]), name: b"x"}), hugo, "archive/unknown_file")


def test_what_is_no_championship_is_refused(elsewhere: dict[str, Any], hugo: User, key: SealKey) -> None:
    files = files_of(elsewhere["backup"])
    refused(io.BytesIO(b"no zip at all"), hugo, "archive/unreadable")
    refused(zipped({}), hugo, "archive/unreadable")
    refused(zipped({"manifest.json": b"{", "manifest.sig": b""}), hugo, "archive/unreadable")
    other = files["manifest.json"].replace(b"puur/export/1", b"puur/export/9")
    refused(zipped({**files, "manifest.json": other}), hugo, "archive/unreadable")
    refused(zipped({**files, "manifest.sig": b"00" * 64}), hugo, "archive/signature")
    refused(zipped({**files, "manifest.sig": b"zz"}), hugo, "archive/signature")
    unlisted = "streams/" + "0" * 32 + ".jsonl"
    refused(zipped({**files, unlisted: b"{}\n"}), hugo, "archive/unknown_file")
    broken = bytearray(elsewhere["backup"].getvalue())
    broken[60:90] = bytes(30)
    refused(io.BytesIO(bytes(broken)), hugo, "archive/unreadable")


def test_a_bomb_is_refused_before_it_is_unpacked(
    elsewhere: dict[str, Any], hugo: User, key: SealKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = files_of(elsewhere["backup"])
    bomb = {**files, "names.json": b" " * (20 * 1024 * 1024)}
    refused(zipped(bomb), hugo, "archive/too_large")
    monkeypatch.setattr(reading, "MAX_FILES", 3)
    refused(elsewhere["backup"], hugo, "archive/too_large")
    monkeypatch.setattr(reading, "MAX_FILES", 50_000)
    for bound, most in (("MAX_FILE_BYTES", 100), ("MAX_BYTES", 10_000)):
        with monkeypatch.context() as lower:
            lower.setattr(reading, bound, most)
            refused(elsewhere["backup"], hugo, "archive/too_large")


def test_the_commands_write_and_read_the_file(
    played: Championship, tmp_path: Path, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    path, public = tmp_path / "cup.zip", tmp_path / "public.zip"
    call_command("export_championship", played.slug, str(path), backup=True)
    call_command("export_championship", played.slug, str(public))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    said = capsys.readouterr()
    assert "backup" in said.out
    assert said.err.count("in the clear") == 1, "of the backup, and not of what is public"
    with pytest.raises(CommandError, match="exists"):
        call_command("export_championship", played.slug, str(path))
    with pytest.raises(CommandError, match="no championship"):
        call_command("export_championship", "nowhere", str(tmp_path / "x.zip"))
    last = sealing.find_latest_checkpoint(played.stream_id)
    assert last is not None
    empty()
    User.objects.create_user("hugo")
    with pytest.raises(CommandError, match="no account"):
        call_command("import_championship", str(path), owner="nobody")
    with pytest.raises(CommandError, match="archive/not_complete"):
        call_command("import_championship", str(public), owner="hugo")
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_championship", str(tmp_path / "y.zip"), owner="hugo")
    for account, why in (
        ("gabi", "THEIRS=OURS"),
        ("gabi=x", "no account x"),
        ("x=hugo", "names no account x"),
    ):
        with pytest.raises(CommandError, match=why):
            call_command("import_championship", str(path), owner="hugo", account=[account])
    own = sealing.load_key_in_use().public.hex()
    settings.SEAL_KEY = tmp_path / "nowhere"
    with pytest.raises(CommandError, match=f"archive/unknown_key.*{own}.*--trust-unknown-key"):
        call_command("import_championship", str(path), owner="hugo")
    (tmp_path / "key.txt").write_text(own + "\n")
    key = str(tmp_path / "key.txt")
    call_command("import_championship", str(path), owner="hugo", key=key, account=["gabi=hugo"])
    assert Official.objects.filter(user__username="hugo", role="referee").exists()
    assert " ".join(sealing.in_words(last.hash)) in capsys.readouterr().out


def test_rounds_to_come_get_new_seeds_where_somebody_may_know_them(
    played: Championship, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {r.number: round_seed.seed_seq(r.stream_id) for r in played.rounds.all()}
    call_command("new_seeds", played.slug)
    told = capsys.readouterr().out
    for round_ in played.rounds.all():
        renewed = round_seed.seed_seq(round_.stream_id) != before[round_.number]
        assert renewed == (round_.status in ("planned", "drawn")) == (f"round {round_.number} has" in told)
        store.verify(round_.stream_id)
    assert "round 2 is open" in told
    with pytest.raises(CommandError, match="no championship"):
        call_command("new_seeds", "nowhere")


def test_without_a_key_the_file_is_not_signed(
    played: Championship, settings: Settings, tmp_path: Path
) -> None:
    settings.SEAL_KEY = tmp_path / "nowhere"
    files = files_of(exported(played))
    assert files["manifest.sig"] == b""
    assert json.loads(files["manifest.json"])["key"] == ""


@pytest.mark.parametrize(
    "place",
    [
        "seal_if_possible",
        "_current_heads",
        "_table_rows",
        "stream_lines",
        "_receipt_lines",
        "_checkpoints_upto",
        "find_key",
    ],
)
def test_whatever_goes_wrong_the_rows_do_not_stay_open(
    played: Championship, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []

    def temporary(*arguments: Any) -> Any:
        opened.append(SpooledTemporaryFile(*arguments))  # noqa: SIM115 - the caller closes it
        return opened[-1]

    def wrong(*_: Any, **__: Any) -> Any:
        raise RuntimeError(place)

    monkeypatch.setattr("tempfile.SpooledTemporaryFile", temporary)
    monkeypatch.setattr(writing, place, wrong)
    if place == "_current_heads":
        monkeypatch.setattr(sealing, "find_latest_checkpoint", lambda _: None)
    with pytest.raises(RuntimeError, match=place):
        exported(played)
    assert [file.closed for file in opened] == [True]


@pytest.mark.django_db(transaction=True)
def test_rows_that_are_read_again_stand_in_the_file_once(
    played: Championship, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = files_of(exported(played))["championship.json"]
    tables, tried = writing._table_rows, [0]

    def interrupted(*arguments: Any, **more: Any) -> Iterator[bytes]:
        yield from tables(*arguments, **more)
        tried[0] += 1
        if tried[0] < 3:
            raise OperationalError("database is locked")

    monkeypatch.setattr(writing, "_table_rows", interrupted)
    assert (files_of(exported(played))["championship.json"], tried) == (rows, [3])
