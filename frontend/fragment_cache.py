"""What everybody sees alike is made once for each mark of the edition, audience and language. The newest is
kept in this process and, for the other web processes, by Redis.

The audience says who may see it: ANYBODY, or an office. What is only somebody's own is filled in around it.
A maker gets no request, so that no name, token or message of whoever came first can get into it.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.messaging import redis_client

ANYBODY: Final = "anybody"
MOST: Final = 400
"""Pieces a process keeps; the oldest go."""
SECONDS: Final = 60
"""For so long other processes may take a piece from Redis."""
T = TypeVar("T")


class _Kept:
    """The newest of one piece; `making`: one thread makes it, the others wait for it."""

    def __init__(self) -> None:
        self.making = threading.Lock()
        self.mark: str | None = None
        self.value: Any = None


_kept: OrderedDict[tuple[object, ...], _Kept] = OrderedDict()
_guard = threading.Lock()


def shared(name: str, of: tuple[object, ...], mark: str, make: Callable[[], T], kind: type[T]) -> T:
    """The piece of that name, `of` whom and for which audience, as it was made first for this mark."""
    which = (name, get_language() or "", *of)
    with _guard:
        piece = _kept.get(which)
        if piece is None:
            piece = _kept[which] = _Kept()
            while len(_kept) > MOST:
                _kept.popitem(last=False)
        _kept.move_to_end(which)
    with piece.making:
        if piece.mark != mark:
            piece.value = _from_others(_key(*which, mark), kind, make)
            piece.mark = mark
        found: T = piece.value
        return found


def html(text: str) -> SafeString:
    """A piece that a template has made, which escapes: on its way through Redis it became plain text."""
    return mark_safe(text)  # noqa: S308 - as said above


def forget_all() -> None:
    """In this process."""
    with _guard:
        _kept.clear()


def _from_others(key: str, kind: type[T], make: Callable[[], T]) -> T:
    name = redis_client.key("shared", key)
    body = redis_client.ask_redis(lambda redis: redis.get(name), None)
    if isinstance(body, bytes):
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.DecodeError:
            pass
    made = make()
    told = msgspec.json.encode(made, enc_hook=str.__str__)  # of SafeString
    redis_client.ask_redis(lambda redis: redis.set(name, told, ex=SECONDS), None)
    return made


def _key(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=20).hexdigest()
