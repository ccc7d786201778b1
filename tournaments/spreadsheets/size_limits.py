"""Limits of a list's size, and the errors for lists that exceed them."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError

MAX_BYTES: Final = 5 * 1024 * 1024
MAX_ROWS: Final = 10_000
MAX_COLUMNS: Final = 100
MAX_LINES: Final = 50_000
"""Largest number of lines, including empty ones."""


def too_many_columns_error(line: int) -> TournamentError:
    return TournamentError(
        "import/too_many_columns",
        _("Line %(line)s has more than %(most)s columns."),
        line=line,
        most=MAX_COLUMNS,
    )


def too_many_rows_error() -> TournamentError:
    return TournamentError("import/too_many_rows", _("The file has more than %(most)s lines."), most=MAX_ROWS)


def require_line_limit(text: str) -> None:
    """Raise TournamentError `import/too_many_rows` if the text has more than MAX_LINES line breaks."""
    if text.count("\n") + text.count("\r") - text.count("\r\n") > MAX_LINES:
        raise too_many_rows_error()
