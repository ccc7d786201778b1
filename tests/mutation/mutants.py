"""The mutants of a module: its source with one thing changed, as mutmut changes things.

mutmut is used as a library, for what it knows best: which changes are worth trying. What a module does at its
import is changed as well as its functions; texts of three quotes and annotations are not, nor the functions
under a decorator, but for class methods.
"""

import ast
import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import libcst as cst
from mutmut.mutation.file_mutation import create_mutations

ROOT = Path(__file__).parents[2]


class Change(NamedTuple):
    """What makes a mutant what it is: where (`engine.codec.encode`), what stood there, and what does now."""

    place: str
    line: str
    becomes: str


class Mutant(NamedTuple):
    """A module with one change in it."""

    module: str
    change: Change
    source: str

    def diff(self) -> str:
        """The change as `diff -U1` shows it."""
        lines = difflib.unified_diff(
            source_of(self.module).splitlines(), self.source.splitlines(), lineterm="", n=1
        )
        return "\n".join([self.change.place, *list(lines)[2:]])


def module_of(place: str) -> str:
    """The module that a place is in, or is; FileNotFoundError if there is none."""
    module = place
    while module and not path_of(module).is_file():
        module = module.rpartition(".")[0]
    if not module:
        raise FileNotFoundError(place)
    return module


def within(place: str, other: str) -> bool:
    """Whether a place is in another, or is it."""
    return f"{place}.".startswith(f"{other}.")


def path_of(module: str) -> Path:
    """The file of a module, `engine.phases.trick_play`."""
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def source_of(module: str) -> str:
    """Its text as it is now."""
    return path_of(module).read_text(encoding="utf-8")


def spans_of(module: str) -> dict[str, range]:
    """The lines of the bodies of its functions and methods, by place."""
    return dict(_bodies(ast.parse(source_of(module)).body, module))


def _bodies(body: list[ast.stmt], within: str) -> Iterator[tuple[str, range]]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield f"{within}.{node.name}", range(node.body[0].lineno, (node.end_lineno or 0) + 1)
        elif isinstance(node, ast.ClassDef):
            yield from _bodies(node.body, f"{within}.{node.name}")


def mutants_of(place: str) -> Iterator[Mutant]:
    """Every mutant of a module or of a function in it, in the order of its text."""
    module = module_of(place)
    source = source_of(module)
    tree, mutations, _, _ = create_mutations(str(path_of(module)), source)
    names = dict(_functions(tree.body, module))
    statements = {id(node): statement for statement in tree.body for node in _nodes(statement)}
    for each in mutations:
        here = names.get(each.contained_by_top_level_function, module)
        if within(here, place):
            statement = statements[id(each.original_node)]
            before = tree.code_for_node(statement)
            after = tree.code_for_node(statement.deep_replace(each.original_node, each.mutated_node))
            yield Mutant(module, Change(here, *_lines(before, after)), source.replace(before, after, 1))


def _nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def _functions(body: Sequence[cst.CSTNode], within: str) -> Iterator[tuple[cst.CSTNode | None, str]]:
    for node in body:
        if isinstance(node, cst.FunctionDef):
            yield node, f"{within}.{node.name.value}"
        elif isinstance(node, cst.ClassDef):
            yield from _functions(node.body.body, f"{within}.{node.name.value}")


def _lines(source: str, changed: str) -> tuple[str, str]:
    """What stood in the lines that differ, and what stands there now, each in one line."""
    lines = list(difflib.unified_diff(source.splitlines(), changed.splitlines(), lineterm="", n=0))[2:]
    before, after = (" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")
    return before, after
