"""/c/<slug>/disputes/: Open disputes and rulings of a championship. /g/<game>/dispute/: Raise a dispute."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from frontend.forms.disputes import RaiseForm
from frontend.presenters.disputes.ruling_subject import load_ruling_subjects
from frontend.presenters.names.seat_names import seat_names
from frontend.presenters.tables.moment import card_at
from frontend.presenters.words.elapsed import format_elapsed
from frontend.presenters.words.refusals import refusal_in
from frontend.presenters.words.vocabulary import DISPUTED, word
from frontend.views import championship_context
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from games.models import Game, User
from games.projections import delayed_broadcast
from games.rights import observers
from tournaments.models import Table
from tournaments.services.referee import disputes as services

DISPUTES_PER_PAGE = 200


@require_safe
@championship_page()
def disputes(page: PageContext) -> HttpResponse:
    """List at most 200 disputes, first those that wait for an official, then the newest. Those at delayed
    tables are only for officials, all others for everybody.
    """
    now, in_office = timezone.now(), bool(page.roles.offices)
    listed = list(services.list_disputes(page.championship, in_office=in_office)[:DISPUTES_PER_PAGE])
    for dispute in listed:
        dispute.table.round.championship = page.championship  # its regulations are at hand
    abouts = load_ruling_subjects(listed)
    found = [
        (
            dispute,
            format_elapsed(dispute.raised_at, now),
            word(DISPUTED, dispute.incident),
            abouts[dispute.pk],
        )
        for dispute in listed
    ]
    template = "parts/dispute_list.html" if page.is_partial else "pages/disputes.html"
    return page.render(template, {"disputes": found})


@require_http_methods(["GET", "HEAD", "POST"])
def dispute_raise(request: HttpRequest, game_id: str) -> HttpResponse:
    """Raise a dispute, as a player at the table, an official, or a person with the code of the table. The
    service checks this.

    `?seq=`: the card played in this event; `?deal=` and `?trick=`: a trick. The default is the current trick.
    """
    table = Table.objects.filter(game=game_id).select_related("round__championship", "game").first()
    if table is None or table.game is None:
        raise Http404(_("There is no such table."))
    principal = observers.build_principal(request.user, request.session)
    token = principal.token if principal.token is not None and principal.token.game_id == game_id else None
    page = championship_context.build_page_context(
        request, table.round.championship, by_code=token is not None
    )
    if token is None and not page.roles.takes_part:
        return championship_context.refuse(page)
    table.game = observers.to_visible_state(table.game, principal)
    asked = _requested_position(request, table.game)
    bound = request.POST if request.method == "POST" else None
    form = RaiseForm(bound, game=table.game, initial=asked)
    context: dict[str, Any] = {"form": form, "table": table}
    if not form.is_bound:  # A round that accepts no disputes any more says so before the form is filled in.
        with refusal_in(context):
            services.require_in_time(table.round)
    if form.is_valid():
        with refusal_in(context):
            raised = services.raise_dispute(
                table,
                actor=request.user if isinstance(request.user, User) else None,
                by_ref=token.ref if token is not None else None,
                **form.cleaned_data,
            )
            seen = (
                _("The referee sees it now. You can go on playing if they do not come at once.")
                if services.has_referee(table)
                else _("The directors see it now. You can go on playing until somebody comes.")
            )
            messages.success(request, seen)
            return redirect("dispute", raised.pk)
    context |= {
        "card": _disputed_card(form, table.game),
        "until": services.compute_dispute_deadline(table.round),
    }
    return page.render("pages/dispute_raise.html", context, status=400 if form.is_bound else 200)


def _requested_position(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Return deal, trick and card (`at_seq`) at the requested moment of the game, or deal and trick at its
    present end.
    """
    seq = parse_bounded(request.GET.get("seq"), least=0, most=MAX_NUMBER, default=-1)
    if seq >= 0:
        disputed_card = card_at(game, seq)
        if disputed_card is not None:
            return {"deal": disputed_card.deal, "trick": disputed_card.trick, "at_seq": disputed_card.seq}
    said = {name: request.GET[name] for name in ("deal", "trick") if name in request.GET}
    if said:
        return said
    last = max(game.deal, len(delayed_broadcast.load_visible_results(game)))
    return {"deal": last or None, "trick": game.trick or None}


def _disputed_card(form: RaiseForm, game: Game) -> dict[str, Any] | None:
    """Return the card that the form disputes; None if it names none. The card has been played, so it is
    public.
    """
    seq = parse_bounded(str(form["at_seq"].value() or ""), least=0, most=MAX_NUMBER, default=-1)
    disputed_card = card_at(game, seq) if seq >= 0 else None
    if disputed_card is None or disputed_card.card is None:
        return None
    return {"code": disputed_card.card, "name": seat_names(game)[disputed_card.seat]}
