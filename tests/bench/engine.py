"""Our engine beside jass-kit 2.0.5 in one process, interleaved: `python -m tests.bench.engine [--deals N]
[--runs N]`.

One JSON line a figure: name, ours and peer (median, per second), ratio (median of the ratios of the runs),
runs, and the smallest, median and largest ratio. Both sides deal, list the legal cards of every turn and play
a random one. The three figures that have a target are Schieber's; below them stands one whole game of every
variant by its club's rules, counted in cards, beside the same peer.
"""

import argparse
import gc
import json
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from jass.game.const import next_player
from jass.game.game_sim import GameSim
from jass.game.game_util import deal_random_hand
from jass.game.rule_schieber import RuleSchieber

from engine import VARIANTS, State, advance, cards, encode, next_play, replay, rollout, to_act
from engine.audit import audit
from engine.cards import DECK
from engine.cli.playing import random_command
from engine.codec import decode_events
from engine.commands import Choose, Command, Deal, Play, Start
from engine.contracts import Contract
from engine.events import CardPlayed, Event
from engine.formats.logs import read_events
from engine.registry import build_game_context
from engine.rules import Chooser, GameContext

from . import _engine_floor
from ._quick import add_quick

CONTRACTS: tuple[Contract, ...] = ("diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe")
UP_TO_CARD = [(2 << card) - 1 for card in range(36)]
"""All cards up to each card."""
Measured = tuple[str, int, float, float]
"""Name, units, our seconds for them, the peer's."""
Peer = tuple[np.ndarray, int, list[int]]


def ours_playout(
    deals: int,
    rng: random.Random,
    options: dict[str, Any],
    play: Callable[[GameContext, Chooser], list[Event]],
) -> list[Event]:
    """Deals of one game, with the cards played by `rollout` or a command each."""
    state = State()
    log: list[Event] = []
    randrange = rng.random

    def some(seat: int, legal: int) -> int:
        return (legal & UP_TO_CARD[int(randrange() * 36)] or legal).bit_length() - 1

    start = Start(variant="schieber", seats=4, options={**options, "target": None, "deals": deals})
    log += advance(state, start)
    context = build_game_context(state)
    for _ in range(deals):
        deck = [DECK[card] for card in np.random.permutation(36).tolist()]
        log += advance(context, Deal(deck=deck))
        turn = to_act(context)
        assert turn is not None
        assert turn.seat is not None
        log += advance(context, Choose(seat=turn.seat, contract=CONTRACTS[int(randrange() * 6)]))
        log += play(context, some)
    return log


def by_commands(context: GameContext, choose: Chooser) -> list[Event]:
    """A deal through `next_play`, `decide` and `evolve`, a command a card."""
    log: list[Event] = []
    while context.state.dealing:
        seat, legal = next_play(context)
        assert seat is not None
        log += advance(context, Play(seat=seat, card=DECK[choose(seat, legal)]))
    return log


def ours_game(variant: str, rng: random.Random) -> list[Event]:
    """One whole game of a variant: a random legal card, or a random offer other than a card."""
    state = State()
    log: list[Event] = []
    log += advance(state, Start(variant=variant, seats=max(VARIANTS[variant].seats), options={}))
    context = build_game_context(state)
    while not state.over:
        seat, legal = next_play(context)
        if legal:
            command: Command = Play(seat=seat or 0, card=rng.choice(cards.codes(legal)))
        else:
            command = random_command(context, rng)
        log += advance(context, command)
    return log


def peer_playout(deals: int, rng: random.Random) -> list[Peer]:
    """The same with jass-kit; its state has no whole game, so every deal is separate."""
    rule, played = RuleSchieber(), []
    randrange = rng.random
    for number in range(deals):
        hands = deal_random_hand()
        sim = GameSim(rule)
        sim.init_from_cards(hands, number % 4)
        trump = int(randrange() * 6)
        sim.action_trump(trump)
        moves = []
        for _ in range(36):
            valid = np.flatnonzero(rule.get_valid_cards_from_state(sim.state))
            card = int(valid[int(randrange() * len(valid))])
            sim.action_play_card(card)
            moves.append(card)
        played.append((hands, number % 4, [trump, *moves]))
    return played


def peer_replay(played: list[Peer]) -> None:
    """jass-kit's replay, which checks every card."""
    rule = RuleSchieber()
    for hands, dealer, (trump, *moves) in played:
        sim = GameSim(rule)
        sim.init_from_cards(hands, dealer)
        sim.action_trump(trump)
        for card in moves:
            if not rule.get_valid_cards_from_state(sim.state)[card]:
                raise AssertionError("illegal")
            sim.action_play_card(card)
        if next_player[dealer] != sim.state.trick_first_player[0]:
            raise AssertionError("wrong first player")


def audit_json(data: bytes) -> None:
    """Decode and decide a whole log again."""
    for log in read_events(data):
        if audit(log) is not None:
            raise AssertionError("the audit found a difference")


def timed(act: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    """Return the processor seconds of one run, and its result: other work of the machine must not count.
    Every side runs once before it is timed; otherwise it would be measured while the caches hold the other
    side's data."""
    found = act()
    begun = time.thread_time()
    for _ in range(times):
        found = act()
    return (time.thread_time() - begun) / times, found


def figures(deals: int, runs: int, seed: int) -> list[dict[str, Any]]:
    """All figures; each run takes every side once, in turn."""
    rng = random.Random(seed)
    found: dict[str, list[tuple[float, float]]] = {}
    for turns in (_schieber, _every_game):
        for _ in range(runs):
            gc.collect()
            for name, units, ours, peer in turns(deals, rng):
                found.setdefault(name, []).append((units / ours, units / peer))
    return [_figure(name, pairs) for name, pairs in found.items()]


def _schieber(deals: int, rng: random.Random) -> list[Measured]:
    """The figures with targets. Our side repeats its work until its turn lasts about as long as the peer's:
    the side with the shorter turn would be measured while its caches still hold the other's data."""
    plain = {"melds": False, "first_forehand": "drawn", "multipliers": dict.fromkeys(CONTRACTS, 1)}
    peer_time, played = timed(lambda: peer_playout(deals, rng))
    ours_time, log = timed(lambda: ours_playout(deals, rng, plain, rollout), 4)
    club_time, _ = timed(lambda: ours_playout(deals, rng, {}, rollout), 4)
    each_time, _ = timed(lambda: ours_playout(deals, rng, plain, by_commands), 3)
    check_time, _ = timed(lambda: peer_replay(played))
    data = b"\n".join(map(encode, log))
    floor_time, _ = timed(lambda: _engine_floor.playout(deals, rng), 4)
    decode_time, _ = timed(lambda: decode_events(data), 4)
    audit_time, _ = timed(lambda: audit_json(data), 4)
    fold_time, _ = timed(lambda: replay(log), 20)
    return [
        ("engine/playout cards", 36 * deals, ours_time, peer_time),
        ("engine/playout cards, club rules", 36 * deals, club_time, peer_time),
        ("engine/playout cards, a command each", 36 * deals, each_time, peer_time),
        ("engine/audit deals from JSON", deals, audit_time, check_time),
        ("engine/fold deals", deals, fold_time, check_time),
        ("engine/floor of a playout, cards", 36 * deals, floor_time, peer_time),
        ("engine/floor of an audit: decoding, deals", deals, decode_time, check_time),
    ]


def _every_game(deals: int, rng: random.Random) -> list[Measured]:
    """One whole game of every variant by its defaults, compared per card with the peer's."""
    play_time, played = timed(lambda: peer_playout(deals, rng))
    check_time, _ = timed(lambda: peer_replay(played))
    found: list[Measured] = []
    for key in VARIANTS:
        ours_time, log = timed(partial(ours_game, key, rng))
        data = b"\n".join(map(encode, log))
        audit_time, _ = timed(partial(audit_json, data))
        fold_time, _ = timed(partial(replay, log))
        played_cards = sum(type(event) is CardPlayed for event in log)
        share = played_cards / (36 * deals)
        found += [
            (f"engine/{key}, whole game: playout cards", played_cards, ours_time, share * play_time),
            (
                f"engine/{key}, whole game: audit cards",
                played_cards,
                audit_time,
                share * check_time,
            ),
            (f"engine/{key}, whole game: fold cards", played_cards, fold_time, share * check_time),
        ]
    return found


def _figure(name: str, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    ratios = [ours / peer for ours, peer in pairs]
    return {
        "name": name,
        "ours": round(statistics.median(ours for ours, _ in pairs)),
        "peer": round(statistics.median(peer for _, peer in pairs)),
        "ratio": round(statistics.median(ratios), 2),
        "runs": len(pairs),
        "min": round(min(ratios), 2),
        "median": round(statistics.median(ratios), 2),
        "max": round(max(ratios), 2),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    add_quick(parser, deals=1, runs=1)
    args = parser.parse_args()
    for figure in figures(args.deals, args.runs, args.seed):
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
