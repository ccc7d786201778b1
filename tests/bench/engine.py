"""Our engine beside jass-kit 2.0.5 in one process, interleaved: `python -m tests.bench.engine [--deals N]
[--runs N]`.

One JSON line a figure: name, ours and peer (median, per second), ratio (median of the ratios of the runs),
runs, and the smallest, median and largest ratio. Both sides deal, list the legal cards of every turn and play
a random one.
"""

import argparse
import gc
import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from jass.game.const import next_player
from jass.game.game_sim import GameSim
from jass.game.game_util import deal_random_hand
from jass.game.rule_schieber import RuleSchieber

from engine import State, cards, decide, encode, evolve, next_play, replay, to_act
from engine.audit import audit
from engine.commands import Choose, Deal, Play, Start
from engine.events import Event
from engine.logs import read_events

CONTRACTS = ("diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe")
Peer = tuple[np.ndarray, int, list[int]]


def ours_playout(deals: int, rng: random.Random, options: dict[str, Any]) -> list[Event]:
    """Deals of one game through legal, decide and evolve."""
    state = State()
    log: list[Event] = []
    randrange = rng.random
    start = Start(variant="schieber", seats=4, options={**options, "target": None, "deals": deals})
    for event in decide(state, start):
        evolve(state, event)
        log.append(event)
    for _ in range(deals):
        deck = [cards.DECK[card] for card in np.random.permutation(36).tolist()]
        for event in decide(state, Deal(deck=deck)):
            evolve(state, event)
            log.append(event)
        turn = to_act(state)
        for event in decide(state, Choose(seat=turn.seat, contract=CONTRACTS[int(randrange() * 6)])):
            evolve(state, event)
            log.append(event)
        while state.dealing:
            seat, legal = next_play(state)
            low = int(randrange() * 36)
            legal = legal >> low << low or legal
            code = cards.DECK[(legal & -legal).bit_length() - 1]
            for event in decide(state, Play(seat=seat, card=code)):
                evolve(state, event)
                log.append(event)
    return log


def peer_playout(deals: int, rng: random.Random) -> list[Peer]:
    """The same with jass-kit; its state knows no whole game, so every deal stands alone."""
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
    """jass-kit's replay with every card checked."""
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


def timed(act: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, and what came of it: other work on the machine must not count."""
    begun = time.thread_time()
    found = act()
    return time.thread_time() - begun, found


def figures(deals: int, runs: int, seed: int) -> list[dict[str, Any]]:
    """All figures; each run takes every side once, in turn."""
    rng = random.Random(seed)
    found: dict[str, list[tuple[float, float]]] = {}
    plain = {"melds": False, "first_forehand": "drawn", "multipliers": dict.fromkeys(CONTRACTS, 1)}
    for _ in range(runs):
        for name, unit, ours, peer in _one_run(deals, rng, plain):
            found.setdefault(name, []).append((deals * unit / ours, deals * unit / peer))
    return [_figure(name, pairs) for name, pairs in found.items()]


def _one_run(deals: int, rng: random.Random, plain: dict[str, Any]) -> list[tuple[str, int, float, float]]:
    """Every figure once: name, units a deal, our seconds, the peer's."""
    gc.collect()
    peer_time, played = timed(lambda: peer_playout(deals, rng))
    ours_time, log = timed(lambda: ours_playout(deals, rng, plain))
    club_time, _ = timed(lambda: ours_playout(deals, rng, {}))
    check_time, _ = timed(lambda: peer_replay(played))
    data = b"\n".join(encode(event) for event in log)
    audit_time, _ = timed(lambda: audit_json(data))
    fold_time, _ = timed(lambda: [replay(log) for _ in range(5)])
    return [
        ("engine/playout cards", 36, ours_time, peer_time),
        ("engine/playout cards, club rules", 36, club_time, peer_time),
        ("engine/audit deals from JSON", 1, audit_time, check_time),
        ("engine/fold deals", 1, fold_time / 5, check_time),
    ]


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
    args = parser.parse_args()
    for figure in figures(args.deals, args.runs, args.seed):
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
