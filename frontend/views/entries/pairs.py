"""/c/<slug>/pairs/: Enter pairs line by line, check both members in or book both payments, and make pairs of
single entries.
"""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from engine import Refused
from frontend.forms.entries import PairLinesForm
from frontend.presenters.words.refusals import describe_refusal, refusal_sentence
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from tournaments.services.entries import entries, pair_lines, pairs

BOTH = {"arrive": entries.arrive, "pay": entries.pay, "withdraw": entries.withdraw_entry}


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("enter")
def pairs_page(page: PageContext) -> HttpResponse:
    """Show the pairs. POST `do`: `lines` (enter pairs), `order` or `lot` (pair single entries), or with the
    `number` of a member `arrive`, `pay`, `withdraw` or `part`.
    """
    if not pairs.has_fixed_pairs(page.championship):
        raise Http404
    posted = page.request.method == "POST"
    action = page.request.POST.get("do", "")
    form = PairLinesForm(page.request.POST if posted and action == "lines" else None)
    context: dict[str, Any] = {"form": form}
    if posted and (action != "lines" or form.is_valid()):
        try:
            messages.success(page.request, _do_act(page, action, form))
        except Refused as error:
            context["refusal"] = describe_refusal(error)
            if isinstance(error, pair_lines.RowsRefused):
                context["rows"] = [(row, refusal_sentence(why)) for row, why in error.rows]
        else:
            return redirect("pairs", page.championship.slug)
    context["pairs"] = [
        (entrant, members) for entrant, members in pairs.load_pairs(page.championship).items()
    ]
    context["alone"] = pairs.list_unpaired(page.championship)
    return page.render("pages/pairs.html", context, status=400 if posted else 200)


def _do_act(page: PageContext, action: str, form: PairLinesForm) -> str:
    """Do the action and return its confirmation message."""
    if action == "lines":
        count = pair_lines.enter_lines(page.championship, actor=page.actor, **form.cleaned_data)
        return ngettext("%(n)d line is entered.", "%(n)d lines are entered.", count) % {"n": count}
    if action in ("order", "lot"):
        count = pair_lines.pair_remaining(page.championship, by_lot=action == "lot", actor=page.actor)
        return ngettext("%(n)d pair is made.", "%(n)d pairs are made.", count) % {"n": count}
    number = parse_bounded(page.request.POST.get("number"), least=1, most=MAX_NUMBER, default=0)
    entry = page.find_entry(number)
    if action not in BOTH and action != "part":
        raise Http404
    if action == "part":
        pairs.pair(entry, None, actor=page.actor)
        return _("The pair is separated.")
    both = pairs.apply_to_pair(BOTH[action], entry, actor=page.actor)
    return _("Noted for %(names)s.") % {"names": pairs.pair_name(both)}
