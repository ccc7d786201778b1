"""/c/<slug>/disputes/: what waits for the referee and what was ruled; and /g/<game>/dispute/ to raise one."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from frontend.forms.disputes import RaiseForm
from frontend.presenters.elapsed import ago
from frontend.presenters.refusals import REFUSALS, code_of, sentence_of
from frontend.views import frame as frames
from frontend.views.frame import Frame, championship_page
from games import access
from games.models import User
from tournaments.models import Table
from tournaments.services import disputes as services

SHOWN = 200


@require_GET
@championship_page()
def disputes(frame: Frame) -> HttpResponse:
    """The open ones first. Everybody may read them: what is ruled in the open is trusted."""
    now = timezone.now()
    found = [
        (dispute, ago(dispute.raised_at, now))
        for dispute in services.of_championship(frame.championship)[:SHOWN]
    ]
    template = "parts/dispute_list.html" if frame.for_a_part else "pages/disputes.html"
    return frame.page(template, {"disputes": found})


@require_http_methods(["GET", "POST"])
def dispute_raise(request: HttpRequest, game_id: str) -> HttpResponse:
    """By whoever sits at the table, an official, or the holder of the table's code. The service checks it."""
    table = Table.objects.filter(game=game_id).select_related("round__championship", "game").first()
    if table is None:
        raise Http404(_("There is no such table."))
    frame = frames.of(request, table.round.championship)
    principal = access.principal_of(request.user, request.session)
    token = principal.token if principal.token is not None and principal.token.game_id == game_id else None
    if token is None and not frame.roles.takes_part:
        return frames.refuse(frame)
    asked = {key: request.GET[key] for key in ("deal", "trick") if key in request.GET}
    form = RaiseForm(request.POST if request.method == "POST" else None, initial=asked)
    refusal = None
    if form.is_valid():
        try:
            made = services.raise_(
                table,
                actor=request.user if isinstance(request.user, User) else None,
                by_ref=token.ref if token is not None else None,
                **form.cleaned_data,
            )
        except REFUSALS as error:
            refusal = {"sentence": sentence_of(error), "code": code_of(error)}
        else:
            messages.success(
                request, _("The referee sees it now. You can go on playing if he does not come at once.")
            )
            return redirect("dispute", made.pk)
    context = {"form": form, "table": table, "refusal": refusal}
    return frame.page("pages/dispute_raise.html", context, status=400 if form.is_bound else 200)
