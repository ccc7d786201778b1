"""Limits of wrong passwords and codes. A hall shares one address, and a stranger must lock nobody out: a
browser that has signed in with a name before is counted apart from all others.

Each attempt is counted before it is checked, so that forty at once are forty; the right password removes its
own attempt from the count.
"""

from typing import Final, NamedTuple

from django.http import HttpRequest

from frontend import devices
from games.messaging import rate_limit
from games.messaging.rate_limit import Budget

ON_DEVICE: Final = Budget("sign-in-device", most=8, seconds=900)
"""Wrong passwords on a browser that has signed in with this name before; other guesses from the hall do not
count there.
"""
FROM_HERE: Final = Budget("sign-in-name-here", most=8, seconds=900)
"""Wrong passwords for one name from one address. Name and address together: nobody locks out the others of a
hall, and a remote client does not lock out the hall.
"""
ANYWHERE: Final = Budget("sign-in-name", most=100, seconds=3600)
"""Wrong passwords for one name from all unknown browsers: many addresses guess slowly too."""
FROM_ADDRESS: Final = Budget("sign-in-address", most=150, seconds=900)
"""Wrong passwords from one address for any names, until it is suspected: 400 people of one hall may mistype.
"""
SUSPECTED_NAME: Final = Budget("sign-in-suspected-name", most=2, seconds=900)
SUSPECTED: Final = Budget("sign-in-suspected-address", most=20, seconds=10)
"""The budget of a suspected address: others behind it are not locked out, and a dictionary attack is slow."""
OLD_PASSWORD: Final = Budget("old-password", most=8, seconds=900)
"""Wrong passwords of one person that is signed in, so that a found unlocked phone allows no guessing."""
SECOND_FACTOR: Final = Budget("second-factor", most=8, seconds=900)
SECOND_FACTOR_A_DAY: Final = Budget("second-factor-day", most=50, seconds=86_400)
"""Wrong codes of one account. Only a person with its password gets that far, so no stranger locks it."""

FORGOTTEN_NAME: Final = Budget("forgotten-name", most=5, seconds=3600)
FORGOTTEN_FROM_ADDRESS: Final = Budget("forgotten-address", most=60, seconds=900)
"""Mails for a new password, asked for with one name, known or not, and from one address."""


class CountedBudget(NamedTuple):
    """A rate limit and the key under which an attempt is counted. `forgets`: the right password resets the
    count, instead of undoing only its own attempt.
    """

    budget: Budget
    who: tuple[object, ...]
    forgets: bool = True


def count_sign_in(request: HttpRequest, name: str) -> tuple[list[CountedBudget], int]:
    """Count a sign-in attempt with this name.

    Return the budgets in which it was counted, and the seconds to wait (0: none).
    """
    counted = _budgets(request, name)
    return counted, max(one.budget.spend(*one.who) for one in counted)


def forget_count(counted: list[CountedBudget]) -> None:
    """Undo the count of an attempt with the right password."""
    for budget, who, forgets in counted:
        if forgets:
            budget.forget(*who)
        else:
            budget.spend(*who, count=-1)


def count_forgotten(request: HttpRequest, name: str) -> int:
    """Count a request for a password mail with this name; return the seconds to wait (0: none)."""
    address = rate_limit.address_of(request)
    return FORGOTTEN_FROM_ADDRESS.spend(address) or FORGOTTEN_NAME.spend(devices.name_mark(name))


def count_code(user_id: int) -> int:
    """Count an attempt at a second factor; return the seconds to wait (0: none)."""
    return max(SECOND_FACTOR.spend(user_id), SECOND_FACTOR_A_DAY.spend(user_id))


def forget_codes(user_id: int) -> None:
    """Reset the short-term count of wrong codes after a right code. The count of the day stays."""
    SECOND_FACTOR.forget(user_id)
    SECOND_FACTOR_A_DAY.spend(user_id, count=-1)


def _budgets(request: HttpRequest, name: str) -> list[CountedBudget]:
    if device := devices.name_on_device_mark(request, name):
        return [CountedBudget(ON_DEVICE, (device,))]
    address, mark = rate_limit.address_of(request), devices.name_mark(name)
    of_name = [CountedBudget(FROM_HERE, (address, mark)), CountedBudget(ANYWHERE, (mark,), forgets=False)]
    if not FROM_ADDRESS.wait(address):
        return [*of_name, CountedBudget(FROM_ADDRESS, (address,), forgets=False)]
    suspected = CountedBudget(SUSPECTED_NAME, (address, mark), forgets=False)
    return [*of_name, suspected, CountedBudget(SUSPECTED, (address,), forgets=False)]
