"""The demo: an earlier, finished championship to browse and replay, and a running one.

Everything except accounts is made through the ordinary services, and commands at tables are submitted as
their players. A worker plays the earlier championship round by round, because it takes a while.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple

from celery import current_app
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.bots.runner import BOT
from games.models import Game, User
from games.play.submit import submit
from tournaments import demo_record
from tournaments.clubs import rolls
from tournaments.models import Championship, Entry, Official, Round, Seating, Table
from tournaments.pairing.stream import NumberStream
from tournaments.services.championships import championships, officials
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, importing
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds

Say = Callable[[str], None]

PASSWORD: Final = "jass-am-abend"  # noqa: S105 - the demo prints it on the console
ORGANISER, REFEREE = "fredi", "gabi"
PLAYERS: Final = ("anna", "beat", "chiara", "dario")
CLUB: Final = "Jassklub"
FINISHED, RUNNING = "fruehlingscup", "herbstcup"
FILE: Final = Path(__file__).with_name("demo_entries.csv")
ALL_BOTS: Final = dict.fromkeys(range(4), BOT)


class SheetDeal(NamedTuple):
    """A deal on a sheet. points: of side 0, from the cards. sweep: side that took all tricks, if any. stoeck:
    side with the Stöck, if any. signed: whether both sides signed.
    """

    points: int
    sweep: int | None = None
    stoeck: int | None = None
    signed: bool = True


_SHEET: Final = (
    SheetDeal(92),
    SheetDeal(157, sweep=0),
    SheetDeal(61, stoeck=1),
    SheetDeal(104, signed=False),
)


def build(
    *, speed: float = 1.0, url: str = "", say: Say = lambda line: None, password: str = PASSWORD
) -> list[str]:
    """Create the missing parts of the demo; return lines with addresses and sign-ins to print. `speed`:
    factor of the bots' pace.
    """
    people = {name: _get_user(name, password) for name in (ORGANISER, REFEREE, *PLAYERS)}
    running = _prepare_running(people, speed, say)
    earlier = _get_championship(people, FINISHED, "Frühlingscup", days=60)
    if earlier.status != Championship.Status.FINISHED:
        say(_("playing an earlier championship in the background"))
        current_app.signature("tournaments.play_earlier").delay()
    annas = Seating.objects.filter(entry__user=people["anna"], round__championship=running, round__number=2)
    seat = annas.select_related("table").first()
    table = f"{url}/g/{seat.table.game_id}/play/" if seat else f"{url}/c/{RUNNING}/"
    params = {"url": url, "organiser": ORGANISER, "referee": REFEREE, "players": ", ".join(PLAYERS[1:])}
    lines = _(
        "now       %(url)s/c/%(running)s/\n"
        "earlier   %(url)s/c/%(finished)s/\n"
        "sign in   %(url)s/sign-in/   password of everybody: %(password)s\n"
        "          %(organiser)s organises, %(referee)s rules on the dispute,\n"
        "          anna plays against three bots: %(table)s\n"
        "          %(players)s are players too"
    )
    params |= {"running": RUNNING, "finished": FINISHED, "password": password, "table": table}
    return (lines % params).splitlines()


def _get_user(name: str, password: str) -> User:
    user, made = User.objects.get_or_create(
        username=name, defaults={"first_name": name.capitalize(), "may_found": name == ORGANISER}
    )
    if made:
        user.set_password(password)
        user.save(update_fields=["password"])
    return user


def _get_championship(people: dict[str, User], slug: str, name: str, days: int) -> Championship:
    """Load the championship, or create it with its officials and sixteen people, all present.

    `days`: number of days ago that it starts.
    """
    fredi = people[ORGANISER]
    found = Championship.objects.filter(slug=slug).first()
    if found is not None:
        return found
    with transaction.atomic():
        club = rolls.default_club(fredi)
        if not club.named:
            rolls.rename_club(club, CLUB, actor=fredi)
        championship = championships.create(
            actor=fredi,
            club=club,
            name=name,
            slug=slug,
            place="Restaurant Rössli",
            starts_at=timezone.now() - timedelta(days=days, minutes=30),
            language="de",
        )
        officials.appoint(championship, people[REFEREE], Official.Role.REFEREE, actor=fredi)
        for entry in importing.import_entries(championship, FILE.read_bytes(), actor=fredi):
            entries.pay(entry, actor=fredi)
            entries.arrive(entry, actor=fredi)
            account = people.get(entry.first_name.casefold())
            if account is not None and account.username in PLAYERS:
                entries.link_account(entry, account, actor=fredi)
    return championship


def play_earlier(rounds_at_most: int = 1) -> bool:
    """Play up to `rounds_at_most` rounds of the earlier championship, and finish it after the last.

    Returns whether any rounds are left.
    """
    championship = Championship.objects.get(slug=FINISHED)
    fredi = championship.owner
    left = list(championship.rounds.exclude(status=Round.Status.CLOSED).order_by("number"))
    for round_ in left[:rounds_at_most]:
        if round_.status == Round.Status.PLANNED:
            drawing.draw_round(round_, actor=fredi)
        if round_.status == Round.Status.DRAWN:
            rounds.open_round(round_, actor=fredi)
        for game in Game.objects.filter(tournament_table__round=round_).order_by("number"):
            demo_record.play_out_with_bots(game.pk)
        rounds.close_round(round_, actor=fredi)
    if len(left) > rounds_at_most:
        return True
    championships.finish(championship, actor=fredi)
    return False


def _play_on_paper(round_: Round, director: User) -> None:
    """Play a round with a sheet at every table: each deal is written and signed by both sides."""
    if round_.status == Round.Status.PLANNED:
        drawing.draw_round(round_, actor=director)
    if round_.status == Round.Status.DRAWN:
        for table in round_.tables.order_by("number"):
            rounds.set_mode(table, "sheet", actor=director)
        rounds.open_round(round_, actor=director)
    for table in round_.tables.select_related("game").order_by("number"):
        numbers = NumberStream(b"demo", f"table {table.number}")
        _write_sheet(table, [_random_deal(numbers) for _ in range(8)])
    rounds.close_round(round_, actor=director)


def _random_deal(numbers: NumberStream) -> SheetDeal:
    """Return a plausible random deal: mostly between 40 and 117 points, sometimes a sweep or a Stöck."""
    sweep = numbers.below(2) if numbers.below(14) == 0 else None
    stoeck = numbers.below(2) if numbers.below(5) == 0 else None
    points = 40 + numbers.below(39) + numbers.below(40) if sweep is None else (157, 0)[sweep]
    return SheetDeal(points, sweep, stoeck)


def _prepare_running(people: dict[str, User], speed: float, say: Say) -> Championship:
    """Prepare the running championship: one round played, the second open with two dealt tables, a sheet, and
    a transcribed table with a revoke."""
    fredi = people[ORGANISER]
    championship = _get_championship(people, RUNNING, "Herbstcup", days=0)
    first, second = championship.rounds.order_by("number")[:2]
    if first.status != Round.Status.CLOSED:
        say(_("entering the first round of tonight's championship"))
        _play_on_paper(first, fredi)
    if second.status == Round.Status.PLANNED:
        drawing.draw_round(second, actor=fredi)
    tables = _order_tables(second)
    dealt, bots_only, sheet, transcribed = tables
    if second.status == Round.Status.DRAWN:
        say(_("opening the second round"))
        for table, mode in zip(tables, ("dealt", "dealt", "sheet", "transcribed"), strict=True):
            rounds.set_mode(table, mode, actor=fredi)
        annas = dealt.seatings.get(entry__user=people["anna"]).seat
        rounds.open_round(
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
    _write_sheet(_reload(sheet), _SHEET)
    _transcribe(_reload(transcribed))
    return championship


def _order_tables(round_: Round) -> list[Table]:
    """Return the tables of a round: Anna's table first, then the others by number."""
    tables = list(round_.tables.order_by("number"))
    annas = Seating.objects.get(round=round_, entry__user__username="anna").table_id
    return sorted(tables, key=lambda table: (table.pk != annas, table.number))


def _reload(table: Table) -> Table:
    return Table.objects.select_related("game", "round__championship").get(pk=table.pk)


def _players(table: Table) -> Sequence[Entry]:
    return [s.entry for s in table.seatings.select_related("entry").order_by("seat")]


def _write_sheet(table: Table, deals: Sequence[SheetDeal]) -> None:
    players = _players(table)
    game = str(table.game_id)
    for deal, line in enumerate(deals, 1):
        entered = {
            "cmd": "enter_result",
            "seat": 0,
            "deal": deal,
            "card_points": [line.points, 157 - line.points],
            "sweep": line.sweep,
            "stoeck": line.stoeck,
        }
        submit(game, entered, actor=players[0].player_ref, command_id=f"demo:enter:{deal}")
        if line.signed:
            confirmed = {"cmd": "confirm_result", "seat": 1, "deal": deal}
            submit(game, confirmed, actor=players[1].player_ref, command_id=f"demo:confirm:{deal}")


def _transcribe(table: Table) -> None:
    """Transcribe two deals and the start of a third; dispute a revoke in the second."""
    players = _players(table)
    record = demo_record.with_revoke()
    for number, command in enumerate(record.commands):
        actor = players[command.get("seat", 0)].player_ref
        submit(str(table.game_id), command, actor=actor, command_id=f"demo:card:{number}")
    if not table.disputes.exists():
        opponent = players[(record.seat + 1) % 4]
        disputes.raise_dispute(
            _reload(table),
            actor=opponent.user,
            by_ref=opponent.player_ref,
            deal=record.deal,
            trick=record.trick,
            incident="revoke",
            text="Hat nicht angegeben und die Farbe später doch noch gespielt.",
        )
