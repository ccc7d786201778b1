"""Choice of a contract, or a push, by rollouts of the deal."""

from collections.abc import Sequence

from engine import State
from engine.commands import Choose, Push
from games.bots import contract_choice
from games.bots.playouts.card_rollouts import build_scene, guess_worlds, needs_untold
from games.bots.playouts.effort import BEFORE_PLAY, MAX_CONTRACTS
from games.bots.playouts.end_values import Goodness, build_goodness
from games.bots.playouts.world_rollouts import play_world_out
from games.bots.playouts.worlds import GuessedWorld
from games.bots.reckoning import knowledge


class Tried:
    """A contract that is tried: the state after it was chosen, and functions that rate the deal."""

    def __init__(self, state: State, seat: int, contract: str, chooser: int) -> None:
        self.state = state.copy()
        self.state.contract, self.state.chooser, self.state.slot = contract, chooser, None
        self.state.phase_version += 1
        self.scene = build_scene(self.state, knowledge.build_knowledge(self.state, seat))
        self.good: Goodness = build_goodness(self.state, seat)
        self.needs = needs_untold(self.state)

    def worth(self, world: GuessedWorld) -> float:
        """Return the value of the deal in this world, as `end_values.build_goodness` rates it."""
        return self.good(play_world_out(self.scene, world, -1, self.needs))


def guess_worlds_for_contracts(
    state: State, seat: int, seed: bytes, effort: int, tried: int
) -> list[GuessedWorld]:
    """Return guessed worlds, at least 6: as many as the effort allows if in each world the deal is played
    once for each of `tried` contracts.
    """
    look = knowledge.build_knowledge(state, seat)
    count = max(6, BEFORE_PLAY * effort // (tried * sum(state.sizes)))
    return guess_worlds(state, look, seed, count)


def choose_contract_or_push(
    state: State, seat: int, chosen: Sequence[Choose], push: Push | None, seed: bytes, effort: int
) -> Choose | Push:
    """Return the command for the contract with the best value or, if the partner's choice is likely to be
    better, the push.
    """
    by_contract = {str(command.contract): command for command in chosen}
    ranked = contract_choice.rank_contracts(state, state.hands[seat], list(by_contract), bool(state.pushed))
    names = [contract for _, contract in ranked[:MAX_CONTRACTS]]
    worlds = guess_worlds_for_contracts(state, seat, seed, effort, len(names) + (push is not None))
    tried = {name: Tried(state, seat, name, seat) for name in by_contract}
    value_by_contract = {name: sum(map(tried[name].worth, worlds)) / len(worlds) for name in names}
    best = max(names, key=lambda name: value_by_contract[name])
    if push is None:
        return by_contract[best]
    partner = (seat + 2) % state.seats
    pushed = {name: Tried(state, seat, name, partner) for name in by_contract}
    handed_on = 0.0
    for world in worlds:
        named = contract_choice.rank_contracts(state, world.hands[partner], list(by_contract), True)[0][1]
        handed_on += pushed[named].worth(world)
    return push if handed_on / len(worlds) > value_by_contract[best] else by_contract[best]
