"""What a ruling or a dispute is about: the deal, the trick and the name of the player that it concerns."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from frontend.presenters.names import LETTERS, names_of
from games.models import Event, Seat
from games.store import layout
from tournaments.models import Dispute


class About(NamedTuple):
    """`deal` and `trick` count from 1; `name` is empty where nobody in particular is concerned."""

    deal: int | None
    trick: int | None
    name: str


def abouts_of(disputes: Sequence[Dispute]) -> dict[int, About]:
    """By dispute: as the ruling in force says, else as it was raised, and then the player of the card that it
    names. Three queries, however many disputes and tables there are.
    """
    games = {str(dispute.table.game_id) for dispute in disputes}
    cards = [dispute.at_seq for dispute in disputes if dispute.at_seq is not None]
    of_games = Event.objects.filter(stream__in=games)
    told = of_games.filter(type="ruling_made") | of_games.filter(type="card_played", seq__in=cards)
    rulings: dict[tuple[str, int], dict[str, Any]] = {}
    players: dict[tuple[str, int], int] = {}
    for game, seq, type_, envelope in told.values_list("stream", "seq", "type", "envelope"):
        body = layout.decode_envelope(bytes(envelope)).body
        if type_ == "ruling_made":
            rulings[game, body["ruling"]] = body
        else:
            players[game, seq] = body["seat"]
    names = _names_at(games)
    found = {}
    for dispute in disputes:
        game = str(dispute.table.game_id)
        ruling = {} if dispute.ruling_number is None else rulings.get((game, dispute.ruling_number), {})
        seat = players.get((game, -1 if dispute.at_seq is None else dispute.at_seq))
        seat = ruling.get("against") if ruling else seat
        deal = ruling.get("deal") or dispute.deal
        trick = ruling.get("trick") or (dispute.trick if deal == dispute.deal else None)
        found[dispute.pk] = About(deal, trick, "" if seat is None else names.get((game, seat), ""))
    return found


def _names_at(games: set[str]) -> dict[tuple[str, int], str]:
    """By game and seat the name of the player; a seat that nobody has entered for is called by its letter."""
    seats = list(Seat.objects.filter(game__in=games).values_list("game", "number", "player_ref"))
    known = names_of(ref for _game, _number, ref in seats)
    return {
        (game, number): known.get(ref) or _("Seat %(letter)s") % {"letter": LETTERS[number]}
        for game, number, ref in seats
    }
