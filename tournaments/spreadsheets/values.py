"""Parsing of cells: cleaned text, yes or no, methods of payment, and numbers."""

import re
import unicodedata
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError

FORMULA: Final = "#FORMULA"
"""Cell text that replaces a formula without a stored result."""
_FAULTS: Final = frozenset(
    f"{FORMULA} #REF! #N/A #NAME? #VALUE! #DIV/0! #NULL! #NUM! #SPILL! #CALC! #BEZUG! #NV #WERT! "
    "#ZAHL! #REF #ERROR! #VALEUR! #NOM? #NOMBRE! #RIF! #VALORE! #NOME? #NULLO! #FEHLER! ERR:508 ERR:502 "
    "#ÜBERLAUF! ########".split()
)
_SIGNS: Final = "-–—−/✗✘☐✓✔☑☒"
_YES: Final = """
x xx ja j yes y oui o si sì sí s gea 1 true wahr vrai vero verdadero ok okay erledigt bezahlt gezahlt bez gez
beglichen überwiesen einbezahlt eingezahlt erhalten eingegangen quittiert verbucht paid received payé
payée payés réglé versé reçu pagato pagata pagado pagada saldato pajà paja twint bar cash karte
kreditkarte debitkarte card maestro postfinance ebanking überweisung banküberweisung vorauszahlung
vorauskasse virement carte contant contanti comptant bonifico tarjeta ✓ ✔ ☑ ☒ einverstanden zugesagt
angemeldet zusage kommt dabei teilnahme
"""
_NO: Final = """
nein n no non na 0 false falsch faux falso offen open unpaid unbezahlt ausstehend ausst pendent pending
schuldet fehlt nicht nichts kein keine noch never jamais rimane impayé impayée ouvert aperto aperta
scoperto pendiente pendente dû due ancora encore todavía abends abend later später spaeter not non-payé
storniert abgemeldet abmeldung absage abgesagt verhindert entschuldigt krank - – — − / ✗ ✘ ☐
"""
_PART: Final = """
rest restbetrag restzahlung anzahlung angezahlt teilweise teilzahlung hälfte partly deposit acompte acconto
anticipo reste resto parziale
"""
"""Words for a part payment, which counts as neither yes nor no."""
_WAYS_OF_PAYING: Final = {
    "twint": "twint",
    "cash": "bar cash contant contanti comptant espèces efectivo",
    "card": "karte kreditkarte debitkarte card maestro carte carta tarjeta",
    "transfer": """
        überwiesen überweisung banküberweisung ebanking bank postfinance einbezahlt eingezahlt virement
        bonifico transferencia transfer
    """,
}
_PAYS_LATER: Final = re.compile(
    r"\b(vor ort|am abend|an der kasse|abendkasse|sur place|sul posto|en el lugar|on site|zahlt|wird|"
    r"will pay|bringt|da pagare|à payer|a payer|por pagar|to pay)\b"
)
_AMOUNT: Final = re.compile(
    r"(?:chf|fr|sfr|eur|€)?\.?\s*(\d{1,6})(?:[.,](\d{1,2}|-+|–+|—+))?\s*(?:chf|sfr|fr\.?|eur|euro|€)?",
    re.ASCII,
)
_DATE: Final = re.compile(r"\b(\d{1,2}[./]\s?\d{1,2}[./]?\s?(\d{2,4})?|\d{4}-\d{2}-\d{2})(?!\d)")


def clean_cell(text: str) -> str:
    """Return the text without invisible characters, repeated spaces, and a spreadsheet's quoting of text
    (="…").
    """
    if text.isascii() and text.isprintable() and not text.startswith("="):
        return " ".join(text.split())
    if len(text) > 2 and text.startswith('="') and text.endswith('"'):
        text = text[2:-1]
    seen = (" " if c.isspace() or unicodedata.category(c) == "Cc" else c for c in text)
    return " ".join(
        "".join(c for c in seen if unicodedata.category(c) not in ("Cf", "Co", "Cn", "Cs")).split()
    )


def is_error_cell(text: str) -> bool:
    """Return whether the cell contains an error value of the spreadsheet."""
    return text.upper() in _FAULTS


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFC", text).casefold()
    return [word for word in re.split(r"[\s,;:()!?\"'«».]+", plain) if word]


_MEANINGS: Final = {word: says for says, words in ((True, _YES), (False, _NO)) for word in words.split()}


def parse_yes_no(text: str, *, column: str) -> bool:
    """Return whether a cell means yes, as "x" and "Twint 20.–" do; False for an empty one.

    Raises TournamentError `import/neither_yes_nor_no`.
    """
    answer = unicodedata.normalize("NFC", " ".join(text.split())).casefold()
    if not answer:
        return False
    if answer in _MEANINGS:
        return _MEANINGS[answer]
    if (amount := _AMOUNT.fullmatch(answer)) is not None:
        return any(digit not in "0-–—" for group in amount.groups() if group for digit in group)
    if len(answer) <= MAX_SAID and (says := _parse_words(answer)) is not None:
        return says
    raise TournamentError(
        "import/neither_yes_nor_no", _("“%(text)s” is neither yes nor no"), text=text[:20], column=column
    )


def payment_method(text: str) -> str:
    """Return the method of payment (`Booking.Method`) that a text like "Twint 20.–" or "bar" names; "" if it
    names none or several.
    """
    words = set(_words(text[:MAX_SAID]))
    named = [way for way, said in _WAYS_OF_PAYING.items() if not words.isdisjoint(said.split())]
    return named[0] if len(named) == 1 else ""


MAX_SAID: Final = 80
"""Largest number of characters of a text that is parsed as yes or no."""


def _parse_words(answer: str) -> bool | None:
    """Return yes, no or None (unknown). A word of refusal decides first, then a word of assent,
    then a date.
    """
    if _PAYS_LATER.search(answer):
        return False
    words = _words(answer)
    if not set(_PART.split()).isdisjoint(words):
        return None
    says = {
        _MEANINGS[word] for word in words if word in _MEANINGS and word not in _SIGNS and not word.isdigit()
    }
    if says:
        return False not in says
    rest = _DATE.sub("", answer).strip(" .,;:()am")
    return True if not rest and _DATE.search(answer) else None


def parse_number(text: str, *, highest: int) -> int | None:
    """Return the number in "12", "12.", "#12" or "Nr. 12"; None if the text is empty.

    Raises TournamentError `import/no_number` unless it is from 1 to `highest`.
    """
    digits = text.strip().rstrip(".)").removeprefix("#")
    digits = re.sub(r"^(nr|no|n°|№)\.?\s*", "", digits, flags=re.IGNORECASE)
    if not digits and not text.strip():
        return None
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 9 and 0 < int(digits) <= highest):
        raise TournamentError(
            "import/no_number",
            _("“%(text)s” is not a number from 1 to %(highest)s"),
            text=text[:20],
            highest=highest,
        )
    return int(digits)
