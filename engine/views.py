"""The same events as one observer may see them: secret fields become null, nothing is dropped or
renumbered."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from engine.events import DealAnnulled, DealScored, DealStarted, Event
from engine.events.secrecy import Seen, secret_fields

Tier = Literal["played", "after_deal"]


class Observer(NamedTuple):
    """Who looks on. Made by `seat`, `spectator` and `referee`; `str` gives `seat:2`, `spectator`,
    `referee`."""

    role: Literal["seat", "spectator", "referee"]
    number: int | None = None
    tier: Tier = "played"
    behind: int = 0
    """How many of the last deals that are over keep their hands closed to tier `after_deal`."""
    opened: int | None = None
    """A deal of which everything is seen, as a referee sees it, and of no other."""

    @classmethod
    def seat(cls, number: int) -> "Observer":
        """A player, who sees his own cards."""
        return cls("seat", number)

    @classmethod
    def spectator(cls, tier: Tier = "played", behind: int = 0, opened: int | None = None) -> "Observer":
        """Anybody; tier `after_deal` opens the hands of deals that are over, but for the last `behind`;
        `opened` is one whose hidden cards have been opened to him while it was played."""
        return cls("spectator", None, tier, behind, opened)

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
        tier = "" if self.tier == "played" else f":{self.tier}"
        behind = f":{self.behind}" if self.behind else ""
        return f"{self.role}{tier}{behind}" + ("" if self.opened is None else f":opened:{self.opened}")

    def sees_all_of(self, deal: int) -> bool:
        """Whether nothing of a deal is hidden from him even while it is played."""
        return self.role == "referee" or self.opened == deal


_NAMED: Final = {
    "spectator": Observer.spectator(),
    "spectator:after_deal": Observer.spectator("after_deal"),
    "referee": Observer.referee(),
}


def sees(observer: Observer, event: Event, seen: Seen, deal_open: bool) -> bool:
    """Whether an observer may see a secret field of an event; `deal_open`: all of its deal is open to him."""
    if observer.role == "referee" or deal_open:
        return True
    if seen == "nobody":
        return False
    owner = observer.role == "seat" and getattr(event, "seat", None) == observer.number
    if seen == "owner_unless_face_down":
        return owner and not getattr(event, "face_down", True)
    if seen == "all_unless_sealed":
        return owner or not getattr(event, "sealed", True)
    return owner


def redact(event: Event, observer: Observer, deal_open: bool = False) -> Event:
    """One event as an observer may see it; `deal_open`: all of its deal is open to him."""
    hidden: dict[str, Any] = {
        name: None
        for name, seen in secret_fields(type(event)).items()
        if not sees(observer, event, seen, deal_open)
    }
    return msgspec.structs.replace(event, **hidden) if hidden else event


def view_for(events: Iterable[Event], observer: Observer) -> Iterator[Event]:
    """The events as an observer may see them. Which deals have begun and are over is looked up in `events`
    as given; what comes before the first beginning of a deal in them belongs to none that is open."""
    if observer.tier == "played" and observer.opened is None:
        for event in events:
            yield redact(event, observer)
        return
    told = list(events)
    open_deals, deal = _open_deals(told, observer), 0
    for event in told:
        if isinstance(event, DealStarted):
            deal = event.deal
        yield redact(event, observer, deal in open_deals)


def _open_deals(events: Sequence[Event], observer: Observer) -> set[int | None]:
    if observer.tier == "played":
        return {observer.opened}
    ended = list(dict.fromkeys(e.deal for e in events if isinstance(e, DealScored | DealAnnulled)))
    return {observer.opened, *ended[: max(0, len(ended) - observer.behind)]}
