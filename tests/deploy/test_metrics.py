"""/metrics: figures for whoever measures from outside, and for nobody else."""

import json
import math
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from deploy import environment, worker_figures
from deploy.backups import nightly
from deploy.celery import app
from deploy.doctor import backups, seals
from deploy.limits.lanes import Lanes
from deploy.limits.overload_responses import MESSAGES
from games.messaging import redis_client
from games.models import Game, Heartbeat
from games.monitoring import condition, counters, work_counts
from tests.games import databases
from tests.games.cast import next_command, on_turn, play, table
from tests.games.live_server import WebProcess, place, web_process

KINDS = (worker_figures.WORKER, worker_figures.POOL, worker_figures.BEAT)
ALERTS = environment.BASE_DIR / "deploy" / "observability" / "alerts.yml"
DASHBOARD = ALERTS.with_name("dashboard.json")
TOKEN = "a-token-of-the-test"


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("var")


@pytest.fixture(scope="module")
def web(var: Path, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Iterator[WebProcess]:
    more = {
        "PUUR_METRICS_TOKEN": TOKEN,
        "PUUR_VAR": str(var),
        "ALLOWED_HOSTS": "localhost,127.0.0.1,jass.test",
    }
    with (
        django_db_blocker.unblock(),
        place(
            databases.template("sqlite"), tmp_path_factory, django_db_blocker, {**_keys(), **more}
        ) as process,
    ):
        yield process


@pytest.fixture
def game(web: WebProcess) -> Game:
    return play(table(), 3)


def _keys() -> dict[str, str]:
    from django.conf import settings

    return {"PUUR_DATA_KEY": str(settings.DATA_KEY), "PUUR_SEAL_KEY": str(settings.SEAL_KEY)}


def asked(web: WebProcess, **headers: str) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{web.port}/metrics", headers=headers, timeout=30)


def figures(web: WebProcess) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Each sample by its name and labels, without that of the process."""
    found = {}
    for family in text_string_to_metric_families(asked(web).text):
        for sample in family.samples:
            labels = {name: value for name, value in sample.labels.items() if name != "process"}
            found[sample.name, frozenset(labels.items())] = sample.value
    return found


def figure(web: WebProcess, name: str, **labels: str) -> float:
    return figures(web).get((name, frozenset(labels.items())), 0.0)


def test_this_machine_sees_the_figures(web: WebProcess) -> None:
    answer = asked(web)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert "no-store" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "192.0.2.7"},
        {"Forwarded": "for=192.0.2.7"},
        {"X-Real-IP": "192.0.2.7"},
        {"Via": "1.1 proxy"},
        {"Host": "jass.test"},
        {"Host": "jass.test", "Authorization": "Bearer another"},
        {"Host": "jass.test", "Authorization": f"Basic {TOKEN}"},
        {"Host": "jass.test", "Authorization": TOKEN},
    ],
)
def test_who_comes_through_a_proxy_sees_nothing_without_the_token(
    web: WebProcess, headers: dict[str, str]
) -> None:
    answer = asked(web, **headers)
    assert answer.status_code == 404
    assert "puur" not in answer.text


def test_who_brings_the_token_sees_them_from_anywhere(web: WebProcess) -> None:
    answer = asked(web, **{"X-Forwarded-For": "192.0.2.7", "Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert "puur_request_seconds_count" in answer.text
    assert TOKEN not in answer.text


def test_where_there_is_no_token_none_opens_it(web: WebProcess, tmp_path: Path) -> None:
    with web_process(tmp_path) as other:
        for given in ("Bearer", "Bearer None", f"Bearer {TOKEN}"):
            answer = asked(other, **{"X-Forwarded-For": "192.0.2.7", "Authorization": given})
            assert answer.status_code == 404


def test_requests_are_counted_by_lane_and_status(web: WebProcess) -> None:
    name = "puur_request_seconds_count"
    pages, missing = (figure(web, name, lane="viewers", status=status) for status in ("2xx", "4xx"))
    for path in ("/", "/", "/nowhere/"):
        httpx.get(f"http://127.0.0.1:{web.port}{path}", timeout=30)
    assert figure(web, name, lane="viewers", status="2xx") == pages + 2
    assert figure(web, name, lane="viewers", status="4xx") == missing + 1
    assert figure(web, "puur_request_seconds_bucket", lane="viewers", status="4xx", le="+Inf") == missing + 1


def test_who_is_turned_away_is_counted_with_the_code(web: WebProcess) -> None:
    before = figure(web, "puur_turned_away_total", lane="players", code="http/too_large")
    with socket.create_connection(("127.0.0.1", web.port), timeout=30) as told:
        told.sendall(
            b"POST /g/0/play/ HTTP/1.1\r\nHost: x\r\nCookie: sessionid=x\r\nContent-Length: 400000000\r\n\r\n"
        )
        assert told.makefile("rb").read().startswith(b"HTTP/1.1 413 ")
    assert figure(web, "puur_turned_away_total", lane="players", code="http/too_large") == before + 1


def test_sockets_and_their_commands_are_counted(web: WebProcess, game: Game) -> None:
    before = figures(web)
    accepted = ("puur_command_seconds_count", frozenset({("way", "socket"), ("outcome", "accepted")}))
    refused = ("puur_command_seconds_count", frozenset({("way", "socket"), ("outcome", "refused")}))
    with web.connect(game, on_turn(game)) as line:
        line.frame()
        command = next_command(game)
        said = {"cmd": "play", "seat": command.seat, "card": command.card}
        line.say({"command_id": "c-1", "command": said})
        line.frame("ack")
        line.say({"command_id": "c-2", "command": said})
        line.frame("error")
        line.say({"since": 100_000})
        line.frame("resync")
        now = figures(web)
    assert now["puur_sockets", frozenset()] == before["puur_sockets", frozenset()] + 1
    assert now["puur_watched_games", frozenset()] == before["puur_watched_games", frozenset()] + 1
    assert now[accepted] == before.get(accepted, 0) + 1
    assert now[refused] == before.get(refused, 0) + 1
    assert now["puur_frames_total", frozenset()] >= before.get(("puur_frames_total", frozenset()), 0) + 4
    assert figure(web, "puur_resyncs_total", why="ahead") >= 1
    with web.connect("0" * 32) as nowhere:
        assert nowhere.closing_code() == 4404
    found = figures(web)
    assert any(name == "puur_turned_away_total" and ("lane", "sockets") in labels for name, labels in found)


def test_each_label_is_a_word_of_ours(web: WebProcess, game: Game) -> None:
    with web.connect(game) as eva:
        eva.frame()
    words = {
        "lane": {"early", "sockets", "asked", "files", "players", "passwords", "viewers", "paper", "sent"},
        "status": {f"{number}xx" for number in range(1, 6)},
        "le": {*map(str, counters.BUCKET_LIMITS), "+Inf"},
        "way": {"api", "socket"},
        "outcome": {counters.ACCEPTED, counters.REFUSED, counters.FAILED, work_counts.DONE},
        "why": {"slow", "ahead", "let_go"},
        "process": {*map(str, range(65)), *(f"{kind}@{socket.gethostname()}" for kind in KINDS)},
        "task": set(app.tasks),
        "version": {environment.VERSION},
    }
    for family in text_string_to_metric_families(asked(web).text):
        for sample in family.samples:
            for name, value in sample.labels.items():
                if name == "code":
                    assert re.fullmatch(r"[a-z]+/[a-z_]+", value)
                    assert (
                        value in condition.CODES or value in MESSAGES or value.startswith(("live/", "games/"))
                    )
                elif not value.startswith("tests."):  # tasks of other tests
                    assert value in words[name], (sample.name, name)


def test_what_is_wrong_is_told_by_code(web: WebProcess) -> None:
    found = figures(web)
    said = {dict(labels)["code"]: value for (name, labels), value in found.items() if name == "puur_trouble"}
    assert set(said) == set(condition.CODES)
    assert said["condition/database_away"] == 0
    assert found["puur_overdue_deadlines", frozenset()] >= 0


def test_the_codes_are_all_that_a_look_can_find() -> None:
    source = Path(condition.__file__).read_text()
    assert set(re.findall(r'"(condition/\w+)"', source)) == set(condition.CODES)
    looking = source[source.index("def find_troubles") :]
    assert set(re.findall(r'"(condition/\w+)"', looking)) == set(condition.CODES)


@pytest.mark.slow
def test_two_processes_answer_each_for_itself(web: WebProcess, tmp_path: Path, game: Game) -> None:
    var = {"PUUR_VAR": str(tmp_path), **_keys()}
    folders = [tmp_path / "one", tmp_path / "two", tmp_path / "three"]
    for folder in folders:
        folder.mkdir()
    with web_process(folders[0], var) as one:
        with web_process(folders[1], var) as two, two.connect(game) as eva:
            eva.frame()
            assert _process(one) == "1"
            assert _process(two) == "2"
            assert (figure(one, "puur_sockets"), figure(two, "puur_sockets")) == (0, 1)
            two.kill()
        with web_process(folders[2], var) as three:
            assert _process(three) == "2", "the number of the one that ended"


def _process(web: WebProcess) -> str:
    families = text_string_to_metric_families(asked(web).text)
    (number,) = {
        sample.labels["process"]
        for family in families
        for sample in family.samples
        if sample.name == "puur_sockets"
    }
    return number


def test_workers_tasks_and_the_queue_have_series_of_their_own(web: WebProcess, settings: Settings) -> None:
    program = "import signal; print('ready', flush=True); signal.pause()"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        child.stdout.readline()  # only then it has its memory
        worker_figures.publish_processes(
            [(worker_figures.WORKER, os.getpid()), (worker_figures.POOL, child.pid)]
        )
    finally:
        child.kill()
        child.communicate()
    worker_figures.publish_processes([(worker_figures.BEAT, child.pid)])  # it has ended: nothing is reported
    before = figure(web, "puur_task_seconds_count", task="games.sweep", outcome="failed")
    for seconds in (0.02, 5.0):
        work_counts.count_task("games.sweep", work_counts.FAILED, seconds)
    host = socket.gethostname()
    found = figures_by_process(web, "puur_process_memory_bytes")
    assert found[f"worker@{host}"] > found[f"pool@{host}"] > 1_000_000
    assert f"beat@{host}" not in figures_by_process(web, "puur_processes")
    labels = {"task": "games.sweep", "outcome": "failed"}
    assert figure(web, "puur_task_seconds_count", **labels) == before + 2
    assert figure(web, "puur_task_seconds_bucket", **labels, le="0.03") >= 1
    assert figure(web, "puur_task_seconds_sum", **labels) >= 5.02
    queue = figure(web, "puur_queue_messages")
    name = settings.CELERY_TASK_DEFAULT_QUEUE
    redis_client.ask_redis(lambda redis: redis.rpush(name, b"{}"), 0)
    try:
        assert figure(web, "puur_queue_messages") == queue + 1
    finally:
        redis_client.ask_redis(lambda redis: redis.lrem(name, 1, "{}"), 0)


def figures_by_process(web: WebProcess, name: str) -> dict[str, float]:
    families = text_string_to_metric_families(asked(web).text)
    return {
        sample.labels["process"]: sample.value
        for family in families
        for sample in family.samples
        if sample.name == name
    }


def load_series(web: WebProcess, var: Path) -> set[str]:
    """The names of all series, with the endings of counters and histograms."""
    work_counts.count_task("games.sweep", work_counts.DONE, 0.01)
    worker_figures.publish_processes([(worker_figures.BEAT, os.getpid())])
    Heartbeat.objects.get_or_create(host="here", boot="b", defaults={"at": timezone.now(), "monotonic": 1})
    state = {"last_backup": "2026-11-28T03:00:00Z", "last_test_restore": "2026-11-28T03:10:00Z"}
    (var / nightly.STATE).write_text(json.dumps(state))
    httpx.get(f"http://127.0.0.1:{web.port}/", timeout=30)
    families = {family.name for family in text_string_to_metric_families(asked(web).text)}
    families |= {"puur_pool_size", "puur_pool_in_use", "puur_pool_waiting"}  # on PostgreSQL
    return {f"{name}{end}" for name in families for end in ("", "_total", "_count", "_bucket")}


def load_rules() -> dict[str, str]:
    """The expression of each alert."""
    [group] = yaml.safe_load(ALERTS.read_text())["groups"]
    assert all(rule["annotations"]["summary"] for rule in group["rules"])
    return {rule["alert"]: rule["expr"] for rule in group["rules"]}


def load_panels() -> list[dict[str, Any]]:
    """The panels of the dashboard, without the rows that group them."""
    return [one for one in json.loads(DASHBOARD.read_text())["panels"] if one["type"] != "row"]


def find_series(expression: str) -> set[str]:
    """The series that an expression of Prometheus names."""
    return set(re.findall(r"\b(?:puur|process)_\w+", expression))


def test_alerts_and_dashboard_ask_for_series_that_exist(web: WebProcess, var: Path) -> None:
    known, rules = load_series(web, var), load_rules()
    assert len(rules) > 10
    targets = [target["expr"] for panel in load_panels() for target in panel["targets"]]
    for expression in (*rules.values(), *targets):
        assert find_series(expression) <= known, expression
    assert set(re.findall(r'code="([^"]+)"', ALERTS.read_text())) <= set(condition.CODES)


def test_the_dashboard_draws_the_series_of_each_alert() -> None:
    rules = load_rules()
    drawn: dict[str, set[str]] = {}
    for panel in load_panels():
        series = {name for target in panel["targets"] for name in find_series(target["expr"])}
        assert series, panel["title"]
        for alert in re.findall(r"\bPuur\w+", panel["description"]):
            drawn[alert] = drawn.get(alert, set()) | series
    assert drawn.keys() == rules.keys()
    for alert, expression in rules.items():
        assert find_series(expression) <= drawn[alert], alert


def test_the_dashboard_draws_the_limits_of_the_alerts() -> None:
    limits = {}
    for expression in load_rules().values():
        for clause in expression.split(" or "):
            series, _greater, limit = clause.rpartition(" > ")
            if re.fullmatch(r"[\d *]+", limit) and limit != "0":
                limits[series] = math.prod(map(int, limit.split(" * ")))
    assert len(limits) > 5
    for panel in load_panels():
        [*_ok, last] = panel["fieldConfig"]["defaults"]["thresholds"]["steps"]
        for target in panel["targets"]:
            if target["expr"] in limits:
                assert last["value"] == limits.pop(target["expr"]), panel["title"]
    assert not limits, "alerts without a panel"


def test_panels_of_the_dashboard_lie_side_by_side() -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _y in cells) < 24, panel["title"]
        taken |= cells


def test_alerts_and_doctor_have_the_same_limits() -> None:
    limits = {alert: expression.split(" > ")[-1] for alert, expression in load_rules().items()}
    seconds = {
        "PuurIsNotSealed": seals.LATE_SEAL,
        "PuurBackupIsOld": backups.OLD_BACKUP,
        "PuurBackupIsUntested": backups.OLD_TEST_RESTORE,
    }
    for alert, limit in seconds.items():
        assert math.prod(map(int, limits[alert].split(" * "))) == limit.total_seconds()


@pytest.mark.slow
async def test_it_stands_in_the_line_of_those_who_ask_for_health() -> None:
    assert Lanes().select_lane("GET", "/metrics", known=False).name == "asked"
