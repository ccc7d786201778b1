"""A finished championship as a folder that needs no server: what is in it, for whom, and what is not."""

import io
import posixpath
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from django.urls import reverse
from pytest_django import Settings

from frontend.copies import drawings, plan
from frontend.copies.rewriting import made_static
from games import sealing
from tests.frontend import evening
from tests.frontend.evening import client, html, person
from tests.tournaments import playing
from tournaments import demo_record
from tournaments.archive import storing
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Job, PublicFile, Round
from tournaments.services import championships, jobs, rounds
from tournaments.services.desk import entries, personal_data
from tournaments.services.money import bookings
from tournaments.services.referee import disputes

pytestmark = pytest.mark.django_db
MARKUP = '<img src=x onerror=alert(1)>&amp; "Ö"'
COPY = PublicFile.Kind.COPY


@pytest.fixture(autouse=True)
def key(tmp_path: Path, settings: Settings) -> sealing.SealKey:
    settings.SEAL_KEY = tmp_path / "seal_key"
    settings.VAR_DIR = tmp_path
    return sealing.make_seal_key(settings.SEAL_KEY)


def played(**more: Any) -> Championship:
    """Two rounds of one deal: a dealt table and a sheet, somebody whose name looks like HTML."""
    changes = {"rounds": 1, "deals": 1, **more.pop("changes", {})}
    round_ = evening.opened("dealt", "sheet", changes=changes, **more)
    made = round_.championship
    demo_record.play_out_with_bots(str(evening.table(round_, 1).game_id))
    playing.write_sheet(evening.table(round_, 2), [100])
    rounds.close(round_, actor=person("fredi"))
    return made


@pytest.fixture
def finished() -> Championship:
    made = played(place="Bären, Ins", language="en")
    championships.finish(made, actor=person("fredi"))
    entries.edit(made.entries.get(number=3), actor=person("fredi"), name=MARKUP)
    return made


def copied(championship: Championship) -> dict[str, bytes]:
    """Path below its folder → bytes."""
    job = jobs.make_copy(championship, actor=person("fredi"))
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, (job.message, job.message_params)
    copy = storing.current(championship, COPY)
    assert copy is not None
    with zipfile.ZipFile(io.BytesIO(b"".join(storing.pieces_of(copy)))) as archive:
        assert archive.testzip() is None
        folder = f"{championship.slug}/"
        assert all(name.startswith(folder) and ".." not in name for name in archive.namelist())
        return {name.removeprefix(folder): archive.read(name) for name in archive.namelist()}


def pages(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    for name, data in files.items():
        if name.endswith(".html"):
            yield name, data.decode()


def test_look(finished: Championship) -> None:
    files = copied(finished)
    for name, data in files.items():
        to = Path("/tmp/stick") / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(data)
