"""The audit of what one observer sees: honest views pass and say what is closed, false ones are found."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from engine import Observer, encode, redact_events
from engine.audit import audit
from engine.audit.command_of_event import starts_command
from engine.audit.view_audit import audit_view, is_view
from engine.cli.main import main
from engine.errors import CorruptLog
from engine.events import CardPlayed, DealScored, Event, GameStarted, InfractionFound, TrickTaken
from tests.engine.random_games import EFFORT, GAMES, Game, log_of
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH
from tests.engine.test_transcripts import put, transcript

OBSERVERS = (
    Observer.spectator(),
    Observer.seat(0),
    Observer.seat(1),
    Observer.spectator("after_deal"),
    Observer.spectator("after_deal", opened=2),
)
SCHIEBER = Game("schieber", "championship", 4)


def running(log: Sequence[Event], share: float) -> list[Event]:
    """The beginning of a log, up to the end of a command."""
    ends = [at for at in range(1, len(log)) if starts_command(log, at)]
    return list(log[: ends[int(share * (len(ends) - 1))]])


def seen(log: Sequence[Event], observer: Observer) -> list[Event]:
    """As the platform hands it out."""
    first, *rest = redact_events(log, observer)
    return [msgspec.structs.replace(first, view=str(observer)), *rest]


def replaced(log: list[Event], at: int, **fields: object) -> list[Event]:
    return [*log[:at], msgspec.structs.replace(log[at], **fields), *log[at + 1 :]]


def places(log: Sequence[Event], kind: type[Event]) -> list[int]:
    return [at for at, event in enumerate(log) if isinstance(event, kind)]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_honest_views_of_every_game_agree_with_the_rules(game: Game) -> None:
    for seed in range(EFFORT):
        whole = log_of(game, seed)
        assert not is_view(whole)
        for observer in OBSERVERS:
            for log in (whole, running(whole, 0.4), running(whole, 0.05)):
                view = seen(log, observer)
                assert is_view(view)
                found = audit_view(view)
                assert found.difference is None, (observer, found.difference)


def test_a_view_counts_what_is_closed_to_it() -> None:
    whole = log_of(SCHIEBER, 0)
    found = audit_view(seen(whole, Observer.seat(0)))
    deals = len(places(whole, DealScored))
    assert found.closed["hand_dealt.cards"] >= 3 * deals
    assert found.unchecked == 0


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_false_views_are_found(game: Game) -> None:
    """Another taker, other points, another score, a card twice, a card of somebody else's turn."""
    whole = log_of(game, 3)
    for observer in (Observer.spectator(), Observer.seat(1)):
        view = seen(whole, observer)
        tricks, cards = places(view, TrickTaken), places(view, CardPlayed)
        false = []
        for at in (tricks[0], tricks[len(tricks) // 2]):
            taken = view[at]
            assert isinstance(taken, TrickTaken)
            assert taken.seat is not None
            false.append(replaced(view, at, seat=(taken.seat + 1) % game.seats))
            if taken.points is not None:
                false.append(replaced(view, at, points=taken.points + 1))
        for at in places(view, DealScored)[:2]:
            scored = view[at]
            assert isinstance(scored, DealScored)
            totals = scored.totals
            false.append(replaced(view, at, totals=[totals[0] + 1, *totals[1:]]))
        for one, other in list(pairwise(cards[:12])):
            before = view[one]
            assert isinstance(before, CardPlayed)
            false.append(replaced(view, other, card=before.card))
            false.append(replaced(view, one, seat=(before.seat + 1) % game.seats))
        for log in false:
            assert audit_view(log).difference is not None


def test_a_revoke_is_found_by_the_card_that_proves_it() -> None:
    """Seat 1 plays another suit than the one led, and a card of that suit one trick later."""
    found = 0
    for seed in range(12):
        view = seen(log_of(SCHIEBER, seed), Observer.spectator())
        cards = places(view, CardPlayed)
        for start in range(0, 8, 4):
            led, first, later = (view[cards[start + place]] for place in (0, 1, 5))
            assert isinstance(led, CardPlayed)
            assert isinstance(first, CardPlayed)
            assert isinstance(later, CardPlayed)
            if first.seat != later.seat or first.card is None or later.card is None or led.card is None:
                continue
            if first.card[0] == led.card[0] != later.card[0]:
                swapped = replaced(view, cards[start + 1], card=later.card)
                swapped = replaced(swapped, cards[start + 5], card=first.card)
                assert audit_view(swapped).difference is not None
                found += 1
    assert found > 0


def test_the_command_line_says_that_it_is_a_view_and_what_is_closed(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    whole = log_of(SCHIEBER, 0)
    view = seen(running(whole, 0.5), Observer.spectator())
    path = tmp_path / "game.jsonl"
    answers = []
    for log in (
        view,
        list(redact_events(whole, Observer.seat(2))),
        replaced(view, places(view, TrickTaken)[0], points=99),
        whole,
    ):
        path.write_bytes(b"".join(encode(event) + b"\n" for event in log))
        answers.append((main(["audit", str(path)]), capsysbinary.readouterr().out.decode()))
    (spectators, told), (unnamed, _), (false, why), (complete, _) = answers
    assert (spectators, unnamed, false, complete) == (3, 3, 1, 0)
    assert "this is a view (spectator)" in told
    assert "hand_dealt.cards" in told
    assert '"points":99' in why


def test_a_view_of_a_transcript_is_one_because_it_says_so() -> None:
    start = log_of(SCHIEBER, 0)[0]
    assert isinstance(start, GameStarted)
    written = [msgspec.structs.replace(start, mode="transcribed")]
    assert not is_view(written)
    assert is_view([msgspec.structs.replace(written[0], view="spectator")])
    assert audit(written) is None


def test_what_is_no_log_of_a_game_is_no_view() -> None:
    log = log_of(SCHIEBER, 0)
    for false in ([], log[1:]):
        assert not is_view(false)
        with pytest.raises(CorruptLog) as refused:
            audit_view(false)
        assert refused.value.code == "log/no_start"


def test_a_view_with_other_numbers_or_another_count_of_scores_is_false() -> None:
    view = seen(log_of(SCHIEBER, 1), Observer.seat(0))
    [at, *_] = places(view, DealScored)
    assert audit_view(replaced(view, 0, seq=1)).difference is not None
    with pytest.raises(CorruptLog) as refused:
        audit_view(replaced(view, 6, seq=999))
    assert refused.value.code == "log/impossible"
    assert audit_view(replaced(view, at, scores=[100])).difference is not None


def test_an_infraction_that_closed_hands_prove_is_not_checked() -> None:
    table = transcript("hearts", list(SUIT_EACH))
    put(table, (ANNA, "D6"), (BEAT, "H6"), (CHIARA, "S6"), (DARIO, "D7"))
    put(table, (BEAT, "S10"))
    assert places(table.log, InfractionFound)
    found = audit_view(seen(table.log, Observer.spectator()))
    assert (found.difference, found.unchecked) == (None, len(places(table.log, InfractionFound)))
