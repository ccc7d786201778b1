"""Checks of the key files, of the copies that should be kept elsewhere, and of file permissions."""

import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from deploy.doctor.backups import parse_moment
from deploy.doctor.results import Diagnosis, Severity, fine
from deploy.umask import PUBLIC
from frontend.presenters.words.dates import format_moment
from games import encryption, sealing, store
from games.encryption import key_files
from tournaments.notices.keys import PushKeyError, push_key

MARKER: Final = "keys-copied.json"
MAX_NAMED: Final = 3


WRONG: Final[dict[str, Promise]] = {
    "no_key": _("The file %(file)s is missing."),
    "key_readable": _("Other accounts of this machine can read the key %(file)s."),
    "key_unreadable": _("The key %(file)s belongs to another account, and Puur cannot read it."),
    "key_malformed": _("The file %(file)s is not a key: it is damaged or empty."),
}
REMEDIES: Final[dict[str, Promise]] = {
    "no_key": _(
        "Put your copy of it there. Only a new installation makes one: manage.py upgrade --make-keys."
    ),
    "key_readable": _("Run chmod 600 on it. If somebody may have read it, replace it."),
    "key_unreadable": _("Run chown on it for the account that runs Puur."),
    "key_malformed": _("Put your copy of it there."),
}


def check_key_files() -> Diagnosis:
    """Check that data key and sealing key are there and usable, private to their owner and group."""
    return (
        _check_key(encryption.keys_in_use, settings.DATA_KEY)
        or _check_key(sealing.load_key_in_use, settings.SEAL_KEY)
        or fine(gettext("Data key and seal key are there and usable."))
    )


def _check_key(load: Callable[[], object], file: Path) -> Diagnosis | None:
    """Return what is wrong with a key; None if nothing is."""
    try:
        load()
    except (encryption.DataKeyError, sealing.SealKeyError, PushKeyError) as error:
        why = error.code.partition("/")[2]
        return Diagnosis(Severity.ERROR, str(WRONG[why]) % {"file": file}, str(REMEDIES[why]))
    return None


def check_keys_fit() -> Diagnosis:
    """Check that the data keys can decrypt all hands and seeds in the database."""
    missing = sorted(store.count_values_by_key().keys() - set(encryption.key_ids(settings.DATA_KEY)))
    if not missing:
        return fine(gettext("The data key decrypts all hands and seeds of the database."))
    sentence = gettext("Hands and seeds need the data keys %(keys)s, which are not in %(file)s.")
    remedy = gettext("Put the copy of the file there: without these keys they cannot be read.")
    return Diagnosis(
        Severity.ERROR, sentence % {"keys": ", ".join(missing), "file": settings.DATA_KEY}, remedy
    )


def check_push() -> Diagnosis:
    """Check whether push messages can be signed."""
    if settings.PUSH_KEY.exists():
        return _check_key(push_key, settings.PUSH_KEY) or fine(gettext("The key for messages is there."))
    remedy = gettext("Run manage.py make-push-key if phones are to get messages about their next table.")
    return Diagnosis(Severity.WARNING, gettext("There is no push key: no phone gets messages."), remedy)


def check_key_copies() -> Diagnosis:
    """Check that the operator has confirmed that copies of the present keys are kept elsewhere."""
    confirmed, digests = _read_marker(), dict(_list_digests())
    if not digests:
        return fine(gettext("There are no keys yet."))
    others = [name for name, digest in digests.items() if confirmed.get(name) != digest]
    if not others:
        sentence = gettext("Copies of all keys were confirmed on %(day)s.")
        return fine(sentence % {"day": format_moment(parse_moment(confirmed.get("at")))})
    sentence = gettext("Nobody has confirmed that copies of these files are kept elsewhere: %(files)s.")
    remedy = gettext(
        "No backup contains them. Copy them to a stick or a safe, apart from the backups, "
        "then run manage.py doctor --keys-copied."
    )
    return Diagnosis(Severity.WARNING, sentence % {"files": ", ".join(others)}, remedy)


def confirm_key_copies() -> list[str]:
    """Record that copies of the present keys are kept elsewhere. Return the names of the files. Raises
    OSError.
    """
    digests = dict(_list_digests())
    marker = Path(settings.VAR_DIR) / MARKER
    part = marker.with_suffix(".part")
    part.write_text(json.dumps({**digests, "at": datetime.now(UTC).isoformat(timespec="seconds")}))
    part.replace(marker)
    return sorted(digests)


def _list_digests() -> Iterator[tuple[str, str]]:
    """Yield the name of each key file, with a digest that shows whether it has changed."""
    for path in (settings.DATA_KEY, settings.SEAL_KEY, settings.PUSH_KEY):
        if path.is_file():
            yield path.name, hashlib.sha256(b"puur/doctor/1" + path.read_bytes()).hexdigest()[:16]


def _read_marker() -> dict[str, str]:
    try:
        found = json.loads((Path(settings.VAR_DIR) / MARKER).read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def check_modes() -> Diagnosis:
    """Check that only their owner can change the platform's files, and only owner and group read them."""
    shared = [str(path) for path in _private_files() if path.stat().st_mode & key_files.OTHERS]
    if not shared:
        return fine(gettext("Other accounts of this machine cannot read the files."))
    sentence = gettext("Other accounts of this machine can read or change: %(files)s.")
    named = [*shared[:MAX_NAMED], *(["…"] if len(shared) > MAX_NAMED else [])]
    remedy = gettext("Run chmod go-rwx on them (folders and files).")
    return Diagnosis(Severity.ERROR, sentence % {"files": ", ".join(named)}, remedy)


def _private_files() -> Iterator[Path]:
    """Yield the keys and, unless the platform's folder is closed to others, what is in it and its backups."""
    var = Path(settings.VAR_DIR)
    if var.is_dir() and not var.stat().st_mode & key_files.OTHERS:
        inside: list[Path] = []  # Nobody else reaches what is inside.
    else:
        inside = [path for path in sorted(var.glob("*")) if path.name != PUBLIC and not path.is_symlink()]
        inside += [path for path in sorted((var / "backups").glob("*")) if not path.is_symlink()]
    keys = (settings.DATA_KEY, settings.SEAL_KEY, settings.PUSH_KEY)
    yield from (path for path in dict.fromkeys([*inside, *keys]) if path.is_file() or path.is_dir())
