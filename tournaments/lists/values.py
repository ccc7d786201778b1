"""What a cell says: yes or no, a number."""

import re
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.names import folded

_WORDS: Final = {
    True: "x ja j yes y oui o si s gea 1 true wahr vrai vero ok bezahlt gezahlt paid paye pagato ✓ ✔ ☑",
    False: "nein n no non na 0 false falsch faux falso offen open - – — / ✗ ☐",
}
_SAYS: Final = {word: says for says, words in _WORDS.items() for word in words.split()}
_AMOUNT: Final = re.compile(
    r"(?:(?:chf|fr|sfr|eur|€)\.?)?\s*(\d{1,6})(?:[.,](\d{1,2}|-+|–+))?\s*(?:chf|fr\.?|€)?", re.ASCII
)


def yes_or_no(text: str, *, column: str) -> bool:
    """Of "x", "ja", "oui", "20.–" or nothing. Raises TournamentError `import/neither_yes_nor_no`."""
    said = folded(text)
    if not said or said in _SAYS:
        return _SAYS.get(said, False)
    if (amount := _AMOUNT.fullmatch(said)) is not None:
        return any(digit not in "0-–" for group in amount.groups() if group for digit in group)
    raise TournamentError(
        "import/neither_yes_nor_no", _("“%(text)s” says neither yes nor no"), text=text[:20], column=column
    )


def number_in_cell(text: str, *, highest: int) -> int | None:
    """Of "12" or "12."; None for nothing. Raises TournamentError `import/no_number`."""
    said = text.strip().rstrip(".")
    if not said:
        return None
    if not (said.isascii() and said.isdecimal() and len(said) <= 9 and 0 < int(said) <= highest):
        raise TournamentError(
            "import/no_number",
            _("“%(text)s” is no number from 1 to %(highest)s"),
            text=text[:20],
            highest=highest,
        )
    return int(said)
