"""Databases of a test's own, cloned from a migrated template: commits are real, and nothing is ever flushed,
which the triggers of the log would refuse.

    with clone(template("sqlite"), folder): ...   # connections["default"] is the clone
"""

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.db import connections

from deploy import environment
from tests import servers, templates


def _settings(vendor: str, name: str) -> dict[str, Any]:
    if vendor == "sqlite":
        found = environment.make_database_settings(f"sqlite:///{name}", Path(name).parent)
    else:
        found = environment.make_database_settings(servers.postgres_url(), Path())
        found |= {"NAME": name, "CONN_MAX_AGE": 0}
    return dict(connections.configure_settings({"default": found})["default"])


@contextmanager
def using(settings: dict[str, Any]) -> Iterator[None]:
    """Make connections["default"], in every thread, the database of these settings."""
    before, wrapper = connections.settings["default"], connections["default"]
    connections.settings["default"] = deepcopy(settings)
    del connections["default"]
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = before
        connections["default"] = wrapper


def template(vendor: str) -> dict[str, Any]:
    """Return the settings of a migrated, empty database to clone."""
    return _settings(vendor, str(templates.sqlite()) if vendor == "sqlite" else templates.postgresql())


@contextmanager
def clone(made: dict[str, Any], folder: Path) -> Iterator[None]:
    """Make a fresh copy of the template connections["default"] inside the block."""
    if made["ENGINE"].endswith("sqlite3"):
        name = str(folder / f"{uuid4().hex}.sqlite3")
        shutil.copyfile(made["NAME"], name)
        with using(_settings("sqlite", name)):
            yield
        return
    name = f"puur_games_{uuid4().hex[:12]}"
    templates.administer("CREATE DATABASE {} TEMPLATE {}", name, made["NAME"])
    try:
        with using(_settings("postgresql", name)):
            yield
    finally:
        templates.administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def in_threads(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run all jobs at once, each with its own connection; return results or exceptions in order."""
    results: list[Any] = [None] * len(jobs)
    gate = threading.Barrier(len(jobs))

    def run(number: int) -> None:
        try:
            gate.wait(timeout=60)
            results[number] = jobs[number]()
        except Exception as error:
            results[number] = error
        finally:
            connections["default"].close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    return results
