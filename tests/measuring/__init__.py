"""Which lines and branches of our packages the tests pass.

SlipCover puts a probe before each line and each branch of a module that is imported, and takes out those that
have been passed. A tracer, which Python 3.11 asks at each line, makes tests twice as long, what it does not
measure too; this adds a sixth.

Of some of the processes that tests start, a part is measured too (`children`).
"""

import ast
import atexit
import contextlib
import json
import marshal
import os
import signal
import sys
import uuid
from collections.abc import Iterable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from slipcover import Slipcover, print_coverage
from slipcover.branch import preinstrument
from slipcover.slipcover import add_summaries

BASE_DIR = Path(__file__).parent.parent.parent
FOLDER = "MEASURED_FOLDER"
"""Names the folder in which each process that is measured leaves what it passed. Not PUUR_…: tests take
such names away from what they start."""
# per cent, branches included
THRESHOLDS = {"engine": 100, "games": 95, "tournaments": 95, "frontend": 95, "deploy": 95}
CHILDREN = str(Path(__file__).parent / "children")
OF_CHILDREN = ("deploy", "games", "engine.__main__", "engine.cli")
"""What runs in processes of its own. To put probes into everything takes seconds."""
WITH_CHILDREN = {"deploy", "engine", "games"}
"""Folders of tests that start such processes."""
BODY_OF_A_PROTOCOL = r"^\s*\.\.\.$"

_measuring: Slipcover | None = None


def prepare(folder: Path) -> None:
    """Compile all modules with their branches marked, once for all processes, into this folder.

    Done when a module is imported it costs each process seconds; and where threads import at once, the parser
    of Python 3.11 gets mixed up (SystemError: AST constructor recursion depth mismatch).
    """
    os.environ[FOLDER] = str(folder)
    for source in _sources():
        marked = preinstrument(ast.parse(source.read_bytes()))
        _prepared(source).write_bytes(marshal.dumps(compile(marked, str(source), "exec")))


def start(*packages: str) -> None:
    """Measure what this process imports of these packages and modules from now on."""
    global _measuring
    _measuring = Slipcover(branch=True, exclude_lines=[])  # what is excluded the report leaves out
    sys.meta_path.insert(0, _Finder(_measuring, packages))


@contextlib.contextmanager
def children() -> Iterator[None]:
    """Processes that are started meanwhile are measured where this one is, and have to end in peace: Python
    imports `sitecustomize` from that folder when it begins."""
    before = os.environ.get("PYTHONPATH")
    if _measuring is not None:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [CHILDREN, before]))
    try:
        yield
    finally:
        os.environ.pop("PYTHONPATH", None)
        if before is not None:
            os.environ["PYTHONPATH"] = before


def are_children_measured() -> bool:
    return CHILDREN in os.environ.get("PYTHONPATH", "")


def start_as_a_child() -> None:
    """Measure this process until it ends, also by a signal."""
    start(*OF_CHILDREN)
    atexit.register(write)
    signal.signal(signal.SIGTERM, _end)


def write() -> None:
    """Leave what was passed; nothing where nothing was measured."""
    if _measuring is not None:
        os.chdir(BASE_DIR)  # files are named from where one stands
        (Path(os.environ[FOLDER]) / f"{uuid.uuid4()}.json").write_text(json.dumps(_measuring.get_coverage()))


def report(folder: Path) -> int:
    """What all processes passed together, for each package what is missing; 1 where that is too much."""
    sources = [str(BASE_DIR / package) for package in THRESHOLDS]
    nothing = Slipcover(
        branch=True, source=sources, omit=["*/migrations/*"], exclude_also=[BODY_OF_A_PROTOCOL]
    )
    everything = nothing.get_coverage()
    for left in folder.glob("*.json"):
        for name, file in json.loads(left.read_text())["files"].items():
            _add(everything["files"][name], "lines", file["executed_lines"])
            _add(everything["files"][name], "branches", map(tuple, file["executed_branches"]))
    return max([_reported(package, percent, everything) for package, percent in THRESHOLDS.items()])


class _Finder(MetaPathFinder):
    """Finds prepared modules of some packages, and puts probes into them."""

    def __init__(self, measuring: Slipcover, packages: Sequence[str]) -> None:
        self._measuring, self._packages = measuring, packages

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not any(f"{fullname}.".startswith(f"{package}.") for package in self._packages):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and spec.origin and _prepared(Path(spec.origin)).exists():
            spec.loader = _Loader(self._measuring, spec.name, spec.origin)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, measuring: Slipcover, name: str, path: str) -> None:
        super().__init__(name, path)
        self._measuring = measuring

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = marshal.loads(_prepared(Path(self.path)).read_bytes())
        probed: CodeType = self._measuring.instrument(code)
        return probed

    def exec_module(self, module: ModuleType) -> None:
        self._measuring.register_module(
            module
        )  # in which it looks for the functions whose probes it takes out
        super().exec_module(module)


def _sources() -> Iterator[Path]:
    for package in THRESHOLDS:
        for source in (BASE_DIR / package).rglob("*.py"):
            if "migrations" not in source.parts and "node_modules" not in source.parts:
                yield source


def _prepared(source: Path) -> Path:
    """The file of a module's prepared code; missing for a copy of the tree elsewhere."""
    return Path(os.environ[FOLDER]) / f"{str(source).replace(os.sep, '-')}.code"


def _end(number: int, _: object) -> None:
    write()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _add(file: dict[str, Any], what: str, executed: Iterable[Any]) -> None:
    passed = set(executed).intersection(file[f"missing_{what}"])
    file[f"missing_{what}"] = sorted(set(file[f"missing_{what}"]) - passed)
    file[f"executed_{what}"] = sorted({*file[f"executed_{what}"], *passed})


def _reported(package: str, threshold: int, everything: dict[str, Any]) -> int:
    files = {name: file for name, file in everything["files"].items() if name.startswith(f"{package}/")}
    found = {"meta": everything["meta"], "files": files}
    add_summaries(found)
    percent = found["summary"]["percent_covered"]
    print(f"\npuur: coverage of {package}: {percent:.2f} %, at least {threshold} %", flush=True)
    print_coverage(found, skip_covered=True, missing_width=90)
    return int(percent < threshold)
