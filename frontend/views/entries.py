"""/c/<slug>/entries/: the desk, and for everybody else the list of who takes part."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from engine import Refused
from frontend.forms.entries import ApartForm, KnownEntryForm, NewEntryForm, PairedEntryForm
from frontend.presenters.codes import places_of_tables
from frontend.presenters.desk import counts, desk_line
from frontend.presenters.refusals import sentence_of, show_refusal
from frontend.views.championship_context import Frame, championship_page, kept_nowhere
from frontend.views.numbers import whole
from tournaments.models import Championship, Entry, Round
from tournaments.services.championships import regulations_of
from tournaments.services.desk import code_places, finding, pairs
from tournaments.services.desk import entries as desk

SHOWN = 100
OFFERED = 500
"""Names that a field offers while one types; others are found by their number."""
MOST_ID = 2**31 - 1
ACTS: dict[str, Callable[..., Entry]] = {
    "arrive": desk.arrive,
    "leave": desk.leave,
    "pay": desk.pay,
    "unpay": partial(desk.pay, paid=False),
    "withdraw": desk.withdraw,
    "withdraw-after": partial(desk.withdraw, after_round=True),
    "take-back": desk.reinstate,
}


@require_GET
@championship_page()
def entries(frame: Frame) -> HttpResponse:
    """`?q=`: three letters of a name, or a number; `?from=`: the next hundred; `?show=missing`."""
    query = frame.request.GET.get("q", "").strip()[:40]
    show = frame.request.GET.get("show", "")
    first = whole(frame.request.GET.get("from"), least=0, most=100_000, default=0)
    found = _listed(frame, query, show)
    page = list(found[first : first + SHOWN + 1])
    context: dict[str, Any] = {
        "query": query,
        "show": show,
        "lines": [desk_line(entry) for entry in page[:SHOWN]],
        "more_from": first + SHOWN if len(page) > SHOWN else None,
        "first": first,
    }
    if frame.for_a_part:
        return kept_nowhere(frame.page("parts/entry_rows.html", context))
    context["counts"] = _counts(frame.championship)
    context["form"] = NewEntryForm()
    return kept_nowhere(frame.page("pages/entries.html", context))


def _listed(frame: Frame, query: str, show: str) -> QuerySet[Entry]:
    if query:
        found = desk.find(frame.championship, query)
    else:
        found = frame.championship.entries.order_by("sort_name", "number")
    if show == "missing":
        found = found.filter(status__in=[Entry.Status.REGISTERED, Entry.Status.PAID])
    elif show == "unpaid" and frame.roles.may_check_in:
        found = found.filter(paid=False).exclude(status=Entry.Status.WITHDRAWN)
    elif not frame.roles.may_check_in:
        found = found.exclude(status=Entry.Status.WITHDRAWN)
    return found


def _counts(championship: Championship) -> Any:
    return counts(championship, desk.gap(championship))


@require_POST
@championship_page("enter")
def entry_add(frame: Frame) -> HttpResponse:
    """One person; the name stays in the form when it is refused."""
    form = NewEntryForm(frame.request.POST)
    refusal = None
    if form.is_valid():
        try:
            made = desk.add(frame.championship, actor=frame.actor, **form.cleaned_data)
        except Refused as error:
            refusal = {"sentence": sentence_of(error), "code": error.code}
        else:
            messages.success(
                frame.request, _("%(name)s is entered, number %(n)d.") % {"name": made.name, "n": made.number}
            )
            return redirect("entries", frame.championship.slug)
    context = {
        "form": form,
        "refusal": refusal,
        "adding": True,
        "counts": _counts(frame.championship),
        "lines": [desk_line(e) for e in frame.championship.entries.order_by("sort_name", "number")[:SHOWN]],
    }
    return frame.page("pages/entries.html", context, status=400)


@require_POST
@championship_page("enter")
def entry_act(frame: Frame, number: int, act: str) -> HttpResponse:
    """One key: the line comes back as it is now, with the counts beside it."""
    entry = _entry(frame, number)
    if act not in ACTS:
        raise Http404
    refusal = code = ""
    seated = False
    try:
        ACTS[act](entry, actor=frame.actor)
    except Refused as error:
        refusal, code = sentence_of(error), error.code
        seated = bool(getattr(error, "params", {}).get("open"))
        if not frame.for_a_part:
            show_refusal(frame.request, error)
    if not frame.for_a_part:
        return redirect("entries", frame.championship.slug)
    entry.refresh_from_db()
    line = desk_line(entry, refusal=refusal, code=code, seated=seated, changed=not refusal)
    return frame.page("parts/entry_changed.html", {"line": line, "counts": _counts(frame.championship)})


@require_http_methods(["GET", "POST"])
@championship_page("enter")
def entry_edit(frame: Frame, number: int) -> HttpResponse:
    """A wrong name is put right in seconds."""
    entry = _entry(frame, number)
    form = _form_of(frame, entry, frame.request.POST if frame.request.method == "POST" else None)
    refusal = None
    if form.is_valid():
        try:
            data = dict(form.cleaned_data)
            account, number_of_partner = data.pop("user"), data.pop("partner", "")
            with transaction.atomic():
                desk.edit(entry, actor=frame.actor, **data)
                if isinstance(form, PairedEntryForm):
                    partner = finding.entry_of(frame.championship, number_of_partner)
                    pairs.pair(entry, partner, actor=frame.actor)
                if account != entry.user:
                    desk.link(entry, account, actor=frame.actor)
        except Refused as error:
            refusal = {"sentence": sentence_of(error), "code": error.code}
        else:
            messages.success(frame.request, _("%(name)s is corrected.") % {"name": entry.name})
            return redirect("entries", frame.championship.slug)
    return _entry_page(frame, entry, form, refusal=refusal)


def _form_of(frame: Frame, entry: Entry, posted: QueryDict | None) -> KnownEntryForm:
    fields = {name: getattr(entry, name) for name in sorted(desk.EDITED - {"name", "consents"})}
    fields["consents"] = entry.consented_at is not None
    fields["user"] = entry.user.get_username() if entry.user is not None else ""
    if regulations_of(frame.championship).play.format != "fixed_pairs":
        return KnownEntryForm(posted, initial=fields)
    if (partner := pairs.partner_of(entry)) is not None:
        fields["partner"] = f"{partner.number} {partner.name}"
    return PairedEntryForm(posted, initial=fields)


def _entry_page(
    frame: Frame,
    entry: Entry,
    form: KnownEntryForm,
    *,
    refusal: dict[str, str] | None = None,
    apart: ApartForm | None = None,
) -> HttpResponse:
    paired = isinstance(form, PairedEntryForm)
    free = [e for e in pairs.without_partner(frame.championship) if e != entry] if paired else []
    others = frame.championship.entries.exclude(status=Entry.Status.WITHDRAWN).exclude(pk=entry.pk)
    context = {
        "form": form,
        "entry": entry,
        "refusal": refusal,
        "free": free,
        "apart_form": apart or _apart_form(frame),
        "kept_apart": desk.kept_apart(entry),
        "others": others.order_by("number").values_list("number", "name")[:OFFERED],
        **_seat(frame, entry),
    }
    refused = form.is_bound or (apart is not None and apart.is_bound)
    return frame.page("pages/entry_edit.html", context, status=400 if refused else 200)


@require_POST
@championship_page("enter")
def entry_apart(frame: Frame, number: int) -> HttpResponse:
    """Two who must not be drawn together; or, with `release`, may be again."""
    entry = _entry(frame, number)
    if released := whole(frame.request.POST.get("release"), least=0, most=MOST_ID, default=0):
        for wish, other in desk.kept_apart(entry):
            if wish.pk == released:
                desk.release(wish, actor=frame.actor)
                messages.success(frame.request, _("%(name)s may be drawn with again.") % {"name": other.name})
        return redirect("entry_edit", frame.championship.slug, number)
    form = _apart_form(frame, frame.request.POST)
    if form.is_valid():
        try:
            other = finding.entry_of(frame.championship, form.cleaned_data["other"]) or entry
            desk.constrain(frame.championship, form.cleaned_data["kind"], entry, other, actor=frame.actor)
        except Refused as error:
            form.add_error("other", sentence_of(error))
        else:
            return redirect("entry_edit", frame.championship.slug, number)
    return _entry_page(frame, entry, _form_of(frame, entry, None), apart=form)


def _apart_form(frame: Frame, *posted: QueryDict) -> ApartForm:
    return ApartForm(*posted, partners=regulations_of(frame.championship).play.format == "pairs")


def _seat(frame: Frame, entry: Entry) -> dict[str, Any]:
    """Where somebody sits in the open round, for a new code."""
    open_round = frame.championship.rounds.filter(status=Round.Status.OPEN).first()
    if open_round is None:
        return {}
    chips = regulations_of(frame.championship).chips()
    places = code_places.code_places_of(open_round, entry=entry)
    return {"round": open_round, "tables": places_of_tables(places, chips=chips)}


def _entry(frame: Frame, number: int) -> Entry:
    entry = frame.championship.entries.select_related("championship", "user").filter(number=number).first()
    if entry is None:
        raise Http404(_("There is no entry %(n)d.") % {"n": number})
    return entry
