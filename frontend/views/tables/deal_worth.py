"""/g/<game>/worth/: For the cards played in a finished deal, an estimate of the points that the best legal
card would have gained instead. For the timeline.
"""

from typing import Final

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from engine import Refused
from frontend.presenters.tables.moment import load_visible_events
from frontend.presenters.tables.page_observer import restrict_for_page
from frontend.presenters.tables.table_page import page_at_table
from frontend.views.numbers import parse_bounded
from games.analysis import best_card_gains
from games.error_responses import answer_to
from games.errors import TooMuch
from games.messaging import rate_limit

ADDRESS_BUDGET: Final = rate_limit.Budget("deals-looked-at", most=300, seconds=60)
"""Budget of requests from one address, from which a whole hall may come. A page repeats its request until the
analysis is ready.
"""
LAST_DEAL: Final = 10_000


@require_POST
def deal_worth(request: HttpRequest, game_id: str) -> JsonResponse:
    """Return the gains in `deal`, for people who may see all its hands, and `state`: `ready`, `working`, or
    `full` if the queue accepts no deal now.
    """
    page = page_at_table(request, game_id)
    try:
        if seconds := ADDRESS_BUDGET.spend(rate_limit.address_of(request)):
            raise TooMuch("bots have thought for long", code="what_if/too_often", seconds=seconds)
        deal = parse_bounded(request.POST.get("deal"), least=1, most=LAST_DEAL, default=1)
        found = best_card_gains.load_worth(
            page.game, load_visible_events(page.game, restrict_for_page(page.game, page.observer)), deal
        )
    except Refused as refusal:
        return JsonResponse({"code": refusal.code}, status=answer_to(refusal).status)
    body = {"state": found.state, "gains": [gain._asdict() for gain in found.gains]}
    return JsonResponse(body, headers={"Cache-Control": "no-store"})
