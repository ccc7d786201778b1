from tournaments.models.audit import Audit, AuditPart
from tournaments.models.championship import Championship, Official, Regulations
from tournaments.models.club import Club, Keeper, Person
from tournaments.models.dispute import Appeal, Dispute, OpenedHands
from tournaments.models.entry import Entrant, Entry, SideConstraint
from tournaments.models.job import Job
from tournaments.models.public_file import PublicFile, PublicFilePiece
from tournaments.models.round import Round, Seating, SitOut, Table
from tournaments.models.seat_change import SeatChange
from tournaments.models.snapshot import StandingsSnapshot
from tournaments.models.substitute import Substitute
from tournaments.models.table_code import PhoneAddress, TableCode, TablePhone

__all__ = [
    "Appeal",
    "Audit",
    "AuditPart",
    "Championship",
    "Club",
    "Dispute",
    "Entrant",
    "Entry",
    "Job",
    "Keeper",
    "Official",
    "OpenedHands",
    "Person",
    "PhoneAddress",
    "PublicFile",
    "PublicFilePiece",
    "Regulations",
    "Round",
    "SeatChange",
    "Seating",
    "SideConstraint",
    "SitOut",
    "StandingsSnapshot",
    "Substitute",
    "Table",
    "TableCode",
    "TablePhone",
]
