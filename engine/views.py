"""The same events as one observer may see them: secret fields become null, nothing is dropped or
renumbered."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, NamedTuple

import msgspec

from .events import DealAnnulled, DealScored, DealStarted, Event
from .secrecy import Seen, secret_fields

Tier = Literal["played", "after_deal"]


class Observer(NamedTuple):
    """Who looks on. Made by `seat`, `spectator` and `referee`; `str` gives `seat:2`, `spectator`,
    `referee`."""

    role: Literal["seat", "spectator", "referee"]
    number: int | None = None
    tier: Tier = "played"

    @classmethod
    def seat(cls, number: int) -> "Observer":
        """A player, who sees his own cards."""
        return cls("seat", number)

    @classmethod
    def spectator(cls, tier: Tier = "played") -> "Observer":
        """Anybody; tier `after_deal` opens the hands of deals that are over."""
        return cls("spectator", None, tier)

    @classmethod
    def referee(cls) -> "Observer":
        """Sees everything."""
        return cls("referee")

    @classmethod
    def parse(cls, text: str) -> "Observer":
        """The observer of a string form; ValueError for any other string."""
        if text in _NAMED:
            return _NAMED[text]
        if text.startswith("seat:") and text[5:] in ("0", "1", "2", "3"):
            return cls.seat(int(text[5:]))
        raise ValueError(f"not an observer: {text!r}; seat:N, spectator or referee")

    def __str__(self) -> str:
        if self.role == "seat":
            return f"seat:{self.number}"
        return self.role if self.tier == "played" else f"{self.role}:{self.tier}"


_NAMED: Final = {
    "spectator": Observer.spectator(),
    "spectator:after_deal": Observer.spectator("after_deal"),
    "referee": Observer.referee(),
}


def sees(observer: Observer, event: Event, seen: Seen, deal_over: bool) -> bool:
    """Whether an observer may see a secret field of an event."""
    if observer.role == "referee" or (deal_over and observer.tier == "after_deal"):
        return True
    if seen == "nobody":
        return False
    owner = observer.role == "seat" and getattr(event, "seat", None) == observer.number
    if seen == "owner_unless_face_down":
        return owner and not getattr(event, "face_down", True)
    if seen == "all_unless_sealed":
        return owner or not getattr(event, "sealed", True)
    return owner


def redact(event: Event, observer: Observer, deal_over: bool = False) -> Event:
    """One event as an observer may see it."""
    hidden: dict[str, Any] = {
        name: None
        for name, seen in secret_fields(type(event)).items()
        if not sees(observer, event, seen, deal_over)
    }
    return msgspec.structs.replace(event, **hidden) if hidden else event


def view_for(events: Iterable[Event], observer: Observer) -> Iterator[Event]:
    """The events as an observer may see them. Tier `after_deal` looks at which deals are over in `events` as
    given."""
    if observer.tier == "after_deal":
        yield from _view_after_deals(list(events), observer)
        return
    for event in events:
        yield redact(event, observer)


def _view_after_deals(events: list[Event], observer: Observer) -> Iterator[Event]:
    over = {e.deal for e in events if isinstance(e, DealScored | DealAnnulled)}
    deal = 0
    for event in events:
        if isinstance(event, DealStarted):
            deal = event.deal
        yield redact(event, observer, deal in over)
