"""/invitation/<token>/: The offer of an office, a seat or an account, which a person accepts with an existing
or a new account. /reset/<token>/: Set a new password by a link, from an owner of the installation or mailed.
Other views here offer offices and seats.
"""

from typing import Any

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from engine import Refused
from frontend.accounts.proof import reauthentication_required
from frontend.accounts.setting_up import lacks_second_factor
from frontend.forms.accounts import InvitationForm, NewAccountForm, NewPasswordForm
from frontend.presenters.tables.codes import render_qr_code
from frontend.presenters.words.refusals import refusals_as_messages, show_refusal
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from games.models import User
from tournaments.accounts import invitations, resets, signed_in
from tournaments.accounts.invitations import Made
from tournaments.models import Invitation
from tournaments.services.table_access import phone_address


def describe_offer(invitation: Invitation) -> dict[str, Any]:
    """Return the context that describes an offer on its page."""
    maker = invitation.made_by
    return {
        "invitation": invitation,
        "championship": invitation.championship,
        "office": invitation.get_role_display() if invitation.role else "",
        "entry": invitation.entry,
        "maker": "" if maker is None else maker.display_name,
    }


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show the offer (GET); accept it with the account that is signed in, or with a new one (POST)."""
    invitation = invitations.find_invitation(token)
    if invitation is None:
        return _render_expired(request)
    user = request.user if isinstance(request.user, User) else None
    form = NewAccountForm(request.POST if request.method == "POST" and user is None else None)
    if request.method == "POST":
        if user is not None:
            return _accept(request, invitation, user)
        if form.is_valid():
            return _accept_with_new_account(request, invitation, form)
    context = describe_offer(invitation) | {"form": form, "next": request.path}
    context |= {"open_id": settings.OPEN_ID.name, "token": token}
    return mark_uncacheable(
        render(request, "pages/invitation.html", context, status=400 if form.is_bound else 200)
    )


def _render_expired(request: HttpRequest) -> HttpResponse:
    return mark_uncacheable(render(request, "pages/link_over.html", {}, status=404))


def _accept(request: HttpRequest, invitation: Invitation, user: User) -> HttpResponse:
    try:
        invitations.accept(invitation, user)
    except Refused as error:
        show_refusal(request, error)
        return redirect("account")
    if lacks_second_factor(user):
        signed_in.end_sessions(user)
        messages.info(request, _("Sign in again: officials set up a second step here."))
        return redirect("sign_in")
    if invitation.role:
        words = {"office": invitation.get_role_display()}
        messages.success(request, _("You have accepted: you are %(office)s now.") % words)
    else:
        messages.success(request, _("You have accepted."))
    if invitation.championship is None:
        return redirect("home")
    return redirect("championship", invitation.championship.slug)


def _accept_with_new_account(
    request: HttpRequest, invitation: Invitation, form: NewAccountForm
) -> HttpResponse:
    """Create the account and accept the offer in one transaction, so that an expired link creates no
    account.
    """
    try:
        user = form.make_account(lambda made: invitations.accept(invitation, made))
    except IntegrityError:  # the form was sent twice at once
        return _render_expired(request)
    except Refused as error:
        show_refusal(request, error)
        return _render_expired(request)
    where = "home" if invitation.championship is None else "championship"
    arguments = [] if invitation.championship is None else [invitation.championship.slug]
    login = Login(user=user, redirect_url=reverse(where, args=arguments))
    messages.success(request, _("The account is made, and you are signed in."))
    response: HttpResponse = perform_password_login(request, {"username": user.username}, login)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def password_reset(request: HttpRequest, token: str) -> HttpResponse:
    """Set a new password; the link works once. The person then signs in, with the second factor if the
    account has one.
    """
    reset = resets.find_reset(token)
    if reset is None:
        return _render_expired(request)
    form = NewPasswordForm(request.POST if request.method == "POST" else None, user=reset.user)
    if form.is_valid():
        with refusals_as_messages(request):
            resets.use_reset(reset, form.cleaned_data["password"])
            messages.success(request, _("The new password is valid now. Sign in with it."))
            return redirect("sign_in")
        return _render_expired(request)
    context = {"form": form, "account": reset.user}
    return mark_uncacheable(
        render(request, "pages/password_reset.html", context, status=400 if form.is_bound else 200)
    )


@require_POST
@login_required
def offer_answer(request: HttpRequest, invitation_id: int, act: str) -> HttpResponse:
    """Accept or decline (`act`) an office that was offered to this account."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required
    found = next((one for one in invitations.offers_to(request.user) if one.pk == invitation_id), None)
    if found is None or act not in ("accept", "decline"):
        raise Http404(_("There is no such offer."))
    if act == "accept":
        return _accept(request, found, request.user)
    invitations.decline_offer(found.pk, request.user)
    messages.success(request, _("You have declined."))
    return redirect("home")


@require_POST
@reauthentication_required
@championship_page("appoint")
def invitation_make(page: PageContext) -> HttpResponse:
    """Make a link that offers an office, and show it this one time, to be sent or printed."""
    form = InvitationForm(page.request.POST)
    if not form.is_valid():
        messages.error(page.request, _("Choose an office."))
        return redirect("officials", page.championship.slug)
    with refusals_as_messages(page.request):
        offer = invitations.offer_office(page.championship, actor=page.actor, **form.cleaned_data)
        return page.render("pages/invitation_made.html", show_link(page, offer))
    return redirect("officials", page.championship.slug)


@require_POST
@championship_page("enter")
def entry_invite(page: PageContext, number: int) -> HttpResponse:
    """Make a link by which the person of an entry connects an account with it."""
    with refusals_as_messages(page.request):
        offer = invitations.offer_seat(page.find_entry(number), actor=page.actor)
        return page.render("pages/invitation_made.html", show_link(page, offer))
    return redirect("entry_edit", page.championship.slug, number)


def show_link(page: PageContext, offer: Made) -> dict[str, Any]:
    """Return the context of the page that shows a new link. The link is not shown again."""
    asked = page.request.build_absolute_uri("/")
    phones = phone_address.find_printed_address(page.championship, asked)
    path = reverse("invitation", args=[offer.token])
    link = f"{(phones or asked).rstrip('/')}{path}"
    picture = render_qr_code(link) if phones else None
    return describe_offer(offer.invitation) | {"link": link, "picture": picture}


@require_POST
@reauthentication_required
@championship_page("appoint")
def invitation_withdraw(page: PageContext, invitation_id: int) -> HttpResponse:
    with refusals_as_messages(page.request):
        if invitations.withdraw(page.championship, invitation_id, actor=page.actor):
            messages.success(page.request, _("The offer is withdrawn."))
    return redirect("officials", page.championship.slug)
