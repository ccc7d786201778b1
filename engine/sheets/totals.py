"""Totals: one line of the sheet for all deals of a game, as clubs hand it in ("712 : 544").

A line contains each side's points, including everything that scores, and the number of sweeps and Stöck among
them. The card points follow from these and are scored like those of a deal. An excess is explained by bonuses
that were not recorded (`engine.sheets.bonuses`). In variants in which each side's points are independent (the
differences of Differenzler), totals are accepted between the lowest and highest points of that many deals.
Source: practice of Swiss clubs. Omission: totals of variants whose deals score by contract, position or
announcements, since such totals cannot be checked.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from engine.card_points import STOECK_POINTS
from engine.commands import EnterResult
from engine.errors import IllegalCommand
from engine.ledger.sheet_entries import as_result
from engine.ledger.state import SheetResult
from engine.rules import AnyVariant, GameContext, Rules, TrickRules, score_as_counted
from engine.rules.sheet_fields import SheetField, are_melds
from engine.sheets.bonuses import Bonuses, explanations


def deals_per_entry(game: AnyVariant, options: Struct, mode: str, play: TrickRules, deals: int | None) -> int:
    """Return the number of deals that the totals of this game cover. Raises IllegalCommand `start/no_totals`
    if the game cannot be handed in as totals.
    """
    additive = game.score is score_as_counted and game.winner is None and not game.ties
    weighted = any(factor != 1 for factor in play.multipliers.values())
    plain = not (play.slots or weighted or play.stoeck_signed)
    counted = additive and plain and play.all_counted
    if mode == "sheet" and deals and play.targets is None and (counted or game.apart(options)):
        return deals
    what = f"{game.key} with these options counts deal by deal; its totals cannot be handed in"
    raise IllegalCommand("start/no_totals", what, variant=game.key)


def totals_fields(rules: Rules, span: int, *, sweeps: bool = False) -> Iterator[SheetField]:
    """Yield the fields of a line of totals, in the order of a form. `sweeps`: also take sweeps that score
    nothing.
    """
    play = rules.play
    if (bounds := rules.bounds()) is not None:
        least, most = bounds
        yield SheetField("scores", "points", "Points", per="side", required=True, least=least, most=most)
        if sweeps:
            yield SheetField("sweeps", "points", "Sweeps", per="side", least=0, most=span)
        return
    whole = span * play.deal_points
    yield SheetField(
        "scores", "points", "Points", per="side", required=True, least=0, sum_least=whole, sum_most=whole
    )
    if play.sweep_bonus or sweeps:
        yield SheetField("sweeps", "points", "Sweeps", per="side", least=0, most=span, worth=play.sweep_bonus)
    if play.stoeck:
        yield SheetField("stoecks", "points", "Stöck", per="side", least=0, most=span, worth=STOECK_POINTS)
    if play.melds:
        yield SheetField("melds", "points", "Melds", per="side", least=0, step=10, worth=1)


def read_bonuses(command: EnterResult) -> Bonuses:
    """Return the bonuses that a written result states."""
    return Bonuses(
        None if command.sweeps is None else tuple(command.sweeps),
        None if command.stoecks is None else tuple(command.stoecks),
        None if command.melds is None else tuple(command.melds),
    )


def bonus_points(rules: Rules, command: EnterResult) -> list[int]:
    """Return the points that each side has beyond its cards in a result: sweeps, Stöck and melds."""
    return read_bonuses(command).worth(rules)


def complete_totals(rules: Rules, scores: Sequence[int | None]) -> list[int]:
    """Return the totals of all sides. If only cards score, one missing total is computed; a negative one
    raises IllegalCommand `sheet/wrong_total`. Other missing totals raise `sheet/both_sides`.
    """
    known = [points for points in scores if points is not None]
    if len(known) == len(scores):
        return known
    beside = [field.name for field in totals_fields(rules, rules.span or 1) if field.worth]
    if (
        rules.span is None
        or beside
        or rules.bounds()
        or len(known) < len(scores) - 1
        or len(scores) != rules.sides
    ):
        what = "the points of each side must be written"
        raise refusal("both_sides", what, field="scores", beside=beside)
    rest = rules.span * rules.play.deal_points - sum(known)
    if rest < 0:
        _check_sum(rules, known, rules.span * rules.play.deal_points, Bonuses())
    return [rest if points is None else points for points in scores]


def check_totals(context: GameContext, command: EnterResult, span: int) -> SheetResult:
    """Check a written line of totals as a whole, after its single fields, and convert it to an entry. Raises
    IllegalCommand `sheet/…`.
    """
    rules = context.rules
    written = list(command.scores or ())
    if rules.bounds() is not None:
        _check_counts(command, span)
        nothing = (0,) * rules.sides
        return replace(
            as_result(command, context.state.seq), card_points=nothing, scores=tuple(written), deals=span
        )
    beside = bonus_points(rules, command)
    whole = span * rules.play.deal_points
    _check_sum(rules, written, whole + sum(beside), read_bonuses(command))
    _check_counts(command, span)
    if context.state.counting > 1:
        check_melds(command.melds or (), command.deal)
    cards = [points - more for points, more in zip(written, beside, strict=True)]
    for side, points in enumerate(cards):
        least = (command.sweeps or [0] * rules.sides)[side] * rules.play.deal_points
        if points < least:
            raise refusal(
                "points_missing",
                f"side {side} has {written[side]} points, {beside[side] + least} of them beside its cards",
                side=side, points=written[side], least=beside[side] + least,
            )  # fmt: skip
    if command.sweeps is None and rules.play.sweep_bonus and 0 in cards:
        raise refusal("sweeps_unsaid", f"{written}: one side has no card points; how many sweeps?")
    return replace(as_result(command, context.state.seq), card_points=tuple(cards), deals=span)


def _check_counts(command: EnterResult, span: int) -> None:
    for name, values in (("sweeps", command.sweeps), ("stoecks", command.stoecks)):
        if sum(values or ()) > span:
            raise refusal("too_many", f"{sum(values or ())} {name} in {span} deals", field=name, most=span)


def check_melds(melds: Sequence[int], deal: int) -> None:
    """Check that the points of each side can be points of melds. Raises IllegalCommand
    `sheet/no_such_melds`.
    """
    for side, points in enumerate(melds):
        if not are_melds(points):
            what = f"deal {deal}: no melds count {points} together"
            raise refusal("no_such_melds", what, deal=deal, field="melds", side=side, number=points)


def _check_sum(rules: Rules, written: Sequence[int], expected: int, bonuses: Bonuses) -> None:
    over = sum(written) - expected
    if not over:
        return
    bonus = {rules.play.sweep_bonus: "sweeps", STOECK_POINTS: "stoecks"} if rules.play.stoeck else {
        rules.play.sweep_bonus: "sweeps"
    }  # fmt: skip
    raise refusal(
        "wrong_total",
        f"{' : '.join(map(str, written))} sums to {sum(written)}, not {expected} ({over:+d})",
        sum=sum(written), expected=expected, difference=over,
        likely=[list(one) for one in find_likely_slips(written, over)], uncounted=bonus.get(over),
        explained=[to_builtins(one) for one in explanations(rules, rules.span or 1, written, bonuses)],
    )  # fmt: skip


class Slip(NamedTuple):
    """A suspected clerical error: the number `written` at index `place` should perhaps be `instead`."""

    place: int
    written: int
    instead: int


def find_likely_slips(numbers: Sequence[int], over: int) -> list[Slip]:
    """Return corrections of a single number that remove the excess `over`, negative for missing points. They
    swap two digits or, if no swap fits, change one digit; empty if neither fits.
    """
    swapped = [slip for slip in _iter_slips(numbers, over) if sorted(str(slip[1])) == sorted(str(slip[2]))]
    return swapped or [slip for slip in _iter_slips(numbers, over) if _count_differing_digits(slip) == 1]


def _iter_slips(numbers: Sequence[int], over: int) -> Iterator[Slip]:
    for place, written in enumerate(numbers):
        instead = written - over
        if (
            instead >= 0
            and len(str(instead)) == len(str(written))
            and _count_differing_digits((0, written, instead)) <= 2
        ):
            yield Slip(place, written, instead)


def _count_differing_digits(slip: tuple[int, int, int]) -> int:
    return sum(one != other for one, other in zip(str(slip[1]), str(slip[2]), strict=True))


def refusal(what: str, detail: str, **params: object) -> IllegalCommand:
    """Return the refusal of a result, with the code `sheet/<what>`."""
    return IllegalCommand(f"sheet/{what}", detail, **params)
