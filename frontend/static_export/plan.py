"""The plan of a static copy: its files, and the URLs that lead to each of them."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.urls import reverse
from django.utils.translation import gettext as _

from frontend.presenters.rounds.round_names import numbered_round
from frontend.presenters.standings import loaded_rankings
from frontend.presenters.standings.ranking_lines import name_of
from frontend.presenters.standings.teams import published_teams
from frontend.presenters.tables import hall
from frontend.views.standings.standings import PAGE as RANKED
from frontend.views.standings.team_standings import PAGE as RANKED_TEAMS
from games.rights import claims, observers
from tournaments.models import Championship, Entry, Round, StandingsSnapshot, Table
from tournaments.names.readers import reading_for
from tournaments.services import prize_giving
from tournaments.services.current_regulations import has_sessions, load_regulations
from tournaments.services.people.name_visibility import outsider
from tournaments.services.referee import disputes
from tournaments.services.scores.bracket import has_bracket

INDEX: Final = "index.html"
VERIFY: Final = "verify.html"
PROGRAM: Final = "puur_verify.py"
FOLDER: Final = "pages"
Crumb = tuple[str, str]


@dataclass(frozen=True, slots=True)
class CopiedPage:
    """One page of a static copy. `file`: its path in the copy; `address`: the URL to render; `tab`: the tab
    to mark; `also`: further URLs that lead to it; `above`: (label, file) of its parent pages; `beside`:
    (label, file) of itself and of its alternative views.
    """

    file: str
    address: str
    title: str
    tab: str = ""
    also: tuple[str, ...] = ()
    above: tuple[Crumb, ...] = ()
    beside: tuple[Crumb, ...] = ()
    styles: tuple[str, ...] = ("base", "championship")


@dataclass(slots=True)
class CopyPlan:
    """All files of a static copy. `tabs`: (label, file) of the navigation."""

    championship: Championship
    pages: list[CopiedPage] = field(default_factory=list)
    tabs: list[Crumb] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    """Normalized URL → file."""

    def leads(self, source: str, base: str, href: str) -> str | None:
        """Return the relative path to which a link of the page at `base`, copied to `source`, leads; None if
        its target is not copied or is `source`. A link "#…" stays as it is.
        """
        if href.startswith("#"):
            return href
        target = self.files.get(_normalize_address(urljoin(base, href)))
        return None if target in (None, source) else relative(source, target)


def relative(source: str, target: str) -> str:
    """Return the relative path from one file of the copy to another."""
    return posixpath.relpath(target, posixpath.dirname(source) or ".")


def _normalize_address(address: str) -> str:
    """Return the same text for all URLs of the same content; "" for URLs of other sites."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return ""
    asked = sorted(pair for pair in parse_qsl(parts.query) if pair != ("page", "1"))
    return f"{parts.path}?{urlencode(asked)}" if asked else parts.path


def build_copy_plan(championship: Championship) -> CopyPlan:
    """Return the plan of the copy in the active language, with names as the public may read them."""
    plan = CopyPlan(championship)
    with reading_for(outsider(championship)):
        rankings_and_rounds = (*_ranking_pages(plan), *_team_ranking_pages(plan), *_round_pages(plan))
        for page in (
            *rankings_and_rounds,
            *_person_pages(plan),
            *_dispute_pages(plan),
            *_document_pages(plan),
        ):
            plan.pages.append(page)
            for address in (page.address, *page.also):
                plan.files.setdefault(_normalize_address(address), page.file)
    slug = championship.slug
    plan.files[reverse("verifier")] = PROGRAM
    plan.files[reverse("championship_file", args=[slug])] = f"{slug}.zip"
    plan.files[reverse("verify")] = plan.files[reverse("checkpoints", args=[slug])] = VERIFY
    plan.files[reverse("championship", args=[slug])] = INDEX
    found = {page.tab: page for page in reversed(plan.pages) if page.tab}
    plan.tabs = [(_("Overview"), INDEX)]
    plan.tabs += [
        (found[key].title, found[key].file)
        for key in ("standings", "rounds", "disputes", "prizes")
        if key in found
    ]
    plan.tabs += [(_("Regulations"), found["regulations"].file), (_("Check it yourself"), VERIFY)]
    return plan


def _list_closed_rounds(plan: CopyPlan) -> list[Round]:
    return list(plan.championship.rounds.filter(status=Round.Status.CLOSED).order_by("number"))


def _load_public_games(championship: Championship) -> set[str]:
    """Return the ids of the public games of the championship."""
    shown = observers.list_visible_games(claims.ANONYMOUS).filter(
        tournament_table__round__championship=championship, tournament_table__undone=None
    )
    return set(shown.values_list("pk", flat=True))


def _ranking_pages(plan: CopyPlan) -> Iterator[CopiedPage]:
    """Yield the pages of rankings, newest first. The newest one also stands for the URL without a round."""
    slug = plan.championship.slug
    here = reverse("standings", args=[slug])
    sessions = has_sessions(plan.championship)
    snapshots = StandingsSnapshot.objects.filter(championship=plan.championship)
    published = sorted(set(snapshots.values_list("after_round", flat=True)))
    beside = tuple(
        (
            (_("after session %(n)s") if sessions else _("after round %(n)s")) % {"n": n},
            f"{FOLDER}/ranking-{n}.html",
        )
        for n in published
    )
    for number in reversed(published):
        people = len(loaded_rankings.load_published(plan.championship, number).rows)
        pages = max(1, -(-people // RANKED))
        parts = [_numbered_file(f"{FOLDER}/ranking-{number}", page) for page in range(1, pages + 1)]
        for page, file in enumerate(parts, 1):
            more = f"&page={page}" if page > 1 else ""
            also = (f"{here}?page={page}",) if number == published[-1] else ()
            yield CopiedPage(
                file,
                f"{here}?after={number}{more}",
                _("Standings"),
                "standings",
                also=(*also, *((here,) if also and page == 1 else ())),
                beside=beside,
            )


def _team_ranking_pages(plan: CopyPlan) -> Iterator[CopiedPage]:
    """Yield the pages of the newest published ranking of teams, if there are teams."""
    team_ranking = published_teams(plan.championship)
    here = reverse("team_standings", args=[plan.championship.slug])
    above = ((_("Standings"), f"{FOLDER}/ranking-{team_ranking.after}.html"),)
    for page in range(1, -(-len(team_ranking.rows) // RANKED_TEAMS) + 1):
        yield CopiedPage(
            _numbered_file(f"{FOLDER}/team-ranking", page),
            f"{here}?after={team_ranking.after}&page={page}",
            _("Ranking of teams"),
            also=(f"{here}?page={page}",),
            above=above,
        )


def _numbered_file(name: str, page: int) -> str:
    return f"{name}.html" if page == 1 else f"{name}-{page}.html"


def _round_pages(plan: CopyPlan) -> Iterator[CopiedPage]:
    championship = plan.championship
    slug = championship.slug
    file_of_all = f"{FOLDER}/rounds.html"
    title_of_all = _("Sessions") if has_sessions(championship) else _("Rounds")
    above = ((title_of_all, file_of_all),)
    yield CopiedPage(file_of_all, reverse("rounds", args=[slug]), title_of_all, "rounds")
    if has_bracket(load_regulations(championship)):
        yield CopiedPage(f"{FOLDER}/bracket.html", reverse("bracket", args=[slug]), _("Bracket"), above=above)
    seen = _load_public_games(championship)
    for round_ in _list_closed_rounds(plan):
        number, title = round_.number, numbered_round(plan.championship, round_.number)
        here = reverse("round", args=[slug, number])
        tables = list(Table.objects.filter(round=round_).order_by("number").values_list("number", "game_id"))
        pages = max(1, -(-len(tables) // hall.PAGE))
        first = f"{FOLDER}/round-{number}.html"
        parts = [_numbered_file(f"{FOLDER}/round-{number}", page) for page in range(1, pages + 1)]
        beside = tuple((f"{n} / {pages}", file) for n, file in enumerate(parts, 1)) if pages > 1 else ()
        for page, file in enumerate(parts, 1):
            address = f"{here}?page={page}" if page > 1 else here
            yield CopiedPage(file, address, title, above=above, beside=beside)
        for table, game in tables:
            if game in seen:
                yield CopiedPage(
                    f"{FOLDER}/table-{number}-{table}.html",
                    reverse("game_print", args=[game]),
                    _("Table %(number)s") % {"number": table},
                    also=(reverse("table_live", args=[game]), reverse("replay", args=[game])),
                    above=(*above, (title, first)),
                    styles=("base", "game-print"),
                )


def _person_pages(plan: CopyPlan) -> Iterator[CopiedPage]:
    """Yield the pages of people. The URLs of merged entries lead to the page of the entry that remains."""
    slug = plan.championship.slug
    entries = list(
        Entry.objects.filter(championship=plan.championship).select_related("merged_into").order_by("number")
    )
    merged: dict[int, list[str]] = {}
    for entry in entries:
        if entry.merged_into is not None:
            merged.setdefault(entry.merged_into.number, []).append(
                reverse("persons_evening", args=[slug, entry.number])
            )
    for entry in entries:
        if entry.merged_into is None:
            number = entry.number
            yield CopiedPage(
                f"{FOLDER}/person-{number}.html",
                reverse("persons_evening", args=[slug, number]),
                name_of({number: entry}, number),
                also=tuple(merged.get(number, ())),
            )


def _dispute_pages(plan: CopyPlan) -> Iterator[CopiedPage]:
    """Yield the pages of public disputes and rulings, oldest first."""
    seen = _load_public_games(plan.championship)
    found = disputes.list_disputes(plan.championship).order_by("raised_at", "pk")
    shown = [one for one in found if one.table.game_id in seen]
    if not shown:
        return
    file_of_all = f"{FOLDER}/disputes.html"
    here = reverse("disputes", args=[plan.championship.slug])
    yield CopiedPage(file_of_all, here, _("Disputes"), "disputes")
    for number, one in enumerate(shown, 1):
        yield CopiedPage(
            f"{FOLDER}/dispute-{number}.html",
            reverse("dispute", args=[one.pk]),
            _("Dispute"),
            above=((_("Disputes"), file_of_all),),
            styles=("base", "stage", "championship"),
        )


def _document_pages(plan: CopyPlan) -> Iterator[CopiedPage]:
    slug = plan.championship.slug
    prize_plan = prize_giving.load_plan(plan.championship)
    if prize_plan.prizes or prize_plan.table:
        yield CopiedPage(f"{FOLDER}/prizes.html", reverse("prizes", args=[slug]), _("Prizes"), "prizes")
    yield CopiedPage(
        f"{FOLDER}/regulations.html",
        reverse("regulations_document", args=[slug]),
        _("Regulations"),
        "regulations",
        also=(reverse("regulations", args=[slug]),),
        styles=("base", "championship", "rules"),
    )
