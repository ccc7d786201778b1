"""What every page of a championship begins with: which one, who asks, and what the tabs show."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from frontend.presenters.roles import Person, Roles, roles_of
from tournaments.dispute_life import WAITING
from tournaments.models import Championship, Dispute, Round

P = ParamSpec("P")


def for_a_part(request: HttpRequest) -> bool:
    """Whether htmx asks, which wants only the part of the page that may have changed."""
    return bool(request.htmx)  # type: ignore[attr-defined] # set by the middleware of django-htmx


@dataclass(frozen=True, slots=True)
class Frame:
    request: HttpRequest
    championship: Championship
    roles: Roles

    @property
    def person(self) -> Person:
        return self.request.user

    @property
    def actor(self) -> Any:
        """The signed-in person for services; views that act require one."""
        return self.request.user

    @property
    def for_a_part(self) -> bool:
        return for_a_part(self.request)

    def round(self, number: int) -> Round:
        """The round of that number; else 404."""
        found = self.championship.rounds.filter(number=number).first()
        if found is None:
            raise Http404(_("There is no round %(n)d.") % {"n": number})
        found.championship = self.championship
        return found

    def page(self, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
        """The template with what `layouts/championship.html` needs. It may differ for htmx."""
        response = render(self.request, template, self.context() | context, status=status)
        patch_vary_headers(response, ["HX-Request"])
        return response

    def context(self) -> dict[str, Any]:
        return {
            "championship": self.championship,
            "roles": self.roles,
            "may_direct": self.roles.may_direct,
            "may_board": self.roles.may("board"),
            "open_disputes": Dispute.objects.filter(
                table__round__championship=self.championship, status__in=WAITING
            ).count(),
        }


def find(request: HttpRequest, slug: str) -> Frame:
    """The championship, if this person may see it; else 404, as if there were none."""
    championship = Championship.objects.filter(slug=slug).first()
    if championship is None:
        raise Http404(_("There is no such championship."))
    return of(request, championship)


def of(request: HttpRequest, championship: Championship, *, by_code: bool = False) -> Frame:
    """The same for a championship already at hand. `by_code`: a code has opened one of its tables."""
    roles = roles_of(request.user, championship)
    if not championship.public and not roles.takes_part and not by_code:
        raise Http404(_("There is no such championship."))
    return Frame(request, championship, roles)


def refuse(frame: Frame) -> HttpResponse:
    """Whoever is not signed in is sent to do so; others are told that this is not theirs."""
    if not frame.roles.signed_in:
        return redirect_to_login(frame.request.get_full_path())
    return frame.page("pages/not_allowed.html", {}, status=403)


def championship_page(
    action: str | None = None,
) -> Callable[[Callable[Concatenate[Frame, P], HttpResponse]], Callable[..., HttpResponse]]:
    """A view of one championship: `view(frame, …)` behind `<slug>`, open to those who may do `action`."""

    def decorate(view: Callable[Concatenate[Frame, P], HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            frame = find(request, slug)
            if action is not None and not frame.roles.may(action):
                return refuse(frame)
            return view(frame, *args, **kwargs)

        return wrapped

    return decorate
