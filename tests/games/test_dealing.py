import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from deploy.environment import BASE_DIR
from games.randomness import dealing
from games.randomness.dealing import DECK, RANKS, Source

VECTORS = Path(__file__).parents[1] / "verify" / "vectors.json"
SEED = bytes(range(32))


def vectors() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(VECTORS.read_text())["dealing"]
    return found


def by_the_description(seed: bytes, entropy: list[str], number: int, deal: int) -> list[str]:
    """A deck dealt from the words of dealing.md alone."""

    def lp(x: bytes) -> bytes:
        return len(x).to_bytes(8, "big") + x

    def bytes_of_the_stream() -> Iterator[int]:
        mixed = hashlib.sha256(b"".join(lp(text.encode()) for text in entropy)).digest()
        for block in range(1000):
            fields = [b"puur/draw/1", b"deck", mixed, *(x.to_bytes(8, "big") for x in (number, deal, block))]
            yield from hmac.new(seed, b"".join(map(lp, fields)), hashlib.sha256).digest()

    stream = bytes_of_the_stream()
    deck = [suit + rank for suit in "DHSC" for rank in ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]]
    for i in range(35, 0, -1):
        byte = next(b for b in stream if b < 256 - 256 % (i + 1))
        j = byte % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def test_the_published_decks_are_dealt() -> None:
    v = vectors()
    source = Source(bytes.fromhex(v["seed"]), tuple(text.encode() for text in v["entropy"]))
    deck = v["deck"]
    assert " ".join(dealing.deck(source, deck["number"], deck["deal"])) == deck["cards"]
    plain = v["without_entropy"]
    bare = Source(bytes.fromhex(plain["seed"]))
    assert " ".join(dealing.deck(bare, plain["number"], plain["deal"])) == plain["cards"]


def test_the_description_alone_is_enough_to_deal_again() -> None:
    entropy = ["Halle 4, 17, 23", "zwölf"]
    source = Source(SEED, tuple(text.encode() for text in entropy))
    for number, deal in [(1, 1), (1, 2), (2, 1), (100, 12)]:
        assert dealing.deck(source, number, deal) == by_the_description(SEED, entropy, number, deal)


def test_the_published_draws_of_forehand_are_made_and_equal_ranks_draw_again() -> None:
    v = vectors()
    source = Source(bytes.fromhex(v["seed"]), tuple(text.encode() for text in v["entropy"]))
    for told in v["forehand"]:
        draw = dealing.draw_forehand(source, told["number"], told["seats"], partners=told["partners"])
        assert [list(cards) for cards in draw.cards] == told["cards"]
        assert (draw.forehand, draw.exchanged) == (told["forehand"], told["exchanged"])


def test_of_draws_of_23_november_the_opponent_who_drew_higher_deals() -> None:
    for number in range(500):
        draw = dealing.draw_forehand(Source(SEED), number, 4, partners=True)
        opponents = draw.dealer, (draw.forehand + 1) % 4
        before, after = (
            [
                RANKS.index(mine[1:])
                for cards in draw.cards
                if (mine := cards[seat]) is not None and cards[other] is not None
            ]
            for seat, other in (opponents, opponents[::-1])
        )
        assert before[-1] != after[-1]
        assert draw.exchanged == (after[-1] > before[-1])


def test_partners_change_nothing_of_who_is_forehand_and_without_them_nobody_moves() -> None:
    for number in range(200):
        alone = dealing.draw_forehand(Source(SEED), number, 4)
        partners = dealing.draw_forehand(Source(SEED), number, 4, partners=True)
        assert alone.forehand == partners.forehand
        assert partners.cards[: len(alone.cards)] == alone.cards
        assert alone.exchanged is None


def test_forehand_falls_on_every_seat_alike() -> None:
    source = Source(SEED)
    found = Counter(dealing.draw_forehand(source, number, 4).forehand for number in range(4000))
    assert sum((found[seat] - 1000) ** 2 / 1000 for seat in range(4)) < 16.3  # chi-square, 3 df, p = 0.001


def test_every_deck_is_all_cards_and_none_is_like_another() -> None:
    source = Source(SEED)
    decks = [dealing.deck(source, number, deal) for number in range(1, 21) for deal in range(1, 13)]
    assert all(sorted(deck) == sorted(DECK) for deck in decks)
    assert len({tuple(deck) for deck in decks}) == 240


@pytest.mark.parametrize(
    "other",
    [Source(SEED, (b"x",)), Source(SEED[::-1]), Source(SEED, (b"", b"")), Source(SEED, (b"",))],
)
def test_seed_and_every_contribution_change_the_deck(other: Source) -> None:
    assert dealing.deck(other, 1, 1) != dealing.deck(Source(SEED), 1, 1)


def test_contributions_cannot_be_moved_into_one_another() -> None:
    assert dealing.deck(Source(SEED, (b"ab", b"c")), 1, 1) != dealing.deck(Source(SEED, (b"a", b"bc")), 1, 1)


def test_bytes_that_would_favour_small_numbers_are_thrown_away() -> None:
    numbers = Source(SEED).numbers("test", 1)
    numbers._bytes = iter([255, 252, 251, 0])
    assert [numbers.below(36), numbers.below(36)] == [251 % 36, 0]
    with pytest.raises(ValueError, match="257"):
        numbers.below(257)


def test_cards_fall_on_seats_evenly() -> None:
    """Chi-square of card x seat over 6,000 deals, 35 * 3 degrees of freedom, p = 0.001."""
    source, deals = Source(SEED), 6000
    found: Counter[tuple[str, int]] = Counter()
    for deal in range(deals):
        for place, card in enumerate(dealing.deck(source, 1, deal)):
            found[card, place // 9] += 1
    expected = deals / 4
    assert sum((found[card, seat] - expected) ** 2 / expected for card in DECK for seat in range(4)) < 154


def test_no_other_chance_is_used_anywhere_in_this_layer() -> None:
    """But for a bot's guesses, which come from a seed of their own and are the same each time."""
    folder = BASE_DIR / "games"
    assert Path(dealing.__file__).is_relative_to(folder)
    found = []
    for path in folder.rglob("*.py"):
        source = path.read_text()
        guesses = "bots" in path.parts and not re.search(r"\brandom\.(?!Random\b)\w", source)
        if re.search(r"^\s*(import|from) random\b", source, re.M) and not guesses:
            found.append(path)
    assert found == []


def test_the_stream_goes_on_over_its_blocks() -> None:
    stream = Source(SEED).numbers("test", 1)._bytes
    assert len(set(islice(stream, 4096))) == 256
