"""The Python verifier knows every event of the code."""

from types import ModuleType
from typing import Any, get_args

import msgspec

from engine.events import EVENTS, GameStarted
from engine.events.secrecy import secret_fields
from games.randomness import round_seed
from tournaments import events
from tournaments.series import events as series_events

OF_CHAMPIONSHIPS = {
    "regulations_set", "regulations_frozen", "rounds_planned",
    "entry_added", "entry_withdrawn", "entry_returned", "absences_excused",
    "entrant_formed", "entrant_joined", "entrant_parted", "entries_merged", "entries_parted",
    "team_formed", "team_joined", "team_left", "team_dissolved",
    "separator_recorded", "standings_published", "championship_finished", "table_codes_made",
    "personal_links_made", "championship_archived", "championship_unarchived", "championship_deleted",
}  # fmt: skip

Fields = dict[str, tuple[set[str], set[str], set[str]]]


def fields_of(kinds: list[Any], secret: Any) -> Fields:
    """Event → the fields that it has to have, those that it may have, and its secrets."""
    found = {}
    for kind in kinds:
        hidden = set(secret(kind))
        fields = [f for f in msgspec.structs.fields(kind) if f.encode_name != "seq" or kind not in EVENTS]
        never_stored = {"view"} if kind is GameStarted else set()
        names = {f.encode_name for f in fields} - hidden - never_stored
        needed = {f.encode_name for f in fields if f.required} & names
        found[kind.__struct_config__.tag] = needed, names, hidden
    return found


def test_the_list_is_that_of_the_code(puur_verify: ModuleType) -> None:
    tournament, series = (
        fields_of(
            [
                kind
                for kind in vars(module).values()
                if isinstance(kind, type)
                and issubclass(kind, events.TournamentEvent)
                and kind is not events.TournamentEvent
            ],
            lambda kind: (),
        )
        for module in (events, series_events)
    )
    of_rounds = {name: fields for name, fields in tournament.items() if name not in OF_CHAMPIONSHIPS}
    chance = fields_of(
        list(get_args(round_seed.RoundEvent)),
        lambda kind: ("seed",) if kind is round_seed.SeedCommitted else (),
    )
    needed, possible, secrets = chance["forehand_drawn"]
    chance["forehand_drawn"] = needed - {"exchanged"}, possible, secrets  # absent before 23 November 2026
    assert {
        "game": fields_of(list(EVENTS), secret_fields),
        "championship": {name: tournament[name] for name in OF_CHAMPIONSHIPS},
        "round": {**chance, **of_rounds},
        "series": series,
    } == puur_verify.KNOWN_EVENTS
