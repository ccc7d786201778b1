"""A data key that is unusable for a moment: nothing is lost, and no response names the key's path."""

import logging
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from games import encryption, store
from games.models import Deadline
from games.monitoring import unavailable_errors
from games.store import Record
from games.timers import deadlines
from tests.games.cast import on_turn, play, table
from tests.games.test_api import move, post, signed_in


@pytest.fixture(autouse=True)
def key_file(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_KEY = tmp_path / "data_key"
    encryption.make_data_key(settings.DATA_KEY)
    return tmp_path / "data_key"


def without_the_newest(path: Path) -> str:
    """The file as a machine has it to which the newest key was not carried; what it should be."""
    whole = path.read_text()
    path.unlink()
    encryption.make_data_key(path)
    return whole


@pytest.mark.django_db
@pytest.mark.parametrize("harm", [without_the_newest, lambda path: path.write_text(path.read_text()[:40])])
def test_what_is_due_waits_for_the_key(
    key_file: Path, harm: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = store.create_stream("round").id
    hand = Record("told", {}, {"hand": ["D6"]})
    store.append(stream, -1, [hand], actor="server", command_id="c", body_hash=bytes(32))
    read: list[int] = []
    monkeypatch.setitem(deadlines._handlers, "bell", lambda row: read.append(len(store.read(row.stream_id))))
    deadlines.arm("bell", stream, timezone.now() - timedelta(seconds=1))
    row = Deadline.objects.get(stream_id=stream)
    whole = key_file.read_text()
    harm(key_file)
    with pytest.raises(encryption.DataKeyError):
        deadlines.run(row.pk)
    assert Deadline.objects.filter(pk=row.pk).exists()
    key_file.write_text(whole)
    assert deadlines.run(row.pk)
    assert read == [1]


@pytest.mark.django_db
def test_a_command_is_to_be_sent_again(key_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    game = play(table(), 3)
    player = signed_in(on_turn(game))
    letter = {"command_id": "c-1", "command": move(game)}
    whole = key_file.read_text()
    key_file.write_text(whole[:40])
    caplog.set_level(logging.ERROR, logger="games.monitoring.unavailable_errors")
    answer = post(player, game, letter)
    assert (answer.status_code, answer.json()["code"]) == (503, "http/try_again")
    told = answer.content.decode()
    assert not [word for word in (str(key_file), *whole.split()) if word in told]
    assert str(key_file) in caplog.text
    key_file.write_text(whole)
    assert post(player, game, letter).status_code == 201


def test_it_is_a_disturbance_as_sockets_and_pages_tell_it() -> None:
    assert (
        unavailable_errors.reason(encryption.DataKeyError("no key", code="data/key_missing"))
        == unavailable_errors.NO_KEY
    )
