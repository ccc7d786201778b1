"""A whole game for print: its course in the words of the reader's language and deck.

Hands that the server dealt are on no page while their deal runs (`restrict_for_page`). Otherwise the page
shows what its reader may see, and the hands that follow from the cards played.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy, pgettext_lazy

from engine import VARIANTS, Event, Observer
from engine import events as ev
from engine.notation.course import Codes, Course, DealCourse, TrickRow, reconstruct_hand
from engine.notation.page import side_names
from engine.notation.placing import build_course
from frontend.presenters.tables.commentary import EventNarrator, join_points
from frontend.presenters.tables.page_observer import restrict_for_page
from frontend.presenters.tables.table_rules import card_names_contract
from frontend.presenters.words.script_sentences import TABLE
from frontend.presenters.words.vocabulary import MODES, RULINGS, word
from games.models import Game
from games.observed.observed_game import list_observed_events
from games.projections import delayed_broadcast

PAIR = 2
OPEN, CLOSED, EXTRA = (
    pgettext_lazy("cards on the table", "Open"),
    pgettext_lazy("cards on the table", "Face down"),
    gettext_lazy("Beside the hand"),
)


@dataclass(frozen=True, slots=True)
class Lying:
    """Cards of one seat that belong together. `label`: empty for the hand; `unknown`: the number of cards in
    it that are not known.
    """

    label: str
    cards: Codes
    unknown: int


@dataclass(frozen=True, slots=True)
class DealtHand:
    name: str
    parts: tuple[Lying, ...]


@dataclass(frozen=True, slots=True)
class TrickCell:
    """A card in a trick. `card`: None if it is unknown; `led`: it opened the trick; `took`: it won the trick;
    `mark`: the number of its note; `wrong`: it broke the rules.
    """

    card: str | None
    led: bool
    took: bool
    mark: int | None
    wrong: bool


@dataclass(frozen=True, slots=True)
class SheetTrick:
    """A trick of a printed game. `cells`: one for each seat; `points`: of this trick; `so_far`: the deal's
    points up to it, of both sides or, if more than two play, of the trick's winners.
    """

    number: int
    cells: tuple[TrickCell | None, ...]
    points: int | None
    so_far: str
    complete: bool


@dataclass(frozen=True, slots=True)
class Note:
    """A note below the tricks of a deal. It belongs either to the card with this `mark` or to the trick with
    the number `trick`.
    """

    mark: int | None
    trick: int | None
    text: str


@dataclass(frozen=True, slots=True)
class DealSection:
    number: int
    dealer: str
    annulled: bool
    contract: str
    by: str
    hands: tuple[DealtHand, ...]
    said: tuple[str, ...]
    rows: tuple[SheetTrick, ...]
    notes: tuple[Note, ...]
    after: tuple[str, ...]
    rulings: tuple[str, ...]
    cards: str
    scores: str
    counts: str
    """The score that counts after rulings; empty if it is the same as `scores`."""
    totals: str


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A deal with its score on the sheet. `cards`: the points of the cards, by side; `points`: the score of
    each side.
    """

    number: int
    contract: str
    annulled: bool
    cards: str
    points: tuple[int | None, ...]
    confirmed: bool


@dataclass(frozen=True, slots=True)
class GamePage:
    title: str
    mode: str
    names: tuple[str, ...]
    who: tuple[str, ...]
    """The players, grouped by side if the sides are known."""
    sides: tuple[str, ...]
    deals: tuple[DealSection, ...]
    lines: tuple[SheetLine, ...]
    totals: tuple[int, ...]
    alone: bool
    """Whether there are more than two sides."""
    written: bool
    """Whether the game has only a sheet with results, and no cards."""
    entries: tuple[str, ...]
    after: tuple[str, ...]


def game_page(game: Game, observer: Observer, names: Sequence[str], deck: str) -> GamePage:
    """Return the game so far, as `observer` may see it. `names`: by seat; `deck`: key of the deck whose words
    name cards.
    """
    return build_game_page(
        list_observed_events(
            delayed_broadcast.load_visible_snapshot(game), restrict_for_page(game, observer)
        ),
        names,
        deck,
    )


def build_game_page(events: Sequence[Event], names: Sequence[str], deck: str) -> GamePage:
    """Return the page of a game from events that are already redacted."""
    course = build_course(events)
    sides = _sides(course.sides, names)
    start = course.start
    by_card = card_names_contract(start.variant, start.seats, start.options)
    teller = EventNarrator(names, sides, deck, by_card)
    return GamePage(
        title=VARIANTS[start.variant].label,
        mode=word(MODES, start.mode),
        names=tuple(names),
        who=tuple(side_names(course.sides, names) if all(side_names(course.sides, names)) else names),
        sides=tuple(sides),
        deals=tuple(
            _deal(deal, EventNarrator(names, _sides(deal.sides, names), deck, by_card))
            for deal in course.deals
        ),
        lines=tuple(_lines(course, teller)),
        totals=tuple(course.totals),
        alone=len(sides) > PAIR,
        written=start.mode == "sheet",
        entries=_sentences(course.entries, teller),
        after=_sentences(course.after, teller),
    )


def _sides(sides: Sequence[int], names: Sequence[str]) -> list[str]:
    """Return the names of the sides. Until partners are known, they are "declarer" and "opponents" in
    words.
    """
    found = side_names(sides, names)
    return found if all(found) else [str(TABLE["side.declarer"]), str(TABLE["side.opponents"])]


def _sentences(events: Sequence[Event], teller: EventNarrator) -> tuple[str, ...]:
    return tuple(text for event in events if (text := teller.sentence(event)))


def _deal(deal: DealCourse, teller: EventNarrator) -> DealSection:
    notes: list[Note] = []
    rows = tuple(_row(deal, row, teller, notes) for row in deal.tricks)
    result = deal.result
    return DealSection(
        number=deal.number,
        dealer=teller.name(deal.dealer),
        annulled=deal.annulled,
        contract=teller.contract(deal.contract, deal.slot) if deal.contract else "",
        by=_declarer(deal, teller),
        hands=tuple(_hands(deal, teller)),
        said=_sentences([event for event in deal.before if not isinstance(event, ev.ContractSet)], teller),
        rows=rows,
        notes=tuple(notes),
        after=_sentences(deal.after, teller),
        rulings=tuple(_ruling(event, teller) for event in deal.rulings),
        cards=join_points(result.card_points) if result else "",
        scores=join_points(result.scores) if result else "",
        counts=join_points(deal.counts) if result and deal.counts != list(result.scores) else "",
        totals=join_points(result.totals) if result else "",
    )


def _declarer(deal: DealCourse, teller: EventNarrator) -> str:
    if deal.chooser is None or teller.by_card:
        return ""
    name = teller.name(deal.chooser)
    text = TABLE["table.by_pushed" if deal.pushed else "table.by"]
    return str(text).format(name=name)


def _ruling(event: Event, teller: EventNarrator) -> str:
    """Return the sentence of a ruling, preceded by the name of the ruling."""
    sentence = teller.sentence(event)
    return f"{word(RULINGS, event.kind)}. {sentence}" if isinstance(event, ev.RulingMade) else sentence


def _hands(deal: DealCourse, teller: EventNarrator) -> Iterator[DealtHand]:
    for share in sorted(deal.shares, key=lambda share: share.seat):
        lying = ((OPEN, share.open), (CLOSED, share.closed), (EXTRA, share.extra))
        beside = [_card_group(str(label), cards) for label, cards in lying if cards]
        yield DealtHand(
            teller.name(share.seat), (_card_group("", reconstruct_hand(deal, share.seat)), *beside)
        )


def _card_group(label: str, cards: Codes) -> Lying:
    return Lying(label, [card for card in cards if card is not None], cards.count(None))


def _row(deal: DealCourse, row: TrickRow, teller: EventNarrator, notes: list[Note]) -> SheetTrick:
    cells = tuple(_cell(row, seat, teller, notes) for seat in range(len(teller.names)))
    beside = " ".join(_sentences(row.notes, teller))
    if beside:
        notes.append(Note(None, row.number, beside))
    so_far = row.so_far
    if len(so_far) > PAIR:
        so_far = [so_far[deal.sides[row.taker or 0]]]
    return SheetTrick(row.number, cells, row.points, join_points(so_far) or "?", row.complete)


def _cell(row: TrickRow, seat: int, teller: EventNarrator, notes: list[Note]) -> TrickCell | None:
    play = row.find_play(seat)
    if play is None:
        return None
    mark = None
    told = " ".join(_sentences([*play.said, *play.infractions], teller))
    if told:
        mark = 1 + sum(note.mark is not None for note in notes)
        notes.append(Note(mark, None, told))
    return TrickCell(
        play.card, play is row.plays[0], row.complete and row.taker == seat, mark, bool(play.infractions)
    )


def _lines(course: Course, teller: EventNarrator) -> Iterator[SheetLine]:
    """Yield a line for each deal that has a score or is annulled, or for each result on a sheet."""
    for deal in course.deals:
        if deal.result is not None or deal.annulled:
            contract = teller.contract(deal.contract, deal.slot) if deal.contract else ""
            cards = join_points(deal.result.card_points) if deal.result else ""
            yield SheetLine(
                deal.number, contract, deal.annulled, cards, tuple(deal.counts or ()), confirmed=True
            )
    for number, result in enumerate(course.results, 1):
        contract = teller.contract(result.contract, result.slot) if result.contract else ""
        cards = join_points(result.card_points)
        yield SheetLine(number, contract, False, cards, result.scores, confirmed=result.confirmed)
