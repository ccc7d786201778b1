"""`python -m engine notate`, and `run` on notation."""

import re
from pathlib import Path
from typing import Any

import pytest

from engine import encode
from engine.cli.main import main
from engine.notation import notate, page
from engine.redaction import Observer, redact_events
from tests.engine.random_games import GAMES, steps_of

STEPS = steps_of(GAMES[1], 51)[:60]
COMMANDS = [command for command, _ in STEPS]
LOG = [event for _, events in STEPS for event in events]
OF_LOG = b"".join(encode(event) + b"\n" for event in LOG)
OF_COMMANDS = b"".join(encode(command) + b"\n" for command in COMMANDS)


@pytest.fixture
def given(capfdbinary: Any, tmp_path: Path) -> Any:
    """Give a file to a command: (exit code, output, error)."""

    def act(content: bytes | str, *arguments: str) -> tuple[int, str, str]:
        path = tmp_path / "given"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        code = main([arguments[0], str(path), *arguments[1:]])
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return act


def test_a_log_and_its_commands_and_its_notation_are_the_same_text(given: Any) -> None:
    text = notate(LOG)
    assert given(OF_LOG, "notate") == (0, f"{text}\n", "")
    assert given(OF_COMMANDS, "notate") == (0, f"{notate(COMMANDS)}\n", "")
    assert given(text, "notate") == (0, f"{text}\n", "")
    assert given(OF_LOG, "notate", "--bare") == (0, notate(LOG, comments=False) + "\n", "")


def test_notation_is_run_as_commands_are(given: Any) -> None:
    for content in (OF_COMMANDS, notate(COMMANDS), notate(LOG), notate(COMMANDS, comments=False)):
        assert given(content, "run") == (0, OF_LOG.decode(), "")


@pytest.mark.parametrize("observer", ["seat:2", "spectator"])
def test_an_observer_gets_his_view(given: Any, observer: str) -> None:
    seen = list(redact_events(LOG, Observer.parse(observer)))
    for content in (OF_LOG, OF_COMMANDS):
        assert given(content, "notate", "--as", observer) == (0, f"{notate(seen)}\n", "")
        assert given(content, "notate", "--as", observer, "--page") == (0, f"{page(seen)}\n", "")
    assert "?x9" in notate(seen)


def test_a_statement_that_is_not_so_is_found(given: Any) -> None:
    text = notate(LOG)
    assert given(text, "notate", "--check") == (0, "every consequence is what the rules give\n", "")
    wrong = re.sub(r"takes (\d+)", "takes 99", text, count=1)
    code, out, err = given(wrong, "notate", "--check")
    assert (code, err) == (1, "")
    assert re.fullmatch(r"line \d+: stated .*takes 99.*; the rules give .*takes \d+.*\n", out)
    assert given(text + "# more", "notate", "--check")[1].endswith("stated # more; the rules give nothing\n")


def test_a_text_without_comments_states_nothing_wrong(given: Any) -> None:
    start, *decisions = notate(LOG, comments=False).splitlines()
    by_hand = "\n".join([start, *filter(None, decisions), 'director closes "table #5"'])
    for text in (notate(LOG, comments=False), by_hand):
        assert given(text, "notate", "--check") == (0, "every consequence is what the rules give\n", "")
    assert given(f"{by_hand} # more", "notate", "--check")[0] == 1
    assert given(f"{by_hand}\n0 pushes", "notate", "--check")[2].startswith("push/not_now: ")


@pytest.mark.parametrize(
    ("content", "arguments", "code"),
    [
        ("0 pushes\n", ["notate", "--check"], "push/not_now"),
        ("0 flies\n", ["notate"], "notation/unknown_decision"),
        ("0 flies\n", ["run"], "notation/unknown_decision"),
        ("0 flies\n", ["notate", "--check"], "notation/unknown_decision"),
        (b"\xff0 pushes", ["run"], "notation/not_text"),
        ("0 pushes\n", ["run"], "push/not_now"),
        ("0 pushes\n", ["notate", "--page"], "push/not_now"),
        ("0 pushes\n", ["notate", "--as", "god"], "notate/unknown_observer"),
        ("{}\n", ["notate"], "log/malformed"),
        ("", ["notate"], "log/empty"),
        ("\n", ["notate", "--check"], "log/empty"),
        ("0 pushes\n", ["notate", "--page", "--bare"], "arguments/wrong"),
    ],
)
def test_what_cannot_be_done_is_one_line(given: Any, content: Any, arguments: list[str], code: str) -> None:
    exit_code, out, err = given(content, *arguments)
    assert (exit_code, out) == (2, "")
    assert err.startswith(f"{code}: ")
    assert err.count("\n") == 1
