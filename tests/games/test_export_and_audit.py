"""Games as files, and audits of stored games."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client

from engine import VARIANTS, Observer, decode_event
from engine.events import TrumpTurned
from games import game_state, store
from games.audit import audit
from games.models import Game
from games.observed import export
from games.randomness import dealing, round_seed
from games.store import guard
from tests.games.cast import PLAYERS, person, play, table

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]


def engine_audit(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "engine", "audit", str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_the_engine_alone_accepts_the_exported_file(tmp_path: Path) -> None:
    game = play(table(deals=2))
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(export.log_lines(game, Observer.referee())))
    result = engine_audit(path)
    assert (result.returncode, result.stderr) == (0, "")
    lines = path.read_bytes().splitlines()
    assert [decode_event(line).seq for line in lines] == list(range(game.head_seq + 1))
    at = next(at for at, line in enumerate(lines) if b'"trick_taken"' in line)
    lines[at] = lines[at].replace(b'"points":', b'"points":1')
    path.write_bytes(b"\n".join(lines))
    mutated = engine_audit(path)
    assert (mutated.returncode, f"seq {at}:" in mutated.stdout + mutated.stderr) == (1, True)


def test_hands_stay_closed_until_the_seed_of_the_round_is_public() -> None:
    stream = round_seed.new_round().id
    game = table(round_stream=stream, visibility="played")

    def closed(observer: Observer) -> bool:
        return b'"cards":null' in b"".join(export.log_lines(game, observer))

    assert closed(Observer.spectator())
    assert closed(Observer.seat(0))
    assert not closed(Observer.referee())
    play(game)
    game.refresh_from_db()
    assert closed(Observer.spectator())
    round_seed.reveal_seed(stream)
    assert not closed(Observer.spectator())


def test_a_game_whose_seed_is_public_lies_open_to_everybody_over_http_too() -> None:
    """The replay shows what paper and what-if show: to who sat there no less than to a stranger."""
    stream = round_seed.new_round().id
    game = table(round_stream=stream, visibility="played")
    anna = Client()
    anna.force_login(person("anna", game, "seat", seat=0))

    def hands(client: Client) -> list[bool]:
        told = client.get(f"/api/v1/games/{game.id}/events/").json()["events"]
        return [event["cards"] is not None for event in told if event["type"] == "hand_dealt"]

    play(game)
    assert not any(hands(Client()))
    assert hands(anna)[:4] == [True, False, False, False]
    round_seed.reveal_seed(stream)
    assert all(hands(Client()))
    assert all(hands(anna))
    at = f"/api/v1/games/{game.id}/replay/?at=8"
    assert all(hand is not None for hand in Client().get(at).json()["snapshot"]["hands"])


def test_a_sheet_is_open_when_it_is_over() -> None:
    game = table(mode="sheet")
    assert not export.is_open(game, Observer.spectator())
    Game.objects.update(status="closed")
    game.refresh_from_db()
    assert not export.is_open(game, Observer.spectator()), "it may go on"
    Game.objects.update(status="ended")
    game.refresh_from_db()
    assert export.is_open(game, Observer.spectator())


def test_the_file_is_there_over_http(tmp_path: Path) -> None:
    game = table()
    gabi = Client()
    gabi.force_login(person("gabi", game, "referee", opened_deal=1))
    answer = gabi.get(f"/api/v1/games/{game.id}/log/")
    assert answer["Content-Type"] == "application/x-ndjson"
    assert answer["Cache-Control"] == "private, no-store"
    whole = re.sub(rb',"view":"[^"]+"', b"", answer.content.rstrip()) + b"\n"
    assert whole == b"".join(export.log_lines(game, Observer.referee()))
    assert len(answer.content) % 512 == 1, "spaces before the last line end, which say nothing of the hands"
    path = tmp_path / "game.jsonl"
    path.write_bytes(answer.content)
    assert engine_audit(path).returncode == 0
    assert b'"cards":null' in Client().get(f"/api/v1/games/{game.id}/log/").content
    assert Client().get(f"/api/v1/games/{'f' * 32}/log/").status_code == 404


@pytest.mark.parametrize("mode", ["dealt", "sheet", "transcribed"])
def test_an_honest_game_is_clean(mode: str) -> None:
    report = audit(play(table(mode=mode)))
    assert (report.clean, report.other_rules, report.wrong_deals) == (True, False, ())
    assert report.events


def test_the_marked_card_of_a_first_deal_is_dealt_again_too() -> None:
    game = table(preset=None, options={"target": 300})
    play(game)
    assert game.deal > 1
    assert audit(game).clean


def test_a_game_dealt_with_other_cards_than_the_seed_gives_is_found() -> None:
    game = play(table())
    Game.objects.update(number=2)
    game.refresh_from_db()
    report = audit(game)
    assert (report.clean, report.wrong_deals, report.differences) == (False, (1,), ())


def test_a_broken_chain_is_an_alarm() -> None:
    game = play(table(), 5)
    forge()
    with pytest.raises(store.AlteredLog) as found:
        audit(game)
    assert found.value.seq == 7


def forge() -> None:
    with connection.cursor() as cursor:
        on = " ON games_event" if connection.vendor == "postgresql" else ""
        names = [name for name in guard._names(connection) if "games_event_" in name]
        for name in names:
            cursor.execute(f"DROP TRIGGER {name}{on}")
        cursor.execute("UPDATE games_event SET type = 'pushed' WHERE seq = 7")


GAMES = [
    (key, preset, seats)
    for key, game in VARIANTS.items()
    for preset in (None, *game.presets)
    for seats in game.seats
]


@pytest.mark.parametrize(("key", "preset", "seats"), GAMES)
def test_every_game_there_is_can_be_dealt_stored_and_audited(
    key: str, preset: str | None, seats: int
) -> None:
    game = play(table(variant=key, preset=preset, options={}, players=PLAYERS[:seats]), 60)
    assert game.head_seq > 60
    assert audit(game).clean


def test_a_card_that_is_cut_comes_from_the_seed_too() -> None:
    game = play(table(variant="differenzler", preset=None, options={"trump": "cut"}), 60)
    source = round_seed.source_of(game.round_stream_id)
    turned = [event for event in game_state.load_snapshot(game.id).events if isinstance(event, TrumpTurned)]
    assert len(turned) == 2
    assert [(event.card, event.seat) for event in turned] == [
        (dealing.cut(source, game.number, deal), None) for deal in (1, 2)
    ]
    assert audit(game).clean
    Game.objects.update(number=2)
    game.refresh_from_db()
    assert audit(game).wrong_deals == (1, 2)


def test_a_first_dealer_whom_the_seed_did_not_draw_is_found() -> None:
    """Other chance, another dealer: the deal is refused or differs, and is named either way."""
    game = play(table(preset=None, options={"first_forehand": "drawn", "target": 300}), 10)
    Game.objects.update(number=3)
    game.refresh_from_db()
    assert audit(game).wrong_deals == (1,)


def test_lots_left_out_of_the_log_free_nobody_to_choose_who_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """An older game has no drawing in its round's log; there the last seat dealt first, and nobody else."""
    games = [table(variant="plus-minus", preset=None, options={}, number=n) for n in range(1, 13)]
    assert all(audit(game).clean for game in games)
    monkeypatch.setattr("games.randomness.round_seed.SeedChapter.has_forehand", lambda chapter, game: False)
    assert all(audit(game).clean for game in games), "the lots hold today, whether or not they are written"
    monkeypatch.setattr("games.audit.LOTS_SINCE", "9999")
    wrong = {game_state.load_snapshot(game.pk).state.dealer: audit(game).wrong_deals for game in games}
    assert wrong == {0: (1,), 1: (1,), 2: (1,), 3: ()}
    drawn = table(preset=None, options={"first_forehand": "drawn", "target": 300})
    assert audit(drawn).clean, "this one always had a drawing"
