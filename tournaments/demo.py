"""The demo: an earlier championship to browse and replay, and one that is being played just now.

Everything is made through the services that people use; what a person would do at a table is submitted as
that person. Run again it goes on where it was, and does nothing once all is there.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.bots.runner import BOT, play_out
from games.models import Game, User
from games.submit import submit
from tournaments import demo_record
from tournaments.models import Championship, Entry, Official, Round, Seating, Table
from tournaments.services import championships, disputes, drawing, entries, importing, rounds

Say = Callable[[str], None]

PASSWORD: Final = "jass-am-abend"  # noqa: S105 - printed on the console of whoever starts the demo
ORGANISER, REFEREE = "fredi", "gabi"
PLAYERS: Final = ("anna", "beat", "chiara", "dario")
FINISHED, RUNNING = "fruehlingscup", "herbstcup"
FILE: Final = Path(__file__).with_name("demo_entries.csv")
ALL_BOTS: Final = dict.fromkeys(range(4), BOT)

_SHEET: Final[tuple[tuple[int, int | None, int | None, bool], ...]] = (
    # points of side 0, side that took every trick, side that declared the Stöck, countersigned
    (92, None, None, True),
    (157, 0, None, True),
    (61, None, 1, True),
    (104, None, None, False),
)


def build(
    *, speed: float = 1.0, url: str = "", say: Say = lambda line: None, password: str = PASSWORD
) -> list[str]:
    """Make what is missing of the demo; the lines to show: addresses and sign-ins."""
    people = {name: _user(name, password) for name in (ORGANISER, REFEREE, *PLAYERS)}
    running = _running(people, speed, say)
    _finished(people, say)
    anna = Seating.objects.select_related("table").get(
        entry__user=people["anna"], round__championship=running, round__number=2
    )
    return [
        f"now       {url}/c/{RUNNING}/",
        f"earlier   {url}/c/{FINISHED}/",
        f"sign in   {url}/sign-in/   password of everybody: {password}",
        f"          {ORGANISER} organises, {REFEREE} rules on the dispute,",
        f"          anna plays against three bots: {url}/g/{anna.table.game_id}/play/",
        f"          {', '.join(PLAYERS[1:])} are players too",
    ]


def _user(name: str, password: str) -> User:
    user, made = User.objects.get_or_create(username=name, defaults={"first_name": name.capitalize()})
    if made:
        user.set_password(password)
        user.save(update_fields=["password"])
    return user


def _found(people: dict[str, User], slug: str, name: str, days: int) -> Championship:
    """The championship with its officials and its sixteen people, all of them there."""
    fredi = people[ORGANISER]
    found = Championship.objects.filter(slug=slug).first()
    if found is not None:
        return found
    with transaction.atomic():
        made = championships.create(
            actor=fredi,
            name=name,
            slug=slug,
            place="Restaurant Rössli",
            starts_at=timezone.now() - timedelta(days=days, minutes=30),
            language="de",
        )
        championships.appoint(made, people[REFEREE], Official.Role.REFEREE, actor=fredi)
        for entry in importing.commit(made, FILE.read_bytes(), actor=fredi):
            entries.pay(entry, actor=fredi)
            entries.arrive(entry, actor=fredi)
            account = people.get(entry.name.split()[0].casefold())
            if account is not None and account.username in PLAYERS:
                entries.link(entry, account, actor=fredi)
    return made


def _finished(people: dict[str, User], say: Say) -> None:
    """Four rounds of eight deals, played by bots as fast as they can."""
    fredi = people[ORGANISER]
    championship = _found(people, FINISHED, "Frühlingscup", days=60)
    for round_ in championship.rounds.order_by("number"):
        if round_.status != Round.Status.CLOSED:
            say(f"playing round {round_.number} of an earlier championship")
            _play_with_bots(round_, fredi)
    championships.finish(championship, actor=fredi)


def _play_with_bots(round_: Round, director: User) -> None:
    if round_.status == Round.Status.PLANNED:
        drawing.draw(round_, actor=director)
    if round_.status == Round.Status.DRAWN:
        tables = round_.tables.values_list("number", flat=True)
        rounds.open_(round_, actor=director, bots=dict.fromkeys(tables, ALL_BOTS), bot_pace=0)
    for game in Game.objects.filter(tournament_table__round=round_).order_by("number"):
        play_out(game)
    rounds.close(round_, actor=director)


def _running(people: dict[str, User], speed: float, say: Say) -> Championship:
    """One round played, the second under way: two dealt tables, a sheet, a transcribed one with a revoke."""
    fredi = people[ORGANISER]
    championship = _found(people, RUNNING, "Herbstcup", days=0)
    first, second = championship.rounds.order_by("number")[:2]
    if first.status != Round.Status.CLOSED:
        say("playing the first round of tonight's championship")
        _play_with_bots(first, fredi)
    if second.status == Round.Status.PLANNED:
        drawing.draw(second, actor=fredi)
    tables = _roles_of_tables(second)
    dealt, bots_only, sheet, transcribed = tables
    if second.status == Round.Status.DRAWN:
        say("opening the second round")
        for table, mode in zip(tables, ("dealt", "dealt", "sheet", "transcribed"), strict=True):
            rounds.set_mode(table, mode, actor=fredi)
        annas = dealt.seatings.get(entry__user=people["anna"]).seat
        rounds.open_(
            second,
            actor=fredi,
            bots={
                dealt.number: {seat: BOT for seat in range(4) if seat != annas},
                bots_only.number: ALL_BOTS,
            },
            bot_pace=2.0 / speed,
            table_options={
                dealt.number: {"turn_seconds": 30, "deal_pause": 4 / speed},
                bots_only.number: {"deal_pause": 4 / speed},
            },
        )
    _write_sheet(_refreshed(sheet))
    _transcribe(_refreshed(transcribed))
    return championship


def _roles_of_tables(round_: Round) -> list[Table]:
    """Anna's table first, then the others in the order of their numbers."""
    tables = list(round_.tables.order_by("number"))
    annas = Seating.objects.get(round=round_, entry__user__username="anna").table_id
    return sorted(tables, key=lambda table: (table.pk != annas, table.number))


def _refreshed(table: Table) -> Table:
    return Table.objects.select_related("game", "round__championship").get(pk=table.pk)


def _players(table: Table) -> Sequence[Entry]:
    return [s.entry for s in table.seatings.select_related("entry").order_by("seat")]


def _write_sheet(table: Table) -> None:
    """Four deals written down, the last one still waiting for the other side."""
    players = _players(table)
    game = str(table.game_id)
    for deal, (points, sweep, stoeck, signed) in enumerate(_SHEET, 1):
        entered = {
            "cmd": "enter_result",
            "seat": 0,
            "deal": deal,
            "card_points": [points, 157 - points],
            "sweep": sweep,
            "stoeck": stoeck,
        }
        submit(game, entered, actor=players[0].player_ref, command_id=f"demo:enter:{deal}")
        if signed:
            confirmed = {"cmd": "confirm_result", "seat": 1, "deal": deal}
            submit(game, confirmed, actor=players[1].player_ref, command_id=f"demo:confirm:{deal}")


def _transcribe(table: Table) -> None:
    """Two deals written down card by card and a third begun; in the second one somebody revoked."""
    players = _players(table)
    record = demo_record.with_revoke()
    for number, command in enumerate(record.commands):
        actor = players[command.get("seat", 0)].player_ref
        submit(str(table.game_id), command, actor=actor, command_id=f"demo:card:{number}")
    if not table.disputes.exists():
        opponent = players[(record.seat + 1) % 4]
        disputes.raise_(
            _refreshed(table),
            actor=opponent.user,
            by_ref=opponent.player_ref,
            deal=record.deal,
            trick=record.trick,
            text="Hat nicht angegeben und die Farbe später doch noch gespielt.",
        )
