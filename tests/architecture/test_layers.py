"""The dependencies of the layers, and the modules that pure layers must not import."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.environment import BASE_DIR

ENGINE_SHELL = ("engine/__main__.py", "engine/cli/")
# Modules that would make rules depend on the time, on randomness or on the machine.
IMPURE = {
    *("asyncio", "datetime", "io", "os", "pathlib", "random", "secrets", "shutil", "socket", "sqlite3"),
    *("subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid"),
}
LOG = ("Event.objects", "Receipt.objects", "SecretPart.objects")
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "breakpoint"}


def modules(folder: str) -> list[Path]:
    """The Python files of a folder, without migrations."""
    return sorted(path for path in (BASE_DIR / folder).rglob("*.py") if "migrations" not in path.parts)


def name_of(path: Path) -> str:
    return path.relative_to(BASE_DIR).as_posix()


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, top-level package) of each absolute import."""
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.partition(".")[0]


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]


def engine_core() -> list[Path]:
    return [path for path in modules("engine") if not name_of(path).startswith(ENGINE_SHELL)]


def test_arrows_between_layers_only_point_right() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=BASE_DIR,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_engine_imports_only_the_standard_library_and_msgspec() -> None:
    allowed = set(sys.stdlib_module_names) | {"engine", "msgspec"}
    found = [
        f"{name_of(path)}:{line} {package}"
        for path in modules("engine")
        for line, package in imports(path)
        if package not in allowed
    ]
    assert found == []


def test_the_rules_know_no_clock_no_chance_and_no_files() -> None:
    found = [
        f"{name_of(path)}:{line} {package}"
        for path in engine_core()
        for line, package in imports(path)
        if package in IMPURE
    ]
    for path in engine_core():
        called = [call for call in calls(path) if isinstance(call.func, ast.Name)]
        names = [(call.lineno, ast.unparse(call.func)) for call in called]
        found += [f"{name_of(path)}:{line} {name}()" for line, name in names if name in IMPURE_CALLS]
    assert found == []


@pytest.mark.parametrize("folder", ["tournaments/pairing", "tournaments/series", "tournaments/standings"])
def test_drawing_and_ranking_know_nothing_of_django(folder: str) -> None:
    refused = {"django", "games", "rest_framework", "celery", "random", "secrets", "time", "datetime"}
    shell = f"{folder}/__main__.py", f"{folder}/cli"
    found = [
        f"{name_of(path)}:{line} {package}"
        for path in modules(folder)
        for line, package in imports(path)
        if package in (refused - {"time"} if name_of(path).startswith(shell) else refused)
    ]
    assert found == []


def test_only_the_store_writes_the_log() -> None:
    """Events, receipts and secret parts are appended in games/store/ and nowhere else."""
    writes = {"create", "bulk_create", "get_or_create", "update_or_create", "update", "delete", "save"}
    found = []
    for path in [path for layer in ("games", "tournaments", "frontend", "deploy") for path in modules(layer)]:
        if name_of(path).startswith("games/store/"):
            continue
        for call in calls(path):
            chain = ast.unparse(call.func)
            if chain.startswith(LOG) and chain.rpartition(".")[2] in writes:
                found.append(f"{name_of(path)}:{call.lineno} {chain}")
    assert found == []
