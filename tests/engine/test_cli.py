"""`python -m engine`: what it prints, and that bad input is one line with a stable code."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import encode
from engine.cli.bench import measure_speeds
from engine.cli.main import main
from engine.commands import Choose, Deal, Play, Start
from engine.registry import VARIANTS
from tests.engine.random_games import GAMES, log_of
from tests.engine.tables import DARIO, SUIT_EACH, Table

DATA = Path(__file__).parent / "data"


@pytest.fixture
def run(capfdbinary: Any) -> Any:
    """Run the command line in this process: (exit code, output lines, error text)."""

    def act(*arguments: str) -> tuple[int, list[bytes], str]:
        code = main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return code, out.splitlines(), err.decode()

    return act


def lines(path: Path, messages: list[Any]) -> Path:
    path.write_bytes(b"".join(encode(message) + b"\n" for message in messages))
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return lines(tmp_path / "game.jsonl", list(log_of(GAMES[0], 1)))


def test_variants_for_people_and_for_programs(run: Any) -> None:
    code, out, _ = run("variants")
    assert code == 0
    assert any(b"sweep_bonus = 100 [0..1000]" in line for line in out)
    code, out, _ = run("variants", "--json")
    assert [game["key"] for game in json.loads(b"".join(out))] == list(VARIANTS)


def test_play_prints_games_that_audit_clean(run: Any, tmp_path: Path) -> None:
    code, out, _ = run("play", "schieber", "--games", "3", "--seed", "1", "--options", '{"deals":2}')
    assert code == 0
    path = tmp_path / "played.jsonl"
    path.write_bytes(b"\n".join(out) + b"\n")
    code, out, _ = run("audit", path)
    assert code == 0
    assert out[0].startswith(b"3 games")
    assert run("play", "schieber", "--seats", "4", "--preset", "championship", "--seed", "2")[0] == 0


def test_run_prints_what_is_legal_before_each_command(run: Any, tmp_path: Path) -> None:
    table = Table(preset="championship")
    table.deal(SUIT_EACH, dealer=DARIO)
    table.do(Choose(seat=0, contract="spades"))
    table.do(Play(seat=0, card="S10"))
    code, out, _ = run("run", lines(tmp_path / "c.jsonl", table.commands), "--legal")
    assert code == 0
    legal = [json.loads(line)["legal"] for line in out if line.startswith(b'{"legal"')]
    assert legal == [
        {"seat": None, "cmds": ["start"]},
        {"seat": None, "cmds": ["deal"]},
        {"seat": 0, "cmds": ["choose", "push"]},
        {"seat": 0, "cards": ["S10", "S6", "S7", "S8", "S9", "SA", "SJ", "SK", "SQ"]},
    ]
    assert [line for line in out if not line.startswith(b'{"legal"')] == [
        encode(event) for event in table.log
    ]
    assert run("run", tmp_path / "c.jsonl")[1] == [encode(event) for event in table.log]


def test_nothing_is_legal_after_the_end(run: Any, tmp_path: Path) -> None:
    table = Table(preset="championship", options={"deals": 1})
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("spades")
    table.play_out()
    table.rule("warning")
    code, out, _ = run("run", lines(tmp_path / "c.jsonl", table.commands), "--legal")
    assert code == 0
    assert b"ruling_made" in out[-1]
    assert b"game_ended" in out[-2]


def test_an_illegal_command_keeps_the_events_so_far(run: Any, tmp_path: Path) -> None:
    path = lines(tmp_path / "c.jsonl", [Start(variant="schieber", seats=4), Deal()])
    code, out, err = run("run", path)
    assert code == 2
    assert len(out) == 1
    assert err.startswith("deal/deck_missing: ")
    assert err.count("\n") == 1


def test_replay_shows_the_table_as_an_observer_sees_it(run: Any, log: Path) -> None:
    _, out, _ = run("replay", log, "--at", "5", "--as", "seat:2")
    picture = json.loads(b"".join(out))
    assert picture["seq"] == 5, "of the last event, as the API has it"
    assert [hand["cards"] is None for hand in picture["hands"]] == [True, True, False, True]
    assert json.loads(b"".join(run("replay", log)[1]))["over"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["replay", "LOG", "--at", "99999"], "replay/no_such_seq"),
        (["replay", "LOG", "--as", "god"], "replay/unknown_observer"),
        (["audit", "/nowhere/at/all"], "file/unreadable"),
        (["play", "skat"], "start/unknown_variant"),
        (["play", "schieber", "--options", "{"], "start/bad_options"),
        (["play", "schieber", "--options", '{"target":0}'], "start/bad_options"),
        (["fly"], "arguments/wrong"),
        ([], "arguments/wrong"),
        (["play", "schieber", "--games", "many"], "arguments/wrong"),
    ],
)
def test_wrong_arguments_are_one_line(run: Any, log: Path, arguments: list[str], code: str) -> None:
    exit_code, _, err = run(*[str(log) if word == "LOG" else word for word in arguments])
    assert exit_code == 2
    assert err.startswith(f"{code}: ")
    assert err.count("\n") == 1


@pytest.mark.long(15)
@pytest.mark.parametrize("command", ["audit", "replay", "run", "import", "export"])
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"hello\n",
        b"\xff\xfe\x00",
        b"{}\n",
        b"[1,2]\n",
        b"[" * 50_000,
        b'{"seq":0,"type":"fly"}\n',
        b'{"seq":0,"type":"card_played","seat":0,"card":"S6"}\n',
        b'{"rounds":[{}]}',
        b'{"game":1}',
        b"\x00" * 2_000_000,
    ],
)
def test_a_file_that_is_no_game_is_one_line(run: Any, tmp_path: Path, command: str, content: bytes) -> None:
    path = tmp_path / "bad"
    path.write_bytes(content)
    formats = ["swisslos"] if command in ("import", "export") else []
    code, out, err = run(command, *formats, path)
    if command == "run" and not content.strip():
        assert (code, out, err) == (0, [], "")
        return
    assert code == 2
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_a_truncated_or_reordered_log_names_the_line(run: Any, log: Path) -> None:
    whole = log.read_bytes()
    log.write_bytes(whole[:-20])
    code, _, err = run("audit", log)
    assert code == 2
    assert err.startswith(f"log/malformed: line {whole.count(10)}: ")
    rows = whole.splitlines()
    log.write_bytes(b"\n".join([*rows[:7], rows[8], rows[7], *rows[9:]]))
    code, _, err = run("audit", log)
    assert (code, err) == (2, "log/wrong_seq: line 8: seq 8 where 7 comes next\n")


def test_events_that_cannot_follow_are_one_line(run: Any, log: Path) -> None:
    rows = log.read_bytes().splitlines()
    log.write_bytes(
        b"\n".join([rows[0], b'{"seq":1,"type":"card_played","seat":3,"card":"S6"}'.replace(b"3", b"9")])
    )
    assert run("replay", log)[0] == 2
    log.write_bytes(b"\n".join([rows[0], b'{"seq":1,"type":"result_confirmed","seat":0,"side":0,"deal":7}']))
    code, _, err = run("replay", log)
    assert (code, err.split(":")[0]) == (2, "log/impossible")


def test_a_difference_is_printed_with_exit_one(run: Any, log: Path) -> None:
    text = log.read_bytes().replace(b'"type":"trick_taken","seat":0', b'"type":"trick_taken","seat":1', 1)
    log.write_bytes(text)
    code, out, _ = run("audit", log)
    assert code == 1
    assert out[0].startswith(b"game 1: seq ")


def test_other_rules_are_listed_with_exit_three(run: Any, log: Path) -> None:
    text = log.read_bytes().replace(b'"rules_version":1', b'"rules_version":0')
    log.write_bytes(text.replace(b'"type":"trick_taken","seat":0', b'"type":"trick_taken","seat":1', 1))
    code, out, _ = run("audit", log)
    assert code == 3
    assert len(out) >= 2
    log.write_bytes(text)
    assert run("audit", log)[0] == 3


def test_a_large_file_is_read_or_refused_quickly(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 10_000_000)
    assert run("audit", path)[0] == 2
    path.write_bytes(b'{"seq":0}\n' * 1_000_000)
    code, _, err = run("audit", path)
    assert (code, err.split(":")[0]) == (2, "log/malformed")


def test_the_process_itself() -> None:
    played = subprocess.run(
        [sys.executable, "-m", "engine", "play", "schieber", "--seed", "4"], capture_output=True, check=True
    )
    audited = subprocess.run(
        [sys.executable, "-m", "engine", "audit"], input=played.stdout, capture_output=True
    )
    assert (audited.returncode, audited.stderr) == (0, b"")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m engine play schieber --games 40 | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True)
    assert done.stderr == b""
    assert b"game_started" in done.stdout


def test_help_is_printed(capsys: Any) -> None:
    with pytest.raises(SystemExit) as done:
        main(["--help"])
    assert done.value.code == 0
    assert "audit" in capsys.readouterr().out


def test_swisslos_there_and_back(run: Any, tmp_path: Path) -> None:
    code, out, _ = run("import", "swisslos", DATA / "swisslos-sample.json")
    assert code == 0
    path = tmp_path / "imported.jsonl"
    path.write_bytes(b"\n".join(out))
    assert run("audit", path)[0] == 0
    code, out, _ = run("export", "swisslos", path)
    assert (code, out) == (0, (DATA / "swisslos-sample.json").read_bytes().splitlines())


def test_the_bench_counts_every_variant(run: Any) -> None:
    figures = list(measure_speeds(0))
    assert {figure["variant"] for figure in figures} == set(VARIANTS)
    assert all(figure["per_second"] > 0 for figure in figures)
    code, out, _ = run("bench", "--seconds", "0")
    assert code == 0
    assert len(out) == len(figures)


def test_what_a_record_proves(run: Any, log: Path) -> None:
    code, lines, _ = run("evidence", log, "--deal", 1)
    (said,) = map(json.loads, lines)
    assert code == 0
    assert {fact["status"] for fact in said["cards"]} == {"proven"}
    assert run("evidence", log, "--deal", 999)[2].startswith("evidence/no_such_deal")
