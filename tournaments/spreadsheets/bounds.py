"""How large a list may be, and what is said of one that is larger."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError

MOST_BYTES: Final = 5 * 1024 * 1024
MOST_ROWS: Final = 10_000
MOST_COLUMNS: Final = 100
MOST_LINES: Final = 50_000
"""With those in which nothing stands."""


def too_many_columns(line: int) -> TournamentError:
    return TournamentError(
        "import/too_many_columns",
        _("Line %(line)s has more than %(most)s columns."),
        line=line,
        most=MOST_COLUMNS,
    )


def too_many_rows() -> TournamentError:
    return TournamentError(
        "import/too_many_rows", _("The file has more than %(most)s lines."), most=MOST_ROWS
    )


def refuse_too_many_lines(text: str) -> None:
    """Counted before anything is parsed: an empty line costs as much as another. Raises TournamentError."""
    if text.count("\n") + text.count("\r") - text.count("\r\n") > MOST_LINES:
        raise too_many_rows()
