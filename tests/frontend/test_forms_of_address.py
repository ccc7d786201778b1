"""Everybody is spoken to alike: vous in French, tú in Spanish, tu in Italian, du in German, or no address."""

import re

import pytest

from tests.frontend.catalogues import ROOT, in_catalogue
from tests.frontend.visible import visible

OTHER_FORM = {
    "fr": re.compile(
        r"\b(?:tu|te|toi|ton|ta|tes|la tienne|les tien(?:ne)?s)\b|\bt’(?=[aeiouyhéêà])"
        r"|\b(?:choisis|écris|inscris|transmets|refais|saisis|reprends|revois|attends)\b"
        r"|\w+(?:e|(?<!ite)s)-(?:le|la|les|en|toi)\b"
        r"|(?:^|[.:;?!»]\s)(?:regarde|envoie|tape|coche|cherche|corrige|ajoute|utilise|télécharge|indique|imprime)\b",
        re.IGNORECASE,
    ),
    "es": re.compile(
        r"\b(?:ustedes|usted|vosotros|vuestr[oa]s?|sois)\b|\w(?:áis|[^s]éis)\b|\bes su turno\b"
        r"|(?:^|[.:;?!»]\s)ha (?:entrado|salido|aceptado)\b"
        r"|(?:^|[.:;?!»]\s|, luego |\b[yo] |primero |ahora )"
        r"(?:elija|escriba|pulse|toque|mire|diga|guarde|intente|pregunte|anote|imprima|deje|marque|corrija|cargue"
        r"|escanee|quite|anule|sortee|revise|reinicie|inicie|restaure|inscriba|abra|espere|copie|pida|vuelva|borre)\b",
        re.IGNORECASE,
    ),
    "it": re.compile(
        r"(?<![.:;?!«] )(?<!^)\b(?:Lei|Suo|Sua|Suoi|Sue)\b"
        r"|\b(?:dite|scrivete|scegliete|correggete|chiedete|premete|mettete|togliete\w*|createne|segnatelo)\b"
        r"|(?:^|[.:;?!»]\s)(?i:scelga|scriva|prema|inserisca|riprovi|attenda|chieda|apra|torni|controlli"
        r"|avviate|riavviate|riprovate|salvate|inviate)\b"
    ),
    "de": re.compile(r"(?<![.:!?»]\s)(?<!^)\b(?:Sie|Ihnen|Ihre?[mnrs]?)\b"),
}
"""What speaks to a reader in the form that a language does not use.

German and Italian mark it by a capital letter where no sentence begins. Imperatives stand here if they mean
nothing else.
"""


def sentences(language: str) -> list[str]:
    """Return what a language says in its catalogue and in the rules of the games."""
    catalogue = in_catalogue(ROOT / "frontend" / "locale" / language / "LC_MESSAGES" / "django.po")
    texts = sorted((ROOT / "frontend" / "rules" / "texts" / language).rglob("*.html"))
    return [
        *(text for translations in catalogue.values() for text in translations),
        *(text for path in texts for text in visible(path.read_text(encoding="utf-8"))),
    ]


@pytest.mark.parametrize("language", OTHER_FORM)
def test_no_sentence_speaks_to_the_reader_in_the_other_form(language: str) -> None:
    said = sentences(language)
    assert len(said) > 5000
    assert not [text for text in said if OTHER_FORM[language].search(text)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "Ta table n’est pas ouverte."),
        ("fr", "Corrige la liste."),
        ("fr", "Retires-en d’abord un."),
        ("fr", "Lien perdu ? L’accueil t’en fait un autre."),
        ("es", "Ha entrado como fredi"),
        ("es", "La ronda ya está sorteada: anule primero su sorteo."),
        ("es", "Podéis seguir jugando."),
        ("it", "Apra la pagina."),
        ("it", "Una persona fa parte di un’altra squadra: dite perché."),
        ("de", "Bitte geben Sie einen Namen ein."),
    ],
)
def test_the_other_form_is_recognised(language: str, text: str) -> None:
    assert OTHER_FORM[language].search(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "Dites-le à l’accueil."),
        ("fr", "Je ne le tiens plus"),
        ("es", "Ha ganado la baza."),
        ("es", "veintiséis"),
        ("it", "Il giocatore e la sua squadra"),
        ("de", "Die Datei ist kein Schlüssel: Sie ist leer."),
    ],
)
def test_what_speaks_to_nobody_is_no_address(language: str, text: str) -> None:
    assert not OTHER_FORM[language].search(text)
