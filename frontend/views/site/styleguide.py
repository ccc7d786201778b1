"""/styleguide/: Every component on one page, for developers and browser tests."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend.card_names import CODES
from frontend.presenters.words.statuses import STATUSES


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Render the page, which contains no personal data."""
    context = {
        "codes": CODES,
        "statuses": {kind: list(values) for kind, values in STATUSES.items()},
        "tabs": [
            {"label": "Overview", "url": "#tabs", "current": True},
            {"label": "Entries", "url": "#tabs", "count": 16},
            {"label": "Standings", "url": "#tabs"},
        ],
        "seats": [
            {"letter": "A", "name": "Anna Ammann"},
            {"letter": "B", "name": "Beat Brunner"},
            {"letter": "C", "name": "Chiara Caduff"},
            {"letter": "D", "name": "Dario Dörig", "bot": True},
        ],
    }
    return render(request, "pages/styleguide.html", context)
