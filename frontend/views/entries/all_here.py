"""/c/<slug>/entries/all-here/: The button *All here*, and its undoing."""

from datetime import UTC, datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from engine import Refused
from frontend.presenters.words.refusals import show_refusal
from frontend.views.championship_context import PageContext, championship_page
from tournaments.services.entries import presence


@require_POST
@championship_page("enter")
def all_here(page: PageContext) -> HttpResponse:
    """Mark everybody who has not withdrawn as present; the desk then marks the absent people. POST `undo`:
    the ISO time of an earlier such action, which is undone.
    """
    undo = _parse_moment(page.request.POST["undo"]) if "undo" in page.request.POST else None
    try:
        if undo is None:
            pressed = presence.mark_all_present(page.championship, actor=page.actor)
        else:
            back = presence.undo_all_present(page.championship, undo, actor=page.actor)
    except Refused as error:
        show_refusal(page.request, error)
        return redirect("entries", page.championship.slug)
    if undo is not None:
        sentence = ngettext("%(n)d person is no longer here.", "%(n)d people are no longer here.", back)
        messages.success(page.request, sentence % {"n": back})
        return redirect("entries", page.championship.slug)
    sentence = ngettext("%(n)d person marked as here.", "%(n)d people marked as here.", pressed.people)
    messages.success(
        page.request,
        sentence % {"n": pressed.people} + " " + _("Now take out the people who are not there."),
    )
    return redirect(reverse("entries", args=[page.championship.slug]) + "?show=here")


def _parse_moment(text: str) -> datetime:
    """Return the time; for a text that is no time, a time before every press."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return datetime.min.replace(tzinfo=UTC)
