"""The context of every page of a championship: the championship, the requesting person and their roles."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from django.contrib.auth.views import redirect_to_login
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from frontend import fragment_cache
from frontend.fragment_cache import ANYBODY, as_safe_html
from frontend.presenters.accounts.roles import Person, Roles, load_page_roles
from frontend.presenters.clubs.club_images import ClubImages, show_images
from frontend.views.numbers import parse_bounded
from games.errors import TooMuch
from tournaments.clubs.public import subquery_public_club
from tournaments.dispute_states import WAITING, public_filter
from tournaments.models import Championship, ClubEvent, Dispute, Entry, Round
from tournaments.names.public_names import FULL
from tournaments.names.readers import reading_for
from tournaments.services import cache_versions
from tournaments.services.cache_versions import CacheVersion
from tournaments.services.compiled_query import CompiledModelQuery
from tournaments.services.current_regulations import with_regulations
from tournaments.services.people import name_visibility
from tournaments.services.series.loading import make_public_series_query

P = ParamSpec("P")
T = TypeVar("T")
INSIDE = "those who take part"
SHARED = "X-Puur-Shared"
"""A response header for `frontend.edge_cache`, which removes it. It contains the championship's primary key
(`-`: none), the audience (`all` or `one`), the cache mark, and the names of the mark's parts.
"""


def is_partial_request(request: HttpRequest) -> bool:
    """Return whether htmx requests only a part of a page."""
    return bool(request.htmx)  # type: ignore[attr-defined]  # the middleware of django-htmx sets it


@dataclass(frozen=True, slots=True)
class PageContext:
    request: HttpRequest
    championship: Championship
    roles: Roles

    @property
    def person(self) -> Person:
        return self.request.user

    @property
    def actor(self) -> Any:
        """The signed-in person, whom services record as the actor. Views that change something require
        sign-in.
        """
        return self.request.user

    @property
    def is_partial(self) -> bool:
        return is_partial_request(self.request)

    @property
    def page_number(self) -> int:
        """The page number of a paginated list, from `?page=2`; 1 without one."""
        return parse_bounded(self.request.GET.get("page"), least=1, most=1000, default=1)

    def find_round(self, number: int, **more: Subquery | Q) -> Round:
        """Return the round with this number, or raise 404. `more`: annotations to load with it."""
        round_: Round = get_object_or_404(self.championship.rounds.annotate(**more), number=number)
        round_.championship = self.championship
        return round_

    def find_entry(self, number: int, *beside: str) -> Entry:
        """Return the entry with this number, or raise 404. `beside`: relations to load with it."""
        entry: Entry = get_object_or_404(self.championship.entries.select_related(*beside), number=number)
        return entry

    def render(self, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
        """Render a page with the context that `layouts/championship.html` needs. The response varies by the
        header HX-Request.
        """
        response = render(self.request, template, self.context() | context, status=status)
        patch_vary_headers(response, ["HX-Request"])
        shared = self.championship.public and not self.roles.signed_in
        response.headers["Cache-Control"] = "no-cache" if shared else "private, no-cache"
        return response

    def get_or_make_fragment(
        self,
        name: str,
        cache_version: CacheVersion,
        of: tuple[object, ...],
        mark: str,
        make: Callable[[], T],
        kind: type[T],
    ) -> T:
        """Return a fragment of this championship from the cache, or make it. `of`: what its key consists of
        besides `name` and audience; `mark`: changes with its content; `kind`: its type. The cache version
        must be read before the data of the fragment, otherwise old data could be cached under the newest
        mark.
        """
        return fragment_cache.get_or_make_fragment(
            name, (self.championship.pk, self.audience(cache_version), *of), mark, make, kind
        )

    def get_or_make_html(
        self,
        name: str,
        cache_version: CacheVersion,
        of: tuple[object, ...],
        mark: str,
        make: Callable[[], str],
    ) -> SafeString:
        """Return an HTML fragment from the cache, or make it; the arguments are those of
        `get_or_make_fragment`.
        """
        return as_safe_html(self.get_or_make_fragment(name, cache_version, of, mark, make, str))

    def render_fragment(self, template: str, context: dict[str, Any]) -> str:
        """Render a part of a page without the request, so that it depends on the person only by `context`."""
        return render_to_string(template, {"championship": self.championship, **context})

    def audience(self, cache_version: CacheVersion) -> str:
        """Return the key of the audience for which fragments are cached. A reader belongs to a public
        audience only if championship and cache version are public; readers of one such audience read names in
        the same way.
        """
        if not (self.championship.public and cache_version.public):
            return INSIDE
        shown = name_visibility.current_kind(self.championship)
        if shown != FULL:
            return f"{ANYBODY}, {shown}"
        return ANYBODY if self.championship.name_kind == FULL else INSIDE

    def load_cache_version(self) -> CacheVersion:
        """Return the cache version, at most `cache_versions.CACHE_SECONDS` old; an official's whole page gets
        the newest.
        """
        fresh = bool(self.roles.offices) and not self.is_partial
        found = cache_versions.load_cache_version(self.championship.pk, fresh=fresh)
        if found is None:
            raise Http404(_("There is no such championship."))
        return found

    def respond_with_part(
        self,
        name: str,
        cache_version: CacheVersion,
        of: tuple[str, ...],
        make: Callable[[], str],
        *,
        more: object = "",
    ) -> HttpResponse:
        """Render a polled part, or return 304 if the browser has its newest version. `of`: the parts of the
        cache version on which it depends; `more`: anything else on which it depends.
        """
        entry = self.roles.entry.pk if self.roles.entry is not None else None
        marks = cache_version.marks(*of)
        whose = (sorted(self.roles.offices), entry, self.audience(cache_version))
        said = repr((name, marks, more, whose, get_language(), self.championship.slug))
        etag = f'W/"{hashlib.blake2b(said.encode(), digest_size=15).hexdigest()}"'
        known = parse_etags(self.request.headers.get("If-None-Match", ""))
        response = HttpResponseNotModified() if etag in known else HttpResponse(make())
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "private, no-cache"
        patch_vary_headers(response, ["HX-Request", "Cookie", "Accept-Language"])
        # If the names changed between the two reads, the response is not shared.
        if not more and self.championship.name_kind == cache_version.names:
            everybody = self.audience(cache_version).startswith(ANYBODY) and not whose[0] and entry is None
            response.headers[SHARED] = " ".join(
                [str(cache_version.championship), "all" if everybody else "one", marks, *of]
            )
        return response

    @property
    def open_disputes(self) -> int:
        """The number of open disputes, from the championship's annotation if there is one. Disputes at
        delayed tables count for officials only.
        """
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
            "images": self.images,
        }

    @property
    def images(self) -> ClubImages:
        """The logo and the sponsors of the club; empty if they were not loaded with the championship."""
        at_hand = vars(self.championship)
        return show_images(at_hand.get("club_slug"), at_hand.get("club_pictures"))


def find_championship(request: HttpRequest, slug: str) -> PageContext:
    """Return the context of the championship with this slug. Raises 404 both if the person may not see it and
    if it does not exist.
    """
    championship = _CHAMPIONSHIP.fetch_first(slug)
    if championship is None:
        raise Http404(_("There is no such championship."))
    return build_page_context(request, championship)


def _championship_query(slug: str) -> QuerySet[Championship]:
    of_it = "table__round__championship"
    disputes = Dispute.objects.filter(**{of_it: OuterRef("pk")}, status__in=WAITING)
    counted = {
        name: Subquery(rows.order_by().values(of_it).annotate(n=Count("pk")).values("n"))
        for name, rows in (("open_disputes", disputes), ("shown_disputes", disputes.filter(public_filter())))
    }
    in_series = ClubEvent.objects.filter(championship=OuterRef("pk"))
    championships = with_regulations(Championship.objects.filter(slug=slug))
    return championships.annotate(
        **counted,
        series=make_public_series_query(),
        in_series=Exists(in_series),
        club_page=subquery_public_club(),
        club_slug=F("club__slug"),
        club_pictures=F("club__pictures"),
    )


_CHAMPIONSHIP: Final = CompiledModelQuery(_championship_query, "no slug")


def build_page_context(
    request: HttpRequest, championship: Championship, *, by_code: bool = False
) -> PageContext:
    """Return the context of a championship; 404 if the person may not see it. `by_code`: they have opened one
    of its tables by a code, so they see it with full names.
    """
    if by_code:
        name_visibility.grant_full_names(championship.pk)
    roles = load_page_roles(request.user, championship)
    if not championship.public and not roles.takes_part and not by_code:
        raise Http404(_("There is no such championship."))
    return PageContext(request, championship, roles)


def mark_uncacheable(response: HttpResponse) -> HttpResponse:
    """Forbid caches to store a response with personal content, also the cache of a shared browser."""
    response.headers["Cache-Control"] = "no-store"
    return response


def retry_later(response: HttpResponse, error: TooMuch) -> HttpResponse:
    """Mark an error page as uncacheable, and add the header Retry-After."""
    response.headers["Retry-After"] = str(error.params["seconds"])
    return mark_uncacheable(response)


def projector_view(view: Callable[Concatenate[PageContext, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a projector's view: it shows names as an anonymous visitor sees them, regardless of the person
    who is signed in on the projector's machine.
    """

    @wraps(view)
    def wrapped(page: PageContext, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with reading_for(name_visibility.outsider(page.championship)):
            return view(page, *args, **kwargs)

    return wrapped


def refuse(page: PageContext) -> HttpResponse:
    """Redirect an anonymous visitor to sign-in; return a page with status 403 to everybody else."""
    if not page.roles.signed_in:
        return redirect_to_login(page.request.get_full_path())
    return page.render("pages/not_allowed.html", {}, status=403)


def championship_page(
    action: str | None = None,
) -> Callable[[Callable[Concatenate[PageContext, P], HttpResponse]], Callable[..., HttpResponse]]:
    """Decorate a view `view(page, …)` of one championship, whose URL contains `<slug>`. `action`: what a
    person must be allowed to do to open it, else `refuse` responds; None: everybody who sees the championship
    may. With an action, the view's responses are not cached.
    """

    def decorate(view: Callable[Concatenate[PageContext, P], HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            page = find_championship(request, slug)
            if action is None:
                return view(page, *args, **kwargs)
            if not page.roles.may(action):
                return refuse(page)
            return mark_uncacheable(view(page, *args, **kwargs))

        return wrapped

    return decorate
