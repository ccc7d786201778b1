"""The director's next step as one sentence and one button, from the first entry to the prize-giving."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from frontend.presenters.rounds.left_over import describe_choice
from tournaments.models import Championship, Round
from tournaments.services.draw.left_over import Gap


@dataclass(frozen=True, slots=True)
class NextStep:
    title: str
    text: str
    label: str
    url: str
    post: bool = False
    instead: "NextStep | None" = None
    """An alternative to this step."""
    before: "NextStep | None" = None
    """A step that is possible before this one, but not needed."""


@dataclass(frozen=True, slots=True)
class ChampionshipProgress:
    """The state of a championship. `tables_over` of `tables` in the open round are finished; `sheets`:
    results are typed from paper; `prizes_left`: prizes are still to be given; `gap`: how the present people
    fill tables; `loose_ends`: sentences on money that is not settled.
    """

    entered: int
    arrived: int
    table_size: int
    tables: int = 0
    tables_over: int = 0
    sheets: bool = False
    prizes_left: bool = False
    gap: Gap | None = None
    loose_ends: tuple[str, ...] = ()
    level: bool = False
    """Whether people share one of the first three places, so that lots may have to decide."""
    has_queue: bool = False
    """Whether the rounds are sessions of an open heat."""


def next_step(
    championship: Championship, rounds: Sequence[Round], progress: ChampionshipProgress
) -> NextStep:
    """Return the director's next step; after the end it is to copy the championship."""
    slug = championship.slug
    current = next((r for r in rounds if r.status != Round.Status.CLOSED), None)
    if championship.status == Championship.Status.FINISHED:
        return NextStep(
            _("The evening is over"),
            _("The next one can be the same again: regulations, officials and, if you wish, people."),
            _("The same again"),
            reverse("championship_again", args=[slug]),
        )
    if current is None:
        return _step_after_rounds(slug, progress)
    if progress.has_queue:
        return _step_of_sessions(slug, rounds, current)
    number = {"n": current.number}
    page = reverse("round", args=[slug, current.number])
    if current.status == Round.Status.OPEN:
        return _step_in_open_round(slug, number, page, progress)
    if current.status == Round.Status.DRAWN:
        return NextStep(
            _("Round %(n)d is drawn") % number,
            _("Put the seating on the wall; open the round when everybody is seated."),
            _("Seating plan and opening"),
            page,
        )
    if progress.entered < progress.table_size:
        return NextStep(
            _("Enter the players"),
            _("One by one at the desk, or all at once from a list."),
            _("Enter players"),
            reverse("entries", args=[slug]),
        )
    if progress.arrived < progress.table_size:
        return NextStep(
            _("Check in the people who are here"),
            _("Only people who are here are drawn: %(here)d of %(entered)d so far.")
            % {"here": progress.arrived, "entered": progress.entered},
            _("Go to the desk"),
            reverse("entries", args=[slug]),
        )
    return NextStep(_("Draw round %(n)d") % number, _fill_sentence(progress), _("Go to the draw"), page)


def _step_of_sessions(slug: str, rounds: Sequence[Round], current: Round) -> NextStep:
    """Return the next step of an open heat: to the queue of the first open session, else to open the next
    session.
    """
    is_open = next((one for one in rounds if one.status == Round.Status.OPEN), None)
    planned = next((one for one in rounds if one.status == Round.Status.PLANNED), None)
    number = {"n": (planned or current).number}
    opening = NextStep(
        _("Open session %(n)d") % number,
        _("It begins without tables: people queue with a start, and you seat a table when it is full."),
        _("Go to session %(n)d") % number,
        reverse("round", args=[slug, (planned or current).number]),
    )
    if is_open is None:
        return opening
    return NextStep(
        _("Session %(n)d is open") % {"n": is_open.number},
        _("Sell starts, seat tables from the queue, and close the session when its last table has finished."),
        _("Go to the queue"),
        reverse("queue", args=[slug, is_open.number]),
        instead=opening if planned is not None else None,
    )


def _fill_sentence(progress: ChampionshipProgress) -> str:
    """Describe how many tables the present people fill, as the page of the round proposes it."""
    gap = progress.gap
    if gap is None or not gap.missing:
        return _("%(n)d people fill the tables.") % {
            "n": gap.arrived if gap is not None else progress.arrived
        }
    sentence = ngettext(
        "%(n)d more would fill the last table.", "%(n)d more would fill the last table.", gap.missing
    ) % {"n": gap.missing}
    if gap.proposed is None:
        return sentence
    means = _("Proposed: %(means)s.") % {"means": describe_choice(gap.proposed)}
    return means if gap.proposed.house else f"{sentence} {means}"


def _step_after_rounds(slug: str, progress: ChampionshipProgress) -> NextStep:
    title = _("All sessions are over") if progress.has_queue else _("All rounds are played")
    before, notes = None, list(progress.loose_ends)
    if progress.level:
        notes.append(
            _("Some people share a top place: enter the lots that they have drawn, or let them share it.")
        )
        before = NextStep("", "", _("Enter lots"), reverse("lots", args=[slug]))
    look = _("Check the ranking once more, then close the championship. Everything can still be read.")
    closing = NextStep(
        title,
        " ".join((*notes, look)),
        _("Close the championship"),
        reverse("championship_finish", args=[slug]),
        post=True,
        instead=NextStep("", "", _("Prizes"), reverse("prizes", args=[slug])),
        before=before,
    )
    if not progress.prizes_left:
        return closing
    return NextStep(
        title,
        " ".join((*notes, _("Give the prizes, then close the championship."))),
        _("Award the prizes"),
        reverse("prize_giving", args=[slug]),
        instead=closing,
        before=before,
    )


def _step_in_open_round(
    slug: str, number: dict[str, int], page: str, progress: ChampionshipProgress
) -> NextStep:
    if progress.tables and progress.tables_over == progress.tables:
        return NextStep(
            _("Round %(n)d is played") % number,
            _("Every table has finished: close the round, and the ranking is published."),
            _("Close the round"),
            page,
        )
    sentence = _("Tables that have finished: %(over)d of %(all)d.") % {
        "over": progress.tables_over,
        "all": progress.tables,
    }
    if progress.sheets:
        return NextStep(
            _("Round %(n)d is being played") % number,
            sentence,
            _("Type the results"),
            reverse("round_results", args=[slug, number["n"]]),
        )
    return NextStep(
        _("Round %(n)d is being played") % number,
        sentence,
        _("Go to the board"),
        reverse("board", args=[slug]),
    )
