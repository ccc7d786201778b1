"""POST /c/<slug>/people/<n>/notices/: Subscribe a phone to push messages about a person, or unsubscribe it.
POST /notices/moved/: Update the push endpoint of a phone.
"""

from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from engine import Refused
from frontend.presenters.words.refusals import refusal_sentence
from frontend.views.championship_context import PageContext, championship_page, mark_uncacheable
from games.error_responses import answer_to
from games.errors import Malformed
from games.messaging import rate_limit
from tournaments.notices import subscriptions
from tournaments.notices.endpoints import MAX_ENDPOINT_LENGTH, parse_endpoint

ON, OFF, ASK = "on", "off", "ask"
FIELDS: Final = ("endpoint", "p256dh", "auth")


@require_POST
@championship_page()
def notices(page: PageContext, number: int) -> HttpResponse:
    """Subscribe (`what=on`), unsubscribe (`off`) or ask about (`ask`) one phone.

    Returns `{"on": …}`: whether this phone is subscribed to the person; after `off` also `left`: how many
    people it remains subscribed to. The push endpoint, which only its browser knows, identifies the phone.
    """
    entry = page.find_entry(number, "merged_into")
    entry = entry.merged_into or entry
    sent = page.request.POST
    url, p256dh, auth = (sent.get(name, "") for name in FIELDS)
    body: dict[str, object]
    try:
        if not url or len(url) > MAX_ENDPOINT_LENGTH or sent.get("what") not in (ON, OFF, ASK):
            raise Malformed("what and endpoint are needed", code="notices/malformed")
        if sent["what"] == ON:
            subscriptions.subscribe(
                entry,
                parse_endpoint(url, p256dh, auth),
                user=page.request.user,
                language=get_language() or page.championship.language,
                network=rate_limit.address_of(page.request),
            )
            body = {"on": True}
        elif sent["what"] == OFF:
            body = {"on": False, "left": subscriptions.unsubscribe(entry, url)}
        else:
            body = {"on": subscriptions.is_subscribed(entry, url)}
    except Refused as error:
        return _refusal_response(error)
    return mark_uncacheable(JsonResponse(body))


@csrf_exempt  # A worker has no CSRF token; knowledge of `before` authenticates the browser.
@require_POST
def notices_moved(request: HttpRequest) -> HttpResponse:
    """Move all subscriptions of the endpoint `before` to the current endpoint. Returns `{"moved": n}`, their
    number; 0 if `before` is unknown.
    """
    before, url, p256dh, auth = (request.POST.get(name, "") for name in ("before", *FIELDS))
    try:
        if not before or not url or max(len(before), len(url)) > MAX_ENDPOINT_LENGTH:
            raise Malformed("before and endpoint are needed", code="notices/malformed")
        network = rate_limit.address_of(request)
        moved = subscriptions.move_subscriptions(before, parse_endpoint(url, p256dh, auth), network=network)
    except Refused as error:
        return _refusal_response(error)
    return mark_uncacheable(JsonResponse({"moved": moved}))


def _refusal_response(error: Refused) -> HttpResponse:
    refused = {"code": error.code, "detail": refusal_sentence(error)}
    return mark_uncacheable(JsonResponse(refused, status=answer_to(error).status))
