"""Trying a mutant: a process that has it in the place of what it was runs tests until one fails.

Everything is imported and collected once, and each mutant has a process forked from there. Where nothing ran
the function while the engine and its tests were imported, it is enough to change the function, and to run the
tests that reach it, the quickest first. Otherwise something made with what it was may lie in a table or a
cache: then the process forgets the engine and its tests, and imports them anew with the mutant. Nothing is
written to a file.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import pickle
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import coverage
import hypothesis
import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import ROOT, Mutant, path_of, spans_of

TESTS = ROOT / "tests" / "engine"
OURS = ("engine", "tests.engine", "tests.reference")
SECONDS = 20
"""Of processor time, to import everything."""
MEMORY = 4 << 30


class Stuck(Exception):
    """The tests cannot be run, or fail without a mutant."""


class Known(NamedTuple):
    """What the tests did without a mutant."""

    seconds: dict[str, float]
    """By test, the quickest first."""
    reached: dict[str, set[str]]
    """Place in a module (or module) -> the tests that ran a line of it; "" for what ran at import."""


Try = Callable[[Mutant], bool]
"""Whether all tests pass with the mutant."""


def with_tests(tests: Sequence[str], modules: Sequence[str], work: Callable[[Try], None]) -> None:
    """Have some files of tests collected while `work` runs, which may try mutants of some modules."""
    hypothesis.settings.register_profile(
        "mutation",
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],  # a failure need not be made small
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("mutation")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    known = _known(tests, modules)
    if code := _pytest(_Session(known, work), "-q", "--no-summary", tests=tests):
        raise Stuck(f"pytest ended with {code}")


def _known(tests: Sequence[str], modules: Sequence[str]) -> Known:
    """In a process of its own: what runs here would fill caches."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        with os.fdopen(writing, "wb") as answer:
            pickle.dump(_measured(tests, modules), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        written = answer.read()
    os.waitpid(process, 0)
    known: Known | None = pickle.loads(written) if written else None
    if known is None:
        raise Stuck("the tests fail without a mutant")
    return known


def _measured(tests: Sequence[str], modules: Sequence[str]) -> Known | None:
    measuring = coverage.Coverage(
        data_file=None, config_file=False, include=[str(path_of(module)) for module in modules]
    )
    measuring.start()
    clock = _Clock(measuring)
    code = _pytest(clock, "-q", "--exitfirst", tests=tests)
    measuring.stop()
    if code:
        return None
    reached: dict[str, set[str]] = {}
    for module in modules:
        by_line = measuring.get_data().contexts_by_lineno(str(path_of(module)))
        reached[module] = set().union(*by_line.values())
        for place, lines in spans_of(module).items():
            reached[place] = set().union(*(by_line.get(line, []) for line in lines))
    return Known(dict(sorted(clock.seconds.items(), key=lambda entry: entry[1])), reached)


class _Clock:
    """A pytest plugin that says which test runs, and writes down how long it takes."""

    def __init__(self, measuring: coverage.Coverage) -> None:
        self.measuring = measuring
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.measuring.switch_context(item.nodeid)
        begun = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - begun
            self.measuring.switch_context("")


class _Session:
    """A pytest plugin that does some work where pytest would run the tests it has collected."""

    def __init__(self, known: Known, work: Callable[[Try], None]) -> None:
        self.known, self.work = known, work
        self.items: dict[str, pytest.Item] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.work(self.survives)
        return True

    def survives(self, mutant: Mutant) -> bool:
        """Whether it passes the tests. One that kills its process, or is killed by the limits, does not."""
        process = os.fork()
        if process == 0:
            code = 1
            try:
                code = self._passed(mutant)
            finally:  # whatever a mutant raises: this process must not go on as if it were the other
                os._exit(code)
        _, status = os.waitpid(process, 0)
        return status == 0

    def _passed(self, mutant: Mutant) -> int:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _allow(SECONDS)
        reached = self.known.reached[mutant.change.place] or self.known.reached[mutant.module]
        chosen = [test for test in self.known.seconds if test in reached] or list(self.known.seconds)
        if "" not in reached and _changed(mutant):
            return self._run([self.items[test] for test in chosen])
        # What was made at import may be looked at by a test that runs no line of it.
        return self._afresh(mutant, sorted(self.known.seconds, key=lambda test: test not in reached))

    def _run(self, items: Sequence[pytest.Item]) -> int:
        for item, after in zip(items, [*items[1:], None], strict=True):
            _allow(_longest(self.known, item))
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
                return 1
        return 0

    def _afresh(self, mutant: Mutant, chosen: Sequence[str]) -> int:
        for name in [name for name in sys.modules if name.startswith(OURS)]:
            del sys.modules[name]
        sys.meta_path.insert(0, _Finder(mutant))
        own = f"test_{mutant.module.rpartition('.')[2]}"
        names = dict.fromkeys(Path(test.partition("::")[0]).stem for test in chosen)
        only = _Only(chosen, self.known)
        return int(any(_pytest(only, "-q", "-x", tests=[name]) for name in sorted(names, key=own.__ne__)))


class _Only:
    """A pytest plugin that leaves some tests, in their order."""

    def __init__(self, tests: Sequence[str], known: Known) -> None:
        self.order = {test: place for place, test in enumerate(tests)}
        self.known = known

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self.order), key=lambda i: self.order[i.nodeid])

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        _allow(_longest(self.known, item))


def _longest(known: Known, item: pytest.Item) -> float:
    """The seconds that a test may take with a mutant: it may have to look further for what is wrong."""
    return 5 + 10 * known.seconds[item.nodeid]


def _allow(seconds: float) -> None:
    """Let this process be killed if it takes so much more processor time."""
    now = resource.getrusage(resource.RUSAGE_SELF)
    end = int(now.ru_utime + now.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))


def _changed(mutant: Mutant) -> bool:
    """Give the function, as everybody holds it, the code of the mutant; False where there is none to give."""
    code: CodeType | None = compile(mutant.source, str(path_of(mutant.module)), "exec")
    found: object = sys.modules[mutant.module]
    for name in mutant.change.place.removeprefix(mutant.module).split(".")[1:]:
        found = getattr(found, name)
        parts = (part for part in code.co_consts if isinstance(part, CodeType)) if code else ()
        code = next((part for part in parts if part.co_name == name), None)
    function = getattr(found, "__func__", found)
    if code is None or not isinstance(function, FunctionType) or function.__code__ == code:
        return False
    function.__code__ = code
    return True


class _Finder(importlib.abc.MetaPathFinder):
    """Finds a mutant where its module is looked for."""

    def __init__(self, mutant: Mutant) -> None:
        self.loader = _Loader(mutant)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.loader.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.loader.path, loader=self.loader)


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(path_of(mutant.module)))
        self.source = mutant.source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec")


def _pytest(plugin: object, *arguments: str, tests: Sequence[str]) -> int:
    here = ["-c", str(ROOT / "tests/mutation/pytest.ini"), "--rootdir", str(ROOT)]
    return int(
        pytest.main([*here, *arguments, *(str(TESTS / f"{name}.py") for name in tests)], plugins=[plugin])
    )
