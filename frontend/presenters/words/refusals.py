"""Refusals as sentences with their stable codes, in forms and messages of pages."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from engine import Refused
from frontend.presenters.words.errors import error_text
from games.error_responses import OVERTAKEN, answer_to
from tournaments.errors import TournamentError, fill_sentence

CONFLICT: Final = _("Somebody else was quicker. Check the page as it is now, and try again.")


def refusal_sentence(error: Refused) -> str:
    """Return the translated sentence of a refusal: CONFLICT if somebody else was quicker, else that of the
    error or of its code (`error_text`).
    """
    if answer_to(error).page == OVERTAKEN:
        return str(CONFLICT)
    if isinstance(error, TournamentError):
        return _add_reason(error)
    return error_text(error.code, error.detail, error.params)


def _add_reason(error: TournamentError) -> str:
    """Return the sentence of a refusal. If its parameters name the code of a lower layer, translate that code
    too, because its detail is English only.
    """
    code, about = error.params.get("reason_code"), error.params.get("reason_params")
    if not isinstance(code, str) or not code:
        return str(error)
    said = str(error.params.get("reason", ""))
    reason = error_text(code, said, about if isinstance(about, dict) else None)
    return fill_sentence(error.sentence, {**error.params, "reason": reason.rstrip(".")})


def describe_refusal(error: Refused) -> dict[str, str]:
    """Return the refusal as the template `parts/refusal.html` needs it: its sentence and code."""
    return {"sentence": refusal_sentence(error), "code": error.code}


def show_refusal(request: HttpRequest, error: Refused) -> None:
    """Add the refusal to the messages of the page."""
    messages.error(request, refusal_sentence(error), extra_tags=error.code)


@dataclass(frozen=True, slots=True)
class Refusals:
    """A context manager. A refusal raised in its block ends the block and is passed to `handle`."""

    handle: Callable[[Refused], object]

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: type | None, error: BaseException | None, _trace: TracebackType | None) -> bool:
        if not isinstance(error, Refused):
            return False
        self.handle(error)
        return True


def add_refusal(form: Any, error: Refused) -> None:
    """Add a refusal to the errors of a form, with its code."""
    form.add_error(None, ValidationError(refusal_sentence(error), code=error.code))


def refusals_as_messages(request: HttpRequest) -> Refusals:
    """Return a context manager that shows a refusal raised in its block among the messages of the page."""
    return Refusals(partial(show_refusal, request))


def refusal_in(context: dict[str, Any]) -> Refusals:
    """Return a context manager that puts a refusal raised in its block into a template's context, as
    `refusal`.
    """
    return Refusals(lambda error: context.update(refusal=describe_refusal(error)))


def too_many_mails(seconds: int) -> dict[str, str]:
    """Return the refusal of a mail with a link because too many were requested. `seconds`: the time to
    wait.
    """
    sentence = _("Too many mails were requested.")
    return {"sentence": f"{sentence} {_try_again_in(seconds)}", "code": "sign_in/too_many_mails"}


def too_many_passwords(seconds: int) -> dict[str, str]:
    """Return the refusal of a password because too many were tried. `seconds`: the time to wait."""
    sentence = _("Too many wrong passwords for this name from here.")
    return {"sentence": f"{sentence} {_try_again_in(seconds)}", "code": "sign_in/locked"}


def too_many_tries(seconds: int) -> dict[str, str]:
    """Return the refusal of a sign-in at a provider because too many were begun. `seconds`: the time to
    wait.
    """
    return {"sentence": _try_again_in(seconds), "code": "open_id/too_many"}


def _try_again_in(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return ngettext("Try again in %(n)d minute.", "Try again in %(n)d minutes.", minutes) % {"n": minutes}
