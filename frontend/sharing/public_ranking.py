"""First places of a ranking for embedded pages, rendered once for all anonymous requests."""

from typing import Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from frontend.fragment_cache import as_safe_html, get_or_make_fragment
from frontend.presenters.standings import loaded_rankings, ranking_lines
from frontend.sharing.strangers import NotShared
from tournaments.models import Championship
from tournaments.services import cache_versions
from tournaments.services.scores import ruling_marks

MAX_ROWS: Final = 100


def render_public_ranking(
    championship: Championship, top: int, template: str, *, live: bool = False
) -> SafeString:
    """Render the first `top` rows of the newest published ranking. Before any is published, or with `live`
    during a round, render the live ranking. The output says which. NotShared if private.
    """
    cache_version = cache_versions.load_cache_version(championship.pk)
    if cache_version is None or not cache_version.public:
        raise NotShared("there is nothing for everybody here")
    marks = cache_version.marks(*loaded_rankings.LIVE)

    def make() -> str:
        rounds = list(championship.rounds.order_by("number"))
        playing = loaded_rankings.find_played_round(rounds)
        ranking = loaded_rankings.NONE if live and playing else loaded_rankings.load_published(championship)
        if not ranking.rows:
            ranking = loaded_rankings.load_live(championship, rounds, cache_version)[0]
        shown = ranking.rows[:top]
        lines = ranking_lines.ranked_lines(
            shown,
            ranking_lines.load_ranked_people(championship, shown),
            ranking.rounds,
            marks=ruling_marks.load_entry_marks(championship, ranking_lines.numbers_in(shown)),
        )
        context = {"championship": championship, "ranking": ranking, "lines": lines, "playing": playing}
        return render_to_string(template, context)

    names = championship.name_kind
    return as_safe_html(
        get_or_make_fragment(
            template, (championship.pk, "strangers", names, top, live), f"{marks} {names}", make, str
        )
    )
