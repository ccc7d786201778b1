"""The games by their key, and the `start` command."""

from typing import Any

from . import bieter, coiffeur, differenzler, la_pomme, lake_constance, plus_minus, schieber
from .common import Base, Command, Event, Illegal, Options

MODULES: dict[str, Any] = {
    module.KEY: module
    for module in [schieber, bieter, differenzler, coiffeur, la_pomme, plus_minus, lake_constance]
}


def new_game(variant: str, seats: int, options: Options | None = None, preset: str | None = None) -> Base:
    """A game of a variant; the options stand above those of the preset."""
    if variant not in MODULES:
        raise Illegal("start/variant", f"{variant!r}; known are {', '.join(MODULES)}")
    module = MODULES[variant]
    if preset is not None and preset not in module.PRESETS:
        raise Illegal("start/preset", f"{preset!r}; known are {', '.join(module.PRESETS) or 'none'}")
    if options is not None and not isinstance(options, dict):
        raise Illegal("start/options", "options is a map")
    from_preset = module.PRESETS[preset] if preset is not None else {}
    game: Base = module.Game({**from_preset, **(options or {})}, seats)
    return game


def start(command: Command) -> tuple[Base, list[Event]]:
    """Carry out `start`: the game and its first event."""
    if command.get("cmd") != "start":
        raise Illegal("game/not_started", "the first command is start")
    if command.get("mode", "dealt") != "dealt":
        raise Illegal("start/mode", "the reference knows the mode dealt only")
    game = new_game(
        command.get("variant", ""), command.get("seats", 0), command.get("options"), command.get("preset")
    )
    event = {
        "type": "game_started",
        "variant": command["variant"],
        "seats": game.seats,
        "options": game.options,
        "mode": "dealt",
    }
    return game, [event]


def execute(commands: list[Command], with_legal: bool = True) -> tuple[list[dict[str, Any]], Illegal | None]:
    """The lines that `run FILE --legal` prints for these commands, and the refusal at which they stopped."""
    lines: list[dict[str, Any]] = []
    game: Base | None = None
    seq = 0
    for command in commands:
        if with_legal and game is not None and game.legal() is not None:
            lines.append({"legal": game.legal()})
        try:
            if game is None:
                game, events = start(command)
            else:
                events = game.do(command)
        except Illegal as refusal:
            return lines, refusal
        for event in events:
            lines.append({"seq": seq, **event})
            seq += 1
    return lines, None
