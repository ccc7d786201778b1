"""/new/: Create a championship from a preset."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from frontend.forms.championship import NewChampionshipForm
from frontend.presenters.regulations.regulations import list_highlights, title
from frontend.presenters.words.refusals import refusal_in
from games.models import User
from tournaments.clubs import rolls
from tournaments.presets import PRESETS
from tournaments.regulations import encode
from tournaments.services.championships import championships
from tournaments.services.current_regulations import has_sessions


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def championship_new(request: HttpRequest) -> HttpResponse:
    """Create a championship, for accounts that are allowed to. The creator becomes its director."""
    if not championships.may_found(cast(User, request.user)):
        return render(request, "pages/may_not_found.html", status=403)
    kept = rolls.list_kept_clubs(cast(User, request.user))
    form = NewChampionshipForm(request.POST if request.method == "POST" else None, clubs=kept)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        data = dict(form.cleaned_data)
        preset, mode = data.pop("preset"), data.pop("mode")
        play = encode(PRESETS[preset])["play"]
        with refusal_in(context):
            new_championship = championships.found_championship(
                actor=cast(User, request.user),
                preset=preset,
                language=(get_language() or "en")[:2],
                changes={"play": {**play, "mode": mode}},
                **data,
            )
            sentence = (
                _("%(name)s is created. People can enter, or come when a session is open.")
                if has_sessions(new_championship)
                else _("%(name)s is created. Now enter the players.")
            )
            messages.success(request, sentence % {"name": new_championship.name})
            return redirect("championship", new_championship.slug)
    context["presets"] = [
        {
            "key": key,
            "title": title(key),
            "lines": list_highlights(found),
            "chosen": form["preset"].value() == key,
        }
        for key, found in PRESETS.items()
    ]
    status = 400 if form.is_bound else 200
    return render(request, "pages/championship_new.html", context, status=status)
