"""Melds and Stöck of a physical table: heard before they are seen, shown later, announced too late."""

from typing import Any

import pytest

from engine import IllegalCommand, Observer, audit, cards, decide, encode, redact_events, replay, snapshot
from engine.audit.command_of_event import find_command
from engine.commands import Choose, Deal, Declare, Declared, Play, Show, TakeBack
from engine.contracts import Contract
from engine.events import DealScored, InfractionFound, MeldsDeclared, MeldsScored, StoeckDeclared
from engine.evidence import Evidence, evidence
from engine.notation import notate, parse
from engine.registry import build_game_context
from tests.engine.tables import (
    ANNA,
    BEAT,
    CARD,
    CHIARA,
    DARIO,
    GABI,
    Table,
    cards_of,
    club_table,
    only,
    types,
)
from tests.engine.test_transcripts import infractions, put

TWENTY = Declared(20)
FIFTY = Declared(50)


def written(contract: Contract | None = "clubs", **options: Any) -> Table:
    """A club game of which no hand is known."""
    table = Table(mode="transcribed", options={"first_forehand": "drawn", **options})
    table.do(Deal(dealer=DARIO))
    if contract is not None:
        table.do(Choose(seat=ANNA, contract=contract))
    return table


def first_trick(table: Table, **said: list[Declared]) -> list[Any]:
    """Four spades from the six on; `anna=[...]` is what the table hears with her card."""
    events: list[Any] = []
    for seat, name in enumerate(("anna", "beat", "chiara", "dario")):
        card: Any = f"S{6 + seat}"
        events += table.do(Play(seat=seat, card=card, heard=said.get(name)))
    return events


def proof(table: Table) -> Evidence:
    """What the record proves, which is the same read from its own notation, and stands an audit."""
    assert audit.audit(table.log) is None
    assert replay(table.log) == table.state
    again = Table(mode="transcribed", options={"first_forehand": "drawn", **changed(table)})
    for command in parse(notate(table.log))[1:]:
        again.do(command)
    assert again.log == table.log
    return evidence(table.log)[-1]


def changed(table: Table) -> dict[str, Any]:
    return {name: table.state.options[name] for name in ("target", "stoeck", "melds", "low_quads")}


def scored(events: list[Any]) -> tuple[int | None, int | None]:
    found = only(events, MeldsScored)
    return found.side, found.points


def test_a_meld_is_heard_and_counts_before_anybody_has_seen_it() -> None:
    table = written()
    events = first_trick(table, anna=[TWENTY], dario=[FIFTY, TWENTY])
    assert scored(events) == (1, 70)
    assert only(events, MeldsScored).shown == []
    facts = proof(table).melds
    assert [(fact.seat, fact.points, fact.status) for fact in facts] == [
        (ANNA, 20, "unknown"),
        (DARIO, 50, "unknown"),
        (DARIO, 20, "unknown"),
    ]
    assert snapshot(table.state, GABI)["declared"][0] == {"seat": 0, "melds": [{"points": 20, "top": None}]}


def test_points_and_top_card_prove_a_run_and_the_cards_of_two_candidates_are_what_they_share() -> None:
    table = written()
    table.do(Play(seat=ANNA, card="S6", heard=[Declared(50, "H10"), Declared(100, "CA")]))
    run, four_or_five = proof(table).melds
    assert (run.status, run.cards) == ("proven", ["H7", "H8", "H9", "H10"])
    assert (four_or_five.status, four_or_five.cards) == ("unknown", ["CA"])
    assert [fact.card for fact in evidence(table.log)[0].cards if fact.seat == ANNA] == [
        *["H7", "H8", "H9", "H10", "S6", "CA"]
    ]
    put(table, (BEAT, "CK"))
    facts = proof(table)
    assert facts.melds[1].cards == ["DA", "HA", "SA", "CA"]
    assert facts.hands[ANNA].status == "proven"  # four, four and one are nine


def test_undenufe_decides_by_the_lowest_card_and_an_unnamed_contract_by_either() -> None:
    table = written("undenufe")
    table.do(Play(seat=ANNA, card="S6", heard=[Declared(20, "H7")]))
    assert proof(table).melds[0].cards == ["H7", "H8", "H9"]
    table = written(None)
    table.do(Play(seat=ANNA, card="S6", heard=[Declared(20, "H8")]))
    assert proof(table).melds[0].cards == ["H8"]


def test_the_first_card_of_the_deck_decides_like_any_other() -> None:
    table = written("undenufe")
    table.do(Play(seat=ANNA, card="S6", heard=[Declared(20, "D6")]))
    assert proof(table).melds[0].cards == ["D6", "D7", "D8"]


def test_seen_melds_are_announced_by_their_top_card_where_the_contract_is_not_known() -> None:
    table = written(None)
    said = only(table.do(Play(seat=ANNA, card="S6", melds=[["H6", "H7", "H8"]])), MeldsDeclared)
    assert said.declared == [Declared(20, "H8")]


def test_equal_points_leave_open_who_scores_until_one_side_lays_its_melds_down() -> None:
    table = written()
    events = first_trick(table, anna=[TWENTY], beat=[TWENTY])
    assert scored(events) == (None, None)
    events = table.do(Show(seat=BEAT, melds=[["H7", "H8", "H9"]]))
    assert types(events) == ["melds_shown", "melds_scored"]
    assert scored(events) == (1, 20)
    assert only(events, MeldsScored).shown[0].cards == ["H7", "H8", "H9"]
    assert proof(table).melds[1].status == "proven"
    assert table.state.melds == ((1, 20),)


def test_shown_cards_that_beat_the_others_settle_it_whoever_showed_them() -> None:
    table = written()
    first_trick(table, anna=[TWENTY], beat=[TWENTY], chiara=[TWENTY])
    assert types(table.do(Show(seat=ANNA, melds=[["D6", "D7", "D8"]]))) == ["melds_shown", "melds_scored"]
    assert table.state.melds == ((0, 40),)
    assert scored(table.do(Show(seat=BEAT, melds=[["H9", "H10", "HJ"]]))) == (None, None)
    assert scored(table.do(Show(seat=CHIARA, melds=[["DQ", "DK", "DA"]]))) == (0, 40)
    proof(table)


def test_cards_that_fall_elsewhere_tell_which_meld_it_is_and_so_whose_is_best() -> None:
    """A run of nine is a whole suit: Beat's is hearts, with the Puur, for each other suit was played by
    another."""
    table = written("hearts")
    nine = [Declared(300)]
    table.do(Play(seat=ANNA, card="S6", heard=nine))
    table.do(Play(seat=BEAT, card="H6", heard=nine))
    assert scored(put(table, (CHIARA, "D6"), (DARIO, "C6"))) == (1, 300)


def test_a_meld_that_was_not_held_is_compared_as_it_was_said_and_marked() -> None:
    """What becomes of its points is for the referee to say."""
    table = written()
    table.do(Play(seat=ANNA, card="S6", heard=[Declared(50, "H9")]))
    table.do(Play(seat=BEAT, card="S7", heard=[TWENTY]))
    events = put(table, (CHIARA, "H9"), (DARIO, "S8"))
    assert infractions(events) == [(ANNA, 1, "meld_not_held")]
    assert scored(events) == (0, 50)


def test_cards_shown_by_who_cannot_have_the_best_meld_settle_nothing() -> None:
    """Three play alone: Anna and Beat said fifty, and Chiara lays her twenty down."""
    table = Table("coiffeur", 3, mode="transcribed", options={"melds": True})
    table.do(Deal(dealer=CHIARA))
    table.do(Choose(seat=ANNA, contract="clubs"))
    for seat, heard in enumerate((FIFTY, FIFTY, TWENTY)):
        table.do(Play(seat=seat, card=CARD[f"S{6 + seat}"], heard=[heard]))
    table.do(Show(seat=CHIARA, melds=[["H6", "H7", "H8"]]))
    assert list(table.state.melds) == [(None, None)]
    table.do(Show(seat=BEAT, melds=[["D8", "D9", "D10", "DJ"]]))
    assert table.state.melds == ((BEAT, 50),)


def test_a_slot_without_trumps_leaves_no_tie_to_the_puur() -> None:
    """In slalom, whatever its direction, the first of two runs of the same height is best."""
    for slot, side in (("slalom", 0), ("joker7", None)):
        table = Table("coiffeur", mode="transcribed", options={"melds": True})
        table.do(Deal(dealer=DARIO))
        table.do(Choose(seat=ANNA, contract=None, slot=slot))
        table.do(Play(seat=ANNA, card="S9", melds=[["S9", "S10", "SJ"]]))
        table.do(Play(seat=BEAT, card="H9", melds=[["H9", "H10", "HJ"]]))
        assert scored(put(table, (CHIARA, "S6"), (DARIO, "S7")))[0] == side


def test_melds_that_stay_open_leave_the_card_points_known_and_the_score_open() -> None:
    table = written()
    for trick, suit in enumerate("SHDC"):
        for seat in range(4):
            rank = ("6", "7", "8", "9")[(seat - trick) % 4]
            heard = [TWENTY] if not trick and seat < 2 else None
            turn = (ANNA + seat) % 4
            if not table.state.over:
                table.do(Play(seat=turn, card=CARD[suit + rank], heard=heard))
    assert table.state.melds == ((None, None),)
    for suit in "SHDC":
        for rank in ("10", "J", "Q", "K", "A"):
            card: Any = suit + rank
            free = [seat for seat in range(4) if seat not in table.state.trick_seats]
            table.do(Play(seat=free[0], card=card))
    result = only(table.log, DealScored)
    assert sum(result.card_points) == 157
    assert result.scores == [None, None]
    proof(table)


def test_a_meld_that_nobody_can_have_held_is_marked_when_the_record_proves_it() -> None:
    table = written()
    table.do(Play(seat=ANNA, card="S6", heard=[Declared(20, "H8")]))
    (found,) = [e for e in put(table, (BEAT, "H7")) if isinstance(e, InfractionFound)]
    assert (found.seat, found.code, found.trick) == (ANNA, "meld_not_held", 1)
    assert isinstance(table.log[found.at_seq], MeldsDeclared)
    facts = proof(table)
    assert [c.code for c in facts.contradictions] == ["impossible_meld"]
    assert (facts.melds[0].status, facts.melds[0].cards) == ("contradictory", [])


def test_a_meld_is_marked_in_the_trick_it_was_said_in_whenever_the_record_disproves_it() -> None:
    for seat in (ANNA, BEAT, CHIARA, DARIO):
        table = written()
        for player in range(4):
            heard = [Declared(20, "H8")] if player == seat else None
            table.do(Play(seat=player, card=CARD[f"S{6 + player}"], heard=heard))
        marks = infractions(put(table, (DARIO, "C6"), (BEAT if seat == ANNA else ANNA, "H8")))
        assert (seat, 1, "meld_not_held") in marks
    table = written()
    first_trick(table)
    table.do(Play(seat=DARIO, card="SA", heard=[Declared(20, "H8")]))
    assert (DARIO, 2, "meld_not_held") in infractions(put(table, (ANNA, "D6"), (BEAT, "H8")))


def test_a_whole_hand_that_was_played_disproves_what_is_not_in_it() -> None:
    table = written()
    own = cards_of("S6 S8 S10 H6 H8 H10 D6 D8 D10")
    table.do(Play(seat=ANNA, card="S6", heard=[TWENTY]))
    for card in own[1:]:
        put(table, (BEAT, None), (CHIARA, None), (DARIO, None))
        last = put(table, (ANNA, card))
    assert (ANNA, 1, "meld_not_held") in infractions(last)
    proof(table)


@pytest.mark.parametrize(
    ("heard", "options"),
    [(Declared(30), {}), (Declared(50, "H8"), {}), (Declared(200, "C10"), {}), (Declared(100, "H6"), {})],
)
def test_what_no_meld_is_worth_is_a_slip_of_the_pen(heard: Declared, options: Any) -> None:
    assert written(**options).refused(Play(seat=ANNA, card="S6", heard=[heard])) == "melds/no_meld"


def test_a_refusal_says_what_no_meld_counts() -> None:
    with pytest.raises(IllegalCommand, match="no meld counts 30 like that") as refused:
        decide(written().state, Play(seat=ANNA, card="S6", heard=[Declared(30)]))
    assert refused.value.params == {"points": 30}


def test_low_quads_are_heard_where_they_count() -> None:
    said = Play(seat=ANNA, card="S7", heard=[Declared(100, "C6")])
    assert types(written().do(said)) == ["melds_declared", "card_played"]
    assert written(low_quads=False).refused(said) == "melds/no_meld"


def test_melds_are_not_heard_where_none_count_nor_in_a_game_that_is_dealt() -> None:
    said = Play(seat=ANNA, card="S6", heard=[TWENTY])
    assert written(melds=False).refused(said) == "melds/not_played"
    assert club_table().refusal(said) == ("melds/not_seen", "melds are declared with their cards", {})


def test_shown_cards_other_than_those_declared_are_marked() -> None:
    table = written()
    first_trick(table, anna=[FIFTY])
    events = table.do(Show(seat=ANNA, melds=[["H6", "H7", "H8"]]))
    assert infractions(events) == [(ANNA, 1, "meld_not_held")]
    assert table.refused(Show(seat=BEAT, melds=[["D6", "D7", "D8"]])) == "show/not_declared"
    assert table.refused(Show(seat=ANNA, melds=[["D6", "D7", "D9"]])) == "melds/no_meld"
    proof(table)


def test_known_and_heard_melds_stand_in_one_declaration() -> None:
    table = written()
    table.do(Play(seat=ANNA, card="S6", melds=[["S6", "S7", "S8"]], heard=[TWENTY]))
    events = table.do(Show(seat=ANNA, melds=[["S6", "S7", "S8"], ["H6", "H7", "H8"]]))
    assert types(events) == ["melds_shown"]  # the first trick is not complete
    assert [fact.status for fact in proof(table).melds] == ["proven", "proven"]


def test_shown_cards_that_somebody_else_has_played_are_marked() -> None:
    table = written()
    table.do(Play(seat=ANNA, card="S6", heard=[TWENTY]))
    put(table, (BEAT, "H7"))
    assert infractions(table.do(Show(seat=ANNA, melds=[["H6", "H7", "H8"]]))) == [(ANNA, 1, "meld_not_held")]
    assert [c.code for c in proof(table).contradictions] == ["card_in_two_places", "impossible_meld"]


def test_a_stoeck_in_shown_melds_counts_with_them() -> None:
    table = written("hearts")
    first_trick(table, anna=[TWENTY])
    assert types(table.do(Show(seat=ANNA, melds=[["HJ", "HQ", "HK"]]))) == ["melds_shown", "stoeck_declared"]
    assert table.state.stoeck == ((ANNA, 20, 1),)
    proof(table)


def test_a_target_reached_by_melds_shown_ends_the_game() -> None:
    table = written(target=40)
    first_trick(table, anna=[FIFTY], beat=[FIFTY])
    events = table.do(Show(seat=BEAT, melds=[["H7", "H8", "H9", "H10"]]))
    assert types(events)[-2:] == ["deal_scored", "game_ended"]
    assert audit.audit(table.log) is None


def test_melds_are_in_time_until_the_next_card_falls() -> None:
    table = written()
    put(table, (ANNA, "S6"))
    assert infractions(table.do(Declare(seat=ANNA, heard=[TWENTY]))) == []
    assert infractions(table.do(Declare(seat=BEAT, melds=[["H9", "H10", "HJ"]]))) == []
    put(table, (BEAT, "S7"), (CHIARA, "S8"))
    assert infractions(table.do(Declare(seat=BEAT, heard=[FIFTY]))) == [(BEAT, 1, "meld_late")]
    put(table, (DARIO, "S9"))
    assert table.state.melds == ((None, None),)
    assert scored(table.do(Declare(seat=DARIO, heard=[FIFTY]))) == (1, 70)
    put(table, (DARIO, "SA"))  # who took the trick leads, and said nothing with this card
    assert [fact.counts for fact in proof(table).melds] == [True, True, False, True]


def test_melds_with_a_later_card_are_written_down_and_do_not_count() -> None:
    table = written()
    first_trick(table)
    events = table.do(Play(seat=DARIO, card="SA", heard=[FIFTY]))
    assert infractions(events) == [(DARIO, 2, "meld_late")]
    late = only(events, InfractionFound)
    assert (late.at_seq, late.proof_seq) == (events[0].seq, None)
    assert snapshot(table.state, GABI)["declared"] == []
    put(table, (ANNA, "D6"), (BEAT, "D7"), (CHIARA, "D8"))
    assert table.state.melds == ()
    assert infractions(table.do(Declare(seat=CHIARA, heard=[TWENTY]))) == [(CHIARA, 3, "meld_late")]
    proof(table)


def stoeck_table() -> Table:
    """Anna has played the queen of trumps, and now the king."""
    table = written("hearts")
    put(table, (ANNA, "HQ"), (BEAT, "H6"), (CHIARA, "H7"), (DARIO, "H8"), (ANNA, "HK"))
    return table


def test_a_stoeck_said_before_the_next_card_counts() -> None:
    table = stoeck_table()
    assert types(table.do(Declare(seat=ANNA, stoeck=True))) == ["stoeck_declared"]
    assert table.state.stoeck == ((ANNA, 20, 1),)
    assert table.refused(Declare(seat=ANNA, stoeck=True)) == "stoeck/declared_already"
    facts = proof(table).stoeck
    assert [(fact.seat, fact.status, fact.counts) for fact in facts] == [(ANNA, "proven", True)]


def test_a_stoeck_that_comes_too_late_is_written_down_and_does_not_count() -> None:
    table = stoeck_table()
    put(table, (BEAT, "H9"))
    assert infractions(table.do(Declare(seat=ANNA, stoeck=True))) == [(ANNA, 2, "stoeck_late")]
    assert table.state.stoeck == ()
    assert [fact.counts for fact in proof(table).stoeck] == [False]
    put(table, (CHIARA, "C7"), (DARIO, "C8"), (BEAT, "D6"), (CHIARA, "D7"), (DARIO, "D8"))
    events = table.do(Play(seat=ANNA, card="S6", stoeck=True))
    assert infractions(events) == [(ANNA, 3, "stoeck_late")]
    assert infractions(table.do(Declare(seat=ANNA, stoeck=True))) == [(ANNA, 4, "stoeck_late")]
    assert infractions(table.do(Declare(seat=ANNA, stoeck=True))) == []  # marked once in a trick
    proof(table)


def test_a_stoeck_said_of_another_card_is_none() -> None:
    table = written("hearts")
    assert infractions(table.do(Declare(seat=ANNA, stoeck=True))) == [(ANNA, 1, "stoeck_late")]
    put(table, (ANNA, "S6"))
    assert infractions(table.do(Declare(seat=ANNA, stoeck=True))) == [(ANNA, 1, "stoeck_not_held")]
    assert [fact.status for fact in proof(table).stoeck] == ["unknown", "unknown"]


def test_a_stoeck_that_was_believed_is_marked_once_the_queen_falls_elsewhere() -> None:
    table = written("hearts")
    put(table, (ANNA, None), (BEAT, "S7"), (CHIARA, "S8"), (DARIO, "S9"))
    assert types(put(table, (ANNA, "HK"), stoeck=True)) == ["card_played", "stoeck_declared"]
    assert infractions(put(table, (BEAT, "HQ"))) == [(ANNA, 2, "stoeck_not_held")]
    facts = proof(table)
    assert [fact.status for fact in facts.stoeck] == ["contradictory"]


def test_a_stoeck_of_an_unknown_contract_is_marked_when_it_turns_out_to_have_no_trumps() -> None:
    table = written(None)
    put(table, (ANNA, None), (BEAT, "S7"), (CHIARA, "S8"), (DARIO, "S9"))
    put(table, (ANNA, "HK"), stoeck=True)
    put(table, (BEAT, "D6"))
    table.do(Choose(seat=ANNA, contract="obenabe"))
    assert (ANNA, 2, "stoeck_not_held") in infractions(put(table, (CHIARA, "D7")))
    assert [fact.status for fact in proof(table).stoeck] == ["contradictory"]


def test_a_stoeck_by_itself_may_end_the_game() -> None:
    table = written("hearts", target=22)
    put(table, (ANNA, "HQ"), (BEAT, "H6"), (CHIARA, "H7"), (DARIO, "H8"), (ANNA, "HK"))
    assert types(table.do(Declare(seat=ANNA, stoeck=True)))[-1] == "game_ended"


def test_a_signed_stoeck_says_what_it_does() -> None:
    table = Table("differenzler", mode="transcribed", options={"stoeck": True})
    table.do(Deal(dealer=DARIO))
    table.do(Choose(seat=ANNA, contract="hearts"))
    put(table, (ANNA, "HQ"), (BEAT, "H6"), (CHIARA, "H7"), (DARIO, "H8"), (ANNA, "HK"))
    assert table.refused(Declare(seat=ANNA, stoeck=True)) == "stoeck/choose"
    table.do(Declare(seat=ANNA, stoeck=-20))
    assert table.state.stoeck == ((ANNA, -20, 1),)
    assert audit.audit(table.log) is None


def test_one_thing_is_declared_at_a_time_by_somebody_who_sits_there() -> None:
    table = written()
    assert table.refused(Declare(seat=ANNA)) == "declare/one_thing"
    assert table.refused(Declare(seat=ANNA, heard=[TWENTY], stoeck=True)) == "declare/one_thing"
    three = Table("bieter", seats=3, mode="transcribed")
    three.do(Deal(dealer=ANNA))
    three.do(Play(seat=BEAT, card="S6"))
    assert three.refused(Declare(seat=DARIO, heard=[TWENTY])) == "declare/no_such_seat"


def test_what_is_said_apart_may_be_disproved_already() -> None:
    table = written()
    put(table, (ANNA, "S6"), (BEAT, "H7"))
    said = Declare(seat=CHIARA, heard=[Declared(20, "H8")])
    assert infractions(table.do(said)) == [(CHIARA, 1, "meld_not_held")]
    proof(table)


def test_nothing_but_a_card_or_a_word_brings_a_stoeck_about() -> None:
    table = stoeck_table()
    forged = [*table.log, StoeckDeclared(seq=len(table.log), seat=ANNA, points=20)]
    with pytest.raises(IllegalCommand, match="declared with a card"):
        find_command(build_game_context(table.state), forged, len(table.log))


def test_what_was_said_is_taken_back_by_itself() -> None:
    table = written()
    put(table, (ANNA, "S6"))
    before = table.state.copy()
    said = table.do(Declare(seat=ANNA, heard=[TWENTY]))
    shown = table.do(Show(seat=ANNA, melds=[["H6", "H7", "H8"]]))
    put(table, (BEAT, "S7"))
    table.do(TakeBack(to=shown[0].seq))
    assert table.state.shown == ()
    table.do(TakeBack(to=said[0].seq))
    assert table.state.declared == before.declared
    late = put(table, (BEAT, "S7"), (CHIARA, "S8"))
    stoeck = table.do(Declare(seat=ANNA, stoeck=True))
    table.do(TakeBack(to=stoeck[0].seq))
    assert table.state.trick == [cards.INDEX["S6"], cards.INDEX["S7"], cards.INDEX["S8"]]
    assert late
    proof(table)


def test_others_are_told_what_they_heard_and_no_more_until_it_lies_on_the_table() -> None:
    """Two worlds: what Anna's meld was made of, nobody else can tell."""
    worlds = []
    one, other = cards_of("H6 H7 H8"), cards_of("D9 D10 DJ")
    for melds in ([one], [one, other]):
        table = written()
        table.do(Play(seat=ANNA, card="S6", melds=melds, heard=[Declared(20, "DJ")]))
        if len(melds) == 2:
            table = written()
            table.do(Play(seat=ANNA, card="S6", melds=melds))
        worlds.append(table.log)
    for observer in (Observer.seat(BEAT), Observer.spectator()):
        first, second = (b"".join(map(encode, redact_events(log, observer))) for log in worlds)
        assert first == second
        assert b'"D9"' not in second
    assert worlds[0] != worlds[1]


def test_a_view_is_written_with_unknown_cards_for_what_was_said_apart() -> None:
    table = written()
    put(table, (ANNA, "S6"))
    table.do(Declare(seat=ANNA, melds=[["H6", "H7", "H8"]]))
    assert "0 declares, melds ?" in notate(list(redact_events(table.log, Observer.seat(BEAT))))
    assert "0 declares, melds H6 H7 H8" in notate(table.log)


def test_heard_melds_are_written_in_words() -> None:
    text = "0 plays S6, heard 20 S8 + 50"
    (command,) = parse(text)
    assert command == Play(seat=ANNA, card="S6", heard=[Declared(20, "S8"), Declared(50)])
    assert parse("0 plays S6, heard 20 S8 + 50 ?") == [command]
    assert notate([command]).strip() == text
    assert parse("1 shows S6 S7 S8") == [Show(seat=BEAT, melds=[["S6", "S7", "S8"]])]
    assert parse("1 declares, stoeck") == [Declare(seat=BEAT, stoeck=True)]
