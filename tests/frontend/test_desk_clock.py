"""The clock at the desk: the seat that ran out of time, at which card or announcement, and the limit."""

import re

import pytest
from django.urls import reverse

from games import game_state
from games.models import Deadline
from games.play.submit import submit
from games.timers import deadlines
from tests.frontend.evening import client, html, opened, person, table
from tests.games.cast import next_command
from tests.tournaments.table_play import game_of, refs, write_revoke
from tournaments.models import Table
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def dealt() -> Table:
    """A table where each move has thirty seconds; nothing is played."""
    play = {"variant": "schieber", "preset": "championship", "turn_seconds": 30}
    made = opened("dealt", "sheet", changes={"rounds": 1, "play": play})
    rounds.start_clocks(made, actor=person("fredi"))
    return table(made, 1)


def run_out(where: Table) -> None:
    row = Deadline.objects.get(stream_id=where.game_id, kind="clock")
    assert deadlines.run(row.pk, now=row.due_at)


def move(where: Table) -> None:
    command, now = next_command(game_of(where)), game_state.load_snapshot(str(where.game_id))
    submit(str(where.game_id), command, actor=refs(where)[command.seat], command_id=f"m{now.head.seq}")


def desk(where: Table) -> str:
    game_of(where).refresh_from_db()
    raised = disputes.raise_dispute(where, actor=person("gabi"), deal=1, trick=1)
    return html(client("gabi").get(reverse("dispute", args=[raised.pk])))


def record(page: str) -> list[str]:
    """The lines of what was said, without marks."""
    panel = page.split("Who said what, and when")[1].split("</ol>")[0]
    return [re.sub(r"<[^>]*>", "", line) for line in panel.split("<li>")[1:]]


def test_a_card_that_the_clock_played_says_so_at_the_card_and_in_the_record() -> None:
    where = dealt()
    move(where)
    move(where)
    run_out(where)
    move(where)

    page = desk(where)

    assert len(re.findall(r"\d+ s \(<strong>time ran out", page)) == 1
    assert "Each move has 30 seconds; then the clock makes it." in page
    late = [line for line in record(page) if "time ran out" in line]
    assert len(late) == 1
    assert "plays" in late[0]


def test_a_contract_that_the_clock_named_says_so_in_the_record() -> None:
    where = dealt()
    run_out(where)
    move(where)

    page = desk(where)

    [late] = [line for line in record(page) if "time ran out" in line]
    assert "plays" not in late
    assert "(<strong>time ran out" not in page


def test_where_nobody_was_late_no_clock_is_spoken_of() -> None:
    where = table(opened("transcribed", "sheet"), 1)
    write_revoke(where)

    page = desk(where)

    assert "Time for the card" in page
    assert "time ran out" not in page
    assert "Each move has" not in page
