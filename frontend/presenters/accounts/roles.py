"""A person's roles in a championship, by which pages show links and buttons. Services check permissions
again.
"""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from games.models import User
from tournaments.models import Championship, Entry
from tournaments.permissions import ACTIONS, roles_of

Person = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class Roles:
    """A person's roles in a championship. `offices`: the roles as an official; `entry`: the person's own
    entry, if any; `read_only`: the championship is archived, so office pages have no actions.
    """

    offices: frozenset[str]
    entry: Entry | None
    signed_in: bool
    read_only: bool = False

    def may(self, action: str) -> bool:
        """Return whether an office allows `action`, a key of `tournaments.permissions.ACTIONS`; ignores
        `read_only`.
        """
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


def load_page_roles(person: Person, championship: Championship) -> Roles:
    """Load the roles of a person: two queries for a signed-in person, none for anybody else."""
    if not isinstance(person, User):
        return NOBODY
    entry = Entry.objects.filter(championship=championship, user=person).first()
    return Roles(roles_of(person, championship), entry, True, championship.archived_at is not None)
