"""/c/<slug>/rounds/: all rounds, one after the other."""

from django.db.models import Count
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from frontend.views.championship_context import Frame, championship_page


@require_GET
@championship_page()
def rounds(frame: Frame) -> HttpResponse:
    found = frame.championship.rounds.order_by("number").annotate(table_count=Count("tables"))
    return frame.page("pages/rounds.html", {"rounds": list(found)})
