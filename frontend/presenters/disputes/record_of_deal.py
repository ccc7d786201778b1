"""The record of one deal for referees: announcements with their times, thinking times, proven infractions,
the history of the score sheet, and facts that are proven, contradictory or unknown.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from engine import Event
from engine import events as ev
from engine.audit.command_of_event import starts_command
from engine.cards import SUIT_NAMES
from engine.evidence import Contradiction, evidence
from engine.taking_back import drop_taken_back
from frontend.card_names import STOECK_CARDS, card_name
from frontend.presenters.tables.commentary import EventNarrator
from frontend.presenters.tables.moment import Moment
from frontend.presenters.words.vocabulary import CONTRADICTIONS, EVIDENCE, word
from games import store
from games.timers.turn_deadlines import CLOCK
from tournaments.models import Official

SUIT_LETTERS: Final[Mapping[str, str]] = dict(zip(SUIT_NAMES, "DHSC", strict=True))


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A line of the record of a deal. `seq`: sequence number of its event; `at`: when the event was
    recorded.
    """

    seq: int
    at: datetime | None
    text: str
    who: str = ""
    """The name of the official who wrote the result for the players; else empty."""
    time_out: bool = False
    """Whether the player's time had run out, so that the clock did the first legal action."""


@dataclass(frozen=True, slots=True)
class Took:
    """The seconds that a player took for a card, counted from the previous event; None if unknown. `code`:
    the card.
    """

    seq: int
    name: str
    code: str | None
    seconds: int | None
    time_out: bool
    """Whether the player's time had run out, so that the clock played the card."""


@dataclass(frozen=True, slots=True)
class ProvenInfraction:
    """An infraction. `at_seq`: event that broke the rules; `proof_seq`: later event that proves it (None: it
    is proven by itself); `proof`: sentence on the card that proves it, if any.
    """

    text: str
    at_seq: int
    proof_seq: int | None
    proof: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a deal, as far as the record proves it. `label`: its subject; `status`: proven,
    contradictory or unknown; `seq`: sequence number of an event that supports it.
    """

    label: str
    status: str
    text: str
    seq: int | None = None

    @property
    def word(self) -> str:
        return word(EVIDENCE, self.status)


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a deal that follow from a transcript. `hands` and `tricks` list only facts that are not
    proven.
    """

    hands: tuple[Fact, ...]
    tricks: tuple[Fact, ...]
    points: tuple[Fact, ...]
    contradictions: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class EventStamps:
    """The time and the author (a reference) of each stored event, by sequence number."""

    times: Mapping[int, datetime]
    actors: Mapping[int, str]


def load_event_stamps(game_id: str) -> EventStamps:
    """Load the times and authors of a game's events in one query."""
    stored = store.read(game_id, parts=False)
    times = {event.seq: datetime.fromisoformat(event.recorded_at) for event in stored}
    return EventStamps(times, {event.seq: event.actor for event in stored})


def select_deal_events(events: Sequence[Event], deal: int) -> list[Event]:
    """Return the events of a deal that were not taken back, up to the start of the next deal."""
    deal_events: list[Event] = []
    now = 0
    for event in drop_taken_back(events):
        if isinstance(event, ev.DealStarted):
            now = event.deal
        if now == deal:
            deal_events.append(event)
    return deal_events


def describe_stoeck(
    events: Sequence[Event], names: Sequence[str], options: Mapping[str, object], deck: str
) -> str:
    """Describe who had the Stöck in these events of one deal, by the cards played, and whether they declared
    it: declared, too late, not declared, in two hands, or not known yet. Empty if the game or the contract
    has no Stöck.
    """
    contracts = [event.contract for event in events if isinstance(event, ev.ContractSet)]
    trump = SUIT_LETTERS.get(contracts[-1] or "") if contracts else None
    if not options.get("stoeck") or trump is None:
        return ""
    pair = {f"{trump}K", f"{trump}Q"}
    played = [event for event in events if isinstance(event, ev.CardPlayed) and event.card in pair]
    seats = {event.seat for event in played}
    if len(seats) == 2:
        return _("Nobody had the Stöck: %(pair)s were in two hands.") % {"pair": STOECK_CARDS[deck]}
    if len(played) < 2:
        return _("The record does not show yet who had %(pair)s.") % {"pair": STOECK_CARDS[deck]}
    params = {"name": names[played[0].seat], "pair": STOECK_CARDS[deck]}
    for event in events:
        if isinstance(event, ev.StoeckDeclared) and event.seat in seats:
            if event.counts is False:
                return _("%(name)s had %(pair)s, and declared the Stöck too late.") % params
            return _("%(name)s had %(pair)s, and declared the Stöck.") % params
    return _("%(name)s had %(pair)s, and did not declare the Stöck.") % params


_SAID: Final = (
    *(ev.DealStarted, ev.TrumpTurned, ev.Pushed, ev.ContractSet, ev.PredictionMade, ev.PredictionsRevealed),
    *(ev.BidMade, ev.BidDeferred, ev.BidPassed, ev.AuctionWon, ev.AuctionFailed, ev.TalonTaken),
    *(ev.CardsDiscarded, ev.DealConceded, ev.DealAccepted, ev.ExtraExchanged, ev.ExtraKept, ev.TurnedTaken),
    *(ev.MeldsDeclared, ev.MeldsScored, ev.StoeckDeclared, ev.OutClaimed, ev.DealStopped),
)
"""Events that are announced at a table."""


def list_announcements(events: Sequence[Event], teller: EventNarrator, when: EventStamps) -> list[RecordLine]:
    """Return a line for each announcement among these events, and for each action that the clock did for a
    player.
    """
    by_clock = {
        event.seq
        for at, event in enumerate(events)
        if _is_by_clock(when, event.seq) and starts_command(events, at)
    }
    return [
        RecordLine(
            event.seq, when.times.get(event.seq), teller.sentence(event), time_out=event.seq in by_clock
        )
        for event in events
        if isinstance(event, _SAID) or event.seq in by_clock
    ]


def _is_by_clock(when: EventStamps, seq: int) -> bool:
    return when.actors.get(seq) == CLOCK


def list_thinking_times(moment: Moment, when: EventStamps) -> list[Took]:
    """Return the thinking time for each card of the moment's trick, counted from the previous event."""
    found = []
    for step in moment.steps:
        now, before = when.times.get(step.seq), when.times.get(step.seq - 1)
        seconds = None if now is None or before is None else round((now - before).total_seconds())
        found.append(Took(step.seq, step.name, step.code, seconds, _is_by_clock(when, step.seq)))
    return found


def list_proven_infractions(events: Sequence[Event], teller: EventNarrator) -> list[ProvenInfraction]:
    """Return the infractions in these events, each with its proof."""
    cards = {event.seq: event for event in events if isinstance(event, ev.CardPlayed)}
    infractions = []
    for event in events:
        if not isinstance(event, ev.InfractionFound):
            continue
        by = cards.get(event.proof_seq) if event.proof_seq is not None else None
        proof = teller.sentence(by) if by is not None and by.card else ""
        infractions.append(ProvenInfraction(teller.sentence(event), event.at_seq, event.proof_seq, proof))
    return infractions


def find_proven_infraction(
    events: Sequence[Event], deal: int, trick: int | None, at_seq: int | None, codes: Container[str]
) -> ev.InfractionFound | None:
    """Return the first infraction of a deal with one of these codes, in the given trick (None: in any trick).
    An infraction at the event `at_seq` comes before all others. None if there is no such infraction.
    """
    infractions = [
        event
        for event in select_deal_events(events, deal)
        if isinstance(event, ev.InfractionFound) and event.code in codes and trick in (None, event.trick)
    ]
    return next(
        (event for event in infractions if event.at_seq == at_seq), infractions[0] if infractions else None
    )


def list_record_entries(
    events: Sequence[Event], deal: int, teller: EventNarrator, when: EventStamps, players: Sequence[str]
) -> list[RecordLine]:
    """Return a line for each entry, correction and confirmation of a deal's result, with its time and, if an
    official made it, their name. `players`: the references of the players by seat. One query.
    """
    result_events = [
        event
        for event in events
        if isinstance(event, ev.ResultEntered | ev.ResultConfirmed) and event.deal == deal
    ]
    officials = Official.objects.filter(ref__in=[when.actors[event.seq] for event in result_events])
    names = {official.ref: official.user.get_short_name() for official in officials.select_related("user")}
    return [
        RecordLine(
            event.seq,
            when.times.get(event.seq),
            teller.sentence(event),
            ""
            if event.seat is not None and when.actors[event.seq] == players[event.seat]
            else names.get(when.actors[event.seq], ""),
        )
        for event in result_events
    ]


def collect_facts(
    events: Sequence[Event], deal: int, names: Sequence[str], sides: Sequence[str], deck: str
) -> Facts:
    """Return what a transcript proves about the hands, tricks and points of a deal, and what it leaves open
    or contradicts.
    """
    [proven] = evidence(events, deal)
    return Facts(
        hands=tuple(
            Fact(names[hand.seat], hand.status, _count_text(len(hand.cards), hand.size))
            for hand in proven.hands
            if hand.status != "proven"
        ),
        tricks=tuple(
            Fact(str(t.trick), t.status, _range_text(t.points.least, t.points.most), t.seqs[-1])
            for t in proven.tricks
            if t.status != "proven"
        ),
        points=tuple(
            Fact(sides[side.side], side.status, _range_text(side.points.least, side.points.most))
            for side in proven.points
        ),
        contradictions=tuple(
            Fact(
                _contradiction_subject(item, deck),
                "contradictory",
                word(CONTRADICTIONS, item.code),
                item.seqs[0],
            )
            for item in proven.contradictions
        ),
    )


def _count_text(known: int, size: int) -> str:
    return _("%(known)s of %(size)s cards") % {"known": known, "size": size}


def _range_text(least: int, most: int) -> str:
    return str(least) if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}


def _contradiction_subject(item: Contradiction, deck: str) -> str:
    if item.card is not None:
        return card_name(item.card, deck)
    return _("Trick %(n)s") % {"n": item.trick} if item.trick is not None else ""
