"""Printed hands of a round, so that tables that deal by hand play the same cards as all other tables.

The hands are those that a dealt table of the round gets. They are derived from the seed of the round, which
stays secret until it is revealed. An official who prints the hands can read them, so this official must not
play in the round. The round's stream records the official and the time.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, cast

from django.utils.translation import gettext_lazy as _

from engine import State, decide, decode_command, replay
from engine.cards import Card
from engine.events import DealStarted, HandDealt
from engine.phases.dealing import split_hands
from games import store
from games.appending import record
from games.models import Game
from games.randomness import dealing, next_deal, round_seed
from tournaments.errors import NotAllowed, TournamentError
from tournaments.events import HandsPrinted
from tournaments.models import Round, Table
from tournaments.permissions import Actor
from tournaments.regulations import Regulations, build_start_command
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import deck_numbers
from tournaments.services.seats import same_cards


class PrintedDeal(NamedTuple):
    """A deal of a round. `deal`: its number; `dealer`: a seat; `hands`: the cards of each
    seat in deck order.
    """

    deal: int
    dealer: int
    hands: tuple[tuple[str, ...], ...]


class HandsPrinting(NamedTuple):
    """A printing of the hands of a round. `at`: its time; `ref`: reference of the official
    who printed them.
    """

    at: datetime
    ref: str


def list_paper_tables(round_: Round) -> list[Table]:
    """List the tables of a round at which people deal the cards themselves, by number."""
    return list(round_.tables.exclude(mode=Game.Mode.DEALT).order_by("number"))


def list_printings(round_: Round) -> list[HandsPrinting]:
    """List the printings of the hands of the current draw, in order."""
    found: list[HandsPrinting] = []
    for event in store.read(round_.stream_id, parts=False):
        if event.type == "draw_undone":
            found.clear()
        elif event.type == "hands_printed":
            found.append(HandsPrinting(datetime.fromisoformat(event.recorded_at), event.actor))
    return found


def print_hands(round_: Round, *, actor: Actor) -> list[PrintedDeal]:
    """Derive the hands of an open round for printing, and record that they were printed.

    Raises NotAllowed `hands/same_cards` for an official who plays; TournamentError `hands/own_cards` if each
    table has its own cards, `hands/not_open` unless the round is open, `hands/no_paper` if the server deals
    at all tables, `hands/other_layout` if the game deals cards that belong to no hand.
    """
    with locks.for_official(round_.championship, actor, "open") as (championship, ref):
        locked = locks.lock_round(round_.pk)
        locked.championship = championship
        regulations = load_regulations(championship)
        if not regulations.plays_same_cards:
            raise TournamentError("hands/own_cards", _("Here each table deals its own cards."))
        if locked.status != Round.Status.OPEN:
            raise TournamentError(
                "hands/not_open",
                _("The cards of round %(round)s are known from its opening to its end: open it first."),
                round=locked.number,
            )
        if not list_paper_tables(locked):
            raise TournamentError("hands/no_paper", _("The platform deals at all tables of this round."))
        if actor is not None and same_cards.plays_now(actor, locked):
            raise NotAllowed(
                "hands/same_cards", _("Nobody may look at hidden cards that they play themselves.")
            )
        found = derive_hands(locked, regulations)
        record(locked.stream_id, HandsPrinted(draw=locked.draws, deals=len(found)), actor=ref)
    return found


def derive_hands(round_: Round, regulations: Regulations) -> list[PrintedDeal]:
    """Derive the hands of all planned deals. Raises TournamentError `hands/other_layout`."""
    source = round_seed.source_of(round_.stream_id)
    number = deck_numbers.deck_number(Table(round=round_, number=1), regulations)
    state = State()
    started = decode_command({**build_start_command(regulations), "mode": "dealt"})
    replay(decide(state, started), state)
    first: dict[str, object] = {"cmd": "deal", "deck": dealing.deck(source, number, 1)}
    lots = next_deal.first_forehand(state, source, number)
    if lots is not None:
        first["dealer"] = lots.dealer
    events = decide(state, decode_command(first))
    hands = [event for event in events if isinstance(event, HandDealt)]
    if not all(isinstance(event, DealStarted | HandDealt) for event in events):
        raise TournamentError("hands/other_layout", _("This game lays out cards besides the hands."))
    dealer = next(event.dealer for event in events if isinstance(event, DealStarted))
    by_seat = {event.seat: tuple(card or "" for card in event.cards or ()) for event in hands}
    found = [PrintedDeal(1, dealer, tuple(by_seat[seat] for seat in range(state.seats)))]
    for deal in range(2, regulations.deals + 1):
        dealer = (dealer + 1) % state.seats
        deck = cast("Sequence[Card | None]", dealing.deck(source, number, deal))
        shares, _rest = split_hands(deck, state.seats, len(by_seat[0]), (dealer + 1) % state.seats)
        found.append(PrintedDeal(deal, dealer, tuple(tuple(card or "" for card in hand) for hand in shares)))
    return found
