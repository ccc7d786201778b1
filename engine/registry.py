"""Registry of variants; compilation of a variant and a game's options into rules."""

from functools import lru_cache
from typing import Any, Final

import msgspec

from engine.card_points import VALUES
from engine.commands import Choose
from engine.errors import CorruptLog, IllegalCommand
from engine.ledger.state import State
from engine.phases.sheet import SHEET
from engine.rules import ALONE, AnyVariant, GameContext, Phase, Rules, TrickRules, Variant
from engine.sheets.totals import deals_per_entry
from engine.transcripts.transcribing import transcribe_phases
from engine.tricks.following import FOLLOWING
from engine.tricks.trick_tables import TrickTables
from engine.variants import ALL

VARIANTS: Final[dict[str, AnyVariant]] = {v.key: v for v in ALL}


def get_variant(key: str) -> AnyVariant:
    """Return the variant with a key. Raises IllegalCommand `start/unknown_variant`."""
    found = VARIANTS.get(key)
    if found is None:
        known = sorted(VARIANTS)
        detail = f"no variant is called {key!r}; known are {', '.join(known)}"
        raise IllegalCommand("start/unknown_variant", detail, variant=key, known=known)
    return found


@lru_cache(maxsize=256)
def _compiled(key: str, seats: int, mode: str, options: bytes, hand_in: str | None) -> Rules:
    game = get_variant(key)
    if seats not in game.seats:
        raise IllegalCommand(
            "start/wrong_seats",
            f"{key} is played by {' or '.join(map(str, game.seats))}, not {seats}",
            variant=key,
            seats=seats,
            allowed=list(game.seats),
        )
    try:
        chosen = msgspec.json.decode(options, type=game.options)
    except msgspec.ValidationError as error:
        raise IllegalCommand("start/bad_options", str(error), reason=str(error)) from None
    chosen = game.complete(chosen, seats)
    phases, play, sides = game.phases(chosen), game.play(chosen), game.partnership.count(seats)
    deals = game.deals(chosen, sides)
    span = deals_per_entry(game, chosen, mode, play, deals) if hand_in == "totals" else None
    if play.targets is None and deals is None and game.winner is None:
        raise IllegalCommand("start/no_end", "a target or a number of deals must end the game")
    after_trick = tuple(phase.after_trick for phase in phases if phase.after_trick is not None)
    after_last = tuple(phase.after_last for phase in phases if phase.after_last is not None)
    return Rules(
        game,
        chosen,
        sides,
        game.partnership.sides,
        deals if span is None else 1,
        _select_phases(phases, mode),
        play,
        TrickTables(play.following, play.values),
        game.marker(chosen),
        game.draws_forehand(chosen),
        any(phase.cuts for phase in phases),
        _card_names_contract(phases, play),
        after_trick,
        after_last,
        span,
        not after_last and play.targets is None,
    )


def _card_names_contract(phases: tuple[Phase, ...], play: TrickRules) -> bool:
    """Return whether a card names the contract.

    That no phase has a decider for `Choose` is not enough: a game may also be played without a contract.
    """
    chosen = any(Choose in phase.deciders for phase in phases)
    return not chosen and (play.names_trumps or any(phase.card_contracts for phase in phases))


def _select_phases(phases: tuple[Phase, ...], mode: str) -> tuple[Phase, ...]:
    """Return the phases for a mode: dealt, transcribed or sheet."""
    if mode == "sheet":
        return (SHEET,)
    return transcribe_phases(phases) if mode == "transcribed" else phases


def compile_rules(
    key: str, seats: int, mode: str, options: dict[str, Any], hand_in: str | None = None
) -> Rules:
    """Compile a variant and its options into the rules of one table. Raises IllegalCommand `start/...` if
    they do not fit.
    """
    try:
        return _compiled(key, seats, mode, msgspec.json.encode(options, order="sorted"), hand_in)
    except (TypeError, RecursionError):
        raise IllegalCommand(
            "start/bad_options", "options are not JSON", reason="options are not JSON"
        ) from None


NO_GAME: Final = Rules(
    variant=Variant(
        key="",
        label="",
        seats=(),
        options=msgspec.Struct,
        rules_version=0,
        phases=lambda options: (),
        play=lambda options: TrickRules(),
    ),
    options=msgspec.Struct(),
    sides=0,
    sides_of=ALONE.sides,
    deals=None,
    phases=(),
    play=TrickRules(),
    trick_tables=TrickTables(FOLLOWING["only-trumps"], VALUES),
    marker=None,
    draws_forehand=False,
    cuts=False,
    by_card=False,
    after_trick=(),
    after_last=(),
    span=None,
    cards_only=False,
)
"""Rules before a game is started; only `Start` is open."""


def get_rules(state: State) -> Rules:
    """Return the rules of a game, `NO_GAME` before its start. Raises CorruptLog if this engine does not know
    them.
    """
    if not state.variant:
        return NO_GAME
    try:
        return compile_rules(state.variant, state.seats, state.mode, state.options, state.hand_in)
    except IllegalCommand as error:
        raise CorruptLog("log/unknown_rules", error.detail) from None


def build_game_context(state: State) -> GameContext:
    """Return a context with a state and the rules of its game. Raises CorruptLog if this engine does not know
    the rules.
    """
    return GameContext(get_rules(state), state)
