"""Who somebody is in a championship, and which parts of its pages that opens. Services check again."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from games.models import User
from tournaments.models import Championship, Entry
from tournaments.permissions import ACTIONS
from tournaments.permissions import roles_of as offices_of

Person = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class Roles:
    """`entry` is the person's own, if he plays here. `read_only`: what an office opens can be looked at, and
    nothing is offered to be changed."""

    offices: frozenset[str]
    entry: Entry | None
    signed_in: bool
    read_only: bool = False

    def may(self, action: str) -> bool:
        """Actions are the keys of `tournaments.permissions.ACTIONS`."""
        return bool(ACTIONS[action] & self.offices)

    @property
    def may_direct(self) -> bool:
        return self.may("draw") and not self.read_only

    @property
    def may_rule(self) -> bool:
        return self.may("rule") and not self.read_only

    @property
    def may_check_in(self) -> bool:
        return self.may("enter") and not self.read_only

    @property
    def takes_part(self) -> bool:
        return self.entry is not None or bool(self.offices)


NOBODY = Roles(frozenset(), None, False)


def roles_of(person: Person, championship: Championship) -> Roles:
    """Two queries for somebody signed in, none for others."""
    if not isinstance(person, User):
        return NOBODY
    entry = Entry.objects.filter(championship=championship, user=person).first()
    return Roles(offices_of(person, championship), entry, True, championship.archived_at is not None)
