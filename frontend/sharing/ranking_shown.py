"""The first of a ranking for pages that stand elsewhere: made once for all strangers who look."""

from typing import Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from frontend.fragment_cache import html, shared
from frontend.presenters import rankings, standings
from frontend.sharing.strangers import NotShared
from tournaments.models import Championship
from tournaments.services import cache_version as editions
from tournaments.services.scores import ruling_marks

MAX_ROWS: Final = 100


def ranking_for_strangers(
    championship: Championship, top: int, template: str, *, live: bool = False
) -> SafeString:
    """The newest that was published, before that the live one; `live`: the live one while a round is played.
    It says which. Raises NotShared where it is not public.
    """
    edition = editions.load_edition(championship.pk)
    if edition is None or not edition.public:
        raise NotShared("there is nothing for everybody here")
    marks = edition.marks(*rankings.LIVE)

    def make() -> str:
        rounds = list(championship.rounds.order_by("number"))
        playing = rankings.round_being_played(rounds)
        found = rankings.NONE if live and playing else rankings.published(championship)
        if not found.rows:
            found = rankings.live(championship, rounds, edition)[0]
        shown = found.rows[:top]
        lines = standings.ranked_lines(
            shown,
            standings.people(championship, shown),
            found.rounds,
            marks=ruling_marks.load_entry_marks(championship, standings.numbers_in(shown)),
        )
        context = {"championship": championship, "ranking": found, "lines": lines, "playing": playing}
        return render_to_string(template, context)

    names = championship.public_names
    return html(
        shared(template, (championship.pk, "strangers", names, top, live), f"{marks} {names}", make, str)
    )
