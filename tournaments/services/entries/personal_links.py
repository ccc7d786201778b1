"""Personal links: one link for each person and a whole online evening. It leads to a waiting room, and from
there to each of the person's tables.

A link gives access to the seats of its person only, and only once they sit down. The database stores only the
hash of a link. A new link ends the old one, with the seat that it has opened.
"""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.contrib.auth import SESSION_KEY as SIGNED_IN
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.errors import Forbidden
from games.models import Access, Game, TableToken
from games.models.accounts import Role
from games.projections import delayed_broadcast
from games.rights import seats, tokens
from tournaments.errors import TournamentError
from tournaments.events import PersonalLinksMade
from tournaments.models import Championship, Entry, PersonalLink, Round, Seating
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.entries.seat_codes import SEAT_SESSION_LIFETIME
from tournaments.services.seats import seat_changes
from tournaments.services.seats.seat_changes import Way

SESSION_KEY: Final = "personal_link"
PRESENCE_TIMEOUT: Final = timedelta(seconds=30)
"""A person counts as present if their waiting room page has polled within this time. It polls every few
seconds.
"""


class NewLink(NamedTuple):
    """A new personal link. `token`: its secret in plain text."""

    entry: Entry
    token: str


class TableMate(NamedTuple):
    """A person at the table. `here`: whether the person is present; None if unknown."""

    entry: Entry
    here: bool | None


def list_people_with_links(championship: Championship) -> list[Entry]:
    """List the entries that can have a personal link, by name, each with `personal_link` loaded."""
    found = championship.entries.filter(bot=False, merged_into=None).exclude(status=Entry.Status.WITHDRAWN)
    return list(found.select_related("personal_link").order_by("sort_name", "number"))


def make_links(
    championship: Championship, numbers: Collection[int] | None = None, *, actor: Actor
) -> list[NewLink]:
    """Create links for the entries with these numbers; None: for all entries without a link.

    The older link of an entry ends at once, with the access to seats that it has opened. Tables where a hand
    is being played are notified.
    """
    with locks.for_official(championship, actor, "enter") as (_locked, ref):
        people = list_people_with_links(championship)
        if numbers is None:
            wanted = [entry for entry in people if not hasattr(entry, "personal_link")]
        else:
            wanted = [entry for entry in people if entry.number in numbers]
        links = [NewLink(entry, secrets.token_hex(tokens.TOKEN_LENGTH // 2)) for entry in wanted]
        now = timezone.now()
        for link in PersonalLink.objects.filter(entry__in=wanted, token__isnull=False).select_related(
            "entry"
        ):
            _end_seats(link, actor, ref)
        PersonalLink.objects.filter(entry__in=wanted).delete()
        PersonalLink.objects.bulk_create(
            PersonalLink(entry=one.entry, digest=tokens.hash_token(one.token), made_at=now) for one in links
        )
        if links:
            event = PersonalLinksMade(players=tuple(entry.player_ref for entry in wanted))
            record(championship.stream_id, event, actor=ref)
    return links


def open_link(token: str, session: SessionBase) -> PersonalLink | None:
    """Admit this browser to the waiting room of the link. None if the link is unknown or has ended."""
    found = PersonalLink.objects.filter(digest=tokens.hash_token(token)).first()
    if found is not None and session.get(SESSION_KEY) != found.digest:
        session.cycle_key()
        session[SESSION_KEY] = found.digest
    return found


def link_of_session(session: SessionBase) -> PersonalLink | None:
    """Return the link of this browser's session, None if there is none or it has ended."""
    digest = session.get(SESSION_KEY)
    if digest is None:
        return None
    return PersonalLink.objects.filter(digest=digest).select_related("entry__championship").first()


def mark_seen(link: PersonalLink) -> None:
    """Record that the page of the waiting room is open now."""
    PersonalLink.objects.filter(pk=link.pk).update(seen_at=timezone.now())


def find_seat(link: PersonalLink) -> Seating | None:
    """Return the person's newest seating in drawn or open rounds; None if there is none.

    If the entry was merged into another one, the seat may belong to either. One query.
    """
    own = [link.entry_id, link.entry.merged_into_id]
    on = [Round.Status.DRAWN, Round.Status.OPEN]
    found = Seating.objects.filter(entry__in=own, round__status__in=on)
    return found.select_related("round", "table__game").order_by("-round__number").first()


def list_table_mates(seating: Seating, now: datetime) -> list[TableMate]:
    """List all people at the table of `seating` by seat, with their presence in the waiting room or at the
    table.
    """
    chairs = seating.table.seatings.select_related("entry__personal_link").order_by("seat")
    game = seating.table.game
    came = set()
    if game is not None:
        came = set(game.seats.exclude(came_at=None).values_list("number", flat=True))
    return [TableMate(one.entry, one.seat in came or _is_present(one.entry, now)) for one in chairs]


def can_sit_down(seating: Seating | None) -> bool:
    """Return whether this seat belongs to an open table at which cards are dealt online."""
    if seating is None or seating.round.status != Round.Status.OPEN or seating.table.game is None:
        return False
    game = delayed_broadcast.current_game(seating.table.game)
    return game.mode == Game.Mode.DEALT and game.status not in Game.OVER


def sit_down(link: PersonalLink, session: SessionBase, *, from_elsewhere: bool = False) -> str:
    """Give this browser access to the person's seat; return the id of the game.

    `from_elsewhere`: take the seat over from another device. Raises TournamentError `links/ended`,
    `links/no_table`, `links/elsewhere`; `links/seat_given` if another person has got the seat by a code;
    Forbidden `access/has_looked`.
    """
    with transaction.atomic():
        rows = PersonalLink.objects.select_for_update(no_key=True, of=("self",)).select_related("entry")
        locked_link = rows.filter(pk=link.pk, digest=link.digest).first()
        if locked_link is None:
            raise TournamentError("links/ended", _("This link no longer works. Ask the organiser."))
        seating = find_seat(locked_link)
        if seating is None or seating.table.game is None or not can_sit_down(seating):
            raise TournamentError("links/no_table", _("Your table is not open."))
        game, seat = seating.table.game, seating.seat
        seats.lock_games([game.pk])
        account = None if SIGNED_IN not in session else int(session[SIGNED_IN])
        of_seat = Q(role=Role.SEAT, seat=seat)
        by_account = set(Access.objects.filter(of_seat, game=game).values_list("user", flat=True))
        mine = tokens.of_session(session)
        if account in by_account or (mine is not None and _is_token_of_seat(mine, game, seat)):
            return game.pk
        taken = list(
            tokens.select_valid_tokens([game.pk]).filter(of_seat, uses_left=0).values_list("pk", flat=True)
        )
        if taken and taken != [locked_link.token_id]:
            raise TournamentError(
                "links/seat_given",
                _("Somebody else has taken this seat with a code. Ask the organiser for a new one."),
            )
        if (taken or by_account) and not from_elsewhere:
            raise TournamentError("links/elsewhere", _("Your seat is open on another device."))
        if account is not None and seats.has_looked(game, account):
            raise Forbidden("you have opened the hidden cards of this deal", code="access/has_looked")
        tokens.revoke_tokens([game.pk], of_seat)
        player = seating.entry.player_ref
        locked_link.token = tokens.admit(
            game, Role.SEAT, seat, player, session, expires_at=timezone.now() + SEAT_SESSION_LIFETIME
        )
        seats.claim_with_code(locked_link.token, account)
        locked_link.save(update_fields=["token"])
    return game.pk


def _is_token_of_seat(token: TableToken, game: Game, seat: int) -> bool:
    return (token.game_id, token.role, token.seat) == (game.pk, Role.SEAT, seat)


def _is_present(entry: Entry, now: datetime) -> bool | None:
    if entry.bot:
        return True
    link = getattr(entry, "personal_link", None)
    if link is None:
        return None
    return link.seen_at is not None and link.seen_at > now - PRESENCE_TIMEOUT


def _end_seats(link: PersonalLink, actor: Actor, ref: str) -> None:
    """End the access to seats that this link has opened. Tables where a hand is being played are notified."""
    for seating in seat_changes.list_running_seats(link.entry):
        game, open_by_it = str(seating.table.game_id), Q(pk=link.token_id)
        if tokens.select_valid_tokens([game]).filter(open_by_it).exists():
            tokens.revoke_tokens([game], open_by_it)
            seat_changes.record_seat_change(seating.table, seating.seat, Way.CODE, actor=actor, ref=ref)
