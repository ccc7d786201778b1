"""A model field for exact numbers."""

import re
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.db import models

from tournaments.competition import read_number, write_number

if TYPE_CHECKING:
    _Field = models.Field[int | str | None, int | str | None]
else:
    _Field = models.Field

_FRACTION: Final = re.compile(r"-?[0-9]+/[0-9]+")


class FigureField(_Field):
    """An exact number as `write_number` writes it: an int, or a fraction "n/d" in lowest terms."""

    def get_internal_type(self) -> str:
        return "TextField"

    def from_db_value(self, value: str | None, *_context: Any) -> int | str | None:
        return value if value is None or "/" in value else int(value)

    def to_python(self, value: Any) -> int | str | None:
        """Return a number or None. Raises ValidationError unless it is written as `write_number` writes
        it.
        """
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        try:
            is_fraction = isinstance(value, str) and _FRACTION.fullmatch(value) is not None
            if is_fraction and write_number(read_number(value)) == value:
                return str(value)
        except (ValueError, ZeroDivisionError):
            pass
        raise ValidationError(f"{value!r} is no exact number", "invalid")

    def get_prep_value(self, value: Any) -> str | None:
        found = self.to_python(value)
        return None if found is None else str(found)
