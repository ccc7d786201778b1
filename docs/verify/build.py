"""Join the modules of source/ to puur_verify.py: one readable file that needs Python and nothing else.

    python3 docs/verify/build.py            write puur_verify.py
    python3 docs/verify/build.py --check    exit with 1 if puur_verify.py differs from source/

A module starts with its docstring. It imports libraries with `import name`, and names of modules before it in
MODULES with `from .module import name`. Two modules never define the same name.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SOURCE = FOLDER / "source"
PROGRAM = FOLDER / "puur_verify.py"

MODULES = (
    "report",
    "canonical",
    "ed25519",
    "words",
    "export_file",
    "event_chain",
    "event_schemas",
    "checkpoints",
    "witnesses",
    "clocks",
    "cards",
    "variants",
    "regulations",
    "dealing",
    "rounds",
    "entries",
    "table_rows",
    "tricks",
    "deal_scores",
    "winners",
    "sheets",
    "rulings",
    "sweeps",
    "score_book",
    "games",
    "draw_problem",
    "byes",
    "schedules",
    "table_search",
    "chairs",
    "official_acts",
    "match_points",
    "results",
    "buchholz",
    "ranking_order",
    "teams",
    "encounters",
    "brackets",
    "system_rounds",
    "system_documents",
    "system_queue",
    "hand_draws",
    "draws",
    "rankings",
    "season_tables",
    "qualifications",
    "series_log",
    "series_checks",
    "command_line",
)
"""Every module of source/, each behind those that it imports."""

GENERATED = """\
# This file is generated: docs/verify/build.py joins the modules of docs/verify/source/. Change those modules.
# Each section below is one of them.
"""
START = """\


if __name__ == "__main__":
    sys.exit(main())
"""


class BuildError(Exception):
    """A module of source/ that cannot be joined to the others."""


def build_program(source: Path = SOURCE, modules: tuple[str, ...] = MODULES) -> str:
    """Return the text of puur_verify.py. Raise BuildError if the modules cannot be joined."""
    present = {path.stem for path in source.glob("*.py")} - {"__init__"}
    if present != set(modules) or len(modules) != len(present):
        raise BuildError("MODULES and the files differ: %s" % sorted(present ^ set(modules)))
    libraries: set[str] = set()
    owners: dict[str, str] = {}
    sections: list[str] = []
    for module in modules:
        text = (source / (module + ".py")).read_text(encoding="utf-8")
        section, used = _read_section(module, text, owners)
        sections.append(section)
        libraries |= used
    if clashes := sorted(libraries & owners.keys()):
        raise BuildError("a name is also a library: %s" % ", ".join(clashes))
    imports = "".join("import %s\n" % name for name in sorted(libraries))
    header = '#!/usr/bin/env python3\n"""%s"""\n\n%s\nfrom __future__ import annotations\n\n%s'
    package = ast.parse((source / "__init__.py").read_text(encoding="utf-8"))
    usage = ast.get_docstring(package, clean=False)
    return header % (usage, GENERATED, imports) + "".join(sections)[1:] + START


def _read_section(module: str, text: str, owners: dict[str, str]) -> tuple[str, set[str]]:
    """Return the section of one module, and the libraries that it imports. Add its names to the owners."""
    lines, libraries = text.splitlines(), set()
    docstring, *statements = ast.parse(text).body
    if not (isinstance(docstring, ast.Expr) and isinstance(docstring.value, ast.Constant)):
        raise BuildError("%s: a module starts with its docstring" % module)
    behind = docstring.end_lineno or 0
    code = [node for node in statements if not isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in statements:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            _add_names(module, node, owners)
            continue
        if node.lineno > code[0].lineno:
            raise BuildError("%s: imports stand at the top" % module)
        libraries |= _check_import(module, node, owners)
        behind = node.end_lineno or 0
    body = "\n".join(lines[behind:]).strip("\n")
    gap = (
        "\n\n" if isinstance(code[0], (ast.FunctionDef, ast.ClassDef)) and not body.startswith("#") else "\n"
    )
    title, *more = str(docstring.value.value).strip().splitlines()
    heading = [
        "# --- source/%s.py" % module,
        "# " + title,
        *("# " + line.strip() if line else "#" for line in more),
    ]
    return "\n\n" + "\n".join(heading) + "\n" + gap + body + "\n", libraries


def _check_import(module: str, node: ast.Import | ast.ImportFrom, owners: dict[str, str]) -> set[str]:
    """Return the libraries of an import statement. Raise BuildError if joining the modules would break it."""
    where = "%s, line %d: " % (module, node.lineno)
    if any(alias.asname for alias in node.names):
        raise BuildError(where + "an import renames what it imports")
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if node.module == "__future__":
        return set()
    if node.level != 1:
        raise BuildError(where + "only modules of this folder are imported by name")
    for alias in node.names:
        if owners.get(alias.name) != node.module:
            raise BuildError(where + "%s is not defined before in %s" % (alias.name, node.module))
    return set()


def _add_names(module: str, node: ast.stmt, owners: dict[str, str]) -> None:
    """Add the names that a statement defines to the owners. Raise BuildError if a name has one already."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        names = [node.name]
    elif isinstance(node, ast.Assign):
        names = [
            found.id for target in node.targets for found in ast.walk(target) if isinstance(found, ast.Name)
        ]
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        names = []  # the docstring of a constant
    else:
        raise BuildError("%s, line %d: a module only defines names" % (module, node.lineno))
    for name in names:
        if name in owners:
            raise BuildError("%s: %s is already defined in %s" % (module, name, owners[name]))
        owners[name] = module


def main() -> int:
    """Write or check puur_verify.py. Return the exit code."""
    parser = argparse.ArgumentParser(description="Join the modules of source/ to puur_verify.py.")
    parser.add_argument("--check", action="store_true", help="only compare")
    given = parser.parse_args()
    text = build_program()
    if given.check:
        return int(PROGRAM.read_text(encoding="utf-8") != text)
    PROGRAM.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
