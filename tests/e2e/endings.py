"""Tables that are about to end, Anna at one seat and bots at the others: `python -m tests.e2e.endings`.

To be run in the place of a live tree. What is short enough is played from its beginning.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from engine import Command, State, advance, list_offers, to_act
from engine.commands import Choose, Pass
from games import game_state, store
from games.models import Access, Game, Seat, User
from games.play import game_creation
from games.randomness import dealing, round_seed
from games.randomness.next_deal import next_deal
from games.timers import turn_deadlines
from tests.e2e.forward import forward
from tournaments.services.championships import championships
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

PASSWORD = "Ein-Trumpf-im-Aermel-7"
PLAYERS = [letter * 32 for letter in "abcd"]
PEOPLE = ("Anna Ammann", "Beat Bühler", "Chiara Caduff", "Dario Dörig")
PACE = 0.01
JOKER = "joker7"
MELD_AND_STOECK = ["D10", "DJ", "DQ", "DK", "HQ", "HK", "H9", "S6", "C6"]
ALL_SPADES = [card for card in dealing.DECK if card[0] == "S"]


def deck_for(anna: Sequence[str], seats: int, talon: Sequence[str] = ()) -> list[str]:
    """Return a deck that deals the first seat these nine cards, and the talon after nine cards each."""
    left = [card for card in dealing.DECK if card not in {*anna, *talon}]
    hands = [list(anna), *(left[at :: seats - 1][:9] for at in range(seats - 1))]
    dealt = [card for packet in (0, 3, 6) for hand in hands for card in hand[packet : packet + 3]]
    return [*dealt, *talon, *(card for card in left if card not in dealt)]


def table(variant: str, seats: int, deck: list[str] | None = None, **options: object) -> Game:
    """Create a dealt game; its first deal uses this deck."""
    shuffled = dealing.deck
    if deck is not None:
        dealing.deck = lambda *_: deck
    try:
        return game_creation.create_game(variant=variant, players=PLAYERS[:seats], options=options)
    finally:
        dealing.deck = shuffled


def begins(state: State, anna: int) -> bool:
    """Return whether Anna has the turn before the first trick of a deal is complete."""
    turn = to_act(state)
    return turn is not None and turn.seat == anna and not state.tricks


def two_with(points: int) -> Callable[[State], bool]:
    """Return whether two sides have this many points: the next deal that scores for one may be the last."""
    return lambda state: sum(total >= points for total in state.totals) >= 2


def in_deal(number: int) -> Callable[[State], bool]:
    """Return whether this many deals are dealt."""
    return lambda state: state.deal == number


def near_the_end(make: Callable[[], Game], near: Callable[[State], bool], anna: int = 0) -> Game:
    """Play the first legal command of each turn until the end is near, all stored at once.

    If a game ends before, another one is made.
    """
    while True:
        game = make()
        before = game_state.load_snapshot(game.id)
        table, events, source = before.table.copy(), [], round_seed.source_of(game.round_stream_id)
        state = table.state
        while not state.over and not (near(state) and begins(state, anna)):
            dealt = turn_deadlines.server_deals(game, table)
            command = next_deal(game, state, source) if dealt else chosen(state)
            events += advance(table, command)
        if not state.over:
            break
    forward(game, before, events, PLAYERS[0])
    return game


def chosen(state: State) -> Command:
    """Return the first legal command; one player bids, and a joker is kept to the last."""
    offered = list_offers(state)
    for one in offered:
        joker = isinstance(one, Choose) and one.slot == JOKER
        if not joker and not (isinstance(one, Pass) and not state.variant_state.bids):
            return one
    return offered[0]


def with_bots(game: Game, anna: int = 0) -> Game:
    """Seat bots at the other seats from here on."""
    Seat.objects.filter(game=game).exclude(number=anna).update(bot="bot", bot_pace=PACE)
    game.refresh_from_db()
    store.execute(*turn_deadlines.arm(game, game_state.load_snapshot(game.id).table, game.created_at))
    return game


def evening(anna: User, fredi: User) -> str:
    """Create a championship of one round of one deal at one table."""
    changes = {"rounds": 1, "deals": 1}
    made = championships.create(actor=fredi, name="Kurzabend", slug="kurzabend", changes=changes)
    new = [entries.NewEntry(name, status="arrived") for name in PEOPLE]
    entries.link_account(entries.add_entries(made, new, actor=fredi)[0], anna, actor=fredi)
    round_ = seating_by_hand.seat_by_hand(made.rounds.get(), [[1, 2, 3, 4]], actor=fredi)
    for one in round_.tables.select_related("round__championship"):
        rounds.set_mode(one, "dealt", actor=fredi)
    rounds.open_round(round_, actor=fredi, bots={1: dict.fromkeys((1, 2, 3), "bot")}, bot_pace=PACE)
    return str(round_.tables.get().game_id)


def main() -> None:
    """Create them and print their ids by name."""
    anna, fredi = User.objects.create_user("anna", password=PASSWORD), User.objects.get(username="fredi")
    melds, spades = (
        deck_for(MELD_AND_STOECK, 4),
        deck_for(ALL_SPADES, 3, [f"D{n}" for n in (6, 7, 8, 9, 10, "J")]),
    )
    playing: Mapping[str, tuple[Game, int]] = {
        "schieber": (table("schieber", 4, melds, deals=1), 0),
        "claimed": (table("schieber", 4, melds, melds=False, target=20, claim_out="required"), 0),
        "bieter": (
            table("bieter", 3, spades, melds=False, stoeck=False, minimum_bid=300, opponents_target=60),
            0,
        ),
        "differenzler": (
            near_the_end(partial(table, "differenzler", 3, deals=3, sealed_predictions=True), in_deal(3)),
            0,
        ),
        "differenzler of four": (table("differenzler", 4, deals=4), 0),
        "coiffeur": (near_the_end(partial(table, "coiffeur", 4), in_deal(19), 2), 2),
        "coiffeur of three": (near_the_end(partial(table, "coiffeur", 3), in_deal(30), 2), 2),
        "la-pomme": (near_the_end(partial(table, "la-pomme", 2), two_with(6)), 0),
        "plus-minus": (near_the_end(partial(table, "plus-minus", 4), two_with(6)), 0),
        "plus-minus of three": (near_the_end(partial(table, "plus-minus", 3), two_with(6)), 0),
        "lake-constance": (near_the_end(partial(table, "lake-constance", 2), two_with(4)), 0),
    }
    for game, seat in playing.values():
        Access.objects.create(game=game, user=anna, role="seat", seat=seat, ref=PLAYERS[seat])
        Access.objects.create(game=game, user=fredi, role="referee")
        with_bots(game, seat)
    ids = {name: str(game.pk) for name, (game, _) in playing.items()}
    print(json.dumps({**ids, "evening": evening(anna, fredi)}))


if __name__ == "__main__":
    main()
