"""Slips of the pen: what was written down is taken back by a new event, and nothing is erased."""

import random
from typing import Any

import pytest

from engine import State, advance, cards, legal_cards, replay, to_act
from engine.audit import audit
from engine.cli.playing import random_command
from engine.commands import Choose, Close, Command, Deal, Exchange, Keep, Play, Push, Start, TakeBack
from engine.events import DealScored, Event, TakenBack
from engine.evidence import evidence
from engine.taking_back import drop_taken_back
from tests.engine.random_games import GAMES, Game
from tests.engine.tables import ANNA, BEAT, DARIO, SUIT_EACH, Table, types

NOT_FACTS = ("seq", "past", "infractions")


def facts(state: State) -> dict[str, Any]:
    """What the ledger says of the game, without numbers of events."""
    return {name: fact for name, fact in state.copy().facts().items() if name not in NOT_FACTS}


def transcript(**options: Any) -> Table:
    table = Table(preset="championship", mode="transcribed", options=options)
    table.deal(SUIT_EACH, dealer=DARIO)
    table.do(Choose(seat=ANNA, contract="spades"))
    return table


def test_a_card_is_taken_back_and_another_one_written() -> None:
    table = transcript()
    before = facts(table.state)
    wrong = table.play("S6")
    events = table.do(TakeBack(to=wrong[0].seq))
    assert events == [TakenBack(seq=wrong[0].seq + 1, to=wrong[0].seq)]
    assert facts(table.state) == before
    table.play("S7")
    assert [cards.DECK[card] for card in table.state.trick] == ["S7"]
    assert audit(table.log) is None
    assert wrong[0] in table.log


def test_several_things_are_taken_back_at_once_with_the_trick_they_completed() -> None:
    table = transcript()
    before = facts(table.state)
    first = table.play("S6")
    table.play("H6 D6 C6 S7")
    table.do(TakeBack(to=first[0].seq))
    assert facts(table.state) == before
    assert types(drop_taken_back(table.log))[-1] == "contract_set"
    assert evidence(table.log, 1)[0].tricks == []


def test_the_end_of_a_game_can_be_taken_back() -> None:
    table = transcript(deals=1)
    table.play_out()
    assert table.state.over
    last = [event for event in table.log if types([event]) == ["card_played"]][-1]
    table.do(TakeBack(to=last.seq))
    assert not table.state.over
    assert (table.state.totals, len(table.state.trick)) == ((0, 0), 3)
    table.play(table.legal.split()[0])
    assert table.state.over
    assert audit(table.log) is None


def test_melds_go_with_the_card_they_were_declared_with() -> None:
    table = Table(mode="transcribed", options={"first_forehand": "drawn"})
    table.deal(SUIT_EACH, dealer=DARIO)
    table.do(Choose(seat=ANNA, contract="spades"))
    before = facts(table.state)
    declared = table.play("S6", melds=[["S6", "S7", "S8"]])
    assert types(declared) == ["melds_declared", "card_played"]
    assert table.refused(TakeBack(to=declared[1].seq)) == "take_back/not_here"
    table.do(TakeBack(to=declared[0].seq))
    assert facts(table.state) == before


def test_a_card_after_the_melds_of_another_stands_for_itself() -> None:
    table = Table(mode="transcribed", options={"first_forehand": "drawn"})
    table.deal(SUIT_EACH, dealer=DARIO)
    table.do(Choose(seat=ANNA, contract="spades"))
    table.play("S6", melds=[["S6", "S7", "S8"]])
    played = table.play("H6", melds=[["H6", "H7", "H8"]])
    table.do(TakeBack(to=played[0].seq))
    assert [declaration.seat for declaration in table.state.declared] == [ANNA]


def test_the_turned_card_goes_with_the_exchange_it_was_asked_with() -> None:
    table = Table("la-pomme", seats=2, mode="transcribed")
    table.do(Deal(deck=[*[None] * 24, "H9", *[None] * 11], dealer=BEAT))
    exchanged = table.do(Keep(seat=ANNA))
    given = table.do(Exchange(seat=BEAT, cards=["S6", "S7", "S8"]))
    assert table.refused(TakeBack(to=given[0].seq + 1)) == "take_back/not_here"
    table.do(TakeBack(to=given[0].seq))
    assert list(table.state.variant_state.exchanged) == [ANNA]
    table.do(TakeBack(to=exchanged[0].seq))
    assert table.state.variant_state.exchanged == ()


def test_a_deal_that_was_begun_wrongly_is_begun_again_with_its_number() -> None:
    table = Table(preset="championship", mode="transcribed")
    table.do(Deal(dealer=DARIO))
    begun = next(event for event in table.log if types([event]) == ["deal_started"])
    table.do(TakeBack(to=begun.seq))
    table.do(Deal(dealer=BEAT))
    assert (table.state.deal, table.state.dealer) == (1, BEAT)
    assert audit(table.log) is None


def test_what_lies_behind_the_next_deal_a_ruling_or_the_end_cannot_be_taken_back() -> None:
    table = transcript(deals=2)
    pushed = table.play("S6")[0].seq
    table.rule("warning", against=ANNA)
    assert table.refused(TakeBack(to=pushed)) == "take_back/not_here"
    card = table.play("H6")[0].seq
    table.do(Close(reason="the hall burns"))
    assert table.refused(TakeBack(to=card)) == "take_back/not_here"


def test_nothing_is_taken_back_where_the_server_deals() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    pushed = table.do(Push(seat=ANNA))
    assert table.refused(TakeBack(to=pushed[0].seq)) == "take_back/not_transcribed"


def next_command(state: State, roll: random.Random) -> Command:
    turn = to_act(state)
    if turn is not None and turn.phase == "trick_play":
        card = roll.choice(cards.codes(legal_cards(state)))
        return Play(seat=turn.seat or 0, card=card)
    return random_command(state, roll)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_whatever_is_taken_back_the_table_is_as_it_was_and_the_log_holds(game: Game) -> None:
    roll = random.Random(str(game))
    state, log = State(), list[Event]()

    def do(command: Command) -> None:
        log.extend(advance(state, command))

    do(Start(variant=game.variant, preset=game.preset, seats=game.seats, mode="transcribed"))
    for _ in range(120):
        if to_act(state) is None:
            break
        do(next_command(state, roll))
        kept = [past for past in state.past if past.kind is not DealScored]
        if kept and roll.random() < 0.2:
            back = roll.choice(kept[-4:])
            do(TakeBack(to=back.seq))
            assert facts(state) == facts(back.state)
            assert facts(replay(drop_taken_back(log))) == facts(state)
    assert any(isinstance(event, TakenBack) for event in log)
    assert audit(log) is None
    assert replay(log) == state
