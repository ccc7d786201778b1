"""/c/<slug>/entries/import/: a list from elsewhere, looked at before it is entered."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from engine import Refused
from frontend.forms.entries import MOST_TEXT, ImportForm
from frontend.presenters.refusals import sentence_of
from frontend.views.championship_context import Frame, championship_page
from tournaments.errors import TournamentError
from tournaments.services.desk import importing

SHOWN_GOOD = 200
"""Good lines shown; of the others all, up to as many again."""


@require_http_methods(["GET", "POST"])
@championship_page("import")
def entries_import(frame: Frame) -> HttpResponse:
    """First the preview; `commit` enters what it called good. The list travels in the form."""
    request = frame.request
    posted = request.method == "POST"
    form = ImportForm(request.POST if posted else None, request.FILES if posted else None)
    context: dict[str, Any] = {"form": form}
    if not form.is_bound:
        return frame.page("pages/entries_import.html", context)
    status = 400
    if form.is_valid():
        try:
            data = _data(form)
            if "commit" in request.POST:
                made = importing.commit(frame.championship, data, actor=frame.actor)
                done = ngettext("%(n)d person is entered.", "%(n)d people are entered.", len(made))
                messages.success(request, done % {"n": len(made)})
                return redirect("entries", frame.championship.slug)
            preview = importing.preview(frame.championship, data)
        except Refused as error:
            context["refusal"] = {"sentence": sentence_of(error), "code": error.code}
        else:
            status = 200
            text = importing.decode_text(data)[0]
            context |= _shown(preview)
            context["text"] = text if len(text) <= MOST_TEXT else ""
    return frame.page("pages/entries_import.html", context, status=status)


def _data(form: ImportForm) -> bytes:
    """The bytes of the list. The size is looked at before anything is read into memory."""
    upload, text = form.cleaned_data["file"], form.cleaned_data["text"]
    if upload is None:
        if not text.strip():
            raise TournamentError("import/empty", _("Choose a file, or write a list."))
        encoded: bytes = text.encode()
        return encoded
    if upload.size > importing.MOST_BYTES:
        raise TournamentError(
            "import/too_large",
            _("The file has %(size)s bytes; at most %(most)s can be imported."),
            size=upload.size,
            most=importing.MOST_BYTES,
        )
    content: bytes = upload.read()
    return content


COLUMNS = {
    "name": gettext_lazy("Name"),
    "last": gettext_lazy("Last name"),
    "first": gettext_lazy("First name"),
    "club": gettext_lazy("Club"),
    "licence": gettext_lazy("Licence"),
    "note": gettext_lazy("Note"),
}
ENCODINGS = {"cp1252": "Windows-1252", "utf-16": "UTF-16"}
"""Those worth a word: who sees wrong umlauts then knows why."""


def _shown(preview: importing.Preview) -> dict[str, Any]:
    good = [line for line in preview.lines if line.good]
    bad = [line for line in preview.lines if not line.good]
    return {
        "preview": preview,
        "doubles": sum(
            any(p.code in ("entries/double", "import/double_line") for p in line.problems) for line in bad
        ),
        "bad": bad[:SHOWN_GOOD],
        "good": good[:SHOWN_GOOD],
        "good_left": max(0, len(good) - SHOWN_GOOD),
        "columns": [COLUMNS[column] for column in preview.columns if column],
        "encoding": ENCODINGS.get(preview.encoding),
    }
