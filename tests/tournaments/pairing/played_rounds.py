"""Competitions for tests of pairing systems: documents, and a loop that plays what is drawn."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tournaments.competition import decode_competition
from tournaments.pairing.systems import NextRound, draw_next

Document = dict[str, Any]
ROUNDS_WITHOUT_END = 100


def persons(count: int) -> list[Document]:
    return [{"ref": f"p{number:02}"} for number in range(count)]


def pairs(count: int) -> list[Document]:
    return [{"ref": f"P{number:04}", "members": [f"a{number}", f"b{number}"]} for number in range(count)]


def play(
    document: Document, rounds: int | None = None, change: Callable[[Document, int], None] | None = None
) -> list[NextRound]:
    """Draw and play rounds up to the end; `change` may change the document before each round."""
    played: list[NextRound] = []
    while rounds is None or len(played) < rounds:
        assert len(played) < ROUNDS_WITHOUT_END
        if change is not None:
            change(document, len(played) + 1)
        drawn = draw_next(decode_competition(document))
        if drawn is None:
            break
        assert drawn.number == len(played) + 1
        check_places(document, drawn)
        played.append(drawn)
        document.setdefault("past", []).append(
            {
                "round": drawn.number,
                "tables": [{"seats": list(seats)} for seats in drawn.tables],
                "byes": list(drawn.byes),
            }
        )
    return played


def check_places(document: Document, drawn: NextRound) -> None:
    """Check that each entrant who is there has one table or a bye, and nobody else has either."""
    here = {
        one["ref"]: one.get("members", [one["ref"]])
        for one in document["entrants"]
        if one.get("from_round", 1) <= drawn.number <= (one.get("until_round") or drawn.number)
        and drawn.number not in document.get("absent_rounds", {}).get(one["ref"], ())
    }
    places = Counter(person for seats in drawn.tables for person in seats)
    places.update(person for ref in drawn.byes for person in here[ref])
    assert places == Counter(person for members in here.values() for person in members)


def meetings_of(document: Document, rounds: list[NextRound]) -> list[list[tuple[str, str]]]:
    """Return the meetings of each round as refs of (seat 0, seat 1), one for all tables of a match."""
    ref_of = {
        person: one["ref"] for one in document["entrants"] for person in one.get("members", [one["ref"]])
    }
    return [
        list(dict.fromkeys((ref_of[seats[0]], ref_of[seats[1]]) for seats in one.tables)) for one in rounds
    ]


def codes_of(rounds: list[NextRound]) -> set[str]:
    return {note.code for one in rounds for note in one.notes}
