"""Whether an objection came in time: some are heard only before the objector's own first card."""

from engine.events import CardPlayed, DealScored, ResultEntered
from engine.ledger.undo import not_taken_back
from games import game_state
from games.models import Seat
from tournaments.models import Dispute


def is_late(dispute: Dispute, deal: int) -> bool:
    """Whether who raised the dispute had played to this deal when he did. Of a phone of the table or an
    official nobody knows for whom he speaks: then, whether everybody had. A deal on a sheet was played.
    """
    game = str(dispute.table.game_id)
    seats = dict(Seat.objects.filter(game=game).values_list("player_ref", "number"))
    speaks = {seats[dispute.raised_ref]} if dispute.raised_ref in seats else set(seats.values())
    now, have_played = 0, set()
    for event in not_taken_back(game_state.at(game).events[: dispute.seen_seq + 1]):
        now = getattr(event, "deal", None) or now
        if now == deal and isinstance(event, DealScored | ResultEntered):
            return True
        if now == deal and isinstance(event, CardPlayed):
            have_played.add(event.seat)
    return speaks <= have_played
