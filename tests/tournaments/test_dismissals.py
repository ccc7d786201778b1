"""A lost office ends at once: on the open socket, and for a command in flight."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.commands import Close
from games import store
from games.errors import Forbidden
from games.models import Access, Game, User
from games.play.submit import CommandResult, submit
from games.rights.claims import Principal, SessionClaim
from tests.games.cast import play
from tests.games.databases import in_threads
from tests.games.live_server import WebProcess, place
from tournaments.models import Championship
from tournaments.services.championships import championships, officials
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.bench._live_settings"}
"""A heartbeat a day: nobody is let go because of one."""
LET_GO = 4403
TABLES = 6


@pytest.fixture(scope="module")
def web(
    database_template: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: Any,
) -> Iterator[WebProcess]:
    with place(database_template, tmp_path_factory, django_db_blocker, SETTINGS) as process:
        yield process


class Evening:
    """An open round of online tables, which Fredi directs."""

    def __init__(self, tables: int = 1) -> None:
        self.fredi = person("fredi")
        self.championship: Championship = championships.create(
            actor=self.fredi, name="Clubabend", changes={"rounds": 1}
        )
        people = [entries.NewEntry(f"Person {n}", status="arrived") for n in range(4 * tables)]
        numbers = [entry.number for entry in entries.add_entries(self.championship, people, actor=self.fredi)]
        drawn = self.championship.rounds.get()
        seated = [numbers[at : at + 4] for at in range(0, len(numbers), 4)]
        seating_by_hand.seat_by_hand(drawn, seated, actor=self.fredi)
        for table in drawn.tables.all():
            rounds.set_mode(table, "dealt", actor=self.fredi)
        opened = rounds.open_round(drawn, actor=self.fredi)
        self.games: list[Game] = [table.game for table in opened.tables.select_related("game") if table.game]

    def appoint(self, name: str, *roles: str) -> User:
        user = person(name)
        for role in roles:
            officials.appoint(self.championship, user, role, actor=self.fredi)
        return user

    def dismiss(self, user: User, role: str) -> None:
        officials.dismiss(self.championship, user, role, actor=self.fredi)


def person(name: str) -> User:
    return User.objects.get_or_create(username=name)[0]


@pytest.mark.long(1)
@pytest.mark.parametrize("role", ["referee", "director"])
def test_who_is_dismissed_is_let_go_without_waiting_for_a_beat_and_the_others_stay(
    web: WebProcess, role: str
) -> None:
    evening = Evening()
    [game] = evening.games
    gabi, both = evening.appoint("gabi", role), evening.appoint("heidi", "referee", "director")
    with (
        web.connect(game, both) as kept,
        web.connect(game, gabi) as gone,
        web.connect(game, evening.fredi) as director,
        web.connect(game) as eva,
    ):
        for line in (kept, gone, director, eva):
            line.frame("events")
        evening.dismiss(both, role)  # whose other office shows the same
        evening.dismiss(gabi, role)
        assert gone.closing_code() == LET_GO
        play(game, 1)
        assert [line.frame()["kind"] for line in (kept, director, eva)] == ["events"] * 3


def test_who_has_opened_a_deal_and_keeps_another_office_sees_what_that_one_shows(web: WebProcess) -> None:
    evening = Evening()
    [game] = evening.games
    gabi = evening.appoint("gabi", "referee", "director")
    Access.objects.filter(game=game, user=gabi, role="referee").update(opened_deal=1)
    with web.connect(game, gabi) as line:
        assert "legal" in line.frame("events")
        evening.dismiss(gabi, "referee")
        assert line.closing_code() == LET_GO
    with web.connect(game, gabi) as line:
        assert "legal" not in line.frame("events")


def test_a_referee_who_is_given_a_seat_is_let_go_to_come_back_as_a_player(web: WebProcess) -> None:
    evening = Evening()
    [game] = evening.games
    gabi = evening.appoint("gabi", "referee")
    with web.connect(game, gabi) as line:
        line.frame("events")
        entries.link_account(evening.championship.entries.get(number=1), gabi, actor=evening.fredi)
        assert line.closing_code() == LET_GO


@pytest.mark.usefixtures("web")
def test_nothing_of_a_director_is_stored_once_he_is_dismissed() -> None:
    evening = Evening(TABLES)
    gabi = evening.appoint("gabi", "director")
    who, close = SessionClaim(Principal(gabi)), Close(reason="director")
    for game in evening.games:
        evening.appoint("gabi", "director")

        def end() -> int:
            evening.dismiss(gabi, "director")
            return store.read_head(game.id).seq  # noqa: B023 - the thread ends within this turn of the loop

        sent, seq = in_threads([partial(submit, game.id, close, actor=who, command_id="sent"), end])
        assert isinstance(sent, CommandResult | Forbidden), sent
        assert store.read_head(game.id).seq == seq


@pytest.mark.usefixtures("web")
def test_a_dismissal_asks_no_more_where_there_are_more_tables() -> None:
    asked = []
    for tables in (1, TABLES):
        evening = Evening(tables)
        gabi = evening.appoint("gabi", "referee")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            evening.dismiss(gabi, "referee")
        assert not Access.objects.filter(game__in=evening.games, user=gabi).exists()
        asked.append(len(queries))
    assert asked[0] == asked[1]
