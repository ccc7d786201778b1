"""A cache of parts of pages (fragments), keyed by mark, audience and language. This process stores the newest
version, and Redis stores it for other web processes.

The audience is a group of readers. Personal content is added outside of fragments. The function that makes a
fragment gets no request, so that no personal name, token or message enters it.
"""

import hashlib
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.messaging import redis_client
from games.recently_used import RecentlyUsed

ANYBODY: Final = "anybody"
MAX_FRAGMENTS: Final = 400
"""Largest number of fragments in a process; the least recently used are dropped."""
FRAGMENT_LIFETIME_SECONDS: Final = 60
"""Seconds for which Redis stores a fragment."""
T = TypeVar("T")


class _FragmentSlot:
    """The newest version of one fragment. `making`: held by the thread that makes it, so that others wait for
    it.
    """

    def __init__(self) -> None:
        self.making = threading.Lock()
        self.mark: str | None = None
        self.value: Any = None


KEPT: Final = RecentlyUsed[tuple[object, ...], _FragmentSlot](MAX_FRAGMENTS)


def get_or_make_fragment(
    name: str, of: tuple[object, ...], mark: str, make: Callable[[], T], kind: type[T]
) -> T:
    """Return the fragment `name` with the key `of`. `make` is called if the cache has none with this `mark`.
    Key or mark must differ between audiences. `kind`: the fragment's type.
    """
    which = (name, get_language() or "", *of)
    piece = KEPT.get_or_add(which, _FragmentSlot)
    with piece.making:
        if piece.mark != mark:
            piece.value = _load_or_make_shared(_key(*which, mark), kind, make)
            piece.mark = mark
        found: T = piece.value
        return found


def as_safe_html(text: str) -> SafeString:
    """Mark a cached output of a template as safe HTML, because Redis returns it as plain text."""
    return mark_safe(text)  # noqa: S308 - a template has escaped the text


def _load_or_make_shared(key: str, kind: type[T], make: Callable[[], T]) -> T:
    name = redis_client.key("shared", key)
    body = redis_client.ask_redis(lambda redis: redis.get(name), None)
    if isinstance(body, bytes):
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.DecodeError:
            pass
    fragment = make()
    encoded = msgspec.json.encode(fragment, enc_hook=str.__str__)  # `enc_hook` is for SafeString.
    redis_client.ask_redis(lambda redis: redis.set(name, encoded, ex=FRAGMENT_LIFETIME_SECONDS), None)
    return fragment


def _key(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=20).hexdigest()
