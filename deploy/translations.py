"""The check whether translation catalogues are up to date, complete and compiled.

    python -m deploy.translations            check; exit 1 and list the problems
    python -m deploy.translations --write    update, compile, and list missing translations

Both need gettext. The compiled catalogues are committed, because the platform runs without it.
"""

import gettext
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from deploy.environment import BASE_DIR

LOCALE = BASE_DIR / "frontend" / "locale"
SOURCES = ("engine", "games", "tournaments", "frontend", "deploy")
IGNORED = ["node_modules", "*/node_modules/*", ".venv", "tests", "docs", "var"]


def write_catalogues(tree: Path) -> None:
    """Extract the messages of a tree into its catalogues and compile them."""
    options = ["--no-location", "--no-obsolete", "--no-wrap", "--verbosity=0"]
    options += [f"--locale={path.name}" for path in sorted(LOCALE.iterdir()) if path.is_dir()]
    options += [f"--ignore={pattern}" for pattern in IGNORED]
    subprocess.run([sys.executable, "manage.py", "makemessages", *options], cwd=tree, check=True)
    for catalogue in sorted(tree.glob("frontend/locale/*/LC_MESSAGES/*.po")):
        catalogue.write_text(without_guesses(_without_dates(catalogue.read_text())))
        names = [str(catalogue.with_suffix(".mo")), str(catalogue)]
        subprocess.run([str(shutil.which("msgfmt")), "--check-format", "--output-file", *names], check=True)


def stale() -> list[str]:
    """Return lines about catalogues that differ from their sources, and untranslated messages."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for source in SOURCES:
            shutil.copytree(BASE_DIR / source, copy / source, ignore=shutil.ignore_patterns("node_modules"))
        for beside in ("manage.py", "requirements.lock"):
            shutil.copy(BASE_DIR / beside, copy / beside)
        write_catalogues(copy)
        found = []
        for made in sorted(copy.glob("frontend/locale/*/LC_MESSAGES/*.po")):
            ours = BASE_DIR / made.relative_to(copy)
            name = ours.relative_to(BASE_DIR)
            if not ours.exists() or set(catalogue_entries(made)) != set(catalogue_entries(ours)):
                found.append(f"{name} is not what the sources give")
            elif _messages(made.with_suffix(".mo")) != _messages(ours.with_suffix(".mo")):
                found.append(f"{name.with_suffix('.mo')} is not what {name.name} gives")
            found += [f"{name}: {entry}" for entry in untranslated(made)]
        return found


def _messages(compiled: Path) -> dict[str, str]:
    """Return the messages of a compiled catalogue. Its bytes cannot be compared, because they differ between
    versions of gettext.
    """
    if not compiled.exists():
        return {}
    with compiled.open("rb") as file:
        return dict(vars(gettext.GNUTranslations(file))["_catalog"])


def catalogue_entries(catalogue: Path) -> list[str]:
    """Return the entries of a catalogue without its header."""
    return catalogue.read_text().rstrip().split("\n\n")[1:]


def untranslated(catalogue: Path) -> list[str]:
    """Return the entries that have no translation or a fuzzy one."""
    missing = re.compile(r'#, .*fuzzy|msgstr(\[\d\])? ""\Z')
    return [entry.replace("\n", " ") for entry in catalogue_entries(catalogue) if missing.search(entry)]


def _without_dates(text: str) -> str:
    """Remove the creation date, which changes with every run."""
    return re.sub(r'^"(POT-Creation-Date|PO-Revision-Date):.*\n', "", text, flags=re.MULTILINE)


def without_guesses(text: str) -> str:
    """Turn fuzzy translations, which gettext copied from similar messages, into missing ones."""
    return "\n\n".join(map(_without_guess, text.split("\n\n")))


def _without_guess(entry: str) -> str:
    if not re.search(r"^#, .*\bfuzzy\b", entry, re.MULTILINE):
        return entry
    entry = re.sub(r"^#\| .*\n", "", entry, flags=re.MULTILINE)
    entry = re.sub(r"^#, fuzzy\n", "", entry, flags=re.MULTILINE)
    entry = re.sub(r"^(#, .*?)(?:, fuzzy\b|(?<=#, )fuzzy, )", r"\1", entry, flags=re.MULTILINE)
    return re.sub(r'^(msgstr(?:\[\d\])?) "(?:.*)"(?:\n".*")*', r'\1 ""', entry, flags=re.MULTILINE)


def main(arguments: list[str]) -> int:
    """Run the check, or with `--write` the update. Return the exit code."""
    if shutil.which("xgettext") is None:
        print("gettext is missing here: apt install gettext", file=sys.stderr)
        return 1
    if "--write" in arguments:
        write_catalogues(BASE_DIR)
        for catalogue in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
            for entry in untranslated(catalogue):
                print(f"{catalogue.relative_to(BASE_DIR)}: {entry}")
        return 0
    found = stale()
    for line in found:
        print(line, file=sys.stderr)
    if found:
        print("bring them up to date: python -m deploy.translations --write", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
