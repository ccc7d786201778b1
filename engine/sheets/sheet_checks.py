"""Checks of a score sheet: which fields it takes, and whether their values can be true.

The fields follow from the trick rules and from what the variant adds (`engine.rules.sheet_fields`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from engine.card_points import LAST_TRICK, STOECK_POINTS
from engine.cards import SUIT_NAMES
from engine.commands import EnterResult
from engine.contracts import CONTRACTS
from engine.ledger.sheet_entries import as_result
from engine.ledger.state import SheetResult
from engine.melds.combinations import meld_sums
from engine.rules import GameContext
from engine.rules.sheet_fields import (
    FIRST,
    TOOK_TRICK,
    SheetField,
    SheetRules,
    attainable_points,
    sums_without,
)
from engine.scoring.ruling_effects import is_annulled
from engine.sheets.totals import check_melds, check_totals, refusal, totals_fields

OPTIONAL_RESULT_FIELDS: Final = (
    "contract", "slot", "chooser", "bid", "predictions", "took_trick", "dealer", "sweep", "stoeck",
    "stoeck_points", "melds", "sweeps", "stoecks", "first", "conceded",
)  # fmt: skip
"""Fields of a result that only some sheets take."""


def list_fields(context: GameContext, sheet: SheetRules) -> Iterator[SheetField]:
    """Yield the fields of a sheet for one deal, in the order of a form."""
    play = context.rules.play
    if context.rules.span:
        yield from totals_fields(context.rules, context.rules.span, sweeps=context.state.sweeps)
        return
    if sheet.contracts:
        factors = {play.multiplier(contract, None) for contract in sheet.contracts}
        yield SheetField(
            "contract", "contract", "Contract", required=len(factors) > 1, choices=tuple(sheet.contracts)
        )
    yield from sheet.fields
    if sheet.concedes:
        yield SheetField("conceded", "flag", "Given away")
    least, most = _min_and_max(possible_sums(context, sheet, None))
    if context.rules.asks_chooser_only():
        yield SheetField(
            "own_points", "points", "Card points of the player who chose", required=True, least=0, most=most
        )
    else:
        yield SheetField(
            "card_points", "points", "Card points", per="side", required=True, least=0, most=most,
            sum_least=least if sheet.stops is None else 0, sum_most=most,
        )  # fmt: skip
    if play.sweep_bonus or context.state.sweeps:
        yield SheetField("sweep", "side", "All tricks")
        if context.state.hand_in and TOOK_TRICK not in sheet.fields:
            yield TOOK_TRICK
    if play.stoeck:
        yield SheetField("stoeck", "side", "Stöck")
        if play.stoeck_signed:
            yield SheetField(
                "stoeck_points", "signed", "Stöck added or taken off", choices=(STOECK_POINTS, -STOECK_POINTS)
            )
    if play.melds:
        yield SheetField("melds", "points", "Melds", per="side", least=0, step=10)
    if play.targets is not None and context.state.counting > 1:
        yield FIRST
    if context.state.written_scores:
        yield SheetField("scores", "points", "Scores", per="side")


def possible_sums(context: GameContext, sheet: SheetRules, contract: str | None) -> int:
    """Return a mask whose bit n is set if the card points of a deal can sum to n. `contract` None: under any
    contract.
    """
    values = context.rules.play.values
    contracts: Iterable[str] = (contract,) if contract is not None else sheet.contracts or CONTRACTS[:4]
    found = 0
    for worth in {values[name] for name in contracts}:
        found |= sums_without(worth, sheet.unused) << LAST_TRICK
    return found


def list_playable_contracts(context: GameContext, sheet: SheetRules, result: SheetResult) -> Sequence[str]:
    """Return the contracts that the deal may have had, which determine the card values.

    In games in which only a card names trumps, a deal without trumps counts as top-down.
    """
    play, game = context.rules.play, context.rules.variant
    if result.contract is not None or result.slot is not None:
        return play.contracts(result.contract, result.slot)
    if sheet.contracts:
        return sheet.contracts
    phases = game.phases(context.rules.options)
    named = {name for phase in phases for name in (*phase.contracts, *phase.card_contracts)}
    if play.names_trumps:
        named.update(SUIT_NAMES, ("obenabe",))
    return [name for name in CONTRACTS if name in named and name in play.values] or list(play.values)


def attainable_sums(context: GameContext, sheet: SheetRules, result: SheetResult) -> int:
    """Return a mask whose bit n is set if a side can have n card points in a deal."""
    values, seats = context.rules.play.values, context.state.seats
    found = 0
    for worth in {values[name] for name in list_playable_contracts(context, sheet, result)}:
        found |= attainable_points(worth, seats, len(worth) - sheet.unused)
    return found


def _check_points(context: GameContext, sheet: SheetRules, result: SheetResult, deal: int) -> None:
    possible = attainable_sums(context, sheet, result)
    most = _min_and_max(possible)[1]
    for side, points in enumerate(result.card_points):
        if points is None or possible >> points & 1:
            continue
        below = max(n for n in range(min(points, most + 1)) if possible >> n & 1)
        above = next((n for n in range(points, most + 1) if possible >> n & 1), None)
        beside = f"{below}" if above is None else f"{below} or {above}"
        raise refusal(
            "impossible_points", f"deal {deal}: no cards count {points}; {beside} may be, 0 to {most} in all",
            deal=deal, field="card_points", side=side, number=points, least=0, most=most, below=below,
            above=above,
        )  # fmt: skip


def _min_and_max(sums: int) -> tuple[int, int]:
    return (sums & -sums).bit_length() - 1, sums.bit_length() - 1


def check_result(context: GameContext, command: EnterResult, dealer: int | None) -> SheetResult:
    """Check a written result, and convert it to an entry; the caller adds its scores. Raises IllegalCommand
    `sheet/…`.
    """
    state = context.state
    deal = command.deal
    sheet = context.rules.sheet(context, deal)
    fields = {field.name: field for field in list_fields(context, sheet)}
    for name in (*OPTIONAL_RESULT_FIELDS, "own_points"):
        value = getattr(command, name)
        if value is not None and value is not False and name not in fields:
            raise refusal(f"no_{name}", f"deal {deal}: {name} does not count here", deal=deal, field=name)
    if context.rules.span and command.card_points is not None:
        raise refusal("no_card_points", "totals are written with everything that counts", field="card_points")
    if None in (command.card_points or ()) and "own_points" not in fields:
        what = f"deal {deal}: card_points must be written"
        raise refusal("card_points_missing", what, deal=deal, field="card_points")
    for field in fields.values():
        if field.name != "own_points" or command.card_points is None:
            _check_field(context, command, field)
    if context.rules.span:
        return check_totals(context, command, context.rules.span)
    result = as_result(command, state.seq)
    if context.rules.asks_chooser_only():
        result = replace(result, card_points=_expand_chooser_points(context, command, fields["own_points"]))
    result = replace(result, dealer=dealer if "dealer" in fields else None)
    if not state.written_scores or command.scores is None:
        _check_sum(context, sheet, result, deal)
        if state.counting > 1:
            _check_points(context, sheet, result, deal)
    if state.counting > 1:
        check_melds(result.melds or (), deal)
    _check_together(context, result, deal)
    return result


def _expand_chooser_points(
    context: GameContext, command: EnterResult, field: SheetField
) -> tuple[int | None, ...]:
    """Return the card points by side, in a game whose sheet takes only the points of the chooser's side.

    The points of other sides are None unless they follow, because one side has all points.
    """
    deal, sides, whole = command.deal, context.rules.sides, field.most or 0
    chooser = context.rules.sides_of(context.state)[command.chooser or 0]
    given = list(command.card_points or [None] * sides)
    if len(given) != sides:
        what = f"deal {deal}: card_points has one number for each of {sides}"
        raise refusal("wrong_sides", what, deal=deal, field="card_points", count=sides)
    if command.own_points is not None:
        given[chooser] = command.own_points
    own = given[chooser]
    if own is None:
        what = f"deal {deal}: own_points must be written"
        raise refusal("own_points_missing", what, deal=deal, field="own_points")
    for number in given:
        if number is not None:
            _check_number(deal, field, number)
    if own == whole:
        given = [points or 0 for points in given]
    elif own == 0 and command.sweep not in (None, chooser):
        given = [whole if side == command.sweep else 0 for side in range(sides)]
    return tuple(given)


def _check_field(context: GameContext, command: EnterResult, field: SheetField) -> None:
    state = context.state
    value, deal, name = getattr(command, field.name), command.deal, field.name
    if value is None:
        if field.required:
            raise refusal(f"{name}_missing", f"deal {deal}: {name} must be written", deal=deal, field=name)
        return
    if field.per != "deal":
        count = context.rules.sides if field.per == "side" else state.seats
        if len(value) != count:
            what = f"deal {deal}: {name} has one number for each of {count}"
            raise refusal("wrong_sides", what, deal=deal, field=name, count=count)
    if field.kind in ("seat", "side", "sides"):
        most = state.seats if field.kind == "seat" else context.rules.sides
        for number in value if field.kind == "sides" else (value,):
            if number >= most:
                what = "seat" if field.kind == "seat" else "side"
                detail = f"deal {deal}: there is no {what} {number}"
                raise refusal(f"no_such_{what}", detail, deal=deal, field=name)
    if field.choices and value not in field.choices:
        offered = list(field.choices)
        detail = f"deal {deal}: {value} is not played here"
        raise refusal(f"{name}_not_offered", detail, deal=deal, offered=offered, **{name: value})
    if field.open_to and command.chooser is not None and value not in field.open_to[command.chooser]:
        left = list(field.open_to[command.chooser])
        detail = f"deal {deal}: {value} has been played; left: {', '.join(left)}"
        raise refusal(f"{name}_played", detail, deal=deal, left=left, **{name: value})
    if field.kind == "points":
        for number in (value,) if field.per == "deal" else value:
            _check_number(deal, field, number)


def _check_number(deal: int, field: SheetField, number: int) -> None:
    below = field.least is not None and number < field.least
    above = field.most is not None and number > field.most and field.sum_most is None
    if below or above or number % field.step:
        step = f" in steps of {field.step}" if field.step > 1 else ""
        bounds = f"{field.least}..{'' if field.most is None else field.most}{step}"
        raise refusal(
            "out_of_bounds", f"deal {deal}: {field.name} is {bounds}, not {number}",
            deal=deal, field=field.name, number=number, least=field.least, most=field.most, step=field.step,
        )  # fmt: skip


def _check_sum(context: GameContext, sheet: SheetRules, result: SheetResult, deal: int) -> None:
    known = [points for points in result.card_points if points is not None]
    total, sums = sum(known), possible_sums(context, sheet, result.contract)
    if sums >> total & 1 or (len(known) < len(result.card_points) and total <= _min_and_max(sums)[1]):
        return
    least, most = _min_and_max(sums)
    bid, chooser = result.bid or context.state.bid, result.chooser
    if sheet.stops is not None and total < most and bid is not None and chooser is not None:
        if sheet.stops(known, chooser, bid):
            return
        detail = f"deal {deal} sums to {total}: nobody was certain to win and could stop it"
        raise refusal("not_certain", detail, deal=deal, sum=total, expected=most, difference=total - most)
    near = min((s for s in range(least, most + 1) if sums >> s & 1), key=lambda s: abs(total - s))
    wanted = str(most) if least == most else f"{least} to {most}"
    raise refusal(
        "wrong_sum", f"deal {deal} sums to {total}, not {wanted} ({total - near:+d})",
        deal=deal, sum=total, expected=near, difference=total - near, least=least, most=most,
    )  # fmt: skip


def _check_together(context: GameContext, result: SheetResult, deal: int) -> None:
    """Check values that may be right alone, but not together. Raises IllegalCommand `sheet/…`."""
    sweep, points = result.sweep, result.card_points
    known = [own for own in points if own is not None]
    if result.conceded:
        _check_conceded(context, result, deal)
    if sweep is not None and (None in points or points[sweep] != sum(known)):
        raise refusal("sweep_needs_all_points", f"deal {deal}: a sweep takes all points", deal=deal)
    if sweep is not None and set(result.took_trick) - {sweep}:
        raise refusal("sweep_and_trick", f"deal {deal}: a sweep takes all tricks", deal=deal)
    records = context.rules.play.sweep_bonus or context.state.sweeps
    if context.state.hand_in and records and sweep is None and not result.conceded:
        empty = [side for side, own in enumerate(points) if own == 0]
        if len(empty) == len(points) - 1 and not set(empty) & set(result.took_trick):
            what = f"deal {deal}: one side has all points; was it a sweep, or did the other take a trick?"
            raise refusal("sweep_unsaid", what, deal=deal)
    if result.stoeck is not None and result.contract not in (None, *SUIT_NAMES):
        raise refusal("no_trumps", f"deal {deal}: no Stöck without trumps", deal=deal)
    if (result.stoeck is not None) != (result.stoeck_points is not None) and context.rules.play.stoeck_signed:
        raise refusal("stoeck_points_missing", f"deal {deal}: the Stöck is added or taken off", deal=deal)
    if sum(meld > 0 for meld in result.melds or ()) > 1:
        raise refusal("melds_of_one_side", f"deal {deal}: only one side scores melds", deal=deal)


def _check_conceded(context: GameContext, result: SheetResult, deal: int) -> None:
    """Check the result of a conceded deal: the other side has all points, and may have held the Stöck. Raises
    IllegalCommand `sheet/…`.
    """
    nothing = result.sweep is None and not result.took_trick and not any(result.melds or ())
    if result.card_points != (0, context.rules.play.deal_points) or not nothing or result.stoeck == 0:
        whole = context.rules.play.deal_points
        raise refusal(
            "conceded_and_played", f"deal {deal} was given away: the others have {whole}, or 20 more",
            deal=deal, points=whole, with_stoeck=whole + STOECK_POINTS,
        )  # fmt: skip


def refuse_impossible_melds(context: GameContext, command: EnterResult) -> None:
    """Raise IllegalCommand `sheet/melds_impossible` for melds that no hands can hold.

    `decide` does not check this, because older records may contain such melds.
    """
    if context.rules.span or not command.melds or len(command.melds) != context.rules.sides:
        return
    deal, seats = command.deal, context.state.seats
    sides = list(context.rules.sides_of(context.state))
    if command.bid is not None and command.chooser is not None and len(set(sides)) < context.rules.sides:
        sides = [0 if seat == command.chooser else 1 for seat in range(seats)]
    for side, number in enumerate(command.melds):
        possible = meld_sums(36 // seats, sides.count(side))
        if number and number not in possible:
            below = max(points for points in possible if points < number)
            above = min((points for points in possible if points > number), default=below)
            raise refusal(
                "melds_impossible", f"deal {deal}: no melds make {number}; {below} or {above} are possible",
                deal=deal, number=number, below=below, above=above,
            )  # fmt: skip


def find_dealer(context: GameContext, command: EnterResult) -> int:
    """Return the dealer of the deal that a new result is for.

    In the first deal it is the dealer that the sheet names, or else the last seat. Later it is the seat after
    the last dealer, or the last dealer if that deal was annulled.
    """
    state = context.state
    deal = command.deal
    last = state.seats - 1
    if deal == 1:
        return last if command.dealer is None else command.dealer
    before = state.results[-1].dealer
    return ((last if before is None else before) + (not is_annulled(state, deal - 1))) % state.seats
