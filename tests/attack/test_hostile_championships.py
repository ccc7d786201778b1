"""Files from elsewhere that want memory, time or a way out are refused by a process of their own."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from games.models import User
from tests.frontend.evening import client, html
from tests.tournaments.files_from_elsewhere import play_elsewhere, repack
from tournaments.clubs import rolls
from tournaments.models import ClubSeries, OutsideEvent
from tournaments.sandbox.long_running import NoLongerWanted, run_long
from tournaments.sandbox.running import TookTooMuch
from tournaments.services.series import editing, outside_files

pytestmark = pytest.mark.django_db
NAME = "streams/" + "0" * 32 + ".jsonl"


@pytest.fixture
def series() -> ClubSeries:
    fredi = User.objects.create(username="fredi")
    return editing.create_series(rolls.default_club(fredi), name="Serie", preset="season", actor=fredi)


def refused(series: ClubSeries, data: bytes) -> str:
    found = outside_files.receive_file(series, data, actor=series.club.keepers.get().user)
    outside_files.verify(found.pk)
    found = OutsideEvent.objects.get(pk=found.pk)
    assert (found.state, found.data, found.people.count()) == ("failed", None, 0)
    return found.message


def packed(contents: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in contents.items():
            file.writestr(name, data)
    return out.getvalue()


def test_what_inflates_is_refused_before_it_is_unpacked(series: ClubSeries) -> None:
    assert refused(series, packed({"manifest.json": bytes(60_000_000)})) == "series/file_too_heavy"
    names = {f"streams/{n:032x}.jsonl": b"" for n in range(50_001)}
    assert refused(series, packed(names)) == "series/file_too_heavy"


@pytest.mark.parametrize(
    "change",
    [
        lambda contents: contents.update({"../../etc/passwd": b"x"}),
        lambda contents: contents.update({NAME: b"{}\n"}),
        lambda contents: contents.update({"manifest.json": b"[" * 5_000}),
        lambda contents: contents.update({"championship.json": b"[" * 5_000 + b"\n"}),
        lambda contents: contents.update({"checkpoints.jsonl": b"null\n"}),
        lambda contents: contents.update({"manifest.json": b'{"format": 1}'}),
        lambda contents: contents.pop("championship.json"),
    ],
    ids=["path", "stream", "deep manifest", "deep tables", "checkpoints", "manifest", "no tables"],
)
def test_a_malformed_file_is_refused_with_a_code(
    series: ClubSeries, tmp_path: Path, change: Callable[[dict[str, bytes]], object]
) -> None:
    [file] = play_elsewhere(tmp_path)
    assert refused(series, repack(file, change)) in ("series/no_file", "series/file_changed")


def test_memory_and_time_of_the_process_are_limited(
    series: ClubSeries, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {f"{n:08}": {"size": n, "sha256": f"{n * 7919:064x}", "personal": False} for n in range(300_000)}
    manifest = {"format": "puur/export/1", "level": "public", "championship": "0" * 32, "files": listed}
    large = packed({"manifest.json": json.dumps(manifest).encode()})
    monkeypatch.setattr(outside_files, "MEMORY", 150_000_000)
    assert refused(series, large) == "series/file_too_heavy"
    with pytest.raises(TookTooMuch):
        run_long("championship_file", large, memory=2**31, seconds=0, wanted=lambda: True)


def test_the_process_ends_when_nobody_waits_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [file] = play_elsewhere(tmp_path)
    monkeypatch.setattr("tournaments.sandbox.long_running.BEAT_SECONDS", 0.01)
    with pytest.raises(NoLongerWanted):
        run_long("championship_file", file, memory=outside_files.MEMORY, seconds=60, wanted=lambda: False)


def test_names_of_a_file_are_shown_as_text(series: ClubSeries, tmp_path: Path) -> None:
    [file] = play_elsewhere(tmp_path, ["<script>alert(1)</script> X", "B B", "C C", "D D"])
    found = outside_files.receive_file(series, file, actor=series.club.keepers.get().user)
    outside_files.verify(found.pk)
    found.refresh_from_db()
    assert found.state == "done"
    shown = html(client("fredi").get(f"/series/{series.slug}/elsewhere/{found.pk}/"))
    assert "<script>alert(1)" not in shown
