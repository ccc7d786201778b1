"""Phase `start`: before a game begins, only the command `Start` is open. `phases.first_dealer` then
finds the first dealer.
"""

from typing import Final

from engine.commands import Start
from engine.errors import IllegalCommand
from engine.events import Event, GameStarted
from engine.registry import compile_rules, get_variant
from engine.rules import Draft, GameContext, Phase, Rules, Turn, on


def _start(context: GameContext, command: Start) -> list[Event]:
    game = get_variant(command.variant)
    options = dict(command.options)
    if command.preset is not None:
        preset = game.presets.get(command.preset)
        if preset is None:
            raise IllegalCommand(
                "start/unknown_preset",
                f"{game.key} has no preset {command.preset!r}",
                preset=command.preset,
                known=sorted(game.presets),
            )
        options = {**preset, **options}
    rules = compile_rules(game.key, command.seats, command.mode, options, command.hand_in)
    if command.won_before is not None and command.won_before >= rules.sides:
        raise IllegalCommand("start/no_such_side", f"there is no side {command.won_before}")
    draft = Draft(context)
    draft.emit(
        GameStarted(
            seq=draft.seq,
            variant=game.key,
            seats=command.seats,
            options=rules.options_as_json(),
            mode=command.mode,
            sides=rules.sides,
            rules_version=game.rules_version,
            won_before=command.won_before,
            written_scores=command.written_scores,
            hand_in=command.hand_in,
            confirmation=command.confirmation,
            sweeps=command.sweeps and command.mode == "sheet" and not rules.play.sweep_bonus,
            counting=command.counting if _states_counting(rules, command) else 1,
        )
    )
    return draft.events


def _states_counting(rules: Rules, command: Start) -> bool:
    """Return whether the event records the command's `counting`: in games with a sheet or a target, in which
    it has an effect.
    """
    return command.mode == "sheet" or rules.play.targets is not None


_TURN: Final = Turn(None, "start", ("start",))
STARTING: Final = Phase("start", lambda context: True, lambda context: _TURN, on(Start, _start))
