"""Sessions of open heats in tests: everybody queues with a start, and what fills a table is seated."""

from games.models import User
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round, Table
from tournaments.services import open_heat_queue
from tournaments.services.entries.pairs import has_fixed_pairs
from tournaments.services.open_heat import seating, sessions, starts


def open_session(round_: Round, fredi: User) -> list[Table]:
    """Open a session, queue a start of everybody who has entered, and seat all tables that fill."""
    opened = sessions.open_session(round_, actor=fredi)
    return queue_everybody(opened, fredi)


def queue_everybody(round_: Round, fredi: User) -> list[Table]:
    """Queue one more start of everybody who has entered and may have one, and seat all tables that fill."""
    made: Championship = round_.championship
    people = list(made.entries.filter(start_of=None, merged_into=None).exclude(status="withdrawn"))
    partners: list[Entry | None] = [None] * len(people)
    if has_fixed_pairs(made):
        people, partners = people[::2], [*people[1::2]]
    for person, partner in zip(people, partners, strict=False):
        try:
            starts.add_start(round_, person, partner=partner, actor=fredi)
        except TournamentError as refused:
            if refused.code != "starts/most":
                raise
    tables: list[Table] = []
    while seating.propose_tables(round_, open_heat_queue.list_waiting(round_)).tables:
        tables += seating.seat_next(round_, actor=fredi)
    return tables
