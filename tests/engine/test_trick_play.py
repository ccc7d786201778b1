"""Playing cards: turn, legality, tricks and their points."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from engine import IllegalCommand, State, advance, decide, legal_cards, next_play, replay, rollout, to_act
from engine.cards import Card, codes, members
from engine.commands import Choose, Deal, Play, Push
from engine.decider import open_phase
from engine.events import (
    CardPlayed,
    DealScored,
    Event,
    GameEnded,
    InfractionFound,
    TableCardTurned,
    TrickTaken,
)
from engine.ledger.state import Trick
from engine.phases.trick_play import trick_play
from engine.registry import build_game_context, get_rules
from engine.rules import GameContext as GameTable
from tests.engine.random_games import GAMES, Game, log_of
from tests.engine.tables import ANNA, BEAT, DARIO, SUIT_EACH, Table, club_table, only, types


def audit_run(state: State, log: list[Event], at: int) -> int:
    """How many events of a log the first open phase follows by itself."""
    context = build_game_context(state)
    return open_phase(context).audit_run(context, log, at)


def test_cards_are_played_in_turn_and_the_taker_leads() -> None:
    table = club_table("hearts")
    assert table.turn == ANNA
    assert only(table.play("S6 H7 D6 C6"), TrickTaken) == TrickTaken(
        seq=table.state.seq - 1, seat=BEAT, points=0
    )
    assert table.turn == BEAT


def test_a_card_out_of_turn_is_refused() -> None:
    assert club_table().refused(Play(seat=BEAT, card="H6")) == "play/not_your_turn"


def test_a_card_not_held_or_not_named_is_refused() -> None:
    table = club_table()
    assert table.refused(Play(seat=ANNA, card="H6")) == "play/not_in_hand"
    assert table.refused(Play(seat=ANNA, card=None)) == "play/card_missing"


def test_a_card_against_the_rules_is_refused_and_the_legal_ones_are_named() -> None:
    hands = ["C10 S6 S7 S8 S9 S10 SJ SQ SK", "C6 H7 H8 H9 H10 HJ HQ HK HA", "D6 D7 D8 D9 D10 DJ DQ DK DA",
             "C7 C8 C9 CJ CQ CK CA SA H6"]  # fmt: skip
    table = club_table("obenabe", hands)
    table.play("C10")
    assert table.refused(Play(seat=BEAT, card="HA")) == "play/illegal_card"
    assert table.legal == "C6"
    assert legal_cards(table.state, ANNA) == 0


def test_no_card_is_legal_before_cards_are_played() -> None:
    assert legal_cards(State()) == 0
    assert next_play(Table().state) == (None, 0)


def test_a_table_is_asked_as_often_as_one_likes_whose_card_comes_next() -> None:
    at = build_game_context(club_table().state)
    first = next_play(at)
    assert first == next_play(at) == next_play(at.state)
    assert first[1] != 0


def test_an_ordinary_card_is_one_event() -> None:
    table = club_table()
    assert types(table.play("S6")) == ["card_played"]


def test_the_last_trick_counts_five_more_and_closes_the_deal() -> None:
    table = club_table(target=None, deals=1, melds=False)
    events = table.play_out()
    assert types(events)[-4:] == ["card_played", "trick_taken", "deal_scored", "game_ended"]
    scored = only(events, DealScored)
    assert scored.card_points == [157, 0]
    assert scored.scores == [514, 0]
    assert only(events, GameEnded).winners == [0]
    assert to_act(table.state) is None


def test_a_championship_sweep_is_257() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("spades")
    assert only(table.play_out(), DealScored).scores == [257, 0]


def test_a_sweep_of_the_side_that_did_not_choose_scores_the_same() -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH[1:] + SUIT_EACH[:1], dealer=DARIO)
    table.choose("spades")
    assert only(table.play_out(), DealScored).scores == [0, 257]


def test_totals_equal_at_the_end_make_both_sides_winners() -> None:
    table = Table(preset="championship", options={"deals": 2})
    for hands in (SUIT_EACH, SUIT_EACH[1:] + SUIT_EACH[:1]):
        table.deal(hands, dealer=DARIO if table.state.deal == 0 else None)
        table.choose("spades")
        table.play_out()
    ended = only(table.log, GameEnded)
    assert (ended.winners, ended.totals) == ([0, 1], [257, 257])


def test_slalom_undenufe_counts_the_six_in_its_obenabe_tricks_too() -> None:
    hands = ["S6 H6 SK HK SQ HQ D8 D9 D10", "S7 H7 D6 D7 DJ DQ DK DA C6", "S8 S9 S10 SJ SA C7 C8 C9 C10",
             "H8 H9 H10 HJ HA CJ CQ CK CA"]  # fmt: skip
    table = club_table("slalom-undenufe", hands, contracts=["slalom-undenufe"], melds=False)
    assert only(table.play("S6 S7 S8 CJ"), TrickTaken).points == 21
    assert table.state.leader == ANNA
    assert only(table.play("H6 H7 C7 H8"), TrickTaken).points == 19
    assert table.state.leader == DARIO


def test_deciding_changes_nothing() -> None:
    table = club_table()
    before = table.state.copy()
    events = decide(table.state, Play(seat=ANNA, card="S6"))
    assert table.state == before
    assert events == [CardPlayed(seq=before.seq, seat=ANNA, card="S6")]


def refusal(table: Table, seat: int, card: Card | None) -> tuple[str, str, dict[str, Any]]:
    with pytest.raises(IllegalCommand) as refused:
        decide(table.state, Play(seat=seat, card=card))
    return refused.value.code, refused.value.detail, refused.value.params


def test_a_refusal_says_which_card_on_which_and_what_is_legal() -> None:
    hands = ["C10 S6 S7 S8 S9 S10 SJ SQ SK", "C6 C8 H8 H9 H10 HJ HQ HK HA", "D6 D7 D8 D9 D10 DJ DQ DK DA",
             "C7 H7 C9 CJ CQ CK CA SA H6"]  # fmt: skip
    table = club_table("obenabe", hands)
    assert refusal(table, ANNA, None) == ("play/card_missing", "the card must be named", {})
    said = "HA is not in the hand of seat 0"
    assert refusal(table, ANNA, "HA") == ("play/not_in_hand", said, {"card": "HA"})
    said = "it is not the turn of seat 1"
    assert refusal(table, BEAT, "C6") == ("play/not_your_turn", said, {"seat": 1})
    table.play("C10")
    assert refusal(table, BEAT, "HA") == (
        "play/illegal_card",
        "HA may not be played on C10; legal: C6 C8",
        {"card": "HA", "lying": ["C10"], "legal": ["C6", "C8"]},
    )
    table.play("C8 D6")
    said = "SA may not be played on C10 C8 D6; legal: C7 C9 CJ CQ CK CA"
    assert refusal(table, DARIO, "SA")[1] == said


def noted_twice(table: GameTable, trick: Trick, seq: int) -> list[Event]:
    """What follows a trick in a made-up game: two notes on who took it."""
    note = InfractionFound(seq=seq, seat=trick.taker or 0, trick=1, code="not_allowed", at_seq=seq)
    return [note, replace(note, seq=seq + 1)]


def test_what_several_phases_bring_after_a_trick_follows_it_numbered_on_however_it_is_played() -> None:
    begun = Table(preset="championship")
    begun.deal(SUIT_EACH, dealer=DARIO)
    begun.choose("spades")
    rules = dataclasses.replace(get_rules(begun.state), after_trick=(noted_twice, noted_twice, noted_twice))
    by_card, at_once, followed = (GameTable(rules, begun.state.copy()) for _ in range(3))
    log: list[Event] = []
    while by_card.state.dealing:
        seat, legal = next_play(by_card)
        log += advance(by_card, Play(seat=seat or 0, card=codes(legal)[0]))
    trick = [*["card_played"] * 4, "trick_taken", *["infraction_found"] * 6]
    assert types(log) == [*trick * 9, "deal_scored"]
    assert [event.seq for event in log] == list(range(begun.state.seq, by_card.state.seq))
    assert rollout(at_once, lambda _, legal: members(legal)[0]) == log
    assert trick_play().audit_run(followed, [*begun.log, *log], begun.state.seq) == len(log)
    assert by_card.state == at_once.state == followed.state


def test_a_barred_suit_may_not_be_led() -> None:
    table = club_table(
        "obenabe", ["C10 S6 S7 S8 S9 S10 SJ SQ SK", "C6 C7 C8 C9 CJ CQ CK CA SA", *SUIT_EACH[1:3]]
    )
    table.rule("bar_suit", against=ANNA, suit="spades")
    assert refusal(table, ANNA, "S6")[1] == "S6 may not be played on an empty table; legal: C10"


# --- what an audit follows without deciding ---------------------------------------------------------------

PLAIN = [
    game for game in GAMES if game.variant in ("coiffeur", "differenzler") or game.preset == "championship"
]


def first_run(game: Game) -> tuple[list[Event], int, int]:
    """A log, where its first card stands, and where its first deal is over."""
    log = log_of(game, 12)
    first = next(at for at, event in enumerate(log) if isinstance(event, CardPlayed))
    return log, first, next(at for at, event in enumerate(log) if isinstance(event, DealScored)) + 1


@pytest.mark.parametrize("game", PLAIN, ids=str)
def test_a_deal_in_which_only_cards_count_is_followed_to_its_end(game: Game) -> None:
    log, first, over = first_run(game)
    state = replay(log[:first])
    followed = audit_run(state, log, first)
    assert followed == over - first
    assert state == replay(log[:over])


@pytest.mark.parametrize("game", PLAIN, ids=str)
def test_it_is_followed_to_the_last_trick_before_what_is_not_by_the_rules(game: Game) -> None:
    log, first, over = first_run(game)
    begins = [at for at in range(first, over) if isinstance(log[at - 1], TrickTaken) or at == first]
    for at in range(first, over):
        for changed in _changes(log[at]):
            forged = [*log[:at], changed, *log[at + 1 :]]
            state = replay(log[:first])
            followed = audit_run(state, forged, first)
            assert first + followed <= at
            assert first + followed in begins
            assert state == replay(log[: first + followed])
    for cut in range(first, over):  # and no further than the log goes
        state = replay(log[:first])
        followed = audit_run(state, log[:cut], first)
        assert first + followed <= cut
        assert state == replay(log[: first + followed])


def _changes(event: Event) -> list[Event]:
    found: list[Event] = [replace(event, seq=event.seq + 1), TrickTaken(seq=event.seq, seat=0, points=1000)]
    if isinstance(event, CardPlayed):
        found += [replace(event, seat=(event.seat + 1) % 3), replace(event, card=None)]
    elif isinstance(event, TrickTaken):
        found += [
            replace(event, seat=((event.seat or 0) + 1) % 3),
            replace(event, points=(event.points or 0) + 5),
        ]
        found.append(CardPlayed(seq=event.seq, seat=0, card="S6"))
    elif isinstance(event, DealScored):
        found += [replace(event, totals=[t + 1 for t in event.totals]), replace(event, deal=event.deal + 1)]
    return found


@pytest.mark.parametrize("game", [game for game in GAMES if game.variant == "lake-constance"], ids=str)
def test_tricks_after_which_cards_are_turned_are_followed_as_far_as_they_are_by_the_rules(game: Game) -> None:
    log, first, _over = first_run(game)
    end = first + audit_run(replay(log[:first]), log, first)
    assert any(isinstance(event, TableCardTurned) for event in log[first:end])
    for at in range(first, end):
        for changed in _changes(log[at]):
            state = replay(log[:first])
            followed = audit_run(state, [*log[:at], changed, *log[at + 1 :]], first)
            assert first + followed <= at
            assert state == replay(log[: first + followed])


def leads_on(log: list[Event], first: int) -> list[Event]:
    """The log with a card of the leader beside the one that was led, so that the leader plays twice."""
    led, taken = log[first], next(e for e in log[first:] if isinstance(e, TrickTaken))
    assert isinstance(led, CardPlayed)
    trick = [replace(event, seq=event.seq + 1) for event in log[first : taken.seq + 1]]
    hand = replay(log[:first]).hands[led.seat]
    other = next(card for card in codes(hand) if card != led.card)
    return [*log[:first], replace(led, card=other), *trick]


@pytest.mark.parametrize("game", PLAIN, ids=str)
def test_nobody_leads_twice_to_a_trick(game: Game) -> None:
    log, first, _over = first_run(game)
    forged = leads_on(log, first)
    assert audit_run(replay(forged[: first + 1]), forged, first + 1) == 0


def test_a_lead_of_a_barred_suit_is_followed_no_more_than_it_may_be_played() -> None:
    hands = ["C10 S6 S7 S8 S9 S10 SJ SQ SK", "C6 C7 C8 C9 CJ CQ CK CA SA", *SUIT_EACH[1:3]]
    free, barred = club_table("obenabe", hands), club_table("obenabe", hands)
    barred.rule("bar_suit", against=ANNA, suit="spades")
    first, at = free.state.seq, barred.state.seq
    free.play("S6 SA H6 D6")
    written = [replace(event, seq=at + place) for place, event in enumerate(free.log[first:])]
    assert audit_run(replay(free.log[:first]), free.log, first) == len(written) == 5
    assert audit_run(barred.state.copy(), [*barred.log, *written], at) == 0


def test_a_refusal_names_the_phase_that_is_open() -> None:
    phase = trick_play()
    assert club_table().refusal(Push(seat=ANNA))[2] == {"command": "push", "phase": phase.kind}
    assert phase.kind == "trick_play"
    record = club_table_written()
    assert record.refusal(Push(seat=ANNA))[2] == {"command": "push", "phase": "trick_play"}


def club_table_written() -> Table:
    """Written down from its first card on."""
    table = Table(mode="transcribed")
    table.do(Deal(dealer=DARIO))
    table.do(Choose(seat=ANNA, contract="spades"))
    table.put((ANNA, "S6"))
    return table
