"""A dispute, its replay, the ruling, and the resulting standings."""

from collections.abc import Callable
from typing import Any

import pytest

from engine import IllegalCommand
from games import store
from games.models import DealResult, Game, User
from tests.tournaments import table_play
from tournaments.demo_record import ScribedGame
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Dispute, Entry, Round, StandingsSnapshot, Table
from tournaments.services.entries import entries
from tournaments.services.referee import disputes, rulings
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking, ranking_basis

pytestmark = pytest.mark.both

Opened = Callable[..., Round]
People = Callable[[int], list[Entry]]


@pytest.fixture
def revoked(open_round: Opened, gabi: User) -> tuple[Table, ScribedGame, Dispute]:
    """A transcribed table with a proven revoke, and the opponents' dispute about it."""
    table = open_round("transcribed", "sheet").tables.get(number=1)
    record = table_play.write_revoke(table)
    table.refresh_from_db()
    opponent = table_play.refs(table)[(record.seat + 1) % 4]
    dispute = disputes.raise_dispute(
        table, actor=None, by_ref=opponent, deal=record.deal, trick=record.trick, text="nicht bekannt"
    )
    return table, record, dispute


Revoked = tuple[Table, ScribedGame, Dispute]


def test_a_preview_shows_both_scores_and_changes_nothing(revoked: Revoked) -> None:
    table, record, dispute = revoked
    head = store.read_head(str(table.game_id))
    outcome = rulings.preview(dispute, table_play.award(record))
    assert outcome.scores_before is not None
    assert outcome.scores_after is not None
    side = record.seat % 2
    assert (outcome.scores_after[side] or 0) < (outcome.scores_before[side] or 0)
    assert sum(map(int, outcome.totals_before)) == sum(map(int, outcome.totals_after))
    assert store.read_head(str(table.game_id)) == head


def test_a_ruling_is_an_event_and_moves_the_standings(
    championship: Championship, revoked: Revoked, gabi: User
) -> None:
    table, record, dispute = revoked
    before = {row.key: row.total for row in ranking_basis.live_ranking(championship)}
    outcome = rulings.preview(dispute, table_play.award(record))
    rulings.rule(dispute, actor=gabi, ruling=table_play.award(record), answer="Farbe verleugnet")
    assert (dispute.status, dispute.ruling_number, dispute.ruled_by) == (Dispute.Status.RULED, 1, gabi)
    event = store.read(str(table.game_id))[-1]
    assert (event.type, event.body["reason"]) == ("ruling_made", "Farbe verleugnet")
    assert event.actor == championship.officials.get(role="referee").ref
    assert tuple(Game.objects.get(pk=table.game_id).totals) == outcome.totals_after
    after = {row.key: row.total for row in ranking_basis.live_ranking(championship)}
    offender = table.seatings.get(seat=record.seat).entry.number
    assert after[offender] < before[offender]
    counted = DealResult.objects.get(game=table.game_id, deal=record.deal)
    assert counted.counted != counted.scores


def test_what_was_recorded_stays_after_a_ruling(revoked: Revoked, gabi: User) -> None:
    table, record, dispute = revoked
    before = [event.envelope for event in store.read(str(table.game_id))]
    rulings.rule(dispute, actor=gabi, ruling=table_play.award(record), answer="verleugnet")
    after = [event.envelope for event in store.read(str(table.game_id))]
    assert after[: len(before)] == before
    store.verify(str(table.game_id))


def test_a_ruling_is_replaced_by_another_and_never_edited(revoked: Revoked, gabi: User) -> None:
    table, record, dispute = revoked
    before = list(Game.objects.get(pk=table.game_id).totals)
    first = table_play.award(record)
    rulings.rule(dispute, actor=gabi, ruling=first, answer="verleugnet")
    rulings.rule(dispute, actor=gabi, ruling={**first, "kind": "warning"}, answer="doch nur verwarnt")
    assert dispute.ruling_number == 2
    made = [e.body for e in store.read(str(table.game_id)) if e.type == "ruling_made"]
    assert [ruling.get("replaces") for ruling in made] == [None, 1]
    assert list(Game.objects.get(pk=table.game_id).totals) == before


def test_a_ruling_after_the_round_publishes_a_new_ranking(
    championship: Championship, revoked: Revoked, fredi: User, gabi: User
) -> None:
    table, record, dispute = revoked
    rounds.close_round(dispute.table.round, actor=fredi, force=True)
    old = StandingsSnapshot.objects.get()
    rulings.rule(dispute, actor=gabi, ruling=table_play.award(record), answer="verleugnet")
    new = StandingsSnapshot.objects.exclude(pk=old.pk).get()
    assert (new.version, new.reason, new.after_round) == (2, "ruling", 1)
    offender = table.seatings.get(seat=record.seat).entry.number
    totals = [{row.key: row.total for row in published_ranking.decode_rows(s)}[offender] for s in (old, new)]
    assert totals[1] < totals[0]
    assert StandingsSnapshot.objects.get(pk=old.pk).rows == old.rows


def test_only_the_referee_rules(revoked: Revoked, fredi: User, eva: User) -> None:
    table, record, dispute = revoked
    head = store.read_head(str(table.game_id))
    for somebody in (fredi, eva):
        with pytest.raises(NotAllowed):
            rulings.rule(dispute, actor=somebody, ruling=table_play.award(record), answer="ich")
    dispute.refresh_from_db()
    assert dispute.status == Dispute.Status.OPEN
    assert store.read_head(str(table.game_id)) == head


def test_nobody_rules_at_his_own_table(
    championship: Championship, fredi: User, gabi: User, arrived: People, open_round: Opened
) -> None:
    gabis = arrived(4)[0]
    entries.link_account(gabis, gabi, actor=fredi)
    table = open_round("sheet").tables.get()
    dispute = disputes.raise_dispute(table, actor=gabi)
    with pytest.raises(NotAllowed) as refused:
        rulings.rule(dispute, actor=gabi, ruling=None, answer="für mich")
    assert refused.value.code == "disputes/own_table"


def test_a_ruling_the_engine_refuses_leaves_the_dispute_open(revoked: Revoked, gabi: User) -> None:
    _table, _record, dispute = revoked
    nonsense = {"kind": "award_from_trick", "deal": 9, "trick": 1, "against": 0}
    with pytest.raises(IllegalCommand):
        rulings.preview(dispute, nonsense)
    with pytest.raises(IllegalCommand):
        rulings.rule(dispute, actor=gabi, ruling=nonsense, answer="Unsinn")
    dispute.refresh_from_db()
    assert dispute.status == Dispute.Status.OPEN


def test_a_call_is_answered_without_a_ruling(
    open_round: Opened, gabi: User, championship: Championship
) -> None:
    table = open_round("sheet").tables.get(number=1)
    dispute = disputes.raise_dispute(table, actor=None, by_ref=table_play.refs(table)[2])
    assert dispute.is_call
    rulings.rule(dispute, actor=gabi, ruling=None, answer="Frage geklärt")
    assert (dispute.status, dispute.ruling_number) == (Dispute.Status.RULED, None)
    with pytest.raises(TournamentError) as refused:
        rulings.rule(dispute, actor=gabi, ruling=None, answer="nochmals")
    assert refused.value.code == "disputes/settled"
    assert [e.type for e in store.read(table.round.stream_id)][-2:] == ["referee_called", "dispute_settled"]


def test_pressing_the_button_twice_calls_once(open_round: Opened) -> None:
    table = open_round("sheet").tables.get(number=1)
    ref = table_play.refs(table)[0]
    first = disputes.raise_dispute(table, actor=None, by_ref=ref)
    assert disputes.raise_dispute(table, actor=None, by_ref=ref) == first
    assert Dispute.objects.count() == 1


def test_a_player_calls_from_his_own_table_only(
    fredi: User, anna: User, eva: User, arrived: People, open_round: Opened
) -> None:
    annas = arrived(8)[0]
    entries.link_account(annas, anna, actor=fredi)
    round_ = open_round("sheet", "sheet")
    here = round_.seatings.get(entry=annas).table
    elsewhere = round_.tables.exclude(pk=here.pk).get()
    assert disputes.raise_dispute(here, actor=anna).raised_ref == annas.player_ref
    for table, somebody in ((elsewhere, anna), (here, eva)):
        with pytest.raises(NotAllowed) as refused:
            disputes.raise_dispute(table, actor=somebody)
        assert refused.value.code == "disputes/not_at_table"


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"deal": 4}, "disputes/no_such_deal"),
        ({"deal": 0}, "disputes/no_such_deal"),
        ({"trick": 3}, "disputes/trick_without_deal"),
        ({"text": "x" * 501}, "names/too_long"),
    ],
)
def test_a_dispute_about_nothing_is_refused(
    revoked: Revoked, gabi: User, about: dict[str, Any], code: str
) -> None:
    table, _record, _dispute = revoked
    with pytest.raises(TournamentError) as refused:
        disputes.raise_dispute(table, actor=gabi, **about)
    assert refused.value.code == code
    assert Dispute.objects.count() == 1


def test_a_table_that_is_not_open_has_no_disputes(
    championship: Championship, fredi: User, arrived: People
) -> None:
    from tournaments.services.draw import drawing

    arrived(4)
    table = drawing.draw_round(championship.rounds.get(number=1), actor=fredi).tables.get()
    with pytest.raises(TournamentError) as refused:
        disputes.raise_dispute(table, actor=fredi)
    assert refused.value.code == "disputes/no_game"


def test_who_raised_a_dispute_takes_it_back(revoked: Revoked, gabi: User) -> None:
    table, record, dispute = revoked
    with pytest.raises(NotAllowed) as refused:
        disputes.withdraw_dispute(dispute, actor=None, by_ref="somebody else")
    assert refused.value.code == "disputes/not_yours"
    disputes.withdraw_dispute(dispute, actor=None, by_ref=dispute.raised_ref)
    assert dispute.status == Dispute.Status.WITHDRAWN
    with pytest.raises(TournamentError) as late:
        rulings.rule(dispute, actor=gabi, ruling=table_play.award(record), answer="zu spät")
    assert late.value.code == "disputes/settled"
    with pytest.raises(TournamentError) as again:
        disputes.withdraw_dispute(dispute, actor=gabi)
    assert again.value.code == "disputes/settled"
    assert disputes.withdraw_dispute(
        disputes.raise_dispute(table, actor=None, by_ref="x"), actor=gabi
    ).settled_at


def test_open_disputes_come_first(
    championship: Championship, revoked: Revoked, gabi: User, django_assert_num_queries: Any
) -> None:
    table, _record, dispute = revoked
    settled = disputes.raise_dispute(table, actor=gabi)
    rulings.rule(settled, actor=gabi, ruling=None, answer="gut")
    with django_assert_num_queries(1):
        found = list(disputes.list_disputes(championship))
        assert [(d.pk, d.table.round.number) for d in found] == [(dispute.pk, 1), (settled.pk, 1)]
