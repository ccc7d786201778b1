"""The circle method: rounds in which everybody meets everybody once.

Sources: T. P. Kirkman (1847); F. Schurig (1886). The first entrant of a pair sits first at the table. Each
entrant sits first in half of the meetings (one more or less if the number of meetings is odd), as far as
possible in every second round.
"""

from dataclasses import dataclass

Meeting = tuple[str, str]
"""Two entrants; the first one sits first."""


@dataclass(frozen=True, slots=True)
class CirclePlan:
    """The rounds in which entrants meet once per cycle; each second cycle has the seats reversed."""

    names: tuple[str, ...]
    cycles: int = 1

    @property
    def rounds(self) -> int:
        return self.cycles * self._ring if len(self.names) > 1 else 0

    @property
    def _ring(self) -> int:
        return len(self.names) - 1 + len(self.names) % 2

    def list_meetings(self, number: int) -> list[Meeting]:
        """Return the meetings of round `number` (from 1); an empty list after the last round."""
        if not 1 <= number <= self.rounds:
            return []
        cycle, r = divmod(number - 1, self._ring)
        meetings = self._list_first_cycle(r)
        return [(b, a) for a, b in meetings] if cycle % 2 else meetings

    def _list_first_cycle(self, r: int) -> list[Meeting]:
        names, ring = self.names, self._ring
        meetings = []
        if len(names) > ring:
            meetings.append((names[ring], names[r]) if r % 2 else (names[r], names[ring]))
        for i in range(1, (ring + 1) // 2):
            up, down = names[(r + i) % ring], names[(r - i) % ring]
            meetings.append((up, down) if i % 2 else (down, up))
        return meetings
