"""A public seed is never used for a draw or a deal, because it reveals every hand."""

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from engine import decide, replay
from engine.events import DealStarted, HandDealt
from games import game_state, store
from games.audit import audit
from games.errors import RoundRefused
from games.models import Deadline, Game, User
from games.randomness import round_seed
from games.randomness.dealing import Source
from games.randomness.next_deal import next_deal
from games.timers import deadlines
from tests.tournaments import table_play
from tests.verify.conftest import _key as _key
from tests.verify.conftest import key_file as key_file
from tests.verify.conftest import puur_verify as puur_verify
from tests.verify.test_browser_verifier import verified
from tournaments import regulations
from tournaments.archive import BACKUP, PUBLIC, export_championship
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round
from tournaments.services.championships import championships, officials, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing, seating_by_hand, seed_audit, seed_entropy
from tournaments.services.rounds import rounds

Opened = Callable[..., Round]


@pytest.fixture
def championship(fredi: User, gabi: User) -> Championship:
    """Two rounds of one deal."""
    made = championships.create(actor=fredi, name="Clubabend", changes={"rounds": 2, "deals": 1})
    officials.appoint(made, gabi, "referee", actor=fredi)
    return made


@pytest.fixture
def reopened(open_round: Opened, fredi: User) -> Round:
    """Closed with “all the same” before any result, so that its seed is public, and opened again."""
    round_ = open_round("dealt", "dealt")
    rounds.close_round(round_, actor=fredi, force=True)
    return rounds.reopen_round(round_, actor=fredi, reason="Versehen")


def public_sources(round_: Round) -> Iterator[Source]:
    """What anybody can read: each revealed seed, with the chance that was added before it."""
    entropy: list[bytes] = []
    for event in store.read(round_.stream_id, parts=False):
        if event.type == "seed_committed":
            entropy = []
        elif event.type == "entropy_added":
            entropy.append(event.body["entropy"].encode())
        elif event.type == "seed_revealed":
            yield Source(bytes.fromhex(event.body["seed"]), tuple(entropy))


def games_of(round_: Round) -> list[Game]:
    return list(Game.objects.filter(tournament_table__round=round_).order_by("number"))


def can_be_dealt(game: Game, source: Source) -> bool:
    """Whether the first deal of the game follows from this chance, under any number it could have."""
    log = game_state.restore_events(store.read(game.pk))
    start = next(at for at, event in enumerate(log) if isinstance(event, DealStarted))
    state = replay(log[:start])
    for number in {game.number, game.number % 10_000}:
        game.number = number
        dealt = decide(state, next_deal(game, state, source))
        hands = [event.cards for event in dealt if isinstance(event, HandDealt)]
        if hands == [
            event.cards for event in log[start : start + len(dealt)] if isinstance(event, HandDealt)
        ]:
            return True
    return False


def assert_no_reader_can_deal_them(round_: Round) -> None:
    games = games_of(round_)
    assert games
    for game in games:
        assert can_be_dealt(game, round_seed.source_then(round_.stream_id, game.seed_seq))
        for source in public_sources(round_):
            assert not can_be_dealt(game, source)


def test_tables_of_a_round_that_was_closed_and_drawn_again_cannot_be_dealt_by_a_reader(
    reopened: Round, fredi: User
) -> None:
    draw_undoing.undo_draw(reopened, actor=fredi, reason="anew")
    drawing.draw_round(reopened, actor=fredi)
    rounds.open_round(reopened, actor=fredi)
    assert list(public_sources(reopened))
    assert_no_reader_can_deal_them(reopened)


def test_seats_drawn_by_hand_get_other_cards_too(reopened: Round, fredi: User) -> None:
    draw_undoing.undo_draw(reopened, actor=fredi, reason="anew")
    seating_by_hand.seat_by_hand(reopened, [[1, 2, 3, 4], [5, 6, 7, 8]], actor=fredi)
    rounds.open_round(reopened, actor=fredi)
    assert_no_reader_can_deal_them(reopened)


def test_the_new_seed_is_committed_to_when_the_draw_is_undone_and_takes_chance_again(
    reopened: Round, fredi: User
) -> None:
    assert not seed_entropy.may_add(fredi, reopened)
    draw_undoing.undo_draw(reopened, actor=fredi, reason="anew")
    types = [event.type for event in store.read(reopened.stream_id)]
    assert types.count("seed_committed") == 2
    assert types[-1] == "seed_committed"
    assert not round_seed.is_revealed(reopened.stream_id)
    assert seed_entropy.list_contributions(reopened) == []
    seed_entropy.contribute(reopened, "4, 17, 23", actor=fredi)
    assert round_seed.source_of(reopened.stream_id).entropy == (b"4, 17, 23",)
    drawing.draw_round(reopened, actor=fredi)
    seed_entropy.contribute(reopened, "5", actor=fredi)
    rounds.open_round(reopened, actor=fredi)
    with pytest.raises(TournamentError):
        seed_entropy.contribute(reopened, "6", actor=fredi)


def test_a_draw_of_sheets_that_is_undone_keeps_its_seed(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet")
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    drawing.draw_round(round_, actor=fredi)
    assert [event.type for event in store.read(round_.stream_id)].count("seed_committed") == 1


@pytest.fixture
def played_twice(reopened: Round, fredi: User) -> Round:
    """Drawn again after its seed was public, played and closed: two seeds, both revealed."""
    draw_undoing.undo_draw(reopened, actor=fredi, reason="anew")
    seed_entropy.contribute(reopened, "4, 17, 23", actor=fredi)
    drawing.draw_round(reopened, actor=fredi)
    rounds.open_round(reopened, actor=fredi)
    table_play.play_to_the_end(reopened)
    return rounds.close_round(reopened, actor=fredi)


@pytest.mark.slow
def test_both_seeds_are_revealed_and_everything_follows_from_its_own(
    played_twice: Round, puur_verify: ModuleType
) -> None:
    first, second = public_sources(played_twice)
    assert first.seed != second.seed
    dealt = seed_audit.remake_round(played_twice.stream_id)
    assert (dealt.deals, dealt.forehands, dealt.draws, dealt.differences) == (4, 4, 2, ())
    assert all(audit(game).clean for game in Game.objects.all())
    for level in (PUBLIC, BACKUP):
        report = puur_verify.verify(io.BytesIO(exported(played_twice, level)))
        assert report.differences == []
        touched = "officials touched its draw or its cards, which follow from its seeds: 4 deals, 6 draws"
        assert any(touched in line for line in report.notes)


def exported(round_: Round, level: str = PUBLIC) -> bytes:
    out = io.BytesIO()
    export_championship(round_.championship, out, level=level)
    return out.getvalue()


@pytest.mark.slow
def test_the_browser_reads_both_chapters_too(played_twice: Round, tmp_path: Path) -> None:
    (tmp_path / "public.zip").write_bytes(exported(played_twice))
    [told] = verified(tmp_path, "").values()
    assert told["differences"] == []
    found = {one["what"]: one["params"] for one in told["checked"]}
    assert found["verify.checked_rounds"] == {"rounds": 1, "deals": 4, "draws": 6}


@pytest.mark.slow
def test_what_was_dealt_from_a_public_seed_is_named_by_both_verifiers_and_the_platform(
    reopened: Round, fredi: User, puur_verify: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_seed, "renew_seed", lambda *_, **__: False)
    monkeypatch.setattr(round_seed, "source_of", lambda stream: round_seed.source_then(stream, 0))
    draw_undoing.undo_draw(reopened, actor=fredi, reason="anew")
    drawing.draw_round(reopened, actor=fredi)
    rounds.open_round(reopened, actor=fredi)
    rounds.close_round(reopened, actor=fredi, force=True)
    told = "a seed was used after it was public"
    assert told in seed_audit.remake_round(reopened.stream_id).differences
    data = exported(reopened)
    assert any(told in line for line in puur_verify.verify(io.BytesIO(data)).differences)
    (tmp_path / "public.zip").write_bytes(data)
    [browser] = verified(tmp_path, "").values()
    assert "verify.seed_public" in {one["what"] for one in browser["differences"]}


def test_a_seed_that_was_dropped_for_another_is_named_by_both_verifiers_and_the_platform(
    open_round: Opened, fredi: User, puur_verify: ModuleType, tmp_path: Path
) -> None:
    round_ = open_round("sheet", "sheet")
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    head = store.read_head(round_.stream_id)
    record = store.Record("seed_committed", {"algorithm": round_seed.ALGORITHM}, {"seed": "ab" * 32})
    store.append(round_.stream_id, head, [record], actor="x", command_id="again", body_hash=bytes(32))
    drawing.draw_round(round_, actor=fredi)
    rounds.open_round(round_, actor=fredi)
    rounds.close_round(round_, actor=fredi, force=True)
    told = seed_audit.remake_round(round_.stream_id).differences
    assert "a new seed was committed to before the last one was revealed" in told
    data = exported(round_)
    found = puur_verify.verify(io.BytesIO(data)).differences
    assert any("there is a new seed although the one before was never revealed" in line for line in found)
    (tmp_path / "public.zip").write_bytes(data)
    [browser] = verified(tmp_path, "").values()
    assert "verify.seed_renewed" in {one["what"] for one in browser["differences"]}


def test_the_export_does_not_open_a_seed_that_is_still_secret(reopened: Round, fredi: User) -> None:
    draw_undoing.undo_draw(reopened, actor=fredi, reason="anew")
    drawing.draw_round(reopened, actor=fredi)
    rounds.open_round(reopened, actor=fredi)
    secret = round_seed.source_of(reopened.stream_id).seed.hex()
    with zipfile.ZipFile(io.BytesIO(exported(reopened))) as archive:
        text = b"".join(archive.read(name) for name in archive.namelist())
    assert next(public_sources(reopened)).seed.hex().encode() in text
    assert secret.encode() not in text
    hands = [
        event.parts["cards"] for game in games_of(reopened) for event in store.read(game.pk) if event.parts
    ]
    assert hands
    for hand in hands:
        assert msgspec.json.encode(hand) not in text.replace(b"\\", b"")


def old_state(round_: Round) -> None:
    """As databases were left before: the seed is public, and tables play from it."""
    head = store.read_head(round_.stream_id)
    part = store.decrypt_parts(round_.stream_id, 0)[0]
    told = {"seed": round_seed.source_of(round_.stream_id).seed.hex(), "nonce": part.nonce.hex()}
    record = store.Record("seed_revealed", told)
    store.append(round_.stream_id, head, [record], actor="x", command_id="reveal", body_hash=bytes(32))


def refused(code: str) -> "pytest.RaisesExc[RoundRefused]":
    return pytest.raises(RoundRefused, check=lambda refusal: refusal.code == code)


def test_a_database_in_the_bad_state_opens_and_deals_nothing_and_says_what_to_do(
    championship: Championship, arrived: Callable[[int], list[Entry]], fredi: User
) -> None:
    arrived(8)
    round_ = championship.rounds.get(number=1)
    drawing.draw_round(round_, actor=fredi)
    old_state(round_)
    with pytest.raises(RoundRefused, match="undo the draw and draw again") as refusal:
        rounds.open_round(round_, actor=fredi)
    assert refusal.value.code == "rounds/seed_public"
    assert not Game.objects.exists()
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    drawing.draw_round(round_, actor=fredi)
    rounds.open_round(round_, actor=fredi)
    assert_no_reader_can_deal_them(round_)


def test_a_planned_round_whose_seed_is_public_gets_a_new_one_when_it_is_drawn(
    championship: Championship, arrived: Callable[[int], list[Entry]], fredi: User
) -> None:
    arrived(8)
    round_ = championship.rounds.get(number=1)
    old_state(round_)
    drawing.draw_round(round_, actor=fredi)
    assert not round_seed.is_revealed(round_.stream_id)


def with_two_deals(championship: Championship, open_round: Opened, fredi: User) -> Round:
    told = {**regulations.encode(load_regulations(championship)), "deals": 2}
    regulations_change.change_regulations(championship, told, actor=fredi)
    return open_round("dealt", "dealt")


def test_a_running_table_whose_seed_is_public_is_dealt_nothing_more(
    championship: Championship, open_round: Opened, fredi: User
) -> None:
    round_ = with_two_deals(championship, open_round, fredi)
    table = round_.tables.get(number=1)
    old_state(round_)
    with refused("rounds/seed_public"):
        table_play.play_deal(table)
    assert Game.objects.get(pk=table.game_id).deal == 1
    rounds.close_round(round_, actor=fredi, force=True)


def test_a_deal_that_is_due_is_not_dealt_from_a_public_seed(
    championship: Championship, open_round: Opened, fredi: User
) -> None:
    round_ = with_two_deals(championship, open_round, fredi)
    table = round_.tables.get(number=1)
    Game.objects.filter(pk=table.game_id).update(deal_pause=5)
    table_play.play_deal(table)
    old_state(round_)
    due = Deadline.objects.get(stream=table.game_id, kind="deal")
    assert deadlines.run(due.pk, due.due_at)
    assert Game.objects.get(pk=table.game_id).deal == 1
