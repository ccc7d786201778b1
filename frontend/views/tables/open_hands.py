"""/g/<game>/open-hands/: Show an official the hidden cards of a running deal, after a confirmation."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from frontend.accounts.proof import reauthentication_required
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views import championship_context
from games.models import User
from games.rights import observers
from tournaments.models import Table
from tournaments.services.referee import opened_hands


class LookForm(forms.Form):
    """The form that confirms the opening of hidden cards. `deal`: number of the deal on the page."""

    deal = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Why they must be opened"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
def open_hands(request: HttpRequest, game_id: str) -> HttpResponse:
    """Open the hands of the running deal to a director or referee. The log of the round records this, and the
    players see a notice.
    """
    table = Table.objects.filter(game=game_id).select_related("round__championship", "game").first()
    if table is None or table.game is None:
        raise Http404(_("There is no such table."))
    page = championship_context.build_page_context(request, table.round.championship)
    if not page.roles.may("look") or not isinstance(request.user, User):
        return championship_context.refuse(page)
    principal = observers.build_principal(request.user, request.session)
    hidden = opened_hands.find_hidden_deal(table.game, principal)
    form = LookForm(request.POST if request.method == "POST" else None, initial={"deal": hidden})
    back = f"{reverse('replay', args=[game_id])}#seq={table.game.head_seq}"
    if form.is_valid():
        with refusals_as_messages(request):
            opened_hands.open_hand(table, actor=request.user, token=principal.token, **form.cleaned_data)
            sentence = _(
                "The hidden cards of this deal are open to you. The players see that you have opened them."
            )
            messages.success(request, sentence)
            return redirect(back)
        return redirect("table_live", game_id)
    context = {"form": form, "table": table, "hidden": hidden, "back": back}
    return page.render("pages/open_hands.html", context, status=400 if form.is_bound else 200)
