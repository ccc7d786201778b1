"""What every page of a championship begins with: which one, who asks, and what the tabs show."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.contrib.auth.views import redirect_to_login
from django.db.models import Count, OuterRef, Q, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from frontend.fragment_cache import ANYBODY, html, shared
from frontend.presenters.roles import Person, Roles, roles_of
from frontend.views.numbers import whole
from games.errors import TooMuch
from tournaments.dispute_states import WAITING, public_filter
from tournaments.models import Championship, Dispute, Entry, Round
from tournaments.names.public import FULL
from tournaments.names.readers import reading_for
from tournaments.services import cache_version as editions
from tournaments.services import public_names
from tournaments.services.cache_version import Edition
from tournaments.services.current_regulations import with_regulations

P = ParamSpec("P")
T = TypeVar("T")
INSIDE = "those who take part"
SHARED = "X-Puur-Shared"
"""A header for `frontend.edge_cache`, which removes it: championship (`-`: none of its own), all or one,
mark, names of the marks."""


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

    @property
    def page_asked_for(self) -> int:
        """`?page=2` of what is shown by pages."""
        return whole(self.request.GET.get("page"), least=1, most=1000, default=1)

    def round(self, number: int, **more: Subquery | Q) -> Round:
        """The round of that number; else 404. `more`: what else is read with it."""
        found = self.championship.rounds.annotate(**more).filter(number=number).first()
        if found is None:
            raise Http404(_("There is no round %(n)d.") % {"n": number})
        found.championship = self.championship
        return found

    def entry(self, number: int, *beside: str) -> Entry:
        """The entry of that number; else 404. `beside`: what is read with it."""
        found = self.championship.entries.select_related(*beside).filter(number=number).first()
        if found is None:
            raise Http404(_("There is no entry %(n)d.") % {"n": number})
        return found

    def page(self, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
        """The template with what `layouts/championship.html` needs. It may differ for htmx."""
        response = render(self.request, template, self.context() | context, status=status)
        patch_vary_headers(response, ["HX-Request"])
        shared = self.championship.public and not self.roles.signed_in
        response.headers["Cache-Control"] = "no-cache" if shared else "private, no-cache"
        return response

    def shared(
        self,
        name: str,
        edition: Edition,
        of: tuple[object, ...],
        mark: str,
        make: Callable[[], T],
        kind: type[T],
    ) -> T:
        """A piece of this championship for its audience, made once for this mark. The edition is read before
        whatever the piece is made from, else something old could be kept as the newest.
        """
        return shared(name, (self.championship.pk, self.audience(edition), *of), mark, make, kind)

    def piece(
        self, name: str, edition: Edition, of: tuple[object, ...], mark: str, make: Callable[[], str]
    ) -> SafeString:
        """The same for one that is HTML."""
        return html(self.shared(name, edition, of, mark, make, str))

    def rendered(self, template: str, context: dict[str, Any]) -> str:
        """A part that is shared: the template gets no request, and knows nothing of who asks."""
        return render_to_string(template, {"championship": self.championship, **context})

    def audience(self, edition: Edition) -> str:
        """Who may see what is shared of this championship: anybody only if it is public before and after, and
        anybody reads the names that whoever asks now reads.
        """
        if not (self.championship.public and edition.public):
            return INSIDE
        shown = public_names.current_kind(self.championship)
        if shown != FULL:
            return f"{ANYBODY}, {shown}"
        return ANYBODY if self.championship.public_names == FULL else INSIDE

    def edition(self) -> Edition:
        """What there is to see now. Whoever has an office sees at once on a page what he has just done."""
        fresh = bool(self.roles.offices) and not self.for_a_part
        found = editions.load_edition(self.championship.pk, fresh=fresh)
        if found is None:
            raise Http404(_("There is no such championship."))
        return found

    def part(
        self, name: str, edition: Edition, of: tuple[str, ...], make: Callable[[], str], *, more: object = ""
    ) -> HttpResponse:
        """What a page asks for again and again; nothing is made for whoever has the newest already. `of`:
        which marks of the edition it depends on; `more`: on what else.
        """
        entry = self.roles.entry.pk if self.roles.entry is not None else None
        marks = edition.marks(*of)
        whose = (sorted(self.roles.offices), entry, self.audience(edition))
        said = repr((name, marks, more, whose, get_language(), self.championship.slug))
        etag = f'W/"{hashlib.blake2b(said.encode(), digest_size=15).hexdigest()}"'
        known = parse_etags(self.request.headers.get("If-None-Match", ""))
        response = HttpResponseNotModified() if etag in known else HttpResponse(make())
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "private, no-cache"
        patch_vary_headers(response, ["HX-Request", "Cookie", "Accept-Language"])
        # Names that were chosen otherwise a moment ago may stand in this answer: it is nobody else's.
        if not more and self.championship.public_names == edition.names:
            everybody = self.audience(edition).startswith(ANYBODY) and not whose[0] and entry is None
            response.headers[SHARED] = " ".join(
                [str(edition.championship), "all" if everybody else "one", marks, *of]
            )
        return response

    @property
    def open_disputes(self) -> int:
        """Read with the championship, where that was read for this page. Those at tables that are shown late
        are counted for who has an office."""
        name = "open_disputes" if self.roles.offices else "shown_disputes"
        at_hand = vars(self.championship)
        if name in at_hand:
            return at_hand[name] or 0
        of_it = Dispute.objects.filter(table__round__championship=self.championship, status__in=WAITING)
        return (of_it if self.roles.offices else of_it.filter(public_filter())).count()

    def context(self) -> dict[str, Any]:
        return {
            "championship": self.championship,
            "roles": self.roles,
            "may_direct": self.roles.may_direct,
            "may_board": self.roles.may("board"),
            "may_edit": self.roles.may("edit"),
            "open_disputes": self.open_disputes,
        }


def find_championship(request: HttpRequest, slug: str) -> Frame:
    """The championship, if this person may see it; else 404, as if there were none."""
    of_it = "table__round__championship"
    disputes = Dispute.objects.filter(**{of_it: OuterRef("pk")}, status__in=WAITING)
    counted = {
        name: Subquery(rows.order_by().values(of_it).annotate(n=Count("pk")).values("n"))
        for name, rows in (("open_disputes", disputes), ("shown_disputes", disputes.filter(public_filter())))
    }
    found = with_regulations(Championship.objects.filter(slug=slug))
    championship = found.annotate(**counted).first()
    if championship is None:
        raise Http404(_("There is no such championship."))
    return frame_of(request, championship)


def frame_of(request: HttpRequest, championship: Championship, *, by_code: bool = False) -> Frame:
    """The same for a championship already at hand. `by_code`: a code has opened one of its tables."""
    if by_code:
        public_names.grant_full_names(championship.pk)
    roles = roles_of(request.user, championship)
    if not championship.public and not roles.takes_part and not by_code:
        raise Http404(_("There is no such championship."))
    return Frame(request, championship, roles)


def kept_nowhere(response: HttpResponse) -> HttpResponse:
    """A page with what is only for whoever asks: no cache keeps it, nor does the browser for the next one who
    sits down at it.
    """
    response.headers["Cache-Control"] = "no-store"
    return response


def come_later(response: HttpResponse, error: TooMuch) -> HttpResponse:
    """A page that says so, with when to try again; no cache keeps it."""
    response.headers["Retry-After"] = str(error.params["seconds"])
    return kept_nowhere(response)


def for_the_wall(view: Callable[Concatenate[Frame, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """A view whose page everybody in the hall sees, whoever is signed in on the machine that shows it."""

    @wraps(view)
    def wrapped(frame: Frame, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with reading_for(public_names.outsider(frame.championship)):
            return view(frame, *args, **kwargs)

    return wrapped


def refuse(frame: Frame) -> HttpResponse:
    """Whoever is not signed in is sent to do so; others are told that this is not theirs."""
    if not frame.roles.signed_in:
        return redirect_to_login(frame.request.get_full_path())
    return frame.page("pages/not_allowed.html", {}, status=403)


def championship_page(
    action: str | None = None,
) -> Callable[[Callable[Concatenate[Frame, P], HttpResponse]], Callable[..., HttpResponse]]:
    """A view of one championship: `view(frame, …)` behind `<slug>`, open to those who may do `action`. What
    is not open to everybody is kept nowhere.
    """

    def decorate(view: Callable[Concatenate[Frame, P], HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            frame = find_championship(request, slug)
            if action is None:
                return view(frame, *args, **kwargs)
            if not frame.roles.may(action):
                return refuse(frame)
            return kept_nowhere(view(frame, *args, **kwargs))

        return wrapped

    return decorate
