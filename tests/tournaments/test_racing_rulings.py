"""Two people decide one dispute concurrently, in separate threads, on both databases.

One of them decides, the other gets a refusal, and the log has one decision.
"""

from collections.abc import Callable
from typing import Any

import pytest

from games import store
from games.models import User
from tests.games.databases import in_threads
from tests.tournaments import table_play
from tournaments.errors import Overtaken, TournamentError
from tournaments.models import Appeal, Dispute, Official
from tournaments.services.championships import championships, officials
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.referee import appeals, disputes, rulings
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.usefixtures("real_database")
RACES = 4


class Case:
    """A sheet table with a disputed deal, two referees, and the players' references."""

    def __init__(self) -> None:
        fredi, self.gabi, self.heidi = (
            User.objects.create(username=name) for name in ("fredi", "gabi", "heidi")
        )
        made = championships.create(actor=fredi, name="Clubabend", changes={"rounds": 1})
        for referee in (self.gabi, self.heidi):
            officials.appoint(made, referee, Official.Role.REFEREE, actor=fredi)
        people = [entries.NewEntry(name, status="arrived") for name in ("Anna", "Beat", "Chiara", "Dario")]
        numbers = [entry.number for entry in entries.add_entries(made, people, actor=fredi)]
        round_ = made.rounds.get()
        seating_by_hand.seat_by_hand(round_, [numbers], actor=fredi)
        rounds.set_mode(round_.tables.get(), "sheet", actor=fredi)
        self.table = rounds.open_round(round_, actor=fredi).tables.select_related("game").get()
        self.players = table_play.refs(self.table)

    def disputed(self, deal: int) -> int:
        table_play.enter(self.table, deal, 100)
        assert self.table.game is not None
        self.table.game.refresh_from_db()
        return disputes.raise_dispute(self.table, actor=None, by_ref=self.players[0], deal=deal).pk

    def rule(self, pk: int, who: User, points: int) -> Callable[[], Any]:
        """A press on *Confirm the ruling* on a page that was loaded just now."""
        dispute = Dispute.objects.select_related("table__round__championship", "table__game").get(pk=pk)
        ruling = {"kind": "score_change", "scores": [points, 157 - points]}
        seen = dispute.version
        return lambda: rulings.rule(
            dispute, actor=who, ruling=ruling, answer=f"{points} sind richtig.", seen=seen
        )

    def appeal(self, pk: int) -> Callable[[], Any]:
        dispute = Dispute.objects.select_related("table__round__championship", "table__game").get(pk=pk)
        seen = dispute.version
        by = self.players[1]
        return lambda: appeals.make_appeal(dispute, actor=None, by_ref=by, reason="Es waren 90.", seen=seen)

    def rulings(self) -> list[dict[str, Any]]:
        return [e.body for e in store.read(str(self.table.game_id)) if e.type == "ruling_made"]

    def settled(self, pk: int) -> list[str]:
        told = store.read(self.table.round.stream_id)
        return [e.type for e in told if e.body.get("dispute") == pk and e.type != "referee_called"]


@pytest.fixture
def case() -> Case:
    return Case()


def errors(results: list[Any]) -> list[Exception]:
    return [result for result in results if isinstance(result, Exception)]


@pytest.mark.long(1)
def test_of_two_referees_who_press_at_once_exactly_one_has_ruled(case: Case) -> None:
    for deal in range(1, RACES + 1):
        pk = case.disputed(deal)
        results = in_threads([case.rule(pk, case.gabi, 80), case.rule(pk, case.heidi, 90)])
        (refused,) = errors(results)
        assert isinstance(refused, Overtaken), refused
        assert refused.code == "disputes/decided_since"
        made = [body for body in case.rulings() if body["deal"] == deal]
        dispute = Dispute.objects.get(pk=pk)
        assert len(made) == 1
        assert case.settled(pk) == ["dispute_settled"]
        assert dispute.ruling_number == made[0]["ruling"]
        assert dispute.answer == made[0]["reason"]
        assert dispute.ruled_by == (case.gabi if made[0]["scores"] == [80, 77] else case.heidi)


def test_a_form_that_is_sent_twice_at_once_rules_once_and_both_are_told_so(case: Case) -> None:
    pk = case.disputed(1)
    dispute = Dispute.objects.select_related("table__round__championship", "table__game").get(pk=pk)

    def press() -> Dispute:
        return rulings.rule(
            dispute, actor=case.gabi, ruling={"kind": "annul_deal"}, answer="so", seen=0, command_id="form"
        )

    assert not errors(in_threads([press] * 4))
    assert (len(case.rulings()), case.settled(pk)) == (1, ["dispute_settled"])


def test_an_appeal_and_a_new_ruling_at_once_leave_no_appeal_against_a_ruling_nobody_read(case: Case) -> None:
    for deal in range(1, RACES + 1):
        pk = case.disputed(deal)
        case.rule(pk, case.gabi, 80)()
        results = in_threads([case.rule(pk, case.gabi, 90), case.appeal(pk)])
        (refused,) = errors(results)
        assert isinstance(refused, Overtaken | TournamentError), refused
        assert refused.code in ("disputes/decided_since", "disputes/appealed"), refused
        made = [body["ruling"] for body in case.rulings() if body["deal"] == deal]
        dispute = Dispute.objects.get(pk=pk)
        against = list(Appeal.objects.filter(dispute=pk).values_list("ruling_number", flat=True))
        assert dispute.ruling_number == made[-1]
        if isinstance(results[0], Exception):
            assert (dispute.status, against, len(made)) == ("appealed", made, 1)
        else:
            assert (dispute.status, against, len(made)) == ("ruled", [], 2)


def test_two_appeals_at_once_are_one(case: Case) -> None:
    pk = case.disputed(1)
    case.rule(pk, case.gabi, 80)()
    (refused,) = errors(in_threads([case.appeal(pk), case.appeal(pk)]))
    assert isinstance(refused, TournamentError)
    assert refused.code == "disputes/not_appealable"
    assert Appeal.objects.count() == 1


def test_of_two_decisions_on_an_appeal_exactly_one_is_the_last_word(case: Case) -> None:
    pk = case.disputed(1)
    case.rule(pk, case.gabi, 80)()
    case.appeal(pk)()
    dispute = Dispute.objects.select_related("table__round__championship", "table__game").get(pk=pk)
    seen = dispute.version

    def decide(ruling: dict[str, Any] | None) -> Callable[[], Any]:
        mine = Dispute.objects.select_related("table__round__championship", "table__game").get(pk=pk)
        return lambda: rulings.decide_dispute(mine, actor=case.heidi, ruling=ruling, answer="so", seen=seen)

    (refused,) = errors(in_threads([decide(None), decide({"kind": "annul_deal"})]))
    assert isinstance(refused, Overtaken)
    assert case.settled(pk)[-1:] == ["appeal_decided"]
    assert case.settled(pk).count("appeal_decided") == 1
    dispute.refresh_from_db()
    assert len(case.rulings()) == (2 if dispute.status == "replaced" else 1)
