"""The rules of Jass as functions over immutable events; only `engine.cli` has clock, randomness and I/O.

`decide(state, command)` returns events, `evolve(state, event)` folds one event into the state in place, and
`advance(state, command)` does both. `to_act(state)` and `legal_cards(state)` query the state,
`redact_events(events, observer)` redacts a log. Each variant is data in `engine.variants`.
"""

from engine import cards
from engine.codec import decode_command, decode_event, encode, public_body, restore, secret_parts, to_dict
from engine.commands import Command
from engine.decider import advance, decide, legal_cards, list_offers, next_play, rollout, to_act
from engine.errors import CorruptLog, Fault, IllegalCommand, Refused
from engine.events import Event
from engine.ledger.evolve import evolve, replay
from engine.ledger.state import State
from engine.queries.out_of_turn import list_out_of_turn_commands
from engine.queries.sheet_form import list_sheet_fields
from engine.queries.snapshot import snapshot
from engine.redaction import Observer, redact_events
from engine.registry import VARIANTS, get_variant
from engine.rules import Turn

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
    "cards",
    "decide",
    "decode_command",
    "decode_event",
    "encode",
    "evolve",
    "get_variant",
    "legal_cards",
    "list_offers",
    "list_out_of_turn_commands",
    "list_sheet_fields",
    "next_play",
    "public_body",
    "redact_events",
    "replay",
    "restore",
    "rollout",
    "secret_parts",
    "snapshot",
    "to_act",
    "to_dict",
]
