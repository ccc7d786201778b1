"""Transcribed games: what was played is written down; what the record proves is marked."""

from typing import Any

import pytest

from engine import audit, cards, legal_cards, next_play, replay, snapshot, to_act
from engine.cards import Card
from engine.commands import Bid, Choose, Deal, Pass, Play, Rule
from engine.contracts import Contract
from engine.events import CardPlayed, DealScored, InfractionFound, TrickTaken
from engine.infractions.findings import find_known_hand
from engine.phases.dealing import deck_from_hands
from tests.engine.tables import (
    ANNA,
    BEAT,
    CARD,
    CHIARA,
    DARIO,
    GABI,
    SIMPLE,
    SUIT_EACH,
    Table,
    cards_of,
    only,
    types,
)

SUITS = {suit: [card for card in cards.DECK if card[0] == suit] for suit in "DHSC"}


def transcript(contract: Contract = "hearts", hands: list[str] | None = None, **options: Any) -> Table:
    table = Table(preset="championship", mode="transcribed", options=options)
    if hands is None:
        table.do(Deal(dealer=DARIO))
    else:
        table.deal(hands, dealer=DARIO)
    table.do(Choose(seat=ANNA, contract=contract))
    return table


def put(table: Table, *plays: tuple[int, Card | None], **said: Any) -> list[Any]:
    events: list[Any] = []
    for seat, card in plays:
        events += table.do(Play(seat=seat, card=card, **said))
    return events


def infractions(events: list[Any]) -> list[tuple[int, int, str]]:
    return [(e.seat, e.trick, e.code) for e in events if isinstance(e, InfractionFound)]


def test_a_revoke_is_marked_when_the_record_proves_it() -> None:
    table = transcript()
    events = put(table, (ANNA, "S10"), (BEAT, "D6"), (CHIARA, "S6"), (DARIO, "S7"))
    assert infractions(events) == []
    events = put(table, (ANNA, "C6"), (BEAT, "SA"))
    (found,) = [event for event in events if isinstance(event, InfractionFound)]
    assert (found.seat, found.trick, found.code) == (BEAT, 1, "revoke")
    marked, proof = table.log[found.at_seq], table.log[found.proof_seq or 0]
    assert isinstance(marked, CardPlayed)
    assert isinstance(proof, CardPlayed)
    assert (marked.card, proof.card) == ("D6", "SA")
    assert audit.audit(table.log) is None


def test_a_revoke_is_marked_at_once_where_the_hand_is_known() -> None:
    hands = ["C10 S6 S7 S8 S9 S10 SJ SQ SK", "C6 H7 H8 H9 H10 HJ HQ HK HA", "D6 D7 D8 D9 D10 DJ DQ DK DA",
             "C7 C8 C9 CJ CQ CK CA SA H6"]  # fmt: skip
    table = transcript("obenabe", hands)
    put(table, (ANNA, "C10"))
    assert table.legal == "C6"
    (found,) = [e for e in put(table, (BEAT, "H7")) if isinstance(e, InfractionFound)]
    assert found.proof_seq is None
    assert infractions(put(table, (CHIARA, "D6"))) == []


def test_the_puur_held_back_proves_nothing() -> None:
    table = transcript()
    put(table, (ANNA, "H6"), (BEAT, "D6"), (CHIARA, "S6"), (DARIO, "S7"))
    assert infractions(put(table, (ANNA, "C6"), (BEAT, "HJ"))) == []
    put(table, (CHIARA, "C7"), (DARIO, "C8"))
    assert infractions(put(table, (BEAT, "H7"))) == [(BEAT, 1, "revoke")]


def test_an_undertrump_is_marked_when_something_else_was_held() -> None:
    table = transcript()
    events = put(table, (ANNA, "C10"), (BEAT, "HK"), (CHIARA, "H7"), (DARIO, "C6"))
    assert infractions(events) == []
    assert infractions(put(table, (BEAT, "D6"), (CHIARA, "D7"))) == [(CHIARA, 1, "undertrump")]


def test_trumps_only_may_undertrump() -> None:
    table = transcript()
    put(table, (ANNA, "C10"), (BEAT, "HK"), (CHIARA, "H7"), (DARIO, "C6"))
    assert infractions(put(table, (BEAT, "D6"), (CHIARA, "H8"))) == []


def test_a_card_out_of_turn_is_marked_and_the_others_follow() -> None:
    table = transcript()
    events = put(table, (BEAT, "S6"))
    assert infractions(events) == [(BEAT, 1, "out_of_turn")]
    assert table.turn == CHIARA
    events = put(table, (ANNA, "S7"), (CHIARA, "S8"), (DARIO, "SA"))
    assert infractions(events) == [(ANNA, 1, "out_of_turn")]
    assert only(events, TrickTaken).seat == DARIO
    assert table.state.tricks[0].seats == (BEAT, ANNA, CHIARA, DARIO)


def test_a_card_of_another_hand_is_marked() -> None:
    table = transcript("obenabe", list(SUIT_EACH))
    assert infractions(put(table, (ANNA, "H6"))) == [(ANNA, 1, "not_in_hand")]


def test_what_one_deck_cannot_give_is_a_slip_of_the_pen() -> None:
    table = transcript()
    put(table, (ANNA, "D6"))
    assert table.refusal(Play(seat=ANNA, card="S7")) == (
        "play/played_already",
        "seat 0 has played to this trick",
        {"seat": ANNA},
    )
    assert table.refusal(Play(seat=BEAT, card="D6")) == (
        "play/card_played_already",
        "D6 has been played",
        {"card": "D6"},
    )


@pytest.mark.parametrize("code", ["D7", "H6", "CA"])
def test_no_card_is_played_twice_in_a_deal(code: Card) -> None:
    table = transcript()
    put(table, (ANNA, code))
    assert table.refused(Play(seat=BEAT, card=code)) == "play/card_played_already"
    put(table, (BEAT, None), (CHIARA, None), (DARIO, None))
    assert table.refused(Play(seat=ANNA, card=code)) == "play/card_played_already"


def test_the_last_trick_of_a_sweep_reaches_the_target_with_its_bonus() -> None:
    table = Table(mode="transcribed", options={"target": 257, "multipliers": SIMPLE, "melds": False})
    table.deal(SUIT_EACH, dealer=DARIO)
    table.do(Choose(seat=ANNA, contract="spades"))
    assert types(table.play_out())[-4:] == ["card_played", "trick_taken", "deal_scored", "game_ended"]
    assert (table.state.winners, table.state.totals) == ((0,), (257, 0))
    assert audit.audit(table.log) is None


def test_it_can_be_asked_after_every_event_whose_turn_it_is() -> None:
    """Also between those of one card: nobody plays to a whole trick, nor after the last one."""
    table = transcript("spades", list(SUIT_EACH))
    first = len(table.log)
    table.play_out()
    for at in range(first, len(table.log)):
        state = replay(table.log[:at])
        turn, (seat, legal) = to_act(state), next_play(state)
        assert turn is not None
        assert turn.seat == seat
        if len(state.trick) == 4:
            assert (seat, legal) == (None, 0)
        elif len(state.tricks) == 9:
            assert legal == 0
        else:
            assert seat == len(state.trick)
            assert legal == state.hands[seat]


def test_what_the_card_itself_proves_names_its_event_alone() -> None:
    hands = ["D6 H6 H7 H8 H9 H10 HJ HQ HK", "S6 S7 S8 S9 S10 SJ SQ SK SA", "D7 D8 D9 D10 DJ DQ DK DA HA",
             "C6 C7 C8 C9 C10 CJ CQ CK CA"]  # fmt: skip
    table = transcript("obenabe", hands)
    events = put(table, (BEAT, "D6"))
    assert infractions(events) == [(BEAT, 1, "out_of_turn"), (BEAT, 1, "not_in_hand")]
    played = only(events, CardPlayed).seq
    marks = [event for event in events if isinstance(event, InfractionFound)]
    assert [(found.at_seq, found.proof_seq) for found in marks] == [(played, None)] * 2


def test_an_unknown_card_leaves_points_and_taker_open() -> None:
    table = transcript()
    taken = only(put(table, (ANNA, "S6"), (BEAT, None), (CHIARA, "S7"), (DARIO, "S8")), TrickTaken)
    assert (taken.seat, taken.points) == (None, None)
    assert to_act(table.state) == (None, "trick_play", ("play",))
    assert legal_cards(table.state) == 0
    assert types(put(table, (CHIARA, "C6"))) == ["card_played"]


def test_an_unknown_card_under_the_puur_leaves_only_the_points_open() -> None:
    table = transcript()
    taken = only(put(table, (ANNA, "S6"), (BEAT, None), (CHIARA, "HJ"), (DARIO, "S8")), TrickTaken)
    assert (taken.seat, taken.points) == (CHIARA, None)


@pytest.mark.parametrize(
    ("contract", "first", "second"),
    [
        ("obenabe", "S6 S7 SA S8", "SK D6 - S9"),  # what lies beside it is of another suit
        ("undenufe", "D6 D7 D8 D9", "S6 H7 - H8"),
    ],
)
def test_what_has_been_played_takes_no_trick_any_more(contract: Contract, first: str, second: str) -> None:
    table = transcript(contract)
    leader = only(put(table, *zip(range(4), cards_of(first), strict=True)), TrickTaken).seat
    assert leader is not None
    cards_ = [None if card == "-" else CARD[card] for card in second.split()]
    order = [(leader + turn) % 4 for turn in range(4)]
    assert only(put(table, *zip(order, cards_, strict=True)), TrickTaken).seat == leader


def test_the_card_that_leads_says_what_the_next_may_play() -> None:
    hands = ["D6 H6 H7 H8 H9 H10 HJ HQ HK", "D7 S7 S8 S9 S10 SJ SQ SK SA", "S6 D8 D9 D10 DJ DQ DK DA HA",
             "C6 C7 C8 C9 C10 CJ CQ CK CA"]  # fmt: skip
    table = transcript("obenabe", hands)
    put(table, (ANNA, "D6"))
    assert table.legal == "D7"


def test_the_last_trick_of_a_record_counts_five_more() -> None:
    taken = [
        event
        for event in play_all(transcript("obenabe"), hide=frozenset({"S7"}))
        if isinstance(event, TrickTaken)
    ]
    assert [(trick.seat, trick.points) for trick in taken] == [
        *[(ANNA, 0), (None, None), (ANNA, 32), (ANNA, 0), (ANNA, 40)],
        *[(ANNA, 8), (ANNA, 12), (ANNA, 16), (ANNA, 49)],
    ]


def test_an_unknown_lead_proves_nothing() -> None:
    table = transcript()
    taken = only(put(table, (ANNA, None), (BEAT, "D6"), (CHIARA, "S7"), (DARIO, "C8")), TrickTaken)
    assert (taken.seat, taken.points) == (None, None)
    assert infractions(put(table, (BEAT, "S6"), (CHIARA, None), (DARIO, "S9"), (ANNA, "S8"))) == []


def play_all(table: Table, *, hide: frozenset[str] = frozenset()) -> list[Any]:
    events: list[Any] = []
    hands = [cards.codes(cards.mask(hand.split())) for hand in SUIT_EACH]
    for trick in range(9):
        for seat in range(4):
            card = hands[seat][trick]
            events += put(table, (seat, None if card in hide else card))
    return events


def test_a_deal_with_points_open_on_both_sides_has_no_score() -> None:
    scored = only(play_all(transcript("spades"), hide=frozenset({"S7", "S8"})), DealScored)
    assert scored.card_points == [None, None]
    assert scored.totals == [0, 0]


def test_the_points_of_one_side_tell_those_of_the_other() -> None:
    scored = only(play_all(transcript("spades"), hide=frozenset({"HA"})), DealScored)
    assert scored.card_points == [157, 0]


def test_everything_known_is_scored_as_ever() -> None:
    scored = only(play_all(transcript("spades", list(SUIT_EACH))), DealScored)
    assert scored.scores == [257, 0]


def test_the_last_unknown_hand_is_what_is_left() -> None:
    table = Table(preset="championship", mode="transcribed")
    deck = list(cards.DECK)
    hidden = [None if (at // 3) % 4 == 0 else card for at, card in enumerate(deck)]
    table.do(Deal(deck=hidden, dealer=DARIO))
    expected = cards.mask(card for at, card in enumerate(deck) if (at // 3) % 4 == 0)
    assert table.state.hands[ANNA] == 0
    assert find_known_hand(table.state, ANNA) == expected
    table.do(Choose(seat=ANNA, contract="clubs"))
    assert legal_cards(table.state) == expected
    table.do(Play(seat=ANNA, card=None))
    assert find_known_hand(table.state, ANNA) == 0


def test_melds_are_written_down_and_disproved_by_another_hand() -> None:
    table = transcript("clubs", melds=True)
    events = table.do(Play(seat=ANNA, card="S6", melds=[["S6", "S7", "S8"]]))
    assert types(events) == ["melds_declared", "card_played"]
    events = put(table, (BEAT, "S9"), (CHIARA, "S10"), (DARIO, "S8"))
    assert infractions(events) == [(ANNA, 1, "meld_not_held")]
    assert "melds_scored" in types(events)
    events = put(table, (CHIARA, "D6"), (DARIO, "D7"), (ANNA, "D8"), (BEAT, "S7"))
    assert (ANNA, 1, "meld_not_held") not in infractions(events)
    assert audit.audit(table.log) is None


def test_a_meld_disproved_in_a_later_trick() -> None:
    table = transcript("clubs", melds=True)
    table.do(Play(seat=ANNA, card="S6", melds=[["S6", "S7", "S8"]]))
    put(table, (BEAT, "S9"), (CHIARA, "S10"), (DARIO, "D8"))
    assert (ANNA, 1, "meld_not_held") in infractions(put(table, (CHIARA, "S8")))


def test_a_stoeck_is_believed_as_far_as_it_can_be_true() -> None:
    table = transcript()
    put(table, (ANNA, "HQ"), (BEAT, "H6"), (CHIARA, "H7"), (DARIO, "H8"))
    events = table.do(Play(seat=ANNA, card="HK", stoeck=True))
    assert types(events) == ["card_played", "stoeck_declared"]
    assert table.refused(Play(seat=BEAT, card="H10", stoeck=True)) == "stoeck/declared_already"
    table = transcript()
    put(table, (ANNA, None), (BEAT, "H6"), (CHIARA, "H7"), (DARIO, "H8"))
    assert types(put(table, (ANNA, None), stoeck=True)) == ["card_played", "stoeck_declared"]
    assert audit.audit(table.log) is None


@pytest.mark.parametrize(("contract", "card"), [("hearts", "HK"), ("hearts", "S6"), ("obenabe", "HK")])
def test_a_stoeck_that_cannot_be_true_is_marked_and_not_counted(contract: Contract, card: Card) -> None:
    table = transcript(contract)
    events = table.do(Play(seat=ANNA, card=card, stoeck=True))
    assert infractions(events) == [(ANNA, 1, "stoeck_not_held")]
    assert table.state.stoeck == ()
    assert audit.audit(table.log) is None


def test_a_queen_seen_in_another_hand_disproves_a_stoeck() -> None:
    table = transcript()
    put(table, (ANNA, None), (BEAT, "HQ"), (CHIARA, "H7"), (DARIO, "H8"))
    assert infractions(put(table, (ANNA, "HK"), stoeck=True))[-1] == (ANNA, 2, "stoeck_not_held")


def test_what_a_stoeck_is_not() -> None:
    assert transcript(stoeck=False).refused(Play(seat=ANNA, card="HK", stoeck=True)) == "stoeck/not_played"
    assert transcript().refused(Play(seat=ANNA, card="HK", stoeck=20)) == "stoeck/no_choice"
    assert types(put(transcript(), (ANNA, "HK"), stoeck=False)) == ["card_played"]


def test_a_target_ends_a_transcribed_game() -> None:
    table = transcript(target=20)
    put(table, (ANNA, "HQ"), (BEAT, "H6"), (CHIARA, "H7"), (DARIO, "H8"))
    assert "game_ended" in types(put(table, (ANNA, "HK"), stoeck=True))
    table = transcript(target=20, melds=True)
    table.do(Play(seat=ANNA, card="S6", melds=[["S6", "S7", "S8"]]))
    assert types(put(table, (BEAT, "S9"), (CHIARA, "S10"), (DARIO, "D8")))[-1] == "game_ended"
    table = transcript(target=20)
    assert types(put(table, (ANNA, "HJ"), (BEAT, "H6"), (CHIARA, "H7"), (DARIO, "H8")))[-1] == "game_ended"


def test_a_ruling_needs_the_cards_it_is_about() -> None:
    table = transcript()
    put(table, (ANNA, "S6"), (BEAT, None), (CHIARA, "S7"), (DARIO, "S8"))
    command = Rule(kind="card_powerless", deal=1, trick=1, against=BEAT, reason="x")
    assert table.refused(command) == "rule/cards_unknown"


def test_a_snapshot_shows_what_is_known() -> None:
    table = transcript(
        "obenabe", ["C10 S6 S7 S8 S9 S10 SJ SQ SK", *SUIT_EACH[1:3], "C6 C7 C8 C9 CJ CQ CK CA SA"]
    )
    put(table, (ANNA, "S6"), (BEAT, "H6"))
    picture = snapshot(table.state, GABI)
    assert picture["hands"][0]["unknown"] == 0
    assert list(picture["infractions"]) == []


def test_cards_that_lie_closed_are_not_in_a_hand_that_is_deduced() -> None:
    """All of Beat's cards are known once none of Beat's is closed; the rest are Anna's, but not playable."""
    table = Table("lake-constance", seats=2, mode="transcribed")
    closed, up = (SUITS["D"][:6], SUITS["H"][:6]), (SUITS["S"][3:], SUITS["C"][:6])
    hands = ([*SUITS["S"][:3], *SUITS["D"][6:]], [*SUITS["C"][6:], *SUITS["H"][6:]])
    shares = [[*closed[seat], *up[seat], *hands[seat]] for seat in (ANNA, BEAT)]
    table.do(Deal(deck=deck_from_hands(shares, ANNA), dealer=BEAT))
    table.do(Bid(seat=ANNA, points=60))
    table.do(Pass(seat=BEAT))
    table.do(Choose(seat=ANNA, contract="clubs"))
    for anna, beat in zip(hands[ANNA], up[BEAT], strict=True):
        put(table, (ANNA, anna), (BEAT, beat))
        table.state.leader = ANNA  # who took it does not matter here
    assert cards.codes(find_known_hand(table.state, ANNA)) == up[ANNA]
