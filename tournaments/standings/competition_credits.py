"""Credits by a competition document: byes, absences, tables broken off, walkovers.

`unplayed_points` computes those by the regulations of a championship.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from tournaments.competition import Award, Competition, PlayedRound, Points, RoundCredit, divide
from tournaments.standings.errors import StandingsError
from tournaments.standings.match_points import WIN
from tournaments.standings.table_points import EntrantRound, RoundOfTables, is_stranger

RULES = ("mean_of_own", "mean_of_round", "win")


def check_award(award: Award) -> None:
    """Raise StandingsError `standings/credit` unless the award is a known rule, a number or a
    fraction "n/d".
    """
    if isinstance(award, str) and award not in RULES:
        _read_fraction(award)


def _read_fraction(text: str) -> Fraction:
    numerator, slash, denominator = text.partition("/")
    parts = (numerator.removeprefix("-"), denominator if slash else "1")
    if not all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts) or not int(parts[1]):
        raise StandingsError("standings/credit", f"a round cannot be worth {text!r}", credit=text)
    return Fraction(int(numerator), int(parts[1]))


class RoundCredits:
    """The credits for rounds without a full table, computed from the tables of all rounds."""

    def __init__(self, competition: Competition, tables: Sequence[RoundOfTables]) -> None:
        self._competition = competition
        self._tables = tables
        single = all(len(entrant.persons) <= 2 for entrant in competition.entrants)
        self._results = [_list_results(one.results, strangers=single) for one in tables]
        own: dict[str, list[Points]] = {}
        for found in self._results:
            for ref, result in found.items():
                if result.points is not None and not result.unfinished:
                    own.setdefault(ref, []).append(result.points)
        self._means_of_own = {ref: _mean(points) for ref, points in own.items()}
        self._means_of_round = [_mean_of_final(found) for found in self._results]
        won = ([r.points for r in of.values() if r.won and r.points is not None] for of in self._results)
        self._wins = [_mean(points) for points in won]

    def grant(self) -> list[dict[str, Points]]:
        """Return, for each past round, the credits and decided points by ref."""
        counts: Counter[tuple[str, str]] = Counter()
        granted = []
        for at, one in enumerate(self._competition.past):
            seated = self._tables[at].results
            found: dict[str, Points] = {}
            found.update(
                (ref, points if isinstance(points, int) else _read_fraction(points))
                for ref, points in one.given.items()
                if ref not in seated or seated[ref].lack == "broken_off"
            )
            for ref, reason, credit in self._list_reasons(at, one):
                counts[ref, reason] += 1
                if ref in found or (credit.most is not None and counts[ref, reason] > credit.most):
                    continue
                points = self.evaluate(credit.points, ref, at)
                if points is not None:
                    found[ref] = points
            granted.append(found)
        return granted

    def evaluate(self, award: Award, ref: str, at: int) -> Points | None:
        """Return the points of an award for an entrant in the past round with index `at`; None if they are
        not known yet. Without own rounds or winners the mean of the round counts.
        """
        if award == "mean_of_own":
            return self._means_of_own.get(ref, self._means_of_round[at])
        if award == "mean_of_round":
            return self._means_of_round[at]
        if award == "win":
            if self._competition.counting.what == "matches":
                return WIN
            won = self._wins[at]
            return self._means_of_round[at] if won is None else won
        return award if isinstance(award, int) else _read_fraction(award)

    def _list_reasons(self, at: int, one: PlayedRound) -> list[tuple[str, str, RoundCredit]]:
        """Return the entrants with a credit in a round, as (ref, reason, credit)."""
        competition, seated = self._competition, self._tables[at].results
        found: list[tuple[str, str, RoundCredit]] = []
        for ref, result in seated.items():
            if result.lack == "walkover":
                found.append((ref, "walkover", competition.walkover))
            elif result.lack == "broken_off" and competition.broken_off is not None:
                found.append((ref, "broken_off", competition.broken_off))
        found += [(ref, "bye", competition.bye) for ref in dict.fromkeys(one.byes) if ref not in seated]
        if competition.absence is not None:
            found += [
                (ref, "absence", competition.absence)
                for ref in self._list_absent(one)
                if ref not in seated and ref not in one.byes
            ]
        return found

    def _list_absent(self, one: PlayedRound) -> list[str]:
        """Return the refs of entrants who were absent with notice in a round for which they were entered."""
        competition = self._competition
        announced = [ref for ref, rounds in competition.absent_rounds.items() if one.round in rounds]
        return [
            ref
            for ref in dict.fromkeys((*one.absent, *announced))
            if (entrant := competition.by_ref.get(ref)) is not None
            and ref not in one.no_show
            and entrant.from_round <= one.round
            and (entrant.until_round is None or one.round <= entrant.until_round)
        ]


def _list_results(of: Mapping[str, EntrantRound], *, strangers: bool) -> dict[str, EntrantRound]:
    """Return the results of a round from which means are computed. Credits are not among them.

    strangers: whether persons who are no entrants are included.
    """
    found = {ref: one for ref, one in of.items() if one.points is not None and not one.lack}
    return found if strangers else {ref: one for ref, one in found.items() if not is_stranger(ref)}


def _mean_of_final(found: Mapping[str, EntrantRound]) -> Points | None:
    """Return the mean of the final results; if there are none, of the results so far; None if there are none
    either.
    """
    points = [(one.unfinished is None, one.points) for one in found.values() if one.points is not None]
    final = [one for is_final, one in points if is_final]
    return _mean(final or [one for _, one in points])


def _mean(points: Sequence[Points]) -> Points | None:
    return divide(sum(points), len(points)) if points else None
