"""The field of the first round: the entrants for whom a plan of all rounds is made.

This field, and so the plan, stays the same when entrants come late, are absent or leave.
"""

from tournaments.competition import Competition


def list_first_field(competition: Competition) -> list[str]:
    """Return the refs of the entrants entered for the first round, in alphabetical order.

    If every entrant is one person, persons of that round who are missing in the document fill the field up to
    the size of that round.
    """
    refs = [
        one.ref
        for one in competition.by_ref.values()
        if one.from_round <= 1 and (one.until_round is None or one.until_round >= 1)
    ]
    if not competition.past or any(entrant.members[1:] for entrant in competition.entrants):
        return refs
    first = competition.past[0]
    seated = [person for table in first.tables for person in table.seats]
    unknown = sorted({*seated, *first.byes}.difference(competition.ref_of, competition.by_ref))
    missing = len(seated) + len(first.byes) - len(refs)
    return sorted({*refs, *unknown[: max(0, missing)]})
