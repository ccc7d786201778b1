"""Redaction of events for an observer. Secret fields become null; no event is dropped or renumbered."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from engine.events import DealAnnulled, DealScored, DealStarted, Event
from engine.events.secrecy import Visibility, secret_fields

Tier = Literal["played", "after_deal"]


class Observer(NamedTuple):
    """The identity for which a game is redacted. Use `seat`, `spectator` or `referee` to make one.

    `str` returns `seat:2`, `referee`, or `spectator` with further rights such as `:after_deal`.
    """

    role: Literal["seat", "spectator", "referee"]
    number: int | None = None
    tier: Tier = "played"
    behind: int = 0
    """Number of finished deals, counted from the last, that stay hidden from tier `after_deal`."""
    opened: int | None = None
    """Number of a deal that is fully visible, as to a referee; None if there is none."""

    @classmethod
    def seat(cls, number: int) -> "Observer":
        """Return the observer of a player, who sees their own cards unless they lie face down."""
        return cls("seat", number)

    @classmethod
    def spectator(cls, tier: Tier = "played", behind: int = 0, opened: int | None = None) -> "Observer":
        """Return a spectator.

        Tier `played` sees what all see, `after_deal` also everything in finished deals, except the last
        `behind`. `opened`: a running deal whose hidden cards this spectator sees.
        """
        return cls("spectator", None, tier, behind, opened)

    @classmethod
    def referee(cls) -> "Observer":
        """Return the observer of a referee, who sees everything."""
        return cls("referee")

    @classmethod
    def parse(cls, text: str) -> "Observer":
        """Return the observer for `seat:N`, `spectator`, `spectator:after_deal` or `referee`. Raises
        ValueError for other texts.
        """
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

    def sees_deal(self, deal: int) -> bool:
        """Return whether the observer sees all of a deal, even while it is played."""
        return self.role == "referee" or self.opened == deal


_NAMED: Final = {
    "spectator": Observer.spectator(),
    "spectator:after_deal": Observer.spectator("after_deal"),
    "referee": Observer.referee(),
}


def sees(observer: Observer, event: Event, seen: Visibility, deal_open: bool) -> bool:
    """Return whether an observer may see a secret field of visibility `seen`. `deal_open`: the observer sees
    the whole deal.
    """
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
    """Return the event redacted for an observer. `deal_open`: the observer sees the whole deal."""
    hidden: dict[str, Any] = {
        name: None
        for name, seen in secret_fields(type(event)).items()
        if not sees(observer, event, seen, deal_open)
    }
    return msgspec.structs.replace(event, **hidden) if hidden else event


def redact_events(events: Iterable[Event], observer: Observer) -> Iterator[Event]:
    """Yield the events, redacted for an observer.

    A deal counts as ended if `events` contain its end. Events before the first `deal_started` belong to no
    deal.
    """
    if observer.tier == "played" and observer.opened is None:
        for event in events:
            yield redact(event, observer)
        return
    listed = list(events)
    open_deals, deal = _open_deals(listed, observer), 0
    for event in listed:
        if isinstance(event, DealStarted):
            deal = event.deal
        yield redact(event, observer, deal in open_deals)


def _open_deals(events: Sequence[Event], observer: Observer) -> set[int | None]:
    if observer.tier == "played":
        return {observer.opened}
    ended = list(dict.fromkeys(e.deal for e in events if isinstance(e, DealScored | DealAnnulled)))
    return {observer.opened, *ended[: max(0, len(ended) - observer.behind)]}
