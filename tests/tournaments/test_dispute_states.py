"""The states of a dispute, and the code of every other transition, by the regulations."""

import pytest

from tournaments import dispute_states
from tournaments.errors import TournamentError
from tournaments.models import Dispute

pytestmark = pytest.mark.both

ACTS = ("rule", "withdraw", "appeal", "uphold", "replace", "withdraw_appeal")
TOLD = """
           rule       withdraw   appeal           uphold         replace        withdraw_appeal
open       -> ruled   -> withdrawn not_appealable not_appealed   not_appealed   not_appealed
ruled      -> ruled   settled    -> appealed      not_appealed   not_appealed   not_appealed
appealed   appealed   settled    not_appealable   -> upheld      -> replaced    -> ruled
upheld     settled    settled    not_appealable   not_appealed   not_appealed   not_appealed
replaced   settled    settled    not_appealable   not_appealed   not_appealed   not_appealed
withdrawn  settled    settled    not_appealable   not_appealed   not_appealed   not_appealed
"""
"""A line a status, a column an act: the status it leads to, or the code it is refused with."""


def outcome(status: str, act: str) -> str:
    try:
        return f"-> {dispute_states.status_after(status, act)}"
    except TournamentError as refused:
        return refused.code.removeprefix("disputes/")


def table() -> dict[str, list[str]]:
    """By status what comes of each act."""
    _head, *lines = TOLD.strip().splitlines()
    words = (line.replace("-> ", "->").split() for line in lines)
    return {status: [each.replace("->", "-> ") for each in told] for status, *told in words}


def test_every_status_there_is_has_its_line() -> None:
    assert set(table()) == set(Dispute.Status.values)


@pytest.mark.parametrize("status", Dispute.Status.values)
def test_every_act_leads_on_or_is_refused_as_it_is_told(status: str) -> None:
    assert [outcome(status, act) for act in ACTS] == table()[status]


def test_every_way_from_an_open_dispute_can_end_and_none_goes_on_after_a_decided_appeal() -> None:
    """Whatever people do, in whatever order."""
    after = {
        status: {told.removeprefix("-> ") for act in ACTS if (told := outcome(status, act)).startswith("->")}
        for status in Dispute.Status.values
    }
    reached, new = set[str](), {"open"}
    while new:
        reached |= new
        new = {status for before in reached for status in after[before]} - reached
    assert reached == set(Dispute.Status.values)
    assert {status for status in reached if not after[status]} == {"upheld", "replaced", "withdrawn"}
