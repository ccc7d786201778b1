"""Alternative cards: the played ones give the recorded score, nothing is stored, and no hidden card is
revealed.
"""

import random

import pytest
from msgspec.structs import replace

from engine import Event, IllegalCommand, Observer, Refused, cards, redact_events, replay
from engine.cards import codes
from engine.commands import Deal, Play
from engine.events import CardPlayed, DealScored
from engine.registry import get_rules
from games.analysis import what_if
from tests.engine.random_games import GAMES, Game, log_of, steps_of
from tests.engine.tables import Table
from tournaments import demo_record

SCHIEBER = next(game for game in GAMES if game.preset == "championship")


def cards_in(log: list[Event]) -> list[int]:
    return [event.seq for event in log if isinstance(event, CardPlayed)]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_played_on_as_it_was_the_deal_counts_what_it_counted(game: Game) -> None:
    log = log_of(game, 3)
    scored = [event for event in log if isinstance(event, DealScored)]
    tried = 0
    for seq in random.Random(1).sample(cards_in(log), 12):
        start = what_if.start_line(log, seq - 1)
        if start.scores is None:
            continue
        found = what_if.play_line(start, [], "played")
        assert [(step.seat, step.card) for step in found.steps] == list(start.played)
        recorded = next(event for event in scored if event.deal == start.deal)
        assert found.scores == tuple(recorded.scores)
        tried += 1
    assert tried


@pytest.mark.long(8)
@pytest.mark.parametrize("finish", ["played", "bots"])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_from_any_card_another_legal_one_leads_to_an_end(game: Game, finish: what_if.Finish) -> None:
    log = log_of(game, 5)
    for seq in random.Random(2).sample(cards_in(log), 4):
        start = what_if.start_line(log, seq - 1)
        now = what_if.play_line(start, [])
        assert set(now.legal) | set(now.forbidden) == set(codes(now.state.hands[now.seat or 0]))
        found = what_if.play_line(start, [now.legal[-1]], finish)
        assert found.steps[0].card == now.legal[-1]
        assert found.seat is None
        assert found.scores is not None
        assert what_if.play_line(start, [now.legal[-1]], finish) == found, "a link shows the same again"


def test_each_legal_card_has_the_verdict_that_finishing_after_it_gives() -> None:
    log = log_of(SCHIEBER, 5)
    start = what_if.start_line(log, cards_in(log)[-8] - 1)
    now = what_if.play_line(start, [])

    found = what_if.estimate_scores(start, [])

    assert set(found) == set(now.legal)
    assert all(what_if.play_line(start, [card], "bots").scores == scores for card, scores in found.items())


def test_the_game_itself_stays_as_it_was() -> None:
    log = log_of(SCHIEBER, 1)
    seq = cards_in(log)[10]
    before = replay(log[:seq])
    start = what_if.start_line(log, seq - 1)
    what_if.play_line(start, [], "bots")
    assert start.state == before
    assert replay(log[:seq]) == before


@pytest.mark.parametrize("observer", [Observer.spectator(), Observer.seat(0), Observer.seat(3)], ids=str)
def test_who_does_not_see_every_hand_tries_nothing(observer: Observer) -> None:
    log = log_of(SCHIEBER, 1)
    cut = cards_in(log)[20]
    view = list(redact_events(log[:cut], observer))
    for at in range(cut):
        with pytest.raises(what_if.NotOpen):
            what_if.start_line(view, at)


def test_two_worlds_that_differ_in_what_is_hidden_are_refused_alike() -> None:
    """The refusal is the same whatever the others hold."""
    log = log_of(SCHIEBER, 1)
    cut = cards_in(log)[20]
    codes_seen = set()
    for at in range(cut):
        with pytest.raises(what_if.NotOpen) as refused:
            what_if.start_line(list(redact_events(log[:cut], Observer.seat(1))), at)
        codes_seen.add(refused.value.code)
    assert codes_seen <= {"what_if/hands_unknown", "what_if/no_card"}


def test_an_illegal_or_unknown_card_is_refused() -> None:
    log = log_of(SCHIEBER, 1)
    start = what_if.start_line(log, cards_in(log)[5] - 1)
    now = what_if.play_line(start, [])
    elsewhere = next(code for code in cards.DECK if code not in now.legal)
    for wrong in (elsewhere, "X9", ""):
        with pytest.raises(IllegalCommand):
            what_if.play_line(start, [wrong])
    with pytest.raises(Refused):
        what_if.play_line(start, [now.legal[0]] * 37)
    whole = [step.card for step in what_if.play_line(start, [], "played").steps]
    with pytest.raises(IllegalCommand):
        what_if.play_line(start, [*whole, "S6"])


def test_after_the_last_card_of_a_deal_there_is_nothing_to_try() -> None:
    log = log_of(SCHIEBER, 1)
    last = next(event.seq for event in log if isinstance(event, DealScored))
    for at in (last - 1, last):
        with pytest.raises(what_if.NotOpen):
            what_if.start_line(log, at) if at == last - 1 else what_if.start_line(log[: last + 1], at)


def test_a_transcript_is_tried_with_the_hands_that_were_played() -> None:
    """The revoke of the demo: another card, which follows suit, is legal there; the card played is not."""
    record = demo_record.with_revoke()
    table = demo_record._Transcript()
    for command in record.commands:
        table.take(command)
    infraction = table.state.infractions[0]
    start = what_if.start_line(table.events, infraction.at_seq - 1)
    now = what_if.play_line(start, [])
    revoked = table.events[infraction.at_seq]
    assert isinstance(revoked, CardPlayed)
    assert now.seat == infraction.seat
    assert now.forbidden[str(revoked.card)] == "follow_suit"
    found = what_if.play_line(start, [now.legal[0]], "played")
    assert found.scores is not None
    assert found.tricks[infraction.trick - 1][0][1][0] == now.legal[0][0]


def written_down(game: Game, *, cards_alone: bool = False) -> list[Event]:
    """The first deal of a game, of which nothing was known before it was played but the cards that lay open,
    or nothing at all but the cards as they were played."""
    table = Table(game.variant, game.seats, preset=game.preset, mode="transcribed")
    for command, _ in steps_of(game, 3)[1:]:
        if isinstance(command, Deal):
            if table.state.deal:
                break
            open_ones = [*[None] * 12, *(command.deck or [])[12:24], *[None] * 12]
            table.do(Deal(dealer=0) if cards_alone else replace(command, deck=open_ones))
        elif isinstance(command, Play) and not table.state.over:
            table.do(Play(seat=command.seat, card=command.card))
        elif not cards_alone:
            table.do(command)
    return table.log


@pytest.mark.long(15)
@pytest.mark.parametrize("finish", what_if.FINISHES)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_where_nobody_knows_what_was_trumps_nothing_is_tried(game: Game, finish: what_if.Finish) -> None:
    """Unless a card names them."""
    log = written_down(game, cards_alone=True)
    state = replay(log)
    if get_rules(state).play.names_trumps:
        assert what_if.play_line(what_if.start_line(log, cards_in(log)[5] - 1), [], finish)
        return
    for seq in cards_in(log)[::7]:
        with pytest.raises(what_if.NotOpen) as refused:
            what_if.play_line(what_if.start_line(log, seq - 1), [], finish)
        assert refused.value.code in {"what_if/contract_unknown", "what_if/hands_unknown"}


def test_cards_that_were_turned_unseen_are_known_once_no_other_lies_on_one() -> None:
    """Before that nobody can say which card was in the hand and which lay closed."""
    log = written_down(next(game for game in GAMES if game.variant == "lake-constance"))
    opened: list[int] = []
    for seq in cards_in(log):
        try:
            start = what_if.start_line(log, seq - 1)
        except what_if.NotOpen:
            assert not opened, "once it is known it stays so"
            continue
        opened.append(seq)
        for finish in what_if.FINISHES:
            what_if.play_line(start, [], finish)
        assert what_if.play_line(start, [], "played").scores == start.scores
    assert opened
