"""What a record proves: never anything else than what was so."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from engine import CorruptLog, IllegalCommand, Observer, redact_events
from engine.cards import DECK, Card
from engine.commands import Bid, Choose, Concede, Deal, Discard, Play
from engine.contracts import Contract
from engine.events import CardPlayed, DealScored, Event, HandDealt, TableCardTurned, TableDealt, TrickTaken
from engine.evidence import CardFact, Evidence, evidence
from tests.engine.random_games import GAMES, Game, steps_of
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table

every_game = pytest.mark.parametrize("game", GAMES, ids=str)
BLANKED = ("cards", "closed", "given", "taken", "melds")


def blanked(log: list[Event], rng: random.Random, share: float) -> list[Event]:
    """The log with some of its secrets and played cards made unknown, and what follows from them."""
    found: list[Event] = []
    hidden = False
    on_table = {card for event in log if isinstance(event, TableDealt) for card in event.open}
    on_table |= {event.card for event in log if isinstance(event, TableCardTurned)}
    for event in log:
        told = event
        for name in BLANKED:
            if getattr(event, name, None) is not None and rng.random() < share:
                told = replace(told, **{name: None})
        if isinstance(event, CardPlayed) and rng.random() < share and event.card not in on_table:
            told, hidden = replace(event, card=None), True
        elif isinstance(event, TrickTaken) and hidden:
            told = replace(event, seat=event.seat if rng.random() < 0.5 else None, points=None)
            hidden = False
        elif isinstance(event, DealScored) and rng.random() < 0.9:
            nothing: list[Any] = [None] * len(event.card_points)
            told = replace(event, card_points=nothing, scores=nothing)
        found.append(told)
    return found


def holders(log: list[Event]) -> dict[str, int]:
    """Who played which card in a deal."""
    return {event.card: event.seat for event in log if isinstance(event, CardPlayed) and event.card}


def deals_of(log: list[Event]) -> dict[int, list[Event]]:
    found: dict[int, list[Event]] = {}
    number = 0
    for event in log:
        number = getattr(event, "deal", number)
        found.setdefault(number, []).append(event)
    return found


def check(said: Evidence, truth: Evidence, log: list[Event]) -> None:
    """Everything that is said to be proven is so, and the truth lies within the bounds."""
    assert said.contradictions == []
    played = holders(log)
    for fact, true in zip(said.cards, truth.cards, strict=True):
        if fact.status == "proven":
            if fact.card in played:
                assert (fact.place, fact.seat) == ("hand", played[fact.card])
            elif fact.place == "discards":
                assert any(
                    fact.card in (getattr(e, "cards", None) or getattr(e, "given", None) or ()) for e in log
                )
        if fact.card in played:
            assert played[fact.card] in fact.seats
        assert true.status != "contradictory"
    for side, true_side in zip(said.points, truth.points, strict=True):
        assert side.points.least <= true_side.points.least
        assert true_side.points.most <= side.points.most
        assert true_side.status == "proven" or not any(isinstance(e, DealScored) for e in log)
    for trick, true_trick in zip(said.tricks, truth.tricks, strict=True):
        assert true_trick.taker in trick.takers or true_trick.taker is None
        assert trick.points.least <= true_trick.points.least <= true_trick.points.most <= trick.points.most


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_nothing_is_said_that_is_not_so(game: Game, share: float) -> None:
    rng = random.Random(f"{game} {share}")
    log = [event for _, events in steps_of(game, rng.randrange(1000)) for event in events]
    deals = deals_of(log)
    told = blanked(log, rng, share)
    if len(deals) > 5:
        cut = next(at for at, event in enumerate(log) if getattr(event, "deal", 0) == 5)
        log, told = log[:cut], told[:cut]
    for said, truth in zip(evidence(told), evidence(log), strict=True):
        check(said, truth, deals[said.deal])


def transcript(deal: Deal | None = None, contract: Contract | None = "hearts", **options: Any) -> Table:
    table = Table(preset="championship", mode="transcribed", options=options)
    table.do(deal or Deal(dealer=DARIO))
    if contract is not None:
        table.do(Choose(seat=ANNA, contract=contract))
    return table


def put(table: Table, *plays: tuple[int, Card | None]) -> None:
    for seat, card in plays:
        table.do(Play(seat=seat, card=card))


def card_of(said: Evidence, code: str) -> CardFact:
    return next(fact for fact in said.cards if fact.card == code)


def test_a_card_played_was_held_from_the_start_and_the_event_says_so() -> None:
    table = transcript()
    put(table, (ANNA, "S10"), (BEAT, "D6"), (CHIARA, "S6"), (DARIO, "S7"), (ANNA, "C6"), (BEAT, "SA"))
    (said,) = evidence(table.log)
    played = table.log[-2]
    assert isinstance(played, CardPlayed)
    assert card_of(said, "SA") == CardFact("SA", "proven", "hand", BEAT, [BEAT], True, 2, [played.seq])
    unknown = card_of(said, "HA")
    assert (unknown.status, unknown.seats, unknown.seqs) == ("unknown", [0, 1, 2, 3], [])
    assert [(proof.code, proof.seat) for proof in said.infractions] == [("revoke", BEAT)]
    assert said.infractions[0].seqs[-1] == played.seq
    hand = said.hands[BEAT]
    assert (hand.status, hand.size, hand.cards, hand.unknown) == ("unknown", 9, ["D6", "SA"], 7)


def test_what_two_hands_hold_is_a_contradiction() -> None:
    table = Table(preset="championship", mode="transcribed")
    table.deal(list(SUIT_EACH), dealer=DARIO)
    table.do(Choose(seat=ANNA, contract="hearts"))
    put(table, (ANNA, "S6"), (BEAT, "SJ"))
    (said,) = evidence(table.log)
    fact = card_of(said, "SJ")
    assert (fact.status, fact.place, fact.seat) == ("contradictory", None, None)
    (found,) = [c for c in said.contradictions if c.card == "SJ"]
    assert (found.code, found.seats, len(found.seqs)) == ("card_in_two_places", [ANNA, BEAT], 2)
    assert said.hands[ANNA].status == said.hands[BEAT].status == "contradictory"
    assert {fact.status for fact in said.points} == {"contradictory"}


def test_a_hand_cannot_hold_more_than_it_was_dealt() -> None:
    deck: list[Any] = [None] * 36
    deck[0:3], deck[12:15], deck[24:27] = ["S6", "S7", "S8"], ["S9", "S10", "SJ"], ["SQ", "SK", "SA"]
    table = transcript(Deal(deck=deck, dealer=DARIO))
    put(table, (ANNA, "H6"))
    (said,) = evidence(table.log)
    assert [(c.code, c.seats) for c in said.contradictions] == [("too_many_cards", [ANNA])]


def test_what_is_left_over_is_proven_by_what_the_others_hold() -> None:
    deck: list[Any] = [None if (at // 3) % 4 == 0 else card for at, card in enumerate(DECK)]
    table = transcript(Deal(deck=deck, dealer=DARIO))
    (said,) = evidence(table.log)
    fact = card_of(said, "D6")
    assert (fact.status, fact.seat, fact.from_start) == ("proven", ANNA, True)
    assert fact.seqs == [event.seq for event in table.log if isinstance(event, HandDealt) and event.cards]
    assert said.hands[ANNA].status == "proven"


def test_a_missing_card_leaves_the_points_between_bounds() -> None:
    table = transcript()
    put(table, (ANNA, "S6"), (BEAT, None), (CHIARA, "HJ"), (DARIO, "S8"))
    put(table, (CHIARA, "S7"), (DARIO, None), (ANNA, "SA"), (BEAT, "S9"))
    first, second = evidence(table.log)[0].tricks
    assert (first.taker, first.takers, first.missing) == (CHIARA, [CHIARA], 1)
    assert (first.points.least, first.points.most) == (20, 34)
    assert (second.taker, second.takers) == (None, [ANNA, DARIO])
    assert (second.points.least, second.points.most) == (11, 25)
    both = evidence(table.log)[0].points
    assert both[0].points.least == 20
    assert both[0].points.least + both[1].points.most == 157
    assert [fact.status for fact in both] == ["unknown", "unknown"]


def test_a_trick_of_which_every_unknown_card_is_higher_is_not_the_known_ones() -> None:
    deck: list[Any] = [None] * 36
    deck[3:6], deck[15:18], deck[27:30] = ["HJ", "H9", "HA"], ["HK", "HQ", "H10"], ["H8", "H7", "H6"]
    table = transcript(Deal(deck=deck, dealer=DARIO))
    put(table, (ANNA, "S6"), (BEAT, None))
    assert evidence(table.log)[0].tricks[0].takers == [BEAT]


def test_an_unknown_lead_may_be_anybodys_trick() -> None:
    table = transcript()
    put(table, (ANNA, None), (BEAT, "D6"), (CHIARA, "S7"), (DARIO, "C8"))
    assert evidence(table.log)[0].tricks[0].takers == [0, 1, 2, 3]


def test_an_unknown_contract_leaves_open_who_took_what_it_decides() -> None:
    table = transcript(contract=None)
    put(table, (ANNA, "S6"), (BEAT, "S7"), (CHIARA, "S8"), (DARIO, "SA"))
    (said,) = evidence(table.log)
    assert len(said.contracts) == 10
    assert said.tricks[0].takers == [ANNA, DARIO]


def test_a_taker_who_cannot_have_taken_the_trick_is_a_contradiction() -> None:
    table = transcript()
    put(table, (ANNA, "S6"), (BEAT, "S7"), (CHIARA, "S8"), (DARIO, "SA"))
    wrong = [replace(e, seat=ANNA) if isinstance(e, TrickTaken) else e for e in table.log]
    (said,) = evidence(wrong)
    assert [(c.code, c.trick) for c in said.contradictions] == [("wrong_taker", 1)]
    wrong = [replace(e, points=12) if isinstance(e, TrickTaken) else e for e in table.log]
    (said,) = evidence(wrong)
    assert said.tricks[0].status == "contradictory"
    assert [c.code for c in said.contradictions] == ["wrong_points"]


def test_points_of_a_complete_deal_are_proven() -> None:
    log = Table(preset="championship", options={"deals": 1})
    log.deal(list(SUIT_EACH), dealer=DARIO)
    log.choose("spades")
    log.play_out()
    (said,) = evidence(log.log)
    assert [(fact.status, fact.points.least) for fact in said.points] == [("proven", 157), ("proven", 0)]
    assert {fact.status for fact in said.tricks} == {"proven"}
    assert {fact.status for fact in said.hands} == {"proven"}


def test_a_view_proves_no_more_than_it_tells() -> None:
    log = [event for _, events in steps_of(Game("schieber", "championship", 4), 1) for event in events][:9]
    (said,) = evidence(list(redact_events(log, Observer.seat(BEAT))))
    assert [fact.status for fact in said.hands] == ["unknown", "proven", "unknown", "unknown"]


def test_trumps_may_have_been_named_by_an_unknown_card() -> None:
    table = Table("plus-minus", 4, mode="transcribed")
    table.do(Deal(dealer=DARIO))
    put(table, (ANNA, "S6"), (BEAT, "S7"), (CHIARA, "S8"), (DARIO, "S9"))
    put(table, (DARIO, "D6"), (ANNA, None), (BEAT, "H7"), (CHIARA, "D8"))
    (said,) = evidence(table.log)
    assert said.contracts == [None, "diamonds", "hearts", "spades", "clubs"]
    assert said.tricks[0].taker == DARIO
    assert set(said.tricks[1].takers) == {ANNA, BEAT, CHIARA, DARIO} - {DARIO} | {CHIARA}
    table.do(Choose(seat=ANNA, contract="hearts"))
    assert evidence(table.log)[0].contracts == ["hearts"]


def test_a_declarer_nobody_knows_leaves_the_sides_open() -> None:
    table = Table("bieter", 3, mode="transcribed")
    table.do(Deal(dealer=CHIARA))
    put(table, (ANNA, "S6"), (BEAT, "S7"), (CHIARA, "S8"))
    points = evidence(table.log)[0].points
    assert all(fact.points.least == 0 for fact in points)


def test_a_conceded_deal_counts_what_it_says() -> None:
    table = Table("bieter", 3, mode="transcribed")
    table.do(Deal(dealer=CHIARA))
    table.do(Bid(seat=ANNA, points=5000, won=True))
    table.do(Discard(seat=ANNA, cards=["D6", None, None, None, None, None]))
    (said,) = evidence(table.log)
    assert (card_of(said, "D6").place, card_of(said, "D6").seat) == ("discards", ANNA)
    table.do(Choose(seat=ANNA, contract="hearts"))
    for seat in [ANNA, BEAT, CHIARA] * 9:
        table.do(Play(seat=seat, card=None))
    table.do(Deal())
    table.do(Choose(seat=ANNA, contract="hearts"))
    table.do(Concede(seat=ANNA))
    assert [fact.points.least for fact in evidence(table.log, 2)[0].points] == [0, 157]


def test_melds_and_stoeck_are_held_by_who_declared_them() -> None:
    table = transcript(melds=True)
    table.do(Play(seat=ANNA, card="S6", melds=[["S6", "S7", "S8"]]))
    put(table, (BEAT, None), (CHIARA, None), (DARIO, None), (ANNA, None), (BEAT, None), (CHIARA, None))
    table.do(Play(seat=DARIO, card=None))
    table.do(Play(seat=ANNA, card="HK", stoeck=True))
    (said,) = evidence(table.log)
    assert {card_of(said, code).seat for code in ("S7", "S8", "HQ", "HK")} == {ANNA}
    obenabe = transcript(contract=None)
    put(obenabe, (ANNA, None), (BEAT, None), (CHIARA, None), (DARIO, None))
    obenabe.do(Play(seat=ANNA, card="HK", stoeck=True))
    assert card_of(evidence(obenabe.log)[0], "HQ").status == "unknown"


def test_a_log_without_a_start_and_a_deal_that_was_not() -> None:
    log = transcript().log
    with pytest.raises(CorruptLog):
        evidence(log[1:])
    with pytest.raises(IllegalCommand):
        evidence(log, 2)
    assert evidence(log[:1]) == []


def test_a_deal_in_which_everybody_followed_had_no_trumps() -> None:
    hands = [
        " ".join(f"{suit}{rank}" for suit in "DHSC" for rank in ranks.split())
        for ranks in ("6 7 8", "9 10 J", "Q K A")
    ]
    table = Table("plus-minus", 3)
    table.deal(hands, dealer=CHIARA)
    table.play_out()
    (said,) = evidence(table.log)
    assert said.contracts == [None]
    assert sum(fact.points.least for fact in said.points) == 157
