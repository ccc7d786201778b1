"""Nine tables with incidents, in the place of a live tree: `python -m tests.e2e.disputed`.

With the id of a game and the seat of forehand its table plays the running deal; what it counted is printed.
"""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from engine import State, decide, decode_command, legal_cards, next_play, replay
from engine.cards import SUIT_MASK, SUIT_OF, codes
from games.models import DealResult, Game, User
from games.play.submit import submit
from games.randomness.dealing import Source, deck
from tournaments.models import Official, Round, Table
from tournaments.presets import PRESETS
from tournaments.services.championships import championships, officials
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries, seat_codes
from tournaments.services.rounds import rounds

PASSWORD = "Ein-Trumpf-im-Aermel-7"
WRITTEN, SHEET = "transcribed", "sheet"
TABLES = {
    "revoke": WRITTEN,
    "undertrump": WRITTEN,
    "late_call": SHEET,
    "short_hand": WRITTEN,
    "misdeal": WRITTEN,
    "wrong_sum": SHEET,
    "wrong_dealer": WRITTEN,
    "late_dealer": WRITTEN,
}
CHOICE = {"cmd": "choose", "seat": 0, "contract": "hearts"}
TRUMPS = SUIT_MASK[1]
Commands = list[dict[str, Any]]
Wrong = Callable[[State, int, int], int]
"""(table, seat, legal) → the mask of cards that commit the incident."""


def undertrumps(table: State, seat: int, legal: int) -> int:
    """Return trumps below a trump on the table, in a hand with other cards."""
    if not table.trick or SUIT_OF[table.trick[0]] == 1 or not table.hands[seat] & ~TRUMPS:
        return 0
    return table.hands[seat] & TRUMPS & ~legal


def revokes(table: State, seat: int, legal: int) -> int:
    """Return cards that revoke, from a hand with several cards of the led suit: a later play proves it."""
    if not table.trick or SUIT_OF[table.trick[0]] == 1:
        return 0
    led = SUIT_MASK[SUIT_OF[table.trick[0]]]
    return table.hands[seat] & ~legal & ~TRUMPS if (table.hands[seat] & led).bit_count() > 1 else 0


def deal(seed: int, *, cards: int = 36, wrong: Wrong | None = None) -> Commands:
    """A deal in hearts, dealt by seat 3, as recorded by the scorer card by card, with one wrong card."""
    table = State()
    found: Commands = []

    def take(command: dict[str, Any]) -> None:
        replay(decide(table, decode_command(command)), table)

    play = PRESETS["santiago"].play
    take({"cmd": "start", "variant": play.variant, "preset": play.preset, "seats": 4, "mode": WRITTEN})
    take({"cmd": "deal", "deck": deck(Source(bytes([seed]) * 32), 1, 1), "dealer": 3})
    take(CHOICE)
    for _ in range(cards):
        seat, legal = next_play(table)
        assert seat is not None
        wanted = wrong(table, seat, legal) if wrong is not None else 0
        card = codes(wanted or legal_cards(table, seat))[-1]
        wrong = None if wanted else wrong
        found.append({"cmd": "play", "seat": seat, "card": card})
        take(found[-1])
    return found


def proven(code: str, wrong: Wrong) -> Commands:
    """Return the first such deal by seed whose record proves this incident and no other."""
    for seed in range(200):
        found = deal(seed, wrong=wrong)
        record = State()
        play = PRESETS["santiago"].play
        whole: Commands = [
            {"cmd": "start", "variant": play.variant, "preset": play.preset, "seats": 4, "mode": WRITTEN},
            {"cmd": "deal", "dealer": 3},
            CHOICE,
            *found,
        ]
        for command in whole:
            replay(decide(record, decode_command(command)), record)
        if [infraction.code for infraction in record.infractions] == [code]:
            return found
    raise AssertionError(f"no deal proves {code}")


def person(name: str) -> User:
    found = User.objects.filter(username=name).first()
    return found or User.objects.create_user(name, password=PASSWORD, first_name=name.capitalize())


def send(table: Table, **command: Any) -> None:
    """Submit a command as the scorer of the table."""
    seq = Game.objects.get(pk=table.game_id).head_seq
    submit(str(table.game_id), command, actor="5" * 32, command_id=f"e{seq}")


def from_seat(seat: int, commands: Commands) -> Commands:
    """Return the same deal with this seat as forehand."""
    return [{**command, "seat": (command["seat"] + seat) % 4} for command in commands]


def play_on(game: str, forehand: int = 3) -> list[int]:
    """Play the running deal to its end; return its score.

    Where Chiara dealt Dario is forehand: such a table does not wait for the referee.
    """
    for command in from_seat(forehand, [CHOICE, *deal(7)]):
        send(Table.objects.get(game=game), **command)
    scores: list[int] | None = DealResult.objects.filter(game=game).latest("deal").scores
    assert scores is not None
    return scores


def write(table: Table, commands: Commands, *, dealer: int | None = 3) -> None:
    """Play a deal from its beginning; `dealer` only for the first one, later dealers follow from it."""
    send(table, cmd="deal", **({} if dealer is None else {"dealer": dealer}))
    for command in commands:
        send(table, **command)


def sheet(table: Table, *deals: tuple[int, int | None]) -> None:
    """(points of side 0, side with the Stöck) deal by deal, signed by the other side."""
    for number, (points, stoeck) in enumerate(deals, 1):
        card_points = [points, 157 - points]
        send(table, cmd="enter_result", seat=0, deal=number, card_points=card_points, stoeck=stoeck)
        send(table, cmd="confirm_result", seat=1, deal=number)


def opened(name: str, modes: dict[str, str], **changes: Any) -> Round:
    """Create a championship of one round, with a manually drawn table for each incident and people named
    after it.
    """
    fredi = person("fredi")
    made = championships.create(
        actor=fredi, name=name, changes={"rounds": 1, "appeal_minutes": 30, **changes}
    )
    for referee in ("gabi", "heidi"):
        officials.appoint(made, person(referee), Official.Role.REFEREE, actor=fredi)
    names = [f"{letter} {incident}" for incident in modes for letter in ("Anna", "Beat", "Chiara", "Dario")]
    people = [entries.NewEntry(one, status="arrived") for one in names]
    numbers = [entry.number for entry in entries.add_entries(made, people, actor=fredi)]
    round_ = made.rounds.get()
    seats = [numbers[at : at + 4] for at in range(0, len(numbers), 4)]
    seating_by_hand.seat_by_hand(round_, seats, actor=fredi)
    for table, mode in zip(round_.tables.order_by("number"), modes.values(), strict=True):
        rounds.set_mode(table, mode, actor=fredi)
    return rounds.open_round(round_, actor=fredi)


def main() -> None:
    """Ids of the games by incident, and the table codes."""
    person("anna")
    round_ = opened("Streitcup", TABLES)
    by = dict(zip(TABLES, round_.tables.select_related("game").order_by("number"), strict=True))
    entry = by["revoke"].seatings.get(seat=1).entry
    entries.link_account(entry, person("anna"), actor=person("fredi"))
    first = [CHOICE, *deal(1)]
    write(by["revoke"], [CHOICE, *proven("revoke", revokes)])
    write(by["undertrump"], [CHOICE, *proven("undertrump", undertrumps)])
    write(by["short_hand"], [CHOICE, *deal(2, cards=35)])
    write(by["misdeal"], first)
    write(by["misdeal"], [], dealer=None)
    write(by["wrong_dealer"], first)
    write(by["wrong_dealer"], [], dealer=2)
    write(by["late_dealer"], first)
    write(by["late_dealer"], [], dealer=2)
    play_on(str(by["late_dealer"].game_id))
    sheet(by["late_call"], (100, None), (90, 0))
    sheet(by["wrong_sum"], (97, None))
    claimed = opened(
        "Bedankcup",
        {"wrong_claim": WRITTEN},
        play={
            "variant": "schieber",
            "preset": "championship",
            "options": {"target": 1000, "claim_out": "required"},
        },
    )
    by["wrong_claim"] = claimed.tables.select_related("game").get()
    write(by["wrong_claim"], first)
    write(by["wrong_claim"], [{**CHOICE, "seat": 1}], dealer=None)
    send(by["wrong_claim"], cmd="claim_out", seat=0)
    codes_of = {
        (code.table, code.seat): code.token for code in seat_codes.issue_codes(round_, actor=person("fredi"))
    }
    tokens = {
        name: next(token for (number, _seat), token in codes_of.items() if number == by[name].number)
        for name in TABLES
    }
    print(json.dumps({"games": {name: str(table.game_id) for name, table in by.items()}, "codes": tokens}))


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps({"scores": play_on(sys.argv[1], *map(int, sys.argv[2:]))}))
    else:
        main()
