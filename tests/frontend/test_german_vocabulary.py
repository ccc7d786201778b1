"""The words of Swiss clubs: words that pages use, and words that they no longer use."""

import re
from pathlib import Path

import pytest

from tests.frontend.catalogues import ROOT, in_catalogue
from tests.frontend.visible import visible

PO = ROOT / "frontend" / "locale" / "de" / "LC_MESSAGES" / "django.po"
TEXTS = sorted((ROOT / "frontend" / "rules" / "texts" / "de").glob("*.html"))

SAID = {
    "Tisch vorzeitig beenden": "Abbrechen",
    "Zurück": "Abbrechen",
    "Einloggen": "Login",
    "Ausloggen": "Logout",
    "Spieler erfassen": "Person aufnehmen",
    "Anmelden": "Auf die Liste",
    "Abmelden": "Streichen",
    "abgemeldet": "gestrichen",
    "Anlass anlegen": "Jassabend anlegen",
    "Neuer Anlass": "Neuer Jassabend",
    "Mitglieder": "Personen in der Kartei",
    "Meine Vereine": "Vereine",
    "Veranstaltender Verein": "Der Jassabend gehört zu",
    "Einsprachen": "Anfragen",
    "Sitzplan": "Wer sitzt wo",
    "Startrang": "Setzung",
    "Läuft gerade": "Jetzt am Spielen",
    "Die meisten Matches": "Am meisten Matche",
    "%(n)d Plätze spielt der Computer": "%(n)d Computer spielen mit",
    "Hat doch einen Stich gemacht": "Machte einen Stich, der nichts zählt",
    "Match von": "Match gemacht von",
    "Ein Resultat oder eine Karte beanstanden …": "Ein Spiel oder eine Karte bestreiten …",
    "Status": "Stand (Spalte)",
    "(freiwillig)": "(falls vorhanden)",
    "ein Sieg pro geschlagenem Gegner": "einen Sieg für jeden geschlagenen Gegner am Tisch",
    "ohne Meldung": "langsam",
    "Rufe": "ruft",
    "fehlen für den nächsten Tisch": "fehlen zum nächsten",
    "Name oder Passwort stimmt nicht.": "Bitte Benutzername und Passwort eingeben",
    "Auslosung von Hand eintippen": "Im Saal ausgeloste Plätze",
    "Zeiten · Auslosung rückgängig": "Nach der Uhr, oder neu auslosen",
    "Wenn jemand überzählig ist": "Nicht durch 4 teilbar",
}
"""What a button, a field or a status is called → what it was called before anybody had tried it."""

NEVER = re.compile(
    r"falls vorhanden|Streitf[aä]ll|bestreite|das Wenigste gewinnt|geschlagenen Gegner am Tisch|vom Haus"
    r"|Benutzername|\bangespielt wird|ausgeloste Plätze|durch 4 teilbar|Zuerst die Nummer der Anmeldung"
    r"|seither geöffnet|wurde abgebrochen|Startwert|Losnummer"
    r"|\b(?:Jass|Vereins|Spiel)?abend(?:e|en|s)?\b|\bMeisterschaft(?:en)?\b"
    r"|Kartei|Mitglieder(?:verzeichnis|liste)|\bAnfragen?\b|Setzung|Tischplan|Erstbeste"
    r"|\b(?:wird|würde|ist|sind|oder|beide|person) (?:gestrichen|streichen)|gestrichenen Nummer"
    r"|(?:Person|Leute|Spieler|Paare|Angekreuzte|Alle|nochmals) aufnehmen"
    r"|(?:wird|wurde|ist|sind|würden?) aufgenommen"
    r"|gestellt von der Tisch|vom Empfang getippt|Wer hat bestimmt|Auf die Liste|Jetzt am Spielen|\bBots?\b",
    re.IGNORECASE,
)
"""One word for one thing: what clubs do not say, and what another word is taken for."""
REPLACED = {
    "fr": re.compile(r"premiers? à jouer|\bopposition|s’est opposé|s’opposer|opposant", re.IGNORECASE),
    "it": re.compile(r"^di mano\b|\bobie(?:zion|tt)|\boppo(?:ne|rsi|st[oa])\b", re.IGNORECASE),
}
"""Second words for *forehand* and *objection* (docs/developers/languages.md)."""
SIGN_IN = re.compile(r"\bsign(?:s|ed)?[ -](?:in|ins|out)\b", re.IGNORECASE)
ENTERS = re.compile(r"\b(?:an|ab)(?:ge)?meld|\bmelde\w* (?:[^.]+ )?(?:an|ab)\b", re.IGNORECASE)
"""An entry to an event is an *Anmeldung*; who signs in to an account does *einloggen*."""
QUOTES = re.compile(r"[“”„‘’ß]")
THOUSANDS = re.compile(r"(?<![\d.])\d{1,3}[.,’]\d{3}(?![\d.])")


@pytest.fixture(scope="module")
def german() -> list[str]:
    return [text for translations in in_catalogue(PO).values() for text in translations]


def test_buttons_fields_and_statuses_are_called_as_clubs_call_them(german: list[str]) -> None:
    said = set(german) | {text.partition(" ")[2] for text in german}
    assert not [word for word in SAID if word not in said]
    assert not [word for word in SAID.values() if word in set(german)]


def test_what_clubs_do_not_say_stands_in_no_sentence(german: list[str]) -> None:
    assert not [text for text in german if NEVER.search(text)]


@pytest.mark.parametrize("language", REPLACED)
def test_forehand_and_objection_have_one_word_in_french_and_italian(language: str) -> None:
    rules = (ROOT / "frontend" / "rules" / "texts" / language).glob("**/*.html")
    texts = [text for path in rules for text in visible(path.read_text(encoding="utf-8"))]
    assert texts
    catalogue = in_catalogue(ROOT / "frontend" / "locale" / language / "LC_MESSAGES" / "django.po")
    texts += [text for translations in catalogue.values() for text in translations]
    assert not [text for text in texts if REPLACED[language].search(text)]


def test_whoever_signs_in_to_an_account_enters_no_event() -> None:
    said = {message[1]: texts for message, texts in in_catalogue(PO).items() if SIGN_IN.search(message[1])}
    assert len(said) > 30
    assert not [text for texts in said.values() for text in texts if ENTERS.search(text)]


def test_quotes_and_figures_are_swiss(german: list[str]) -> None:
    texts = [re.sub(r"<[^>]+>", "", text) for text in german]
    assert not [text for text in texts if QUOTES.search(text)]
    assert not [text for text in texts if THOUSANDS.search(text)]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_the_rules_of_each_game_are_written_so_too(path: Path) -> None:
    said = visible(path.read_text(encoding="utf-8"))
    assert said
    assert not [text for text in said if QUOTES.search(text) or THOUSANDS.search(text)]
