"""A misdeal is dealt again: with the next number, other cards, and the reason in the log."""

import pytest

from games import store
from games.audit import audit
from games.models import Game
from games.play import submit
from games.randomness import round_seed
from games.randomness.dealing import deck
from tests.games.cast import play, table

pytestmark = pytest.mark.django_db


def hands(game: Game) -> list[set[str]]:
    """All cards of each deal, by the seat they went to."""
    found: list[set[str]] = []
    for event in store.read(game.pk):
        if event.type == "deal_started":
            found.append(set())
        elif event.type == "hand_dealt":
            found[-1] |= {f"{event.body['seat']} {card}" for card in event.parts["cards"]}
    return found


def test_a_misdeal_takes_the_next_number_with_its_reason() -> None:
    game = play(table(deals=2), moves=3)
    ruling = {"cmd": "rule", "kind": "annul_deal", "deal": 1, "reason": "a card lay face up"}
    submit.submit(game.pk, ruling, actor="gabi", command_id="misdeal")
    events = store.read(game.pk)
    assert [e.body["deal"] for e in events if e.type == "deal_started"] == [1, 2]
    assert [e.body["reason"] for e in events if e.type == "ruling_made"] == ["a card lay face up"]
    dealers = [e.body["dealer"] for e in events if e.type == "deal_started"]
    assert dealers[0] == dealers[1]  # the same player deals once more
    first, second = hands(game)
    assert first != second
    source = round_seed.source_of(game.round_stream_id)
    cards = [[card.split()[1] for card in sorted(dealt)] for dealt in (first, second)]
    assert [sorted(c) for c in cards] == [sorted(deck(source, game.number, n)) for n in (1, 2)]
    play(game)
    assert audit(Game.objects.get(pk=game.pk)).clean
