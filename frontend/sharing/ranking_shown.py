"""The first of a ranking for pages that stand elsewhere: made once for all strangers who look."""

from typing import Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from frontend.presenters import rankings, standings
from frontend.presenters.rankings import Ranking
from frontend.shared import html, shared
from frontend.sharing.strangers import NotShared
from tournaments.models import Championship
from tournaments.services import edition as editions
from tournaments.services.edition import Edition
from tournaments.services.referee import ruling_marks

MOST: Final = 100


def ranking_for_strangers(championship: Championship, top: int, template: str) -> SafeString:
    """The newest that was published, before that the live one. Raises NotShared where it is not public."""
    edition = editions.edition_of(championship.pk)
    if edition is None or not edition.public:
        raise NotShared("there is nothing for everybody here")
    marks = edition.marks(*rankings.LIVE)

    def make() -> str:
        found = _newest(championship, edition)
        shown = found.rows[:top]
        lines = standings.ranked_lines(
            shown,
            standings.people(championship, shown),
            found.rounds,
            marks=ruling_marks.of_entries(championship, standings.numbers_in(shown)),
        )
        context = {"championship": championship, "ranking": found, "lines": lines}
        return render_to_string(template, context)

    names = championship.public_names
    return html(shared(template, (championship.pk, "strangers", names, top), f"{marks} {names}", make, str))


def _newest(championship: Championship, edition: Edition) -> Ranking:
    found = rankings.published(championship)
    if found.rows:
        return found
    return rankings.live(championship, list(championship.rounds.order_by("number")), edition)[0]
