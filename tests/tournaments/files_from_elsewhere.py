"""Public files of championships that were played on another installation, made here and forgotten again."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import transaction
from django.test import override_settings

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tournaments.archive import export_championship
from tournaments.archive.writing import signed_message
from tournaments.models import Championship, Entry, Table
from tournaments.services import championship_seals as seals
from tournaments.services.championships import championships
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import rounds

EIGHT = (
    *("Anna Ammann", "Beat Bühler", "Chiara Caduff", "Dario Derungs"),
    *("Elsbeth Egli", "Fränzi Frei", "Görgi Gut", "Heidi Huber"),
)


class _Forget(Exception):
    """Undoes what was made."""


def play_elsewhere(
    folder: Path,
    names: Sequence[str] = EIGHT,
    *,
    name: str = "Sektion Bern",
    levels: Sequence[str] = ("public",),
    finish: bool = True,
    then: Sequence[Callable[[Championship], None]] = (),
    key: str = "their_key",
    **more: Any,
) -> list[bytes]:
    """Play one round on sheets and export it once for each level, and once more after each of `then`.

    The winners are those at seats 0 and 2 of the first table. Nothing of it stays in the database.
    """
    files: list[bytes] = []
    seal = folder / key
    if not seal.exists():
        sealing.make_seal_key(seal)
    try:
        with override_settings(SEAL_KEY=seal), transaction.atomic():
            made = _play(names, name, finish, more)
            files += [export(made, level) for level in levels]
            for change in then:
                change(made)
                files.append(export(made))
            raise _Forget
    except _Forget:
        pass
    return files


def _play(names: Sequence[str], name: str, finish: bool, more: Mapping[str, Any]) -> Championship:
    director = User.objects.create(username="their director")
    changes = {"rounds": 1, "deals": 1} | dict(more.get("changes", {}))
    made = championships.create(actor=director, name=name, **{**more, "changes": changes})
    entries.add_entries(
        made, [entries.NewEntry(one, status=Entry.Status.ARRIVED) for one in names], actor=director
    )
    if pairs.has_fixed_pairs(made):
        there = list(made.entries.order_by("number"))
        pairs.pair_up(made, zip(there[0::2], there[1::2], strict=True), actor=director)
    for round_ in made.rounds.order_by("number"):
        drawing.draw_round(round_, actor=director)
        for table in round_.tables.all():
            rounds.set_mode(table, "sheet", actor=director)
        rounds.open_round(round_, actor=director)
        for table in Table.objects.filter(round=round_).order_by("number"):
            play_round(table)
        rounds.close_round(round_, actor=director)
    if finish:
        championships.finish(made, actor=director)
    return made


def play_round(table: Table) -> None:
    """Write the sheet of a table: the same result for each deal, another one at each table."""
    deals = load_regulations(table.round.championship).deals
    table_play.write_sheet(table, [157 - 10 * (1 + (table.number - 1) % 14)] * deals)


def export(made: Championship, level: str = "public") -> bytes:
    """Seal and export."""
    seals.seal_championship(made)
    out = io.BytesIO()
    export_championship(made, out, level=level)
    return out.getvalue()


def repack(file: bytes, change: Callable[[dict[str, bytes]], object]) -> bytes:
    """Change files inside the zip; the list and its signature stay as they are."""
    with zipfile.ZipFile(io.BytesIO(file)) as packed:
        contents = {one: packed.read(one) for one in packed.namelist()}
    change(contents)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in contents.items():
            packed.writestr(name, data)
    return out.getvalue()


def sign_again(contents: dict[str, bytes], seal: Path) -> None:
    """Write the manifest of changed contents anew, and sign it with this key."""
    key = sealing.load_key(seal)
    manifest = json.loads(contents["manifest.json"])
    for name, entry in manifest["files"].items():
        if name in contents:
            entry |= {"size": len(contents[name]), "sha256": hashlib.sha256(contents[name]).hexdigest()}
    manifest["key"] = key.public.hex()
    contents["manifest.json"] = json.dumps(manifest).encode()
    contents["manifest.sig"] = key.sign(signed_message(contents["manifest.json"])).hex().encode()
