"""A dispute with the data of its pages: the requesting person and their rights, and the redacted game."""

from dataclasses import dataclass
from functools import cached_property

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from engine import Event, Observer
from frontend.presenters.disputes.record_of_deal import EventStamps, load_event_stamps
from frontend.presenters.names.seat_names import join_side_names, seat_names
from frontend.presenters.tables.moment import load_visible_events
from frontend.presenters.tables.page_observer import restrict_for_page
from frontend.views import championship_context
from frontend.views.championship_context import PageContext
from games.errors import UnknownGame
from games.models import Game, TableToken, User
from games.rights import observers
from tournaments.models import Dispute, Entry
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import load_regulations
from tournaments.services.referee import disputes, opened_hands, rulings
from tournaments.services.referee.disputes import ruling_action
from tournaments.services.table_access import phones


@dataclass(frozen=True)
class Hidden:
    """The running deal of a game whose cards the server deals."""

    deal: int
    opened: bool
    """Whether the requesting person has opened the hands. The replay then shows them to this person."""


@dataclass(frozen=True)
class Case:
    """A dispute and the requesting person. `names`: of the players by seat; `events`: redacted for the
    person; `token`: the person's access by the code of the table or of a seat; `hidden`: the running deal,
    None unless the server deals.
    """

    page: PageContext
    dispute: Dispute
    game: Game
    names: list[str]
    events: list[Event]
    token: TableToken | None
    hidden: Hidden | None

    @property
    def sides(self) -> list[str]:
        return join_side_names(self.names, self.game.sides)

    @cached_property
    def told(self) -> EventStamps:
        return load_event_stamps(self.game.pk)

    @cached_property
    def regulations(self) -> Regulations:
        return load_regulations(self.page.championship)

    def hides(self, deal: int | None) -> bool:
        """Return whether `deal` is the running deal, which has hidden hands."""
        return self.hidden is not None and deal == self.hidden.deal

    def may_open(self, deal: int | None) -> bool:
        """Return whether there is a running deal with hidden hands that the person has not opened, and `deal`
        is that deal or None.
        """
        return self.hidden is not None and not self.hidden.opened and deal in (None, self.hidden.deal)

    @property
    def account(self) -> User | None:
        """The signed-in person, whom services record as the actor; None if nobody is signed in."""
        person = self.page.person
        return person if isinstance(person, User) else None

    @property
    def by_ref(self) -> str | None:
        return self.token.ref if self.token is not None else None

    @cached_property
    def own_refs(self) -> set[str]:
        """The references by which the streams name the requesting person at this table."""
        mine = self.page.roles.entry
        refs = {self.token.ref} if self.token is not None else set()
        return refs | ({mine.player_ref} if mine is not None else set())

    @cached_property
    def plays_here(self) -> bool:
        return any(seat.player_ref in self.own_refs for seat in self.game.seats.all())

    @property
    def concerned(self) -> bool:
        """Whether the person has a seat at this table or has opened it by code, so that a ruling concerns
        them.
        """
        return self.plays_here or self.token is not None

    @property
    def may_rule(self) -> bool:
        """Whether the person may rule on the dispute. Nobody rules on their own table, or in an archived
        championship. A director rules only if no referee can.
        """
        roles = self.page.roles
        return not roles.read_only and not self.plays_here and roles.may(self.ruling_action)

    @cached_property
    def ruling_action(self) -> str:
        return "rule" if self.page.roles.may("rule") else ruling_action(self.dispute.table)

    @property
    def directs_alone(self) -> bool:
        """Whether the person rules as director because no referee is appointed or available."""
        return self.may_rule and self.ruling_action == "rule_alone"

    @property
    def may_decide(self) -> bool:
        """Whether the person may decide the open appeal."""
        return self.may_rule and rulings.may_decide(self.dispute, self.account, self.page.championship)


def find_dispute(request: HttpRequest, dispute_id: int) -> Case:
    """Load the dispute. Raises Http404 if it does not exist, or if the person may not see its table, or sees
    it only with a delay.
    """
    dispute = (
        Dispute.objects.select_related("table__round__championship", "table__game", "raised_by", "ruled_by")
        .filter(pk=dispute_id)
        .first()
    )
    if dispute is None or dispute.table.game is None:
        raise Http404(_("There is no such dispute."))
    principal = observers.build_principal(request.user, request.session)
    game = observers.to_visible_state(dispute.table.game, principal)
    token = principal.token if principal.token is not None and principal.token.game_id == game.pk else None
    page = championship_context.build_page_context(
        request, dispute.table.round.championship, by_code=token is not None
    )
    try:
        observer = observers.find_observer(game, principal)
    except UnknownGame:
        raise Http404(_("There is no such dispute.")) from None
    if game.delay_minutes and not game.is_now:
        raise Http404(_("There is no such dispute."))  # Hidden until the delay of its table is over.
    events = load_visible_events(game, restrict_for_page(game, observer))
    return Case(page, dispute, game, seat_names(game), events, token, _hidden_deal(game, observer))


def _hidden_deal(game: Game, observer: Observer) -> Hidden | None:
    deal = opened_hands.find_running_deal(game)
    return None if deal is None else Hidden(deal, observer.sees_deal(deal))


def load_raiser_names(case: Case) -> str:
    """Return the name of the entry or account that raised the dispute, or the names of the side whose phone
    raised it; empty if the phone writes for the whole table, or is unknown.
    """
    dispute = case.dispute
    entry = Entry.objects.filter(player_ref=dispute.raised_ref).first()
    if entry is not None:
        return entry.name
    if dispute.raised_by is not None:
        return dispute.raised_by.display_name
    return _find_side_of_phone(dispute)


def _find_side_of_phone(dispute: Dispute) -> str:
    """Return the names of the side for which the phone writes, joined; empty if it writes for the whole
    table.
    """
    token = TableToken.objects.filter(game=dispute.table.game_id, ref=dispute.raised_ref).first()
    if token is None:
        return ""
    people = [
        one.entry.name
        for side in phones.sides_for_phones(dispute.table)
        if side.seat == token.seat
        for one in side.people
    ]
    return " + ".join(people)


def list_numbers_at_table(case: Case) -> dict[int, str]:
    """Return entry number → name for the people of the table."""
    return {entry.number: entry.name for entry in disputes.list_seated_entries(case.dispute.table)}
