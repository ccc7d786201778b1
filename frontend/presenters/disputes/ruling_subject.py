"""The subject of a ruling or dispute: the deal, trick and player concerned."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from frontend.presenters.names.seat_names import LETTERS, load_names
from games.models import Event, Seat
from games.store import layout
from tournaments.models import Dispute


class About(NamedTuple):
    """The deal, trick and player that a dispute concerns. `deal` and `trick` count from 1 and are None if
    unknown; `name` is empty if no player is named.
    """

    deal: int | None
    trick: int | None
    name: str


def load_ruling_subjects(disputes: Sequence[Dispute]) -> dict[int, About]:
    """Return dispute's primary key → its subject, from its ruling, else from the dispute and the card that it
    names. Three queries for any number of disputes; none if they have neither ruling nor card.
    """
    referring = [one for one in disputes if one.ruling_number is not None or one.at_seq is not None]
    rulings, players = _load_rulings_and_seats(referring) if referring else ({}, {})
    subjects: dict[int, About] = {}
    seats: dict[int, int | None] = {}
    for dispute in disputes:
        game = str(dispute.table.game_id)
        ruling = rulings.get((game, dispute.ruling_number), {})
        seats[dispute.pk] = ruling.get("against") if ruling else players.get((game, dispute.at_seq))
        deal = ruling.get("deal") or dispute.deal
        trick = ruling.get("trick") or (dispute.trick if deal == dispute.deal else None)
        subjects[dispute.pk] = About(deal, trick, "")
    named = [one for one in referring if seats[one.pk] is not None]
    names = _names_at({str(one.table.game_id) for one in named}) if named else {}
    for one in named:
        name = names.get((str(one.table.game_id), seats[one.pk]), "")
        subjects[one.pk] = subjects[one.pk]._replace(name=name)
    return subjects


Place = tuple[str, int | None]
"""The id of a game, and the number of a ruling, event or seat in it."""


def _load_rulings_and_seats(
    disputes: Sequence[Dispute],
) -> tuple[dict[Place, dict[str, Any]], dict[Place, int]]:
    """Return the rulings at the tables of these disputes, and the seats of the cards that these disputes
    name.
    """
    cards = [dispute.at_seq for dispute in disputes if dispute.at_seq is not None]
    of_games = Event.objects.filter(stream__in={str(dispute.table.game_id) for dispute in disputes})
    events = of_games.filter(type="ruling_made") | of_games.filter(type="card_played", seq__in=cards)
    rulings: dict[Place, dict[str, Any]] = {}
    players: dict[Place, int] = {}
    for game, seq, type_, envelope in events.values_list("stream", "seq", "type", "envelope"):
        body = layout.decode_envelope(bytes(envelope)).body
        if type_ == "ruling_made":
            rulings[game, body["ruling"]] = body
        else:
            players[game, seq] = body["seat"]
    return rulings, players


def _names_at(games: set[str]) -> dict[Place, str]:
    """Return (game, seat) → name of the player; a seat without an entry has its letter as name."""
    seats = list(Seat.objects.filter(game__in=games).values_list("game", "number", "player_ref"))
    known = load_names(ref for _game, _number, ref in seats)
    return {
        (game, number): known.get(ref) or _("Seat %(letter)s") % {"letter": LETTERS[number]}
        for game, number, ref in seats
    }
