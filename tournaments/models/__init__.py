from tournaments.models.audit import Audit, AuditPart
from tournaments.models.championship import Championship, Official, Regulations
from tournaments.models.dispute import Appeal, Dispute, OpenedHands
from tournaments.models.entry import Entry, SideConstraint
from tournaments.models.job import Job
from tournaments.models.round import Round, Seating, SitOut, Table
from tournaments.models.snapshot import StandingsSnapshot

__all__ = [
    "Appeal",
    "Audit",
    "AuditPart",
    "Championship",
    "Dispute",
    "Entry",
    "Job",
    "Official",
    "OpenedHands",
    "Regulations",
    "Round",
    "Seating",
    "SideConstraint",
    "SitOut",
    "StandingsSnapshot",
    "Table",
]
