"""/g/<game>/photos/: Photos of a paper score sheet, for people at the table and officials."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import Refused
from frontend.presenters.tables.table_page import page_at_table
from frontend.presenters.words.refusals import refusals_as_messages, show_refusal
from frontend.views.championship_context import PageContext, build_page_context, mark_uncacheable, retry_later
from games.errors import TooMuch
from games.models import Game
from tournaments import pictures
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Table
from tournaments.permissions import may
from tournaments.services.referee.disputes import participant_ref
from tournaments.services.scores import photos


@require_http_methods(["GET", "HEAD", "POST"])
def table_photos(request: HttpRequest, game_id: str) -> HttpResponse:
    """List a table's photos; POST with `photo` adds one."""
    table, page, by_ref = _admit(request, game_id)
    later: TooMuch | None = None
    if request.method == "POST":
        try:
            photos.store_photo(table, _read_upload(request), by_ref=by_ref)
        except TooMuch as error:
            show_refusal(request, error)
            later = error
        except Refused as error:
            show_refusal(request, error)
        else:
            messages.success(request, _("The photo is saved with the table."))
        if later is None:
            return redirect("table_photos", game_id)
    table_photos = photos.list_photos(table)
    context = {
        "table": table,
        "round": table.round,
        "game": table.game,
        "photos": [one for one in table_photos if one.erased_at is None],
        "erased": [one for one in table_photos if one.erased_at is not None],
        "erases": may(request.user, "correct", table.round.championship),
        "most": photos.MAX_PHOTOS,
        "most_megabytes": pictures.MAX_BYTES // 2**20,
    }
    if later is not None:
        return retry_later(page.render("pages/table_photos.html", context, status=429), later)
    return mark_uncacheable(page.render("pages/table_photos.html", context))


@require_safe
def table_photo(request: HttpRequest, game_id: str, digest: str) -> HttpResponse:
    """Return one photo as JPEG."""
    table, _frame, _by_ref = _admit(request, game_id)
    data = photos.load_photo(table, digest)
    if data is None:
        raise Http404
    answer = HttpResponse(data, content_type="image/jpeg")
    answer.headers["Content-Disposition"] = f'inline; filename="table-{table.number}.jpg"'
    return mark_uncacheable(answer)


@require_POST
def table_photo_erase(request: HttpRequest, game_id: str, digest: str) -> HttpResponse:
    """Erase a photo permanently, as an official."""
    table, _frame, _by_ref = _admit(request, game_id)
    if not request.user.is_authenticated:
        raise Http404  # The person came by a code: services treat a missing account as the platform itself.
    with refusals_as_messages(request):
        photos.erase_photo(table, digest, actor=request.user)
        messages.success(request, _("The photo is erased."))
    return redirect("table_photos", game_id)


def _admit(request: HttpRequest, game_id: str) -> tuple[Table, PageContext, str]:
    """Return the table, the context of its pages, and the person's reference in the streams; 404 without a
    score sheet, or if they neither belong to the table nor are officials.
    """
    table_page = page_at_table(request, game_id)
    table = Table.objects.filter(game=table_page.game).select_related("round__championship", "game").first()
    if table is None or table.mode != Game.Mode.SHEET:
        raise Http404
    token = table_page.principal.token
    by_code = token is not None and token.game_id == table_page.game.pk
    page = build_page_context(request, table.round.championship, by_code=by_code)
    if token is not None and by_code and table_page.takes_part:
        return table, page, token.ref
    try:
        return table, page, participant_ref(table, table_page.principal.user)
    except NotAllowed:
        raise Http404 from None


def _read_upload(request: HttpRequest) -> pictures.Picture:
    """Read the uploaded picture. Raises Refused if it is missing, too large or not a picture."""
    upload = request.FILES.get("photo")
    if upload is None:
        raise TournamentError("photo/none", _("Choose a photo first."))
    if (upload.size or 0) > pictures.MAX_BYTES:
        raise pictures.picture_too_large_error(upload.size or 0)
    return pictures.reencode_picture(upload.read())
