"""A referee's decisions, calls and appeals outlive every repair of a draw."""

from collections.abc import Callable

import pytest

from games.models import User
from tests.tournaments import table_play
from tests.tournaments.test_corrections import wrong
from tests.tournaments.test_remedy_proposals import HINT, change
from tournaments.archive import contents
from tournaments.models import Appeal, Championship, Dispute, Entry, Round, Table
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing
from tournaments.services.referee import appeals, disputes, remedy_proposals, rulings
from tournaments.services.rounds import fewer_rounds, rounds
from tournaments.services.scores import ruling_marks

Opened = Callable[..., Round]


def table_of(round_: Round, number: int) -> Table:
    return round_.tables.select_related("round__championship", "game").get(number=number)


def warn(table: Table, seat: int, gabi: User) -> Dispute:
    """A hint of the player on this seat, called by nobody's deal, got its warning."""
    call = disputes.raise_dispute(table, actor=gabi, incident="hint", text="Bock!")
    ruling = {"kind": "warning", "against": seat}
    return rulings.rule(call, actor=gabi, ruling=ruling, answer="verwarnt", incident="hint")


def foreseen_for(entry: Entry, round_: Round, gabi: User) -> str:
    """What is proposed for the next hint of this person."""
    seating = round_.seatings.select_related("table__round__championship", "table__game").get(entry=entry)
    dispute = disputes.raise_dispute(seating.table, actor=gabi, incident="hint", text=f"again {seating.seat}")
    held = load_regulations(round_.championship)
    found = remedy_proposals.propose_remedy(dispute, held, "hint", {"against": seating.seat})
    assert found is not None
    return found.remedy.ruling


@pytest.fixture
def warned(championship: Championship, open_round: Opened, fredi: User, gabi: User) -> tuple[Round, Entry]:
    """Somebody was warned at table 2 of a round that is open."""
    change(championship, fredi, remedies=HINT)
    round_ = open_round("sheet", "sheet")
    table = table_of(round_, 2)
    warn(table, 1, gabi)
    return round_, table.seatings.select_related("entry").get(seat=1).entry


def redraw(round_: Round, fredi: User) -> Round:
    draw_undoing.undo_draw(round_, actor=fredi, reason="wrong list")
    drawing.draw_round(round_, actor=fredi)
    for table in round_.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    return rounds.open_round(round_, actor=fredi)


def test_the_second_warning_is_the_second_also_after_a_redraw(
    championship: Championship, warned: tuple[Round, Entry], fredi: User, gabi: User
) -> None:
    round_, entry = warned
    again = redraw(round_, fredi)
    assert again.tables.count() == 2
    assert wrong(championship) == []
    assert ruling_marks.load_entry_marks(championship) == {}, (
        "nobody's result is touched at a table that is gone"
    )
    assert foreseen_for(entry, again, gabi) == "penalty"
    other = again.seatings.exclude(entry=entry).exclude(table__seatings__entry=entry).first()
    assert other is not None
    assert foreseen_for(other.entry, again, gabi) == "warning"


def test_a_warning_follows_a_person_who_was_entered_twice(
    championship: Championship, warned: tuple[Round, Entry], fredi: User, gabi: User
) -> None:
    round_, entry = warned
    twin = Entry.objects.exclude(pk=entry.pk).exclude(seatings__table__seatings__entry=entry).first()
    assert twin is not None
    Entry.objects.filter(pk=entry.pk).update(merged_into=twin)
    assert foreseen_for(twin, round_, gabi) == "penalty"


def test_a_call_stays_open_and_is_answered_after_the_draw_was_taken_back(
    open_round: Opened, fredi: User, gabi: User
) -> None:
    round_ = open_round("dealt", "dealt")
    table = table_of(round_, 2)
    player = table_play.refs(table)[0]
    call = disputes.raise_dispute(table, actor=None, by_ref=player, text="Wir sitzen falsch")
    draw_undoing.undo_draw(round_, actor=fredi, reason="falsch gesetzt")
    assert not Table.objects.exists()
    assert list(disputes.list_disputes(round_.championship)) == [call]
    drawing.draw_round(round_, actor=fredi)
    draw_undoing.undo_draw(round_, actor=fredi)
    call = Dispute.objects.get()
    rulings.rule(call, actor=gabi, ruling=None, answer="neu ausgelost")
    appeals.make_appeal(call, actor=None, by_ref=player, reason="nein")
    assert Appeal.objects.get().dispute == call
    call.refresh_from_db()
    assert call.status == "appealed"


def test_an_appeal_and_its_ruling_outlive_the_draw(
    warned: tuple[Round, Entry], fredi: User, gabi: User
) -> None:
    round_, entry = warned
    ruled = Dispute.objects.get()
    appeals.make_appeal(ruled, actor=None, by_ref=entry.player_ref, reason="Ich sagte nichts")
    redraw(round_, fredi)
    ruled.refresh_from_db()
    assert (ruled.status, ruled.appeals.count()) == ("appealed", 1)
    rulings.decide_dispute(ruled, actor=gabi, ruling=None, answer="bleibt")
    ruled.refresh_from_db()
    assert ruled.status == "upheld"


def test_a_round_that_is_dropped_leaves_its_rulings(
    championship: Championship, warned: tuple[Round, Entry], fredi: User, gabi: User
) -> None:
    first, _entry = warned
    for table in first.tables.select_related("game"):
        table_play.write_sheet(table, [100] * 8)
    rounds.close_round(first, actor=fredi)
    second = championship.rounds.get(number=2)
    drawing.draw_round(second, actor=fredi)
    for table in second.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(second, actor=fredi)
    warn(table_of(second, 1), 0, gabi)
    draw_undoing.undo_draw(second, actor=fredi, reason="es ist spät")
    fewer_rounds.set_round_count(championship, 1, actor=fredi)
    assert championship.rounds.count() == 1
    assert Dispute.objects.filter(status="ruled").count() == 2


def test_a_backup_has_the_tables_that_a_ruling_keeps_and_a_public_file_has_not(
    championship: Championship, warned: tuple[Round, Entry], fredi: User
) -> None:
    redraw(warned[0], fredi)
    kept = contents.archived_rows(Table, championship, public=False)
    shown = contents.archived_rows(Table, championship, public=True)
    assert (kept.count(), shown.count()) == (3, 2)
