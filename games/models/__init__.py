from games.models.accounts import Access, GuestTable, TableToken, User
from games.models.estimate import DealEstimate
from games.models.log import Checkpoint, Event, Receipt, SecretPart, Stream
from games.models.table import DealResult, Game, Seat
from games.models.timers import Deadline, Heartbeat, Leased

__all__ = [
    "Access",
    "Checkpoint",
    "Deadline",
    "DealEstimate",
    "DealResult",
    "Event",
    "Game",
    "GuestTable",
    "Heartbeat",
    "Leased",
    "Receipt",
    "Seat",
    "SecretPart",
    "Stream",
    "TableToken",
    "User",
]
