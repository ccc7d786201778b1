"""Limits of wrong passwords and codes. A whole hall shares one address, and a stranger must not be able to
lock anybody out. Therefore a browser that has signed in with a name before is counted apart from all others.

Each attempt is counted before it is checked, so that forty concurrent attempts count as forty. The right
password resets its counts, or removes its own attempt.
"""

from typing import Final, NamedTuple

from django.http import HttpRequest

from frontend import devices
from games.messaging import rate_limit
from games.messaging.rate_limit import Budget

ON_DEVICE: Final = Budget("sign-in-device", most=8, seconds=900)
"""Wrong passwords in a browser that has signed in with this name before. Wrong passwords in other browsers do
not count for it.
"""
FROM_HERE: Final = Budget("sign-in-name-here", most=8, seconds=900)
"""Wrong passwords for one name from one address. Because name and address count together, nobody can lock the
others of a hall out, and a client elsewhere cannot lock the hall out.
"""
ANYWHERE: Final = Budget("sign-in-name", most=100, seconds=3600)
"""Wrong passwords for one name from all unknown browsers, because somebody may use many addresses."""
FROM_ADDRESS: Final = Budget("sign-in-address", most=150, seconds=900)
"""Wrong passwords from one address for all names; beyond it the address counts as suspected. 400 people in a
hall may mistype.
"""
SUSPECTED_NAME: Final = Budget("sign-in-suspected-name", most=2, seconds=900)
SUSPECTED: Final = Budget("sign-in-suspected-address", most=20, seconds=10)
"""Budget of a suspected address. Others behind this address can still sign in, and guessing from a dictionary
is slow.
"""
OLD_PASSWORD: Final = Budget("old-password", most=8, seconds=900)
"""Wrong passwords of a person who is signed in, so that nobody can guess the password on a phone found
unlocked.
"""
SECOND_FACTOR: Final = Budget("second-factor", most=8, seconds=900)
SECOND_FACTOR_A_DAY: Final = Budget("second-factor-day", most=50, seconds=86_400)
"""Wrong codes of one account in a day. Only a person who knows its password can enter codes, so no stranger
can lock it.
"""

FORGOTTEN_NAME: Final = Budget("forgotten-name", most=5, seconds=3600)
FORGOTTEN_FROM_ADDRESS: Final = Budget("forgotten-address", most=60, seconds=900)
"""Requests for a mail with a link for a new password: for one name, known or not, and from one address."""


class CountedBudget(NamedTuple):
    """A rate limit, and the key under which it counts an attempt. `forgets`: the right password resets the
    count; if false, it removes only its own attempt.
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
    """After the right password, reset each count that `forgets`, and remove the attempt from the others."""
    for budget, who, forgets in counted:
        if forgets:
            budget.forget(*who)
        else:
            budget.spend(*who, count=-1)


def count_forgotten(request: HttpRequest, name: str) -> int:
    """Count a request for a mail with a link for a new password. Return the seconds to wait (0: none)."""
    address = rate_limit.address_of(request)
    return FORGOTTEN_FROM_ADDRESS.spend(address) or FORGOTTEN_NAME.spend(devices.hash_name(name))


def count_code(user_id: int) -> int:
    """Count an attempt to enter a code of a second factor. Return the seconds to wait (0: none)."""
    return max(SECOND_FACTOR.spend(user_id), SECOND_FACTOR_A_DAY.spend(user_id))


def forget_codes(user_id: int) -> None:
    """After a right code, reset the short-term count, and remove the attempt from the day's count."""
    SECOND_FACTOR.forget(user_id)
    SECOND_FACTOR_A_DAY.spend(user_id, count=-1)


def _budgets(request: HttpRequest, name: str) -> list[CountedBudget]:
    if device := devices.recognized_device_key(request, name):
        return [CountedBudget(ON_DEVICE, (device,))]
    address, mark = rate_limit.address_of(request), devices.hash_name(name)
    of_name = [CountedBudget(FROM_HERE, (address, mark)), CountedBudget(ANYWHERE, (mark,), forgets=False)]
    if not FROM_ADDRESS.wait(address):
        return [*of_name, CountedBudget(FROM_ADDRESS, (address,), forgets=False)]
    suspected = CountedBudget(SUSPECTED_NAME, (address, mark), forgets=False)
    return [*of_name, suspected, CountedBudget(SUSPECTED, (address,), forgets=False)]
