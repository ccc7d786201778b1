"""Rulings proposed by the regulations, with their figures: wrong sums, hints."""

from collections.abc import Callable
from typing import Any, get_args

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.events import Infraction
from games.models import User
from games.play.submit import submit
from tests.tournaments import table_play
from tournaments import incident_kinds, regulation_checks, regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Dispute, Round, Table
from tournaments.presets import PRESETS
from tournaments.services.championships import regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.referee import disputes, remedy_proposals, rulings
from tournaments.services.scores import wrong_sums

Opened = Callable[..., Round]


@pytest.mark.parametrize(
    ("written", "policy", "scorer", "points"),
    [
        ((97, 70), "split", None, (92, 65)),
        ((97, 50), "split", None, (102, 55)),
        ((97, 69), "split", None, (92, 65)),  # the odd point comes off the side with the most
        ((97, 51), "split", None, (101, 56)),  # or goes to the one with the fewest
        ((97, 70), "scorer", 0, (87, 70)),
        ((97, 70), "scorer", 1, (97, 60)),
        ((97, 50), "scorer", 0, (97, 60)),
        ((97, 50), "scorer", 1, (107, 50)),
        ((97, 60), "scorer", 1, (97, 60)),
        ((97, 70), "scorer", None, None),
        ((97, 70), "refuse", 0, None),
        ((0, 160), "split", None, None),  # nobody falls below nought
        ((60, 60, 40), "split", None, (59, 59, 39)),
        ((60, 60, 31), "scorer", 0, (60, 63, 34)),
    ],
)
def test_a_difference_is_shared_as_the_policy_says(
    written: tuple[int, ...], policy: str, scorer: int | None, points: tuple[int, ...] | None
) -> None:
    assert wrong_sums.settle_points(written, 157, policy, scorer) == points


def change(championship: Championship, fredi: User, **changes: Any) -> regulations.Regulations:
    data = regulations.encode(load_regulations(championship)) | changes
    made = regulation_checks.decode(data)
    regulations_change.change_regulations(championship, made, actor=fredi)
    return made


def entered(table: Table, **more: Any) -> Table:
    command = {"cmd": "enter_result", "seat": 0, "deal": 1, "card_points": [97, 60], **more}
    submit(str(table.game_id), command, actor=table_play.refs(table)[0], command_id="enter")
    assert table.game is not None
    table.game.refresh_from_db()
    return table


def test_a_wrong_sum_is_proposed_as_the_regulations_settle_it(
    championship: Championship, open_round: Opened, fredi: User, gabi: User
) -> None:
    held = change(championship, fredi, wrong_sum="scorer")
    table = entered(open_round("sheet").tables.select_related("game", "round__championship").get(number=1))
    dispute = disputes.raise_dispute(table, actor=gabi, deal=1, incident="wrong_sum")
    seat = wrong_sums.find_scorer(str(table.game_id), 1)
    assert seat == 0
    known = {"deal": 1, "against": seat, "written": [97, 70]}
    proposal = remedy_proposals.propose_remedy(dispute, held, "wrong_sum", known)
    assert proposal is not None
    assert (proposal.remedy.ruling, proposal.figures) == ("score_change", {"scores": (87, 70)})
    by_hand = proposal.completed({**known, "scores": [80, 77]})
    assert by_hand["scores"] == [80, 77], "what is typed in goes first"


def test_stoeck_stays_and_a_sweep_goes_with_its_points(open_round: Opened) -> None:
    tables = open_round("sheet", "sheet").tables.select_related("game", "round__championship")
    one, other = tables.order_by("number")
    entered(one, stoeck=1)
    assert wrong_sums.list_corrected_scores(str(one.game_id), 1, [97, 70], "split", None) == (92, 85)
    entered(other, card_points=[157, 0], sweep=0)
    assert wrong_sums.list_corrected_scores(str(other.game_id), 1, [157, 0], "split", None) == (257, 0)
    assert wrong_sums.list_corrected_scores(str(other.game_id), 1, [157, 10], "split", None) == (152, 5)
    assert wrong_sums.list_corrected_scores(str(other.game_id), 2, [157, 10], "split", None) is None


def test_without_a_sheet_nothing_is_settled(open_round: Opened) -> None:
    table = open_round("transcribed").tables.select_related("game").get(number=1)
    table_play.write_revoke(table)
    assert wrong_sums.list_corrected_scores(str(table.game_id), 1, [97, 70], "split", None) is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"wrong_sum": "dice"}, "regulations/unknown_value"),
        ({"remedies": {"hint": {"ruling": "warning", "points": -1}}}, "regulations/out_of_bounds"),
        ({"remedies": {"hint": {"ruling": "warning", "points": 10_001}}}, "regulations/out_of_bounds"),
    ],
)
def test_regulations_that_cannot_be_are_refused(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(TournamentError) as refused:
        regulation_checks.decode(regulations.encode(PRESETS["santiago"]) | changes)
    assert refused.value.code == code


def test_differenzler_is_counted_again_and_nothing_is_shared_out() -> None:
    with pytest.raises(TournamentError) as refused:
        regulation_checks.decode(regulations.encode(PRESETS["differenzler"]) | {"wrong_sum": "split"})
    assert (refused.value.code, refused.value.params["field"]) == ("regulations/recounted", "wrong_sum")


HINT = {"hint": {"ruling": "warning", "article": "Art. 9", "points": 50}}


def hint(table: Table, gabi: User, against: int | None, *, incident: str = "hint") -> Dispute:
    """A hint that got its warning."""
    dispute = disputes.raise_dispute(table, actor=gabi, deal=1, incident=incident)
    ruling = {"kind": "warning", "against": against}
    return rulings.rule(dispute, actor=gabi, ruling=ruling, answer="Bock!", incident="hint")


@pytest.fixture
def two(championship: Championship, open_round: Opened, fredi: User) -> list[Table]:
    change(championship, fredi, remedies=HINT)
    tables = list(open_round("sheet", "sheet").tables.select_related("game", "round__championship"))
    return [entered(table) for table in tables]


def foreseen(dispute: Dispute, against: int | None) -> tuple[str, dict[str, Any]]:
    held = load_regulations(dispute.table.round.championship)
    found = remedy_proposals.propose_remedy(dispute, held, "hint", {"deal": 1, "against": against})
    assert found is not None
    assert found.remedy.article == "Art. 9"
    return found.remedy.ruling, found.figures


def test_a_first_hint_is_a_warning_and_the_next_one_of_that_side_a_penalty(
    two: list[Table], gabi: User
) -> None:
    dispute = disputes.raise_dispute(two[0], actor=gabi, deal=1, trick=1, incident="hint")
    assert foreseen(dispute, 0) == ("warning", {})
    hint(two[0], gabi, 0)
    assert foreseen(dispute, 0) == foreseen(dispute, 2) == ("penalty", {"points": 50})
    assert foreseen(dispute, 1) == foreseen(dispute, None) == ("warning", {})


def test_a_warning_follows_its_player_to_the_next_round_and_not_his_partner(
    championship: Championship, two: list[Table], gabi: User
) -> None:
    later = championship.rounds.get(number=2)
    two[1].seatings.update(round=later)
    Table.objects.filter(pk=two[1].pk).update(round=later)
    warned, partner = two[0].seatings.get(seat=0), two[0].seatings.get(seat=2)
    two[1].seatings.filter(seat=3).update(entry=warned.entry)
    two[1].seatings.filter(seat=0).update(entry=partner.entry)
    dispute = disputes.raise_dispute(Table.objects.get(pk=two[1].pk), actor=gabi, deal=1, incident="hint")
    assert foreseen(dispute, 3) == ("warning", {})
    hint(two[0], gabi, 0)
    assert foreseen(dispute, 3) == ("penalty", {"points": 50})
    assert foreseen(dispute, 0) == foreseen(dispute, 1) == ("warning", {})


def test_a_warning_for_something_else_or_of_nobody_or_replaced_counts_for_nothing(
    two: list[Table], gabi: User
) -> None:
    hint(two[0], gabi, None)
    other = disputes.raise_dispute(two[0], actor=gabi, deal=1, trick=2, incident="no_cut")
    rulings.rule(other, actor=gabi, ruling={"kind": "warning", "against": 0}, answer="so")
    again = disputes.raise_dispute(two[0], actor=gabi, deal=1, trick=3, incident="hint")
    rulings.rule(again, actor=gabi, ruling={"kind": "warning", "against": 0}, answer="so")
    rulings.rule(again, actor=gabi, ruling={"kind": "penalty", "against": 0, "points": 5}, answer="nein")
    dispute = disputes.raise_dispute(two[0], actor=gabi, deal=1, trick=4, incident="hint")
    assert foreseen(dispute, 0) == ("warning", {})


def test_what_was_only_a_call_counts_as_what_it_was_ruled_on(two: list[Table], gabi: User) -> None:
    assert hint(two[0], gabi, 0, incident="").incident == "hint"
    dispute = disputes.raise_dispute(two[0], actor=gabi, deal=1, trick=4, incident="hint")
    assert foreseen(dispute, 0) == ("penalty", {"points": 50})


def test_earlier_warnings_are_counted_with_few_queries(two: list[Table], gabi: User) -> None:
    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            remedy_proposals.is_warned(dispute, "hint", 1)
        return len(queries)

    dispute = disputes.raise_dispute(two[0], actor=gabi, deal=1, trick=4, incident="hint")
    hint(two[0], gabi, 0)
    once = asked()
    hint(two[1], gabi, 0)
    hint(two[1], gabi, 3)
    assert asked() == once <= 3


def test_everything_that_a_record_proves_is_an_incident_or_most_often_a_slip() -> None:
    assert set(get_args(Infraction)) - set(incident_kinds.OF_INFRACTION) == {"not_in_hand", "not_allowed"}
    assert set(incident_kinds.OF_INFRACTION.values()) <= set(incident_kinds.CODES)
    assert incident_kinds.OF_INFRACTION["out_of_turn"] == "card_shown"
    assert {incident_kinds.OF_INFRACTION[code] for code in incident_kinds.CALLS} == {"late_call"}
