"""The gain of the best cards of a deal: computed once, in pieces, for readers who may see all hands."""

from typing import Any

import pytest

from engine import Event, Observer, redact_events
from engine.events import CardPlayed, DealScored
from games import game_state
from games.analysis import best_card_gains, what_if
from games.analysis.what_if import NotOpen
from games.models import DealEstimate, Game
from tests.engine.random_games import GAMES, log_of
from tests.engine.random_games import Game as Played
from tests.games.cast import play, table

SCHIEBER = next(game for game in GAMES if game.preset == "championship")
FIRST = 1


def first_deal(log: list[Event]) -> int:
    return next(event.deal for event in log if isinstance(event, DealScored))


def test_a_gain_is_what_the_verdicts_differ_by() -> None:
    log = log_of(SCHIEBER, 3)
    cards, end = best_card_gains.collect_played_cards(log, first_deal(log))

    assert isinstance(log[end], DealScored)
    assert len(cards) == 36
    found = [gain for card in cards[:16] if (gain := best_card_gains.compute_gain(log, card)) is not None]
    assert found, "in sixteen cards somebody could have done better"
    for gain in found:
        leads = what_if.estimate_scores(what_if.start_line(log, gain.seq - 1), [])
        side = gain.seat % 2
        apart = {card: (scores[side] or 0) - (scores[1 - side] or 0) for card, scores in leads.items()}
        assert gain.gain == apart[gain.best] - apart[gain.card] > 0
        assert apart[gain.best] == max(apart.values())


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_game_has_it(game: Played) -> None:
    log = log_of(game, 3)
    cards, _end = best_card_gains.collect_played_cards(log, first_deal(log))

    for card in cards[-8:]:
        gain = best_card_gains.compute_gain(log, card)
        assert gain is None or (gain.seq, gain.seat, gain.card) == card


def test_the_last_card_of_a_hand_has_no_better_one() -> None:
    log = log_of(SCHIEBER, 3)
    cards, _end = best_card_gains.collect_played_cards(log, first_deal(log))

    assert [best_card_gains.compute_gain(log, card) for card in cards[-4:]] == [None] * 4


def test_a_deal_that_is_not_over_has_no_worth() -> None:
    log = log_of(SCHIEBER, 3)
    end = next(at for at, event in enumerate(log) if isinstance(event, DealScored))

    with pytest.raises(NotOpen):
        best_card_gains.collect_played_cards(log[:end], first_deal(log))
    with pytest.raises(NotOpen):
        best_card_gains.collect_played_cards(log, 999)


@pytest.fixture
def game(db: None) -> Game:
    """Its only deal is over."""
    return play(table())


def everything(game: Game) -> list[Event]:
    return list(game_state.load_snapshot(game.pk).events)


def work_until_it_is_done(row: DealEstimate) -> int:
    times = 0
    while DealEstimate.objects.get(pk=row.pk).ended_at is None:
        before = DealEstimate.objects.get(pk=row.pk).seen
        assert best_card_gains.run(row.pk)
        assert DealEstimate.objects.get(pk=row.pk).seen > before, "each turn brings it on"
        times += 1
    return times


@pytest.mark.django_db
def test_it_is_worked_out_once_in_small_pieces_and_then_kept(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(best_card_gains, "MAX_TURN_SECONDS", 0.0)
    assert best_card_gains.load_worth(game, everything(game), FIRST).state == "working"
    assert best_card_gains.load_worth(game, everything(game), FIRST).state == "working"
    row = DealEstimate.objects.get()

    assert work_until_it_is_done(row) > 1, "others had their turn meanwhile"
    told = best_card_gains.load_worth(game, everything(game), FIRST)

    assert told.state == "ready"
    events = everything(game)
    cards, _end = best_card_gains.collect_played_cards(events, FIRST)
    assert told.gains == tuple(gain for card in cards if (gain := best_card_gains.compute_gain(events, card)))
    assert all(isinstance(events[gain.seq], CardPlayed) for gain in told.gains)
    assert not best_card_gains.run(row.pk)


@pytest.mark.django_db
def test_one_deal_at_a_time_is_looked_at_and_what_is_lost_is_sent_again(game: Game) -> None:
    best_card_gains.load_worth(game, everything(game), FIRST)
    row = DealEstimate.objects.get()
    other = DealEstimate.objects.create(game=game, deal=FIRST, seq=1)
    lease = best_card_gains._work.take(row.pk)
    assert lease is not None

    assert best_card_gains._work.take(other.pk) is None
    assert best_card_gains.unsent_rows() == []
    lease.give_back()
    assert best_card_gains.unsent_rows() == [other.pk], "the one that was never sent"


@pytest.mark.django_db
def test_somebody_who_may_not_see_the_hands_does_not_even_have_it_worked_out(game: Game) -> None:
    for observer in (Observer.spectator(), Observer.seat(0)):
        with pytest.raises(NotOpen):
            best_card_gains.load_worth(game, list(redact_events(everything(game), observer)), FIRST)
    assert not DealEstimate.objects.exists()

    best_card_gains.load_worth(
        game, list(redact_events(everything(game), Observer.spectator("after_deal"))), FIRST
    )
    work_until_it_is_done(DealEstimate.objects.get())
    with pytest.raises(NotOpen):
        best_card_gains.load_worth(game, list(redact_events(everything(game), Observer.spectator())), FIRST)


@pytest.mark.django_db
def test_no_more_than_so_many_wait(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_card_gains, "MAX_WAITING", 0)

    assert best_card_gains.load_worth(game, everything(game), FIRST) == best_card_gains.Worth("full")
    assert not DealEstimate.objects.exists()


@pytest.mark.django_db
def test_a_failure_ends_it_without_a_word(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    best_card_gains.load_worth(game, everything(game), FIRST)
    row = DealEstimate.objects.get()

    def broken(*_: Any) -> None:
        raise ValueError

    monkeypatch.setattr(best_card_gains, "compute_gain", broken)
    for _ in range(3):
        best_card_gains.run(row.pk)

    assert best_card_gains.load_worth(game, everything(game), FIRST) == best_card_gains.Worth("ready")
