from games.models.checkpoint import Checkpoint
from games.models.deadline import Deadline
from games.models.estimate import DealEstimate
from games.models.guest import GuestTable
from games.models.heartbeat import Heartbeat
from games.models.leased import Leased
from games.models.log import Event, Receipt, SecretPart, Stream
from games.models.people import Access, TableToken, User
from games.models.table import DealResult, Game, Seat

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
