"""Prizes and amounts in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from frontend.presenters.standings import ranking_lines
from tournaments.models import Championship
from tournaments.prizes import Award, CallUp, Prize, PrizePlan
from tournaments.services.prize_giving import Giving
from tournaments.services.scores import published_ranking
from tournaments.standings import Figure

KINDS: Final[dict[str, str | Promise]] = {
    "place": pgettext_lazy("prize", "the place"),
    "category": gettext_lazy("the best of a category"),
    "best_round": pgettext_lazy("prize", "the best round"),
    "sweeps": gettext_lazy("most sweeps"),
    "oldest": gettext_lazy("the oldest"),
    "last": pgettext_lazy("prize", "the last"),
    "club_team": gettext_lazy("the best club, by its … best people"),
}
TITLES: Final[dict[str, str | Promise]] = {
    "best_round": gettext_lazy("Best round"),
    "sweeps": gettext_lazy("Most sweeps"),
    "oldest": gettext_lazy("Oldest person"),
    "last": gettext_lazy("Last place"),
}
TITLES_IN_HEATS: Final[dict[str, str | Promise]] = TITLES | {"best_round": gettext_lazy("Best start")}
KINDS_IN_HEATS: Final[dict[str, str | Promise]] = KINDS | {
    "best_round": pgettext_lazy("prize", "the best start")
}
OPEN_TO: Final[dict[bool, str | Promise]] = {
    True: gettext_lazy("of people who took part in every round"),
    False: gettext_lazy("of everybody in the ranking"),
}
OPEN_TO_IN_HEATS: Final[dict[bool, str | Promise]] = OPEN_TO | {
    True: gettext_lazy("of people with the most starts")
}
"""The people who are eligible for a special prize, in the words of an open heat. Key: whether only people
with all results are.
"""
SHARING: Final[dict[str, str | Promise]] = {
    "shared": gettext_lazy("divide the prizes of their places"),
    "in_order": gettext_lazy("get them in the order of the list"),
}


def format_francs(amount: int) -> str:
    """Format an amount in centimes as francs: "1'250.–", "12.50"."""
    whole, rest = divmod(abs(amount), 100)
    written = f"{whole:,}".replace(",", "'") + (f".{rest:02}" if rest else ".–")
    return f"−{written}" if amount < 0 else written


def describe_prize_condition(prize: Prize, *, by_start: bool) -> str:
    """Describe the condition of a prize: "Place 3", "Best of women", "Most sweeps". `by_start`: results are
    starts, and not rounds.
    """
    if prize.kind == "place":
        return _("Place %(n)d") % {"n": prize.number}
    if prize.kind == "club_team":
        return _("Best club, its %(n)d best together") % {"n": prize.number}
    if prize.kind == "category":
        words = _("Best of %(category)s") % {"category": prize.category}
    else:
        words = str((TITLES_IN_HEATS if by_start else TITLES)[prize.kind])
    return words if prize.number == 1 else f"{words} ({prize.number}.)"


def describe_prize(amount: int, thing: str) -> str:
    """Describe what a prize is: "CHF 200.– and Schinken"."""
    money = f"CHF {format_francs(amount)}" if amount else ""
    if money and thing:
        return _("%(money)s and %(thing)s") % {"money": money, "thing": thing}
    return money or thing


@dataclass(frozen=True, slots=True)
class WonLine:
    """A winner on the list of prizes. `note`: that people divide the prize, or that only the list decides
    between level people; else empty.
    """

    name: str
    place: int
    what: str
    note: str


@dataclass(frozen=True, slots=True)
class PrizeLine:
    title: str
    what: str
    won: tuple[WonLine, ...]
    open_to: str = ""
    """The people who are eligible for a special prize; empty for prizes by place."""


@dataclass(frozen=True, slots=True)
class CallLine:
    """One call of a prize-giving, as the projector shows it. `gets`: the prizes; `chooses`: the winners
    choose a prize from the table of gifts; `keys`: keys of the ranking's rows; `chosen`: the prize that they
    chose.
    """

    number: int
    title: str
    names: tuple[str, ...]
    clubs: tuple[str, ...]
    total: Figure | None
    gets: tuple[str, ...]
    chooses: bool
    keys: tuple[int, ...]
    chosen: str


class Names:
    """Names, clubs and totals by key of the newest ranking's rows; of a pair, both names and clubs."""

    def __init__(self, championship: Championship) -> None:
        snapshot = published_ranking.load_latest_snapshot(championship)
        rows = [] if snapshot is None else published_ranking.decode_rows(snapshot)
        self.entries = ranking_lines.load_ranked_people(championship, rows)
        self.rows = {row.key: row for row in rows}

    @property
    def by_start(self) -> bool:
        """Whether the results in the ranking are those of starts, and not of rounds."""
        return self.entries.by_start

    def name(self, key: int) -> str:
        row = self.rows.get(key)
        return (
            ranking_lines.name_of(self.entries, key)
            if row is None
            else ranking_lines.name_in(self.entries, row)
        )

    def club(self, key: int) -> str:
        row = self.rows.get(key)
        return ranking_lines.club_in(self.entries, row) if row is not None else ""

    def total(self, key: int) -> Figure | None:
        row = self.rows.get(key)
        return row.total if row is not None else None


def prize_lines(plan: PrizePlan, awards: list[Award], names: Names) -> list[PrizeLine]:
    """Return the lines of the prize list in the order of the plan, each with its winners."""
    open_to = OPEN_TO_IN_HEATS if names.by_start else OPEN_TO
    won: dict[int, list[WonLine]] = {}
    for one in awards:
        won.setdefault(one.prize, []).append(
            WonLine(names.name(one.key), one.place, describe_prize(one.amount, one.thing), _award_note(one))
        )
    return [
        PrizeLine(
            describe_prize_condition(prize, by_start=names.by_start),
            describe_prize(prize.amount, prize.thing),
            tuple(won.get(line, ())),
            "" if prize.kind == "place" else str(open_to[plan.complete]),
        )
        for line, prize in enumerate(plan.prizes)
    ]


def describe_missing_years(championship: Championship, plan: PrizePlan) -> str:
    """Describe that years of birth are missing, removed, or to be removed, so that the oldest person is not
    known. Empty without a prize for the oldest, or if there are years and they are kept.

    At most one query.
    """
    if not any(prize.kind == "oldest" for prize in plan.prizes):
        return ""
    days = championship.keep_days
    if championship.entries.exclude(birth_year=None).exists():
        sentence = ngettext(
            "Years of birth are removed %(n)d day after the end; after that the oldest person is unknown.",
            "Years of birth are removed %(n)d days after the end; after that the oldest person is unknown.",
            days or 0,
        )
        return sentence % {"n": days} if days is not None else ""
    if days is not None and championship.status == Championship.Status.FINISHED:
        return _("The years of birth have been removed, so the oldest person is no longer known.")
    return _("No year of birth is known: to find the oldest person, the desk enters it with the entry.")


def _award_note(one: Award) -> str:
    if one.shared_by > 1:
        return _("divided by %(n)d") % {"n": one.shared_by}
    return _("level: in the order of the list") if one.level else ""


def step_line(giving: Giving, step: CallUp, number: int, names: Names) -> CallLine:
    """Return one call of a prize-giving, with the prize that was chosen."""
    plan = giving.plan
    chosen: Mapping[int, str] = {key: plan.table[thing] for key, thing in giving.taken.items()}
    if step.special:
        title = describe_prize_condition(plan.prizes[step.awards[0].prize], by_start=names.by_start)
        gets = tuple(dict.fromkeys(describe_prize(one.amount, one.thing) for one in step.awards))
    else:
        title = _("Place %(n)d") % {"n": step.place}
        money = sum(one.amount for one in step.awards)
        things = [one.thing for one in step.awards if one.thing]
        gets = tuple(filter(None, [describe_prize(money, ""), *things]))
    return CallLine(
        number=number,
        title=title,
        names=tuple(names.name(key) for key in step.keys),
        clubs=tuple(dict.fromkeys(filter(None, (names.club(key) for key in step.keys)))),
        total=None if step.special else names.total(step.keys[0]),
        gets=gets,
        chooses=step.chooses,
        keys=step.keys,
        chosen=chosen.get(step.keys[0], "") if step.chooses else "",
    )
