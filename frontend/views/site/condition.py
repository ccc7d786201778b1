"""/condition/: Current problems of this installation, for officials of championships."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from frontend.presenters.site.condition import list_troubles
from games.models import User
from tournaments.models import Official


@require_safe
@never_cache
def condition_now(request: HttpRequest) -> HttpResponse:
    """Render the problems, a polled part of directors' pages. It is empty if there are none, and for
    non-officials.
    """
    person = request.user
    if not isinstance(person, User) or not Official.objects.filter(user=person).exists():
        return HttpResponse(status=204)
    return render(request, "parts/condition.html", {"troubles": list_troubles()})
