"""/accounts/: The accounts of the installation, for its owners, who search, lock, delete and invite."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from frontend.accounts.proof import reauthentication_required
from frontend.forms.accounts import AccountInvitationForm
from frontend.presenters.tables.codes import render_qr_code
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.accounts.invitations import describe_offer
from frontend.views.championship_context import mark_uncacheable
from frontend.views.numbers import parse_bounded
from games.models import User
from tournaments.accounts import invitations, listing, resets
from tournaments.services.table_access.phone_address import is_local_only

PER_PAGE = 50
MAX_QUERY_LENGTH = 60


def owners_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view for owners of the installation. Anonymous users sign in; others get 404."""

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not cast(User, request.user).is_superuser:
            raise Http404(_("There is no such page."))
        return mark_uncacheable(view(request, *args, **kwargs))

    return wrapped


@require_safe
@owners_page
def account_list(request: HttpRequest) -> HttpResponse:
    """List accounts, the last used first. `?q=`: part of a name; `?page=2`: the next ones."""
    query = request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    number = parse_bounded(request.GET.get("page"), least=1, most=10_000, default=1)
    page = Paginator(listing.find_accounts(query), PER_PAGE).get_page(number)
    context = {
        "page": page,
        "query": query,
        "form": AccountInvitationForm(),
        "open": list(invitations.open_invitations(None).select_related("made_by")),
    }
    return render(request, "pages/account_list.html", context)


@require_POST
@reauthentication_required
@owners_page
def account_act(request: HttpRequest, user_id: int, act: str) -> HttpResponse:
    """Do `lock`, `unlock`, `delete`, `reset` (make a link for a new password), `found` or `not-found` (allow
    or forbid to create championships) with an account.
    """
    user, actor = get_object_or_404(User, pk=user_id), cast(User, request.user)
    words = {"name": user.get_username()}
    with refusals_as_messages(request):
        match act:
            case "lock" | "unlock":
                listing.set_locked(user, locked=act == "lock", actor=actor)
                sentence = _("%(name)s is locked.") if act == "lock" else _("%(name)s can sign in again.")
            case "found" | "not-found":
                listing.set_may_found(user, may_found=act == "found", actor=actor)
                sentence = (
                    _("%(name)s may create championships.")
                    if act == "found"
                    else _("%(name)s may no longer create championships.")
                )
            case "delete":
                listing.delete_account(user, actor=actor)
                sentence = _("%(name)s is deleted.")
            case "reset":
                token = resets.make_reset(user, actor=actor)
                return _show_link(request, reverse("password_reset", args=[token]), {"account": user})
            case _:
                raise Http404(_("There is no such page."))
        messages.success(request, sentence % words)
    query = {} if act == "delete" else {"q": user.get_username()}
    return redirect(reverse("account_list", query=query))


@require_POST
@reauthentication_required
@owners_page
def account_invite(request: HttpRequest) -> HttpResponse:
    """Make a link by which a person creates an account."""
    form = AccountInvitationForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This name is too long."))
        return redirect("account_list")
    offer = invitations.offer_account(actor=cast(User, request.user), **form.cleaned_data)
    return _show_link(request, reverse("invitation", args=[offer.token]), describe_offer(offer.invitation))


@require_POST
@reauthentication_required
@owners_page
def account_invitation_withdraw(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Withdraw an open invitation to create an account. Its link no longer works."""
    if invitations.withdraw_account(invitation_id, actor=cast(User, request.user)):
        messages.success(request, _("The invitation is revoked."))
    return redirect("account_list")


def _show_link(request: HttpRequest, path: str, context: dict[str, Any]) -> HttpResponse:
    asked = settings.ORIGIN or request.build_absolute_uri("/")
    link = f"{asked.rstrip('/')}{path}"
    picture = None if is_local_only(asked) else render_qr_code(link)
    return render(request, "pages/link_made.html", {**context, "link": link, "picture": picture})
