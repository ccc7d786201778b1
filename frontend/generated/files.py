"""The contents of the generated files."""

import dataclasses
from collections.abc import Iterable
from typing import Final, get_args

from engine.card_points import LAST_TRICK, STOECK_POINTS
from engine.cards import Card, Suit
from engine.commands import COMMANDS, Choice, Mode, RulingKind
from engine.contracts import Contract
from engine.events import EVENTS, Event, Infraction
from engine.ledger.saved_states import ACTS, FINAL, GOES_WITH
from engine.rules import TrickRules
from engine.rules.sheet_fields import SheetField
from engine.scoring.ruling_effects import FIXING_KINDS, MOVING_KINDS
from frontend.generated.typescript import Types, constant
from games.close_codes import Closing, Then
from games.observed.frames import Frame
from games.observed.observed_game import Prompt

HEAD: Final = "/** Written by `python -m frontend.generated`: change what it is written from. */\n"
LITERALS: Final = {
    "Card": Card,
    "Suit": Suit,
    "Contract": Contract,
    "Mode": Mode,
    "RulingKind": RulingKind,
    "Choice": Choice,
    "Infraction": Infraction,
    "Then": Then,
}


def files() -> dict[str, str]:
    """Return name → text of all generated files."""
    return {"types.ts": _types(), "tables.ts": _tables()}


def _types() -> str:
    frames = get_args(Frame)
    types = Types(LITERALS, {"GameEvent": EVENTS, "Command": COMMANDS, "Frame": frames})
    return "\n".join(
        (
            HEAD,
            types.literals(),
            types.interfaces((*EVENTS, *COMMANDS, SheetField, Prompt, *frames)),
            types.unions(),
        )
    )


def _tables() -> str:
    goes_with = {tag: "*" if after is Event else _tag(after) for tag, after in _by_tag(GOES_WITH)}
    return "\n".join(
        (
            HEAD,
            'import type { Then } from "./types";\n',
            "/** What a page does when a socket ends with a code: games/close_codes.py. */\n"
            + constant("CLOSINGS", "Readonly<Record<number, Then>>", {int(c): c.then for c in Closing}),
            "/** Points of a deal's cards, of the last trick and of a Stöck. */\n"
            + constant("DEAL_POINTS", "number", _default(TrickRules, "deal_points"))
            + constant("LAST_TRICK", "number", LAST_TRICK)
            + constant("STOECK_POINTS", "number", STOECK_POINTS),
            "/** Rulings on what a deal counts: engine/scoring/ruling_effects.py. */\n"
            + constant("REMEDIES", "readonly string[]", sorted(FIXING_KINDS | MOVING_KINDS)),
            "/** What can be taken back in a transcript: engine/ledger/saved_states.py. */\n"
            + constant("ACTS", "readonly string[]", sorted(map(_tag, ACTS))),
            "/** Events after which nothing before them can be taken back. */\n"
            + constant("FINAL", "readonly string[]", sorted(map(_tag, FINAL))),
            "/** What may follow within the same command; * for anything. */\n"
            + constant("GOES_WITH", "Readonly<Record<string, string>>", goes_with),
        )
    )


def _default(kind: type, name: str) -> object:
    return next(field.default for field in dataclasses.fields(kind) if field.name == name)


def _tag(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


def _by_tag(kinds: dict[type[Event], type[Event]]) -> Iterable[tuple[str, type[Event]]]:
    return ((_tag(kind), after) for kind, after in kinds.items())
