"""A game as a page of text for players: hands, declarations, a table of tricks, and the sheet.

In the table `>` precedes the card led and `*` follows the card that took the trick. Small letters refer to
the notes below the table.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from string import ascii_lowercase
from textwrap import fill
from typing import Final

from engine import events as ev
from engine.notation.consequences import describe_event
from engine.notation.course import Course, DealCourse, TrickRow, reconstruct_hand
from engine.notation.kinds import format_cards, format_side_points
from engine.notation.placing import build_course
from engine.rules import Sides

PAGE_WIDTH: Final = 78
LED, TOOK = ">", "*"


def page(log: Sequence[ev.Event], names: Sequence[str] = ()) -> str:
    """Return a game as a page of text. `log`: redacted events. `names`: by seat. Raises CorruptLog for events
    that are no game.
    """
    course = build_course(log)
    called = [*names] or [f"Seat {seat}" for seat in range(course.start.seats)]
    blocks = [_format_head(course, called)]
    blocks += [_format_deal(deal, called) for deal in course.deals]
    blocks += [_format_events("On the sheet", course.entries, called), _format_sheet(course, called)]
    blocks += [_format_events("Beside the deals", course.after, called)]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def side_names(sides: Sides, names: Sequence[str]) -> list[str]:
    """Return, by side, the names of its seats joined with ` + `."""
    return [
        " + ".join(name for seat, name in enumerate(names) if sides[seat] == side)
        for side in range(max(sides) + 1)
    ]


def _format_head(course: Course, names: Sequence[str]) -> list[str]:
    start = course.start
    title = f"{start.variant.upper()}, {', '.join(names)}"
    options = fill(describe_event(start), PAGE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return [title, "=" * min(len(title), PAGE_WIDTH), "", options]


def _format_events(title: str, events: Iterable[ev.Event], names: Sequence[str]) -> list[str]:
    lines = [f"  {describe_event(event, names)}" for event in events]
    return [title, *lines] if lines else []


def _format_deal(deal: DealCourse, names: Sequence[str]) -> list[str]:
    title = f"Deal {deal.number}, dealt by {names[deal.dealer]}{', annulled' if deal.annulled else ''}"
    lines = [title, "-" * len(title), *_format_hands(deal, names)]
    said = [event for event in deal.before if not isinstance(event, ev.ContractSet)]
    lines += [f"  {describe_event(event, names)}" for event in said]
    if deal.contract is not None:
        chosen = "" if deal.chooser is None else f", {names[deal.chooser]}{' after a push' * deal.pushed}"
        lines.append(f"Contract: {deal.contract}{f' ({deal.slot})' if deal.slot else ''}{chosen}")
    lines += _format_tricks(deal, names)
    lines += [f"  {describe_event(event, names)}" for event in [*deal.after, *deal.rulings]]
    if deal.result is not None:
        lines.append(_format_result(deal))
    return lines


def _format_result(deal: DealCourse) -> str:
    result = deal.result
    assert result is not None  # noqa: S101 - the caller has checked it
    cards, scores = format_side_points(result.card_points), format_side_points(result.scores)
    text = f"Cards {cards}, scores {scores}, totals {format_side_points(result.totals)}"
    return text if deal.counts == result.scores else f"{text}; counts {format_side_points(deal.counts or ())}"


def _format_hands(deal: DealCourse, names: Sequence[str]) -> list[str]:
    width = max(map(len, names))
    lines = []
    for share in sorted(deal.shares, key=lambda share: share.seat):
        parts = [format_cards(reconstruct_hand(deal, share.seat))]
        parts += [
            f"{what} {format_cards(lie)}"
            for what, lie in _label_table_cards(share.open, share.closed, share.extra)
            if lie
        ]
        lines.append(f"  {names[share.seat]:<{width}}  {'; '.join(parts)}")
    return lines


def _label_table_cards(*lying: Sequence[str | None]) -> Iterable[tuple[str, Sequence[str | None]]]:
    return zip(("open", "closed", "extra"), lying, strict=True)


def _format_tricks(deal: DealCourse, names: Sequence[str]) -> list[str]:
    if not deal.tricks:
        return []
    width = max(6, *map(len, names)) + 1
    lines = ["Trick".ljust(7) + "".join(f" {name:<{width}}" for name in names) + "points  so far"]
    letters = cycle(ascii_lowercase)
    notes: list[str] = []
    for row in deal.tricks:
        cells = [_format_cell(row, seat, names, letters, notes) for seat in range(len(names))]
        worth = "?" if row.points is None else str(row.points)
        so_far = format_side_points(row.so_far) if row.so_far else "?"
        end = f"{worth:>6}  {so_far}" if row.complete else ""
        lines.append(f"{row.number:>5}  " + "".join(f"{cell:<{width + 1}}" for cell in cells) + end)
        if row.notes:
            notes.append(f"trick {row.number}: {_join_events(row.notes, names)}")
    return [line.rstrip() for line in lines] + [f"  {note}" for note in notes]


def _format_cell(
    row: TrickRow, seat: int, names: Sequence[str], letters: Iterator[str], notes: list[str]
) -> str:
    play = row.find_play(seat)
    if play is None:
        return ""
    led = LED if play is row.plays[0] else " "
    took = TOOK if row.complete and seat == row.taker else ""
    written = f"{led}{format_cards([play.card])}{took}"
    told = [*play.said, *play.infractions]
    if not told:
        return written
    letter = next(letters)
    notes.append(f"{letter}: {_join_events(told, names)}")
    return f"{written} {letter}"


def _join_events(events: Sequence[ev.Event], names: Sequence[str]) -> str:
    return "; ".join(describe_event(event, names) for event in events)


def _format_sheet(course: Course, names: Sequence[str]) -> list[str]:
    """Return the lines with the score of each deal, and the totals."""
    counted = [deal for deal in course.deals if deal.result is not None]
    if not counted and not course.results:
        return [f"Totals {format_side_points(course.totals)}"]
    sides = [name or f"side {side}" for side, name in enumerate(side_names(course.sides, names))]
    width = max(8, *map(len, sides)) + 2
    lines = ["Sheet", "Deal  " + "contract".ljust(18) + "".join(f"{side:>{width}}" for side in sides)]
    for deal in counted:
        contract = "annulled" if deal.annulled else deal.contract or "-"
        lines.append(_format_row(str(deal.number), contract, deal.counts or [], width))
    for number, result in enumerate(course.results, 1):
        signed = "" if result.confirmed else "  not confirmed"
        lines.append(_format_row(str(number), result.contract or "-", result.scores, width) + signed)
    lines.append(_format_row("", "total", course.totals, width))
    return lines


def _format_row(first: str, second: str, numbers: Sequence[int | None], width: int) -> str:
    written = ["?" if number is None else str(number) for number in numbers]
    return f"{first:>4}  {second:<18}" + "".join(f"{number:>{width}}" for number in written)
