from tournaments.models.account import AccountMail, Invitation, PasswordReset, SignedInSession
from tournaments.models.audit import Audit, AuditPart
from tournaments.models.championship import Championship, Official, Regulations
from tournaments.models.club import Club, Keeper, Person
from tournaments.models.club_image import ClubImage
from tournaments.models.dispute import Appeal, Dispute, OpenedHands
from tournaments.models.entry import Entrant, Entry, SideConstraint, Team
from tournaments.models.job import Job
from tournaments.models.money import Booking, CashShift, Creditor, Fee
from tournaments.models.notice import Notice, Subscription
from tournaments.models.outside import OutsideEvent, OutsidePerson
from tournaments.models.own_page import EntryMail, OwnPage
from tournaments.models.prize_giving import PrizeGiving
from tournaments.models.public_file import PublicFile, PublicFilePiece
from tournaments.models.round import Bye, QueuePlace, Round, Seating, Table
from tournaments.models.seat_change import SeatChange, Substitute, last_substitutions
from tournaments.models.series import ClubEvent, ClubSeries, SeriesSnapshot, SeriesTicket
from tournaments.models.sheet_photo import SheetPhoto
from tournaments.models.snapshot import StandingsSnapshot
from tournaments.models.table_code import PersonalLink, PhoneAddress, TableCode, TablePhone

__all__ = [
    "AccountMail",
    "Appeal",
    "Audit",
    "AuditPart",
    "Booking",
    "Bye",
    "CashShift",
    "Championship",
    "Club",
    "ClubEvent",
    "ClubImage",
    "ClubSeries",
    "Creditor",
    "Dispute",
    "Entrant",
    "Entry",
    "EntryMail",
    "Fee",
    "Invitation",
    "Job",
    "Keeper",
    "Notice",
    "Official",
    "OpenedHands",
    "OutsideEvent",
    "OutsidePerson",
    "OwnPage",
    "PasswordReset",
    "Person",
    "PersonalLink",
    "PhoneAddress",
    "PrizeGiving",
    "PublicFile",
    "PublicFilePiece",
    "QueuePlace",
    "Regulations",
    "Round",
    "SeatChange",
    "Seating",
    "SeriesSnapshot",
    "SeriesTicket",
    "SheetPhoto",
    "SideConstraint",
    "SignedInSession",
    "StandingsSnapshot",
    "Subscription",
    "Substitute",
    "Table",
    "TableCode",
    "TablePhone",
    "Team",
    "last_substitutions",
]
