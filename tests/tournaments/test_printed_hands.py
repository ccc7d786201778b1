"""Hands on paper for tables that deal by hand: the cards of dealt tables, and who may print them."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.events import DealStarted, HandDealt
from games import game_state, store
from games.models import User
from tests.tournaments.field_evenings import found
from tests.tournaments.test_against_the_field import begin
from tournaments import demo_record, regulations
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Official, Regulations, Round, Table
from tournaments.services.championships import officials
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing, printed_hands
from tournaments.services.entries import entries
from tournaments.services.referee import official_acts
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def mixed(fredi: User, **changes: Any) -> tuple[Championship, list[Table]]:
    """A round whose first table is dealt and whose second one deals by hand."""
    made = found(fredi, 8, rounds=1, **{"deals": 4, **changes})
    round_ = drawing.draw_round(made.rounds.get(), actor=fredi)
    paper = round_.tables.select_related("round__championship").get(number=2)
    rounds.set_mode(paper, "transcribed", actor=fredi)
    rounds.open_round(round_, actor=fredi)
    return made, list(Table.objects.filter(round=round_).select_related("round", "game").order_by("number"))


def dealt_hands(table: Table) -> list[tuple[int, list[set[str | None]]]]:
    """The dealer of each deal, and the cards of each seat, from the log."""
    hands: list[tuple[int, list[set[str | None]]]] = []
    for event in game_state.load_snapshot(str(table.game_id)).events:
        if isinstance(event, DealStarted):
            hands.append((event.dealer, [set() for _ in range(4)]))
        elif isinstance(event, HandDealt):
            hands[-1][1][event.seat] = set(event.cards or ())
    return hands


@pytest.mark.parametrize("preset", ["against_the_field", "preisjassen", "santiago"])
def test_the_hands_on_paper_are_those_of_a_dealt_table(fredi: User, preset: str) -> None:
    made, tables = mixed(fredi, preset=preset, play={"mode": "dealt"}, hand_in="deals")
    printed = printed_hands.print_hands(tables[0].round, actor=fredi)
    demo_record.play_out_with_bots(str(tables[0].game_id))
    told = [(one.dealer, [set(hand) for hand in one.hands]) for one in printed]
    assert told == dealt_hands(tables[0])[: len(told)]
    assert len(told) == load_regulations(made).deals


def test_everybody_sees_that_hands_were_printed_and_when(fredi: User) -> None:
    made, tables = mixed(fredi)
    assert printed_hands.list_printings(tables[0].round) == []
    printed_hands.print_hands(tables[0].round, actor=fredi)
    [one] = printed_hands.list_printings(tables[0].round)
    assert one.ref == made.officials.get(user=fredi).ref
    acts = official_acts.list_acts(Round.objects.get(), load_regulations(made))
    assert [act.kind for act in acts] == ["hands_printed"]
    assert [event.type for event in store.read(tables[0].round.stream_id)][-1] == "hands_printed"


def test_hands_are_not_printed_by_regulations_read_before_the_lock(fredi: User) -> None:
    made, tables = mixed(fredi)
    held = load_regulations(made)
    round_ = tables[0].round
    before = regulations.encode(replace(held, deals=held.deals - 1))
    Regulations.objects.create(championship=made, version=9, data=before)
    round_.championship.regulations_version = 9
    assert len(printed_hands.print_hands(round_, actor=fredi)) == held.deals


def test_only_a_director_who_does_not_play_prints(fredi: User, gabi: User, eva: User) -> None:
    made, tables = mixed(fredi)
    officials.appoint(made, gabi, Official.Role.REFEREE, actor=fredi)
    for who in (gabi, eva):
        with pytest.raises(NotAllowed):
            printed_hands.print_hands(tables[0].round, actor=who)
    officials.appoint(made, gabi, Official.Role.DIRECTOR, actor=fredi)
    entries.link_account(tables[0].seatings.get(seat=0).entry, gabi, actor=fredi)
    with pytest.raises(NotAllowed) as refused:
        printed_hands.print_hands(tables[0].round, actor=gabi)
    assert refused.value.code == "hands/same_cards"
    assert printed_hands.list_printings(tables[0].round) == []


def test_there_is_nothing_to_print_before_and_after_a_round_and_without_such_tables(fredi: User) -> None:
    made = found(fredi, 8, rounds=1, deals=1)
    round_ = made.rounds.get()
    _refuse(round_, fredi, "hands/not_open")
    tables = begin(made, fredi)
    _refuse(round_, fredi, "hands/no_paper")
    for table in tables:
        demo_record.play_out_with_bots(str(table.game_id))
    rounds.close_round(round_, actor=fredi)
    _refuse(round_, fredi, "hands/not_open")


def test_tables_with_cards_of_their_own_get_no_paper(fredi: User) -> None:
    made = found(fredi, 8, rounds=1, same_cards=False, play={"credit": "points", "mode": "sheet"})
    begin(made, fredi)
    _refuse(made.rounds.get(), fredi, "hands/own_cards")


def _refuse(round_: Round, fredi: User, code: str) -> None:
    with pytest.raises(TournamentError) as refused:
        printed_hands.print_hands(round_, actor=fredi)
    assert refused.value.code == code


def test_a_game_with_cards_beside_the_hands_is_refused(fredi: User) -> None:
    _made, tables = mixed(fredi, preset="differenzler", play={"mode": "dealt"})
    _refuse(tables[0].round, fredi, "hands/other_layout")
    assert printed_hands.list_printings(tables[0].round) == []
