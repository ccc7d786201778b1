"""POST /c/<slug>/people/<n>/notices/: a phone asks to be told about a person, or to be told no more.
POST /notices/moved/: it is reached elsewhere from now on.
"""

from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from engine import Refused
from frontend.presenters.refusals import sentence_of
from frontend.views.championship_context import Frame, championship_page, kept_nowhere
from games.error_responses import answer_to
from games.errors import Malformed
from games.messaging import rate_limit
from tournaments.notices import subscriptions
from tournaments.notices.endpoints import MAX_ENDPOINT_LENGTH, parse_endpoint

ON, OFF, ASK = "on", "off", "ask"
FIELDS: Final = ("endpoint", "p256dh", "auth")


@require_POST
@championship_page()
def notices(frame: Frame, number: int) -> HttpResponse:
    """`what`: on, off or ask. Answers `{"on": …, "left": …}`: whether this phone is told about that person,
    and about how many people once that has ended. An endpoint is known to its browser alone, so whoever
    names one is that browser.
    """
    entry = frame.entry(number, "merged_into")
    entry = entry.merged_into or entry
    sent = frame.request.POST
    url, p256dh, auth = (sent.get(name, "") for name in FIELDS)
    told: dict[str, object]
    try:
        if not url or len(url) > MAX_ENDPOINT_LENGTH or sent.get("what") not in (ON, OFF, ASK):
            raise Malformed("what and endpoint are needed", code="notices/malformed")
        if sent["what"] == ON:
            subscriptions.subscribe(
                entry,
                parse_endpoint(url, p256dh, auth),
                user=frame.request.user,
                language=get_language() or frame.championship.language,
                network=rate_limit.address_of(frame.request),
            )
            told = {"on": True}
        elif sent["what"] == OFF:
            told = {"on": False, "left": subscriptions.unsubscribe(entry, url)}
        else:
            told = {"on": subscriptions.is_subscribed(entry, url)}
    except Refused as error:
        return _refused(error)
    return kept_nowhere(JsonResponse(told))


@csrf_exempt  # a worker has no token; who names `before` is the browser that had it, whoever it is for
@require_POST
def notices_moved(request: HttpRequest) -> HttpResponse:
    """`before`: where this phone was reached. Answers `{"moved": n}`: about how many people it is told there
    where it is now; 0 also where nobody knows what was before.
    """
    before, url, p256dh, auth = (request.POST.get(name, "") for name in ("before", *FIELDS))
    try:
        if not before or not url or max(len(before), len(url)) > MAX_ENDPOINT_LENGTH:
            raise Malformed("before and endpoint are needed", code="notices/malformed")
        network = rate_limit.address_of(request)
        moved = subscriptions.move_subscriptions(before, parse_endpoint(url, p256dh, auth), network=network)
    except Refused as error:
        return _refused(error)
    return kept_nowhere(JsonResponse({"moved": moved}))


def _refused(error: Refused) -> HttpResponse:
    refused = {"code": error.code, "detail": sentence_of(error)}
    return kept_nowhere(JsonResponse(refused, status=answer_to(error).status))
