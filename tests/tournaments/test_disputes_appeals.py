"""Disputes inside and outside their time; appeals upheld, replaced, withdrawn; two referees."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import store
from games.models import Game, User
from tests.tournaments import table_play
from tournaments.demo_record import ScribedGame
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Appeal, Championship, Dispute, Official, Round, StandingsSnapshot, Table
from tournaments.services.championships import championships, officials
from tournaments.services.referee import appeals, disputes, rulings
from tournaments.services.rounds import rounds

Opened = Callable[..., Round]


class Case:
    """A table with a proven revoke, ruled on by Gabi: the offending side has lost points."""

    def __init__(self, table: Table, record: ScribedGame, dispute: Dispute) -> None:
        self.table, self.record, self.dispute = table, record, dispute
        self.players = table_play.refs(table)

    def totals(self) -> list[int]:
        return list(Game.objects.get(pk=self.table.game_id).totals)

    def events(self) -> list[str]:
        return [e.type for e in store.read(self.table.round.stream_id)]


@pytest.fixture
def heidi(championship: Championship, fredi: User, user: Callable[[str], User]) -> User:
    """A second referee."""
    heidi = user("Heidi")
    officials.appoint(championship, heidi, Official.Role.REFEREE, actor=fredi)
    return heidi


@pytest.fixture
def ruled(open_round: Opened, gabi: User) -> Case:
    table = open_round("transcribed", "sheet").tables.get(number=1)
    record = table_play.write_revoke(table)
    table.refresh_from_db()
    dispute = disputes.raise_dispute(
        table,
        actor=None,
        by_ref=table_play.refs(table)[(record.seat + 1) % 4],
        deal=record.deal,
        trick=record.trick,
        incident="revoke",
    )
    rulings.rule(dispute, actor=gabi, ruling=table_play.award(record), answer="verleugnet")
    return Case(table, record, dispute)


def appealed(case: Case) -> Case:
    appeals.make_appeal(
        case.dispute, actor=None, by_ref=case.players[case.record.seat], reason="Ich war blank."
    )
    return case


def test_an_appeal_is_an_event_with_its_reason(ruled: Case) -> None:
    appealed(ruled)
    event = store.read(ruled.table.round.stream_id)[-1]
    assert (event.type, event.body["ruling"], event.body["reason"]) == (
        "ruling_appealed",
        1,
        "Ich war blank.",
    )
    assert ruled.dispute.status == Dispute.Status.APPEALED


def test_an_appeal_is_upheld_by_another_referee_and_the_score_stays(ruled: Case, heidi: User) -> None:
    before = ruled.totals()
    appealed(ruled)
    rulings.decide_dispute(ruled.dispute, actor=heidi, ruling=None, answer="Die Farbe ist bewiesen.")
    assert (ruled.dispute.status, ruled.dispute.ruling_number) == (Dispute.Status.UPHELD, 1)
    assert ruled.totals() == before
    made = Appeal.objects.get()
    assert (made.outcome, made.decided_by, made.answer) == ("upheld", heidi, "Die Farbe ist bewiesen.")
    assert ruled.events()[-1] == "appeal_decided"


def test_an_appeal_replaces_the_ruling_which_stays_in_the_log(ruled: Case, heidi: User) -> None:
    appealed(ruled)
    warning = {**table_play.award(ruled.record), "kind": "warning"}
    rulings.decide_dispute(ruled.dispute, actor=heidi, ruling=warning, answer="Nur verwarnt.")
    assert (ruled.dispute.status, ruled.dispute.ruling_number) == (Dispute.Status.REPLACED, 2)
    assert ruled.dispute.ruled_by == heidi
    made = [e.body for e in store.read(str(ruled.table.game_id)) if e.type == "ruling_made"]
    assert [one.get("replaces") for one in made] == [None, 1]
    with pytest.raises(TournamentError) as refused:
        appeals.make_appeal(ruled.dispute, actor=None, by_ref=ruled.players[0], reason="nochmals")
    assert refused.value.code == "disputes/not_appealable"


def test_an_appeal_decided_after_the_round_publishes_a_new_ranking(
    ruled: Case, heidi: User, fredi: User
) -> None:
    rounds.close_round(ruled.table.round, actor=fredi, force=True)
    appealed(ruled)
    dispute = Dispute.objects.select_related("table__round__championship").get()
    warning = {**table_play.award(ruled.record), "kind": "warning"}
    rulings.decide_dispute(dispute, actor=heidi, ruling=warning, answer="Nur verwarnt.")
    assert [s.reason for s in StandingsSnapshot.objects.order_by("version")] == ["round_closed", "appeal"]


def test_who_ruled_decides_on_the_appeal_only_where_nobody_else_can(
    ruled: Case, gabi: User, championship: Championship, fredi: User, user: Callable[[str], User]
) -> None:
    appealed(ruled)
    assert rulings.may_decide(ruled.dispute, gabi, championship)
    officials.appoint(championship, user("Heidi"), Official.Role.REFEREE, actor=fredi)
    with pytest.raises(NotAllowed) as refused:
        rulings.decide_dispute(ruled.dispute, actor=gabi, ruling=None, answer="bleibt")
    assert refused.value.code == "disputes/own_ruling"
    ruled.dispute.refresh_from_db()
    assert ruled.dispute.status == Dispute.Status.APPEALED


def test_only_those_at_the_table_appeal(ruled: Case, gabi: User, eva: User) -> None:
    for who in ({"actor": gabi}, {"actor": eva}, {"actor": None, "by_ref": "somebody"}):
        with pytest.raises(NotAllowed):
            appeals.make_appeal(ruled.dispute, reason="passt mir nicht", **who)
    assert not Appeal.objects.exists()


def test_an_appeal_without_a_reason_is_none(ruled: Case) -> None:
    with pytest.raises(TournamentError) as refused:
        appeals.make_appeal(ruled.dispute, actor=None, by_ref=ruled.players[0], reason=" ")
    assert refused.value.code == "names/missing"


def test_while_it_is_appealed_nobody_rules_beside_the_appeal(ruled: Case, gabi: User) -> None:
    appealed(ruled)
    with pytest.raises(TournamentError) as refused:
        rulings.rule(ruled.dispute, actor=gabi, ruling=table_play.award(ruled.record), answer="doch")
    assert refused.value.code == "disputes/appealed"


def test_an_appeal_is_taken_back_by_whoever_made_it(ruled: Case, heidi: User) -> None:
    appealed(ruled)
    with pytest.raises(NotAllowed) as refused:
        appeals.withdraw_appeal(ruled.dispute, actor=None, by_ref=ruled.players[(ruled.record.seat + 1) % 4])
    assert refused.value.code == "disputes/not_yours"
    appeals.withdraw_appeal(ruled.dispute, actor=None, by_ref=ruled.players[ruled.record.seat])
    assert (ruled.dispute.status, Appeal.objects.get().outcome) == ("ruled", "withdrawn")
    appealed(ruled)
    rulings.decide_dispute(ruled.dispute, actor=heidi, ruling=None, answer="bleibt")
    assert Appeal.objects.filter(outcome="upheld").count() == 1


def set_window(championship: Championship, minutes: int) -> None:
    row = championship.regulations.get(version=championship.regulations_version)
    row.data["appeal_minutes"] = minutes
    row.save(update_fields=["data"])


def test_after_the_time_of_the_regulations_it_is_too_late_to_appeal(
    ruled: Case, championship: Championship
) -> None:
    set_window(championship, 30)
    late = timezone.now() - timedelta(minutes=31)
    Dispute.objects.filter(pk=ruled.dispute.pk).update(settled_at=late)
    with pytest.raises(TournamentError) as refused:
        appealed(ruled)
    assert (refused.value.code, refused.value.params["minutes"]) == ("disputes/too_late", 30)
    Dispute.objects.filter(pk=ruled.dispute.pk).update(settled_at=timezone.now() - timedelta(minutes=29))
    appealed(ruled)


def test_after_the_round_a_deal_is_disputed_only_in_time(
    ruled: Case, championship: Championship, fredi: User
) -> None:
    set_window(championship, 30)
    rounds.close_round(ruled.table.round, actor=fredi, force=True)
    raised = disputes.raise_dispute(ruled.table, actor=None, by_ref=ruled.players[0], deal=1)
    assert raised.status == Dispute.Status.OPEN
    Round.objects.filter(pk=ruled.table.round_id).update(closed_at=timezone.now() - timedelta(minutes=31))
    with pytest.raises(TournamentError) as refused:
        disputes.raise_dispute(ruled.table, actor=None, by_ref=ruled.players[0], deal=2)
    assert refused.value.code == "disputes/too_late"


def test_without_minutes_disputes_and_appeals_end_with_the_championship_until_it_is_opened_again(
    ruled: Case, championship: Championship, fredi: User
) -> None:
    set_window(championship, 0)
    rounds.close_round(ruled.table.round, actor=fredi, force=True)
    disputes.raise_dispute(ruled.table, actor=None, by_ref=ruled.players[0], deal=1)
    Round.objects.exclude(pk=ruled.table.round_id).delete()
    championships.finish(championship, actor=fredi)
    for refused_act in (
        lambda: disputes.raise_dispute(ruled.table, actor=None, by_ref=ruled.players[0], deal=2),
        lambda: disputes.raise_dispute(ruled.table, actor=fredi),
        lambda: appealed(ruled),
    ):
        with pytest.raises(TournamentError) as refused:
            refused_act()
        assert refused.value.code == "disputes/closed"
    rounds.reopen_round(Round.objects.get(), actor=fredi, reason="ein Fehler")
    disputes.raise_dispute(ruled.table, actor=None, by_ref=ruled.players[0], deal=2)
    appealed(ruled)


def test_with_minutes_the_end_of_the_championship_cuts_nothing_off(
    ruled: Case, championship: Championship, fredi: User
) -> None:
    set_window(championship, 30)
    rounds.close_round(ruled.table.round, actor=fredi, force=True)
    Round.objects.exclude(pk=ruled.table.round_id).delete()
    championships.finish(championship, actor=fredi)
    disputes.raise_dispute(ruled.table, actor=None, by_ref=ruled.players[0], deal=1)
    appealed(ruled)


def test_of_two_referees_at_once_the_second_is_told_so(ruled: Case, gabi: User, heidi: User) -> None:
    seen = ruled.dispute.version
    stale = Dispute.objects.select_related("table__round__championship").get(pk=ruled.dispute.pk)
    rulings.rule(
        ruled.dispute, actor=gabi, ruling=table_play.award(ruled.record), answer="genauer", seen=seen
    )
    head = store.read_head(str(ruled.table.game_id))
    with pytest.raises(store.ConcurrencyError):
        rulings.rule(stale, actor=heidi, ruling=table_play.award(ruled.record), answer="anders", seen=seen)
    assert store.read_head(str(ruled.table.game_id)) == head


def test_the_same_form_twice_decides_once(ruled: Case, heidi: User) -> None:
    appealed(ruled)
    seen = ruled.dispute.version
    stale = Dispute.objects.select_related("table__round__championship").get(pk=ruled.dispute.pk)
    for dispute in (ruled.dispute, stale):
        rulings.decide_dispute(
            dispute, actor=heidi, ruling=None, answer="bleibt", seen=seen, command_id="appeal:x"
        )
    assert ruled.events().count("appeal_decided") == 1


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"incident": "sulking"}, "disputes/unknown_incident"),
        ({"at_seq": 99_999}, "disputes/no_such_moment"),
    ],
)
def test_an_incident_and_a_moment_have_to_exist(ruled: Case, about: dict[str, Any], code: str) -> None:
    with pytest.raises(TournamentError) as refused:
        disputes.raise_dispute(ruled.table, actor=None, by_ref=ruled.players[0], deal=1, **about)
    assert refused.value.code == code
