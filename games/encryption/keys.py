"""The file of data keys, outside database and backups: one key per line, as `id key` in hex. The last key
encrypts.

A line `id key prepared` holds the next key, with which no machine has encrypted anything yet. The file and a
copy of the database together reveal every hand and every deck to come, so a file that other users can read is
refused.
"""

import contextlib
import hashlib
import secrets
from pathlib import Path
from typing import Final, NamedTuple

from games.encryption import key_files
from games.encryption.errors import DataKeyError

KEY_BYTES: Final = 32
ID_DOMAIN: Final = b"puur/data-key/1"
PREPARED: Final = "prepared"


class _Line(NamedTuple):
    key: bytes
    prepared: bool = False


def id_of(key: bytes) -> str:
    """Return the id of a key, which is stored beside its ciphertexts. The id follows from the key and does
    not reveal it."""
    return hashlib.sha256(ID_DOMAIN + key).hexdigest()[:12]


def make_data_key(path: Path) -> str:
    """Create the first key, in a new file that only its owner may read; returns its id. Raises DataKeyError
    `data/key_exists`.
    """
    key = secrets.token_bytes(KEY_BYTES)
    exists = DataKeyError(f"there is a data key already: {path}", code="data/key_exists")
    key_files.create_key_file(path, _text([_Line(key)]), exists=exists)
    return id_of(key)


def prepare_key(path: Path, used: set[str]) -> str:
    """Add a key that can decrypt but does not encrypt yet, so that the file can be copied to every machine
    before the rotation. Returns the id of the prepared key, which may have been in the file already.

    `used`: ids of keys that have encrypted something.
    """
    lines = _lines(path)
    for line in lines:
        if _is_new(line, used):
            return id_of(line.key)
    fresh = _Line(secrets.token_bytes(KEY_BYTES), prepared=True)
    key_files.replace(path, _text([fresh, *lines]))
    return id_of(fresh.key)


def next_key(path: Path, used: set[str]) -> str:
    """Choose the key that encrypts from now on: the prepared key if it is unused, else a new one. Return its
    id.

    `used`: ids of the keys of stored values. Older keys are never chosen, even if they are not in `used`: one
    may have been replaced because it leaked.
    """
    lines = _lines(path)
    key = next((line.key for line in lines if _is_new(line, used)), secrets.token_bytes(KEY_BYTES))
    others = [line for line in lines if line.key != key]
    kept = [line._replace(prepared=_is_new(line, used)) for line in others]
    key_files.replace(path, _text([*kept, _Line(key)]))
    return id_of(key)


def _is_new(line: _Line, used: set[str]) -> bool:
    return line.prepared and id_of(line.key) not in used


def _no_key(path: Path) -> DataKeyError:
    return DataKeyError(
        f"there is no data key: put your copy at {path}; only a new installation makes one with"
        " manage.py make-data-key"
    )


def keys_of(path: Path) -> list[bytes]:
    """Return the keys of a file. Raises DataKeyError, also if users outside its group can read it."""
    key_files.require_private(
        path,
        missing=_no_key(path),
        readable=DataKeyError(
            f"others can read the data key {path}: chmod 600, and rotate-data-key if they may have",
            code="data/key_readable",
        ),
    )
    return [line.key for line in _lines(path)]


def _lines(path: Path) -> list[_Line]:
    try:
        texts = path.read_text("ascii").splitlines()
    except FileNotFoundError:
        raise _no_key(path) from None
    except OSError:
        raise DataKeyError(
            f"the data key {path} belongs to somebody else: chown it to whom the platform runs as",
            code="data/key_unreadable",
        ) from None
    except ValueError:
        texts = []
    lines = []
    for line in texts:
        name, _, text = line.strip().partition(" ")
        text, _, mark = text.partition(" ")
        with contextlib.suppress(ValueError):
            key = bytes.fromhex(text)
            if len(key) == KEY_BYTES and id_of(key) == name and mark in ("", PREPARED):
                lines.append(_Line(key, mark == PREPARED))
    if not lines or len(lines) != len(texts) or lines[-1].prepared:
        raise DataKeyError(f"this is no file of data keys: {path}", code="data/key_malformed")
    return lines


def _text(lines: list[_Line]) -> str:
    return "".join(
        f"{id_of(key)} {key.hex()}{f' {PREPARED}' if prepared else ''}\n" for key, prepared in lines
    )
