"""/g/<game>/tip/: What a bot would do in the guest's place, only at guests' tables against bots."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from engine import Refused, to_dict
from frontend.presenters.tables.table_page import page_at_table
from frontend.presenters.tables.tip_reasons import reason_text
from frontend.presenters.words.refusals import refusal_sentence
from frontend.views.championship_context import mark_uncacheable
from frontend.views.tables.analysis_limits import limit_bot_time
from games.bots.advice import advise
from games.error_responses import answer_to
from games.errors import Forbidden
from games.guests import is_guest_table


@require_safe
def tip(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return `{"event": …, "reason": …}`: the first event that a bot would cause (null if it is not the
    guest's turn), and a sentence with the reason (empty if there is no simple one).
    """
    table = page_at_table(request, game_id)
    try:
        if table.seat is None or not is_guest_table(table.game):
            raise Forbidden("tips are given at tables that count for nothing", code="guests/no_tips")
        with limit_bot_time(request):
            advice = advise(table.game, table.seat)
    except Refused as error:
        body = {"code": error.code, "detail": refusal_sentence(error)}
        return mark_uncacheable(JsonResponse(body, status=answer_to(error).status))
    if advice is None:
        return mark_uncacheable(JsonResponse({"event": None, "reason": ""}))
    return mark_uncacheable(
        JsonResponse({"event": to_dict(advice.event), "reason": reason_text(advice.reason)})
    )
