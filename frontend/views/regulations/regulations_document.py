"""/c/<slug>/regulations/document/: The regulations as a printable document, with the rules of the game."""

from itertools import count

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from django.views.decorators.http import require_safe

from frontend.preferences import read_preference
from frontend.presenters.regulations.regulations import list_chapters
from frontend.presenters.regulations.rules import rules_context
from frontend.views.championship_context import PageContext, championship_page
from tournaments.models import Official
from tournaments.services.current_regulations import load_current_row, load_regulations


@require_safe
@championship_page()
def regulations_document(page: PageContext) -> HttpResponse:
    """Render the document in the reader's language, or in `?language=en`."""
    championship = page.championship
    asked = page.request.GET.get("language", translation.get_language() or championship.language)
    language = asked if asked in dict(settings.LANGUAGES) else championship.language
    row = load_current_row(championship)
    regulations = load_regulations(championship)
    deck = read_preference(page.request, "deck")
    with translation.override(language):
        number = count(1)
        told = [
            (chapter.title, [(next(number), article) for article in chapter.articles])
            for chapter in list_chapters(regulations, deck)
        ]
        context = {
            **rules_context(regulations.play.variant, deck),
            "chapters": told,
            "version": row.version,
            "made_at": row.created_at,
            "frozen": row.frozen_at,
            "language": language,
            "officials": _signing_officials(page),
        }
        return page.render("pages/regulations_document.html", context)


def _signing_officials(page: PageContext) -> list[tuple[str, str]]:
    """Return (office, name) of the officials who sign the regulations."""
    offices = (Official.Role.DIRECTOR, Official.Role.REFEREE)
    rows = page.championship.officials.filter(role__in=offices).select_related("user").order_by("role", "pk")
    return [(row.get_role_display(), row.user.display_name) for row in rows]
