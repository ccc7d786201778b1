"""The files of all layers: no circle among their imports.

`python -m tests.architecture.test_packages` prints the folders and what each package imports.
"""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from deploy.environment import BASE_DIR

LAYERS = ("engine", "games", "tournaments", "frontend", "deploy")


@cache
def files() -> dict[str, Path]:
    """Module name → file."""
    return {
        ".".join(path.relative_to(BASE_DIR).with_suffix("").parts): path
        for layer in LAYERS
        for path in sorted((BASE_DIR / layer).rglob("*.py"))
        if not {"migrations", "node_modules"} & set(path.parts)
    }


def graph() -> dict[str, set[str]]:
    """Module → the project's modules that it imports, anywhere in the file, for types only or not."""
    known = files()
    return {
        name: {target for names in imported(path) for target in names if target in known} - {name}
        for name, path in known.items()
    }


def imported(path: Path) -> Iterator[list[str]]:
    """The possible modules of each import: `from package import name` is the module `package.name`, or a name
    in `package`."""
    known = files()
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        if isinstance(node, ast.Import):
            yield [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.module, f"{path}:{node.lineno}: a relative import"
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                own = [name for name in (whole, f"{whole}.__init__") if name in known]
                yield own or [node.module, f"{node.module}.__init__"]


def circle(of: dict[str, set[str]]) -> list[str]:
    """The modules of a circle; empty where there is none."""
    try:
        TopologicalSorter(of).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_file_imports_itself_by_way_of_others() -> None:
    assert circle(graph()) == []


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})


def folders() -> dict[str, int]:
    """Folder → number of its modules."""
    found: dict[str, int] = {}
    for path in (*files().values(), *(BASE_DIR / "frontend/src").rglob("*.ts")):
        if path.stem == "__init__":
            continue
        folder = path.parent.relative_to(BASE_DIR).as_posix()
        found[folder] = found.get(folder, 0) + 1
    return found


def main() -> None:
    """Print the checked folders and imports."""
    for folder, count in folders().items():
        print(f"{folder:20} {count:3} files")
    for name, targets in graph().items():
        print(name, "->", *sorted(targets))
    print("circle:", circle(graph()) or "none")


if __name__ == "__main__":
    main()
