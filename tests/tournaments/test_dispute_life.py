"""The state machine of a dispute: what may follow what, and the code of everything else."""

import pytest

from tournaments import dispute_life
from tournaments.dispute_life import APPEALED, OPEN, REPLACED, RULED, UPHELD, WITHDRAWN
from tournaments.errors import TournamentError
from tournaments.models import Dispute

ACTS = ("rule", "withdraw", "appeal", "uphold", "replace", "withdraw_appeal")


def code_of(status: str, act: str) -> str:
    with pytest.raises(TournamentError) as refused:
        dispute_life.after(status, act)
    return refused.value.code


def test_the_table_knows_every_status_there_is() -> None:
    assert {OPEN, RULED, APPEALED, UPHELD, REPLACED, WITHDRAWN} == set(Dispute.Status.values)


@pytest.mark.parametrize("status", Dispute.Status.values)
@pytest.mark.parametrize("act", ACTS)
def test_every_act_leads_on_or_is_refused(status: str, act: str) -> None:
    if (status, act) in dispute_life.TRANSITIONS:
        assert dispute_life.after(status, act) in Dispute.Status.values
    else:
        assert code_of(status, act).startswith("disputes/")


@pytest.mark.parametrize("status", [UPHELD, REPLACED, WITHDRAWN])
def test_what_is_decided_is_decided(status: str) -> None:
    assert not [act for act in ACTS if (status, act) in dispute_life.TRANSITIONS]


@pytest.mark.parametrize(
    ("status", "act", "code"),
    [
        (RULED, "withdraw", "disputes/settled"),
        (WITHDRAWN, "rule", "disputes/settled"),
        (APPEALED, "rule", "disputes/appealed"),
        (OPEN, "appeal", "disputes/not_appealable"),
        (UPHELD, "appeal", "disputes/not_appealable"),
        (RULED, "uphold", "disputes/not_appealed"),
        (OPEN, "replace", "disputes/not_appealed"),
        (RULED, "withdraw_appeal", "disputes/not_appealed"),
    ],
)
def test_the_code_says_what_is_in_the_way(status: str, act: str, code: str) -> None:
    assert code_of(status, act) == code
