"""The rules of Jass: pure functions over immutable facts. No clock, no randomness, no I/O.

`decide(state, command) -> events`, `evolve(state, event)`, `advance(state, command) -> events` does both;
`to_act(state)`, `legal_cards(state)`, `view_for(events, observer)`; a variant is data in `engine.variants`.
"""

from . import cards
from .beside import beside
from .codec import decode_command, decode_event, encode, public_body, restore, secret_parts, to_dict
from .commands import Command
from .decider import advance, decide, legal_cards, next_play, offers, play_out, to_act
from .errors import CorruptLog, Fault, IllegalCommand, Refused
from .events import Event
from .forms import sheet_fields
from .ledger import evolve, replay
from .registry import VARIANTS, variant
from .rules import Turn
from .snapshot import snapshot
from .state import State
from .views import Observer, view_for

__all__ = [
    "VARIANTS",
    "Command",
    "CorruptLog",
    "Event",
    "Fault",
    "IllegalCommand",
    "Observer",
    "Refused",
    "State",
    "Turn",
    "advance",
    "beside",
    "cards",
    "decide",
    "decode_command",
    "decode_event",
    "encode",
    "evolve",
    "legal_cards",
    "next_play",
    "offers",
    "play_out",
    "public_body",
    "replay",
    "restore",
    "secret_parts",
    "sheet_fields",
    "snapshot",
    "to_act",
    "to_dict",
    "variant",
    "view_for",
]
