"""/clubs/<n>/images/: The logo and the sponsors of a club, for the keepers of its roll."""

from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from engine import Refused
from frontend.forms.club_images import SponsorForm
from frontend.presenters.clubs.club_images import ShownImage, show_image
from frontend.presenters.words.refusals import add_refusal, describe_refusal
from frontend.views.championship_context import mark_uncacheable, retry_later
from frontend.views.clubs.clubs import keepers_page
from games.errors import TooMuch
from games.models import User
from tournaments.clubs import images
from tournaments.errors import TournamentError
from tournaments.models import Club, ClubImage


@require_http_methods(["GET", "HEAD", "POST"])
@keepers_page
def club_images(request: HttpRequest, club: Club) -> HttpResponse:
    """List the pictures. POST with `file` sets the logo; with `kind=sponsor` it adds a sponsor with that
    picture.
    """
    if request.method != "POST":
        return _page(request, club, SponsorForm(auto_id="id_new_%s"))
    kind = images.SPONSOR if request.POST.get("kind") == images.SPONSOR else images.LOGO
    form = SponsorForm(request.POST if kind == images.SPONSOR else None, auto_id="id_new_%s")
    if form.is_bound and not form.is_valid():
        return _page(request, club, form, status=400)
    try:
        _add(request, club, form if form.is_bound else None)
    except TooMuch as error:
        return retry_later(_page(request, club, form, status=429, refused=(kind, error)), error)
    except Refused as error:
        return _page(request, club, form, status=400, refused=(kind, error))
    return redirect("club_images", club.pk)


def _add(request: HttpRequest, club: Club, form: SponsorForm | None) -> None:
    actor = cast(User, request.user)
    if form is None:
        images.set_logo(club, _read_upload(request), actor=actor)
        messages.success(request, _("The logo is saved."))
        return
    name, link = form.cleaned_data["name"], images.clean_link(form.cleaned_data["link"])
    images.add_sponsor(club, _read_upload(request), name=name, link=link, actor=actor)
    messages.success(request, _("%(name)s is shown as a sponsor.") % {"name": name})


def _read_upload(request: HttpRequest) -> images.Emblem:
    """Read the uploaded picture. Raises Refused if it is missing, too large or not a picture."""
    upload = request.FILES.get("file")
    if upload is None:
        raise TournamentError("club_image/none", _("Choose a picture first."), field="file")
    if (upload.size or 0) > images.MAX_BYTES:
        raise images.image_too_large_error()
    return images.reencode_emblem(upload.read())


def _page(
    request: HttpRequest,
    club: Club,
    form: SponsorForm,
    *,
    status: int = 200,
    bound: ClubImage | None = None,
    refused: tuple[str, Refused] | None = None,
) -> HttpResponse:
    """Render the page. `form`: of a new sponsor, or of the sponsor `bound`. `refused`: the kind of the
    picture that was not accepted, and the reason.
    """
    logo: tuple[ClubImage, ShownImage] | None = None
    sponsors = []
    for one in images.list_images(club):
        shown = show_image(club.slug, vars(one))
        if one.kind == images.LOGO:
            logo = (one, shown)
            continue
        own = SponsorForm(initial={"name": one.name, "link": one.link}, auto_id=f"id_{one.pk}_%s")
        sponsors.append((one, shown, form if bound is not None and one.pk == bound.pk else own))
    context = {
        "club": club,
        "logo": logo,
        "sponsors": sponsors,
        "refused": {kind: describe_refusal(error) for kind, error in ([] if refused is None else [refused])},
        "form": form if bound is None else SponsorForm(auto_id="id_new_%s"),
        "most": images.MAX_SPONSORS,
        "most_megabytes": images.MAX_BYTES // 2**20,
    }
    return mark_uncacheable(render(request, "pages/club_images.html", context, status=status))


@require_POST
@keepers_page
def club_image_change(request: HttpRequest, club: Club, image_id: int, act: str) -> HttpResponse:
    """Do `save` (name and link), `earlier` or `later` (order), or `remove` (with `sure`) with a picture."""
    image = get_object_or_404(club.images.select_related("club").defer("data"), pk=image_id)
    actor = cast(User, request.user)
    if act == "save":
        form = SponsorForm(request.POST, auto_id=f"id_{image.pk}_%s")
        if form.is_valid():
            try:
                images.edit_sponsor(image, actor=actor, **form.cleaned_data)
            except Refused as error:
                add_refusal(form, error)
        if form.errors:
            return _page(request, club, form, status=400, bound=image)
    elif act in ("earlier", "later"):
        images.move_sponsor(image, earlier=act == "earlier", actor=actor)
    elif act == "remove" and "sure" in request.POST:
        images.remove_image(image, actor=actor)
        messages.success(request, _("%(name)s is removed.") % {"name": image.name})
    elif act == "remove":
        messages.error(
            request, _("Tick the confirmation. To show the picture again you would have to send it again.")
        )
    else:
        raise Http404
    return redirect("club_images", club.pk)
