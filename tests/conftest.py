"""Fixtures for every layer. The cast of a layer (Anna, Beat, …) lives in that layer's own conftest."""

import os
import random
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.template import Template
from django.utils import translation
from playwright.sync_api import Browser, Page
from pytest_django import Settings

from deploy.environment import BASE_DIR
from tests import browsers, measuring, plugin, servers
from tests import live_tree as trees


@pytest.fixture(autouse=True)
def _sign_ins_are_not_counted(settings: Settings) -> None:
    """Lockout after failed sign-ins has its own tests; other tests sign in without limit, and give no
    password again.
    """
    settings.LIMITS = False
    settings.PASSWORD_AGAIN_AFTER = None


@pytest.fixture(autouse=True, scope="module")
def _children_are_measured(request: pytest.FixtureRequest) -> Iterator[None]:
    """Measure the processes that a file of these folders starts, also those for all its tests."""
    starting = any(request.path.is_relative_to(BASE_DIR / "tests" / name) for name in measuring.WITH_CHILDREN)
    with measuring.children() if starting else nullcontext():
        yield


@pytest.fixture(autouse=True, scope="session")
def _static_files_are_listed_once() -> Iterator[None]:
    """Share the list of static files: the first request of each test would make its own, a tenth of the time
    of a page."""
    from whitenoise.middleware import WhiteNoiseMiddleware

    make_list = WhiteNoiseMiddleware.add_files_from_finders
    listed: dict[str, Any] = {}

    def add_listed(middleware: WhiteNoiseMiddleware) -> None:
        if not listed:
            make_list(middleware)
            listed.update(middleware.files)
        middleware.files.update(listed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_listed)
        yield


_render = vars(Template)["_render"]


@pytest.fixture(autouse=True, scope="session")
def _render_with_contexts(django_test_environment: None) -> Iterator[Any]:
    """Render templates as in production, and return Django's way for tests. It copies all contexts, which
    takes a twentieth of the time of a page."""
    with pytest.MonkeyPatch.context() as patch:
        for_tests = vars(Template)["_render"]
        patch.setattr(Template, "_render", _render)
        yield for_tests


@pytest.fixture
def template_contexts(_render_with_contexts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copy contexts, so that a test may read `answer.context`."""
    monkeypatch.setattr(Template, "_render", _render_with_contexts)


@pytest.fixture(autouse=True)
def _in_english() -> None:
    """Reset the language: a request leaves its thread in the language of its response."""
    translation.activate("en")


@pytest.fixture(autouse=True)
def _the_same_cards_each_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive a round's seed from the test's name, so that runs are reproducible: a deal that comes up once in
    a hundred games would otherwise fail a test once in a hundred runs. Other processes draw as ever."""
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr(
        "games.randomness.round_seed.secrets",
        SimpleNamespace(token_hex=lambda size: drawn.randbytes(size).hex()),
    )


@pytest.fixture(autouse=True)
def _nothing_shared_is_older_than_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable shared caches: pages of this process show a test's latest changes, and nothing of the test
    before."""
    from frontend import fragment_cache
    from frontend.presenters.standings import loaded_rankings
    from tournaments.services import cache_versions
    from tournaments.services.series import cached_series, places, winners

    monkeypatch.setattr(cache_versions, "CACHE_SECONDS", 0.0)
    monkeypatch.setattr(loaded_rankings, "RESTS", 0)
    cache_versions.forget_all()
    for module in (loaded_rankings, fragment_cache, cached_series, places, winners):
        module.KEPT.clear()


@pytest.fixture(autouse=True)
def _no_game_is_kept() -> Iterator[None]:
    """Start each test like a new process: with no cached game."""
    from games import game_state
    from games.projections import delayed_broadcast

    for module in (game_state, delayed_broadcast):
        module.KEPT.clear()
    yield
    for module in (game_state, delayed_broadcast):
        module.KEPT.clear()


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[None]:
    """Replaces pytest-django's fixture: the database of the tests is a copy, and is not migrated each
    time."""
    from tests.games import databases

    made = databases.template(os.environ[plugin.ON])
    with django_db_blocker.unblock(), databases.clone(made, tmp_path_factory.mktemp("db")):
        yield


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def database_template(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A migrated, empty database of each kind. Without PostgreSQL its half is skipped loudly."""
    from tests.games import databases

    return databases.template(request.param)


@pytest.fixture
def real_database(
    database_template: dict[str, Any], tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[str]:
    """A fresh database whose commits are real, on SQLite and on PostgreSQL; the value is the vendor."""
    from tests.games import databases

    vendor = "sqlite" if database_template["ENGINE"].endswith("sqlite3") else "postgresql"
    folder = tmp_path_factory.mktemp("clone")
    with django_db_blocker.unblock(), databases.clone(database_template, folder):
        yield vendor


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """An empty PostgreSQL database of this test's own."""
    with servers.own_database() as url:
        yield url


@pytest.fixture
def redis_url() -> str:
    """The Redis or Valkey of this run; keys and channels begin with PUUR_CHANNEL_PREFIX."""
    return os.environ["REDIS_URL"]


@pytest.fixture
def live_tree(tmp_path: Path) -> Iterator[trees.LiveTree]:
    """The process tree of `serve`, without data but for the organiser `trees.ORGANISER`."""
    with trees.running("serve", tmp_path) as tree:
        yield tree


@pytest.fixture
def demo_tree(tmp_path: Path) -> Iterator[trees.LiveTree]:
    """The process tree of `demo`, with its championships."""
    with trees.running("demo", tmp_path) as tree:
        yield tree


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, once a module: its thread has a running event loop, which Django's database refuses."""
    with browsers.chromium() as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page in a context of its own; the test fails where the page had an error or broke its CSP."""
    with browsers.fresh_page(browser) as opened:
        yield opened
