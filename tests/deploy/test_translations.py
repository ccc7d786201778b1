"""The catalogues are what the sources give, complete, and compiled."""

import shutil
from pathlib import Path

import pytest

from deploy import translations
from deploy.environment import BASE_DIR
from tests import servers

ENTRIES = """\
msgid ""
msgstr ""
"Language: de\\n"

msgid "Round"
msgstr "Runde"

msgid "Table"
msgstr ""

#, fuzzy
msgid "Seat"
msgstr "Satz"

msgid "%(count)s deal"
msgid_plural "%(count)s deals"
msgstr[0] "%(count)s Spiel"
msgstr[1] ""
"""
PLURAL = ENTRIES[ENTRIES.index('msgid "%(count)s deal"') :]


@pytest.fixture(autouse=True)
def _needs_gettext() -> None:
    if shutil.which("xgettext") is None:
        servers.missing("translations: no gettext on this machine (apt install gettext)")


def test_the_catalogues_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert translations.main([]) == 0, capsys.readouterr().err


def test_missing_and_guessed_translations_are_found(tmp_path: Path) -> None:
    catalogue = tmp_path / "django.po"
    catalogue.write_text(ENTRIES)
    found = translations.untranslated(catalogue)
    assert [entry.split('"')[1] for entry in found] == ["Table", "Seat", "%(count)s deal"]


GUESSED = """\
msgid ""
msgstr ""
"Language: de\\n"

#, fuzzy, python-format
#| msgid "%(count)s seat"
msgid "%(count)s bid"
msgid_plural "%(count)s bids"
msgstr[0] "%(count)s Platz"
msgstr[1] "%(count)s Plätze"

#, fuzzy
#| msgid "one"
msgid "two"
msgstr ""
"eins\\n"
"und mehr"

#, python-format
msgid "%(name)s"
msgstr "%(name)s"
"""


def test_what_was_guessed_is_to_be_translated_and_nothing_else_changes() -> None:
    assert (
        translations.without_guesses(GUESSED)
        == """\
msgid ""
msgstr ""
"Language: de\\n"

#, python-format
msgid "%(count)s bid"
msgid_plural "%(count)s bids"
msgstr[0] ""
msgstr[1] ""

msgid "two"
msgstr ""

#, python-format
msgid "%(name)s"
msgstr "%(name)s"
"""
    )
    assert translations.without_guesses(ENTRIES).endswith('msgid "Seat"\nmsgstr ""\n\n' + PLURAL)


@pytest.mark.long
def test_a_catalogue_that_was_not_brought_up_to_date_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    for source in translations.SOURCES:
        ignored = shutil.ignore_patterns("node_modules", "__pycache__")
        shutil.copytree(BASE_DIR / source, root / source, ignore=ignored)
    for beside in ("manage.py", "requirements.lock"):
        shutil.copy(BASE_DIR / beside, root / beside)
    (root / "frontend" / "templates" / "new.html").write_text('{% load i18n %}{% translate "A new word" %}')
    monkeypatch.setattr(translations, "BASE_DIR", root)
    monkeypatch.setattr(translations, "LOCALE", root / "frontend" / "locale")
    assert translations.main([]) == 1
    said = capsys.readouterr().err
    assert "django.po is not what the sources give" in said
    assert "A new word" in said
    assert "--write" in said
    assert translations.main(["--write"]) == 0
    assert 'frontend/locale/de/LC_MESSAGES/django.po: msgid "A new word" msgstr ""' in capsys.readouterr().out
    assert "A new word" in (root / "frontend/locale/de/LC_MESSAGES/django.po").read_text()
    for compiled in sorted(root.glob("frontend/locale/*/LC_MESSAGES/*.mo")):
        compiled.unlink()
        assert translations.main([]) == 1
        said = capsys.readouterr().err
        assert f"{compiled.relative_to(root)} is not what {compiled.stem}.po gives" in said


def test_without_gettext_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert translations.main([]) == 1
    assert "apt install gettext" in capsys.readouterr().err
