"""puur_verify.py is the file that build.py makes of docs/verify/source/, and needs no other file."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from deploy.environment import BASE_DIR
from tests.verify.conftest import SCRIPT

FOLDER = BASE_DIR / "docs" / "verify"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    found = importlib.util.spec_from_file_location("verifier_build", FOLDER / "build.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def write_modules(folder: Path, **modules: str) -> tuple[str, ...]:
    (folder / "__init__.py").write_text('"""A program."""\n')
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(f'"""The module {name}."""\n\n{text}')
    return tuple(modules)


def test_the_committed_file_is_the_generated_one(build: ModuleType) -> None:
    assert SCRIPT.read_text(encoding="utf-8") == build.build_program(), "run python3 docs/verify/build.py"


def test_the_file_runs_on_its_own(tmp_path: Path) -> None:
    shutil.copy(SCRIPT, tmp_path)
    command = [sys.executable, "-I", str(tmp_path / SCRIPT.name), "--self-test"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "the vectors of RFC 8032 come out right\n"


def test_the_file_imports_the_standard_library_only() -> None:
    found = re.findall(r"^\s*(?:from|import) (\w*)", SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(found) <= sys.stdlib_module_names, "no module of source/ is left to import"


def test_sections_are_joined_in_order(build: ModuleType, tmp_path: Path) -> None:
    modules = write_modules(
        tmp_path,
        first="import sys\n\nLIMIT = 3  # at most\n",
        second='from .first import LIMIT\n\n\ndef main():\n    """Print it."""\n    print(LIMIT)\n',
    )
    text = build.build_program(tmp_path, modules)
    assert "from ." not in text
    assert text.index("# --- source/first.py\n# The module first.\n") < text.index("LIMIT = 3  # at most")
    assert text.index("LIMIT = 3") < text.index("# --- source/second.py") < text.index('"""Print it."""')


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("def _read():\n    pass\n", "_read = 2\n", "second: _read is already defined in first"),
        ("LOW, HIGH = 1, 2\n", "class HIGH:\n    pass\n", "second: HIGH is already defined in first"),
        ("LIMIT = 1\nLIMIT = 2\n", "HIGH = 1\n", "first: LIMIT is already defined in first"),
        ("import json\n\nLIMIT = 1\n", "json = 2\n", "a name is also a library: json"),
        ("from .second import HIGH\n\nLIMIT = HIGH\n", "HIGH = 1\n", "HIGH is not defined before in second"),
        ("LIMIT = 1\n", "from .first import LIMIT as HIGH\n\nLOW = HIGH\n", "renames what it imports"),
        ("LIMIT = 1\n", "from json import loads\n\nHIGH = loads\n", "only modules of this folder"),
        ("LIMIT = 1\n", "print(2)\n", "a module only defines names"),
    ],
)
def test_modules_that_cannot_be_joined_are_refused(
    build: ModuleType, tmp_path: Path, first: str, second: str, told: str
) -> None:
    modules = write_modules(tmp_path, first=first, second=second)
    with pytest.raises(build.BuildError, match=re.escape(told)):
        build.build_program(tmp_path, modules)


def test_every_module_of_the_folder_is_in_the_list(build: ModuleType, tmp_path: Path) -> None:
    write_modules(tmp_path, first="LIMIT = 1\n", second="HIGH = 1\n")
    with pytest.raises(build.BuildError, match="second"):
        build.build_program(tmp_path, ("first",))
