"""Tables that stand still in each state of the stage, Anna at seat 0: `python -m tests.e2e.stage_states`.

To be run in the place of a live tree. Whoever else is asked does not answer, so that nothing moves.
"""

import json
import os
from collections.abc import Callable
from functools import partial

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from engine import State, legal_cards, to_act
from engine.contracts import CONTRACTS
from games import game_state
from games.models import Access, Game, User
from games.play import game_creation, submit
from tests.e2e.endings import MELD_AND_STOECK, deck_for
from tests.e2e.endings import table as with_deck
from tests.e2e.seats import CAST, PASSWORD, PLAYERS, play_on, table


def asks_anna(phase: str, lying: int = 0) -> Callable[[State], bool]:
    """Return whether Anna has the turn in this phase, with this many cards in the trick."""

    def reached(state: State) -> bool:
        turn = to_act(state)
        return turn is not None and turn.phase == phase and turn.seat == 0 and len(state.trick) == lying

    return reached


def asks_another(state: State) -> bool:
    """Return whether Anna waits for another player in the middle of a trick, after a complete one."""
    turn = to_act(state)
    waits = turn is not None and turn.phase == "trick_play" and turn.seat not in (0, None)
    return waits and len(state.tricks) > 0 and len(state.trick) > 0


def asks_with_melds(state: State) -> bool:
    """Return whether Anna has the turn while melds are shown."""
    turn = to_act(state)
    return turn is not None and turn.seat == 0 and len(state.tricks) == 1 and turn.phase == "trick_play"


def may_not_play_all(state: State) -> bool:
    """Return whether Anna must play a card and holds illegal ones."""
    return asks_anna("trick_play", lying=2)(state) and legal_cards(state, 0) != state.hands[0]


def is_over_with_cards_left(state: State) -> bool:
    """Return whether the game ended in the middle of a deal: Anna still holds cards."""
    return state.over and state.sizes[0] > 0 and len(state.tricks) > 0


def reached(make: Callable[[], Game], until: Callable[[State], bool]) -> Game:
    """Return a game in that state; games that never reach it are replaced by another one."""
    while True:
        game = play_on(make(), lambda state: state.over or until(state))
        if until(game_state.load_snapshot(game.id).state):
            return game


def written_down(mode: str, *commands: dict[str, object]) -> Game:
    """A Schieber transcribed by Anna, with these events."""
    game = game_creation.create_game(variant="schieber", preset="championship", players=PLAYERS, mode=mode)
    for number, command in enumerate(commands):
        submit.submit(game.pk, command, actor="e" * 32, command_id=f"w{number}")
    return game


def main() -> None:
    """Create them and print their ids by name."""
    people = [User.objects.create_user(name, password=PASSWORD) for name in CAST]
    melds = deck_for(MELD_AND_STOECK, 4)
    trick_play = asks_anna("trick_play")
    playing = {
        "bids": reached(partial(table, "bieter", 3), asks_anna("auction")),
        "discards": reached(partial(table, "bieter", 3), asks_anna("discards")),
        "trumps": reached(partial(table, "schieber", 4), asks_anna("contract_choice")),
        "contracts": reached(
            partial(table, "schieber", 4, contracts=list(CONTRACTS)), asks_anna("contract_choice")
        ),
        "melds": reached(partial(with_deck, "schieber", 4, melds), trick_play),
        "predicts": reached(partial(table, "differenzler", 4), asks_anna("predictions")),
        "slots": reached(partial(table, "coiffeur", 4), asks_anna("contract_choice")),
        "exchanges": reached(partial(table, "la-pomme", 2), asks_anna("exchange")),
        "piles": reached(partial(table, "lake-constance", 2), trick_play),
        "follows": reached(partial(table, "plus-minus", 4), asks_anna("trick_play", lying=2)),
        "refused": reached(partial(table, "schieber", 4), may_not_play_all),
        "waits": reached(partial(table, "schieber", 4), asks_another),
        "shown": reached(partial(with_deck, "schieber", 4, melds), asks_with_melds),
        "enough": reached(partial(table, "lake-constance", 2), is_over_with_cards_left),
        "over": play_on(table("schieber", 4, deals=2), lambda state: state.over),
        "lain": play_on(table("lake-constance", 2), lambda state: state.deal > 1 or state.over),
    }
    for game in playing.values():
        for seat in range(game.seat_count):
            Access.objects.create(game=game, user=people[seat], role="seat", seat=seat, ref=PLAYERS[seat])
    dealt: list[dict[str, object]] = [
        {"cmd": "deal", "dealer": 3},
        {"cmd": "choose", "seat": 0, "contract": "hearts"},
    ]
    cards = [
        {"cmd": "play", "seat": seat, "card": card} for seat, card in enumerate(("HJ", "H6", "H9", "S6"))
    ]
    writing = {
        "sheet": written_down("sheet"),
        "begun": written_down("transcribed"),
        "written": written_down("transcribed", *dealt, *cards),
    }
    for game in writing.values():
        Access.objects.create(game=game, user=people[0], role="scorer")
    print(json.dumps({name: str(game.pk) for name, game in (playing | writing).items()}))


if __name__ == "__main__":
    main()
