"""/c/<slug>/entries/<n>/merge/: Merge two entries of one person, after a preview."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from frontend.presenters.words.refusals import refusal_in, refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page
from tournaments.services.entries import entry_search, merging

OFFERED = 1000
"""Largest number of names that the field suggests while the user types; other people are found by number."""


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("reseat")
def entry_merge(page: PageContext, number: int) -> HttpResponse:
    """Merge this entry with `other` (number or name): show a preview (GET), or do it (POST)."""
    entry = page.find_entry(number, "championship", "user")
    posted = page.request.method == "POST"
    asked = (page.request.POST if posted else page.request.GET).get("other", "")[:60]
    plan = None
    context: dict[str, Any] = {"entry": entry, "asked": asked}
    with refusal_in(context):
        other = entry_search.find_entry(page.championship, asked)
        if other is not None and posted:
            reason = page.request.POST.get("reason", "")[:200]
            plan = merging.merge_entries(entry, other, actor=page.actor, reason=reason)
            sentence = _("Numbers %(one)d and %(other)d are one person now: %(name)s, number %(one)d.")
            messages.success(
                page.request,
                sentence % {"one": plan.keep.number, "other": plan.strike.number, "name": plan.keep.name},
            )
            return redirect("entry_edit", page.championship.slug, plan.keep.number)
        if other is not None:
            plan = merging.plan_merge(entry, other)
    others = page.championship.entries.filter(merged_into=None).exclude(pk=entry.pk)
    context |= {"plan": plan, "others": others.order_by("sort_name", "number")[:OFFERED]}
    return page.render("pages/entry_merge.html", context, status=400 if posted else 200)


@require_POST
@championship_page("enter")
def entry_part(page: PageContext, number: int) -> HttpResponse:
    """Undo the merge of this entry into another one."""
    entry = page.find_entry(number, "championship", "user")
    with refusals_as_messages(page.request):
        merging.part_entries(entry, actor=page.actor)
        sentence = _(
            "Number %(n)d is a separate entry again; undo its withdrawal at the desk if somebody "
            "plays under it."
        )
        messages.success(page.request, sentence % {"n": entry.number})
    return redirect("entry_edit", page.championship.slug, number)
