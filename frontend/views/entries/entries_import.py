"""/c/<slug>/entries/import/: Import a list of entries after a preview."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from engine import Refused
from frontend.forms.columns import KINDS, parse_reading
from frontend.forms.entries import MAX_TEXT, ImportForm
from frontend.presenters.words.refusals import describe_refusal
from frontend.views.championship_context import PageContext, championship_page, retry_later
from games.errors import TooMuch
from tournaments.errors import TournamentError
from tournaments.models import Booking
from tournaments.services.entries import importing
from tournaments.spreadsheets import columns
from tournaments.spreadsheets.reading import file_too_large_error
from tournaments.spreadsheets.size_limits import MAX_BYTES

MAX_SHEETS = 20
SHOWN_GOOD = 200
"""Largest number of importable lines that the page shows, and of other lines."""


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("import")
def entries_import(page: PageContext) -> HttpResponse:
    """Show a preview of the list with its columns; `commit` enters the lines without errors. The form
    contains the list unless it is too long.
    """
    request = page.request
    posted = request.method == "POST"
    form = ImportForm(request.POST if posted else None, request.FILES if posted else None)
    context: dict[str, Any] = {"form": form}
    if not form.is_bound:
        return page.render("pages/entries_import.html", context)
    status = 400
    if form.is_valid():
        chosen = request.POST.get("sheet", "")
        reading = None if chosen else parse_reading(request.POST)
        try:
            data = request.POST.get(f"sheet-text-{chosen}", "").encode() if chosen else _read_upload(form)
            context |= _preview_context(importing.preview(page.championship, data, reading))
            context |= _sheets_context(context["preview"], request.POST)
            if reading is not None:
                columns.require_valid_kinds(reading.kinds)
            if "commit" in request.POST:
                entries = importing.import_entries(
                    page.championship,
                    data,
                    reading,
                    actor=page.actor,
                    digest=request.POST.get("seen", ""),
                )
                done = ngettext("%(n)d person is entered.", "%(n)d people are entered.", len(entries))
                messages.success(request, done % {"n": len(entries)})
                return redirect("entries", page.championship.slug)
        except Refused as error:
            context["refusal"] = describe_refusal(error)
            if isinstance(error, TooMuch):
                return retry_later(page.render("pages/entries_import.html", context, status=429), error)
        else:
            status = 200
    return page.render("pages/entries_import.html", context, status=status)


def _read_upload(form: ImportForm) -> bytes:
    """Return the bytes of the uploaded or typed list. Raises Refused if it is missing or too large."""
    upload, text = form.cleaned_data["file"], form.cleaned_data["text"]
    if upload is None:
        if not text.strip():
            raise TournamentError("import/empty", _("Choose a file, or write a list."))
        encoded: bytes = text.encode()
        return encoded
    if upload.size > MAX_BYTES:
        raise file_too_large_error(upload.size)
    content: bytes = upload.read()
    return content


ENCODINGS = {
    "cp1252": "Windows-1252",
    "utf-16": "UTF-16",
    "iso8859-15": "ISO-8859-15",
    "mac-roman": "Mac Roman",
    "cp850": "MS-DOS 850",
    "cp1250": "Windows-1250",
}
"""Codec → its name on the page, where a wrong encoding may explain wrong umlauts."""


def _preview_context(preview: importing.Preview) -> dict[str, Any]:
    good = sorted(preview.people, key=lambda line: (not line.problems, line.line))
    bad = [line for line in preview.lines if not line.good]
    return {
        "preview": preview,
        "doubles": sum(
            any(p.code in ("entries/double", "import/double_line") for p in line.problems) for line in bad
        ),
        "bad": bad[:SHOWN_GOOD],
        "bad_left": max(0, len(bad) - SHOWN_GOOD),
        "good": [(line, _summarize_line(line)) for line in good[:SHOWN_GOOD]],
        "good_left": max(0, len(good) - SHOWN_GOOD),
        "kinds": KINDS.items(),
        "left_out": [
            column.heading or _("column %(n)d") % {"n": column.at + 1} for column in _unused_columns(preview)
        ],
        "nameless": not columns.NAMED & set(preview.columns),
        "encoding": ENCODINGS.get(preview.encoding),
        "text": preview.text if len(preview.text) <= MAX_TEXT else "",
    }


def _sheets_context(preview: importing.Preview, posted: QueryDict) -> dict[str, Any]:
    """Return the sheets of the uploaded workbook, which the form contains: the name of the sheet that is
    shown, and position, name and text of each other sheet.
    """
    if preview.encoding == "xlsx":
        others = [(one.name, one.text) for one in preview.others]
        return {"sheet": preview.sheet, "sheets": _carried_sheets(others)}
    names = posted.getlist("sheet-name")
    texts = [posted.get(f"sheet-text-{at}", "") for at in range(len(names))]
    sheet = posted.get("sheet-read", "")
    others = list(zip(names, texts, strict=True))
    chosen = posted.get("sheet", "")
    if chosen.isascii() and chosen.isdecimal() and len(chosen) < 4 and int(chosen) < len(others):
        before = (sheet, posted.get("text", ""))
        sheet = others[int(chosen)][0]
        others[int(chosen)] = before
    return {"sheet": sheet, "sheets": _carried_sheets(others)}


def _carried_sheets(others: list[tuple[str, str]]) -> list[tuple[int, str, str]]:
    """Return (position, name, text) of the sheets; the text is empty as soon as all texts together are too
    long for the form.
    """
    left, found = MAX_TEXT, []
    for at, (name, text) in enumerate(others[:MAX_SHEETS]):
        left -= len(text)
        found.append((at, name, text if left >= 0 else ""))
    return found


def _unused_columns(preview: importing.Preview) -> list[columns.Column]:
    """Return the columns that contain data and are not imported."""
    return [column for column in preview.described if not column.kind and (column.heading or column.values)]


def _summarize_line(line: importing.ImportLine) -> str:
    """Summarize the further imported fields of a line: "Nr. 12 · bezahlt · 1961"."""
    said = [
        _("No. %(n)d") % {"n": line.number} if line.number else "",
        _("with %(name)s") % {"name": line.partner} if line.partner else "",
        line.email,
        _paid_label(line),
        line.category,
        str(line.birth_year or ""),
        _("start rank %(n)d") % {"n": line.start_rank} if line.start_rank else "",
        line.licence,
        line.note,
        _("agrees to be named") if line.consents else "",
    ]
    return " · ".join(filter(None, said))


def _paid_label(line: importing.ImportLine) -> str:
    if not line.paid_by:
        return _("paid") if line.paid else ""
    return f"{_('paid')} ({Booking.Method(line.paid_by).label})"
