"""Who may see what: closed by default, and the same events in the same order for everybody."""

import pytest
from msgspec.structs import replace

from engine import Observer, encode, redact_events, replay, snapshot
from engine.commands import Push
from engine.events import EVENTS, CardPlayed, DealStarted, Event, HandDealt, PredictionMade, TalonDealt
from engine.events.secrecy import (
    Hidden,
    OwnerOnly,
    OwnerUnlessFaceDown,
    Public,
    UnlessSealed,
    field_visibility,
    secret_fields,
)
from engine.redaction import Tier, redact
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, EVA, GABI, SUIT_EACH, Table, club_table

PUBLIC = {
    "conceded",
    "rescored",
    "after",
    "stands",
    "view",
    "counting",
    "first",
    "first_deal",
    "seat",
    "seats",
    "side",
    "sides",
    "deal",
    "dealer",
    "place",
    "size",
    "face_down",
    "open",
    "contract",
    "slot",
    "points",
    "declared",
    "shown",
    "trick",
    "code",
    "at_seq",
    "proof_seq",
    "right",
    "card_points",
    "scores",
    "totals",
    "ties",
    "winners",
    "payments",
    "ruling",
    "kind",
    "reason",
    "scores_before",
    "totals_before",
    "against",
    "replaces",
    "article",
    "choice",
    "suit",
    "sweep",
    "stoeck",
    "melds",
    "card",
    "six",
    "variant",
    "options",
    "mode",
    "rules_version",
    "won_before",
    "written_scores",
    "hand_in",
    "confirmation",
    "deals",
    "sweeps",
    "stoecks",
    "by",
    "sealed",
    "to",
    "chooser",
    "bid",
    "predictions",
    "took_trick",
    "stoeck_points",
    "by_hand",
    "counts",
    "apart",
}


def test_every_field_is_declared_secret_or_on_the_public_list(subtests: pytest.Subtests) -> None:
    for event_type in EVENTS:
        with subtests.test(event_type=event_type):
            for name, seen in field_visibility(event_type).items():
                assert seen != "all" or name in PUBLIC, (event_type, name)


def test_what_holds_hidden_cards_is_secret() -> None:
    secret = {(e.__struct_config__.tag, name) for e in EVENTS for name in secret_fields(e)}
    assert secret >= {
        ("hand_dealt", "cards"),
        ("hand_taken_up", "cards"),
        ("talon_dealt", "closed"),
        ("extra_dealt", "cards"),
        ("table_dealt", "closed"),
        ("talon_taken", "cards"),
        ("cards_discarded", "cards"),
        ("prediction_made", "points"),
        ("extra_exchanged", "given"),
        ("extra_exchanged", "taken"),
        ("melds_declared", "melds"),
    }


def test_a_field_nobody_declared_is_hidden() -> None:
    class Careless(CardPlayed, frozen=True, kw_only=True, tag="careless"):
        peek: str | None

    assert secret_fields(Careless) == {"peek": "nobody"}
    seen = redact(Careless(seq=0, seat=0, card="S6", peek="SA"), Observer.seat(0))
    assert isinstance(seen, Careless)
    assert seen.peek is None


def test_what_an_event_does_not_say_hides_it() -> None:
    """Where nobody said that cards lie open, a number is not sealed or whose they are, they are hidden."""

    class Mute(Event, frozen=True, kw_only=True, tag="mute"):
        own: OwnerOnly[int | None]
        up: OwnerUnlessFaceDown[int | None]
        unsealed: UnlessSealed[int | None]

    class Spoken(Mute, frozen=True, kw_only=True, tag="spoken"):
        seat: Public[int]

    mute, spoken = Mute(seq=0, own=1, up=2, unsealed=3), Spoken(seq=0, seat=BEAT, own=1, up=2, unsealed=3)
    for observer in (Observer.seat(BEAT), Observer.seat(ANNA), EVA):
        assert redact(mute, observer) == Mute(seq=0, own=None, up=None, unsealed=None)
    assert redact(spoken, Observer.seat(BEAT)) == replace(spoken, up=None)
    assert redact(spoken, Observer.seat(ANNA)) == replace(spoken, own=None, up=None, unsealed=None)
    assert redact(spoken, GABI) == spoken


def test_a_single_event_is_of_a_deal_that_is_not_over() -> None:
    hand = HandDealt(seq=2, seat=ANNA, size=1, cards=["S6"])
    assert redact(hand, Observer.spectator("after_deal")) == replace(hand, cards=None)
    assert redact(hand, Observer.spectator("after_deal"), deal_open=True) == hand


def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    table = club_table()
    seen = replay(redact_events(table.log, Observer.seat(BEAT)))
    assert seen.hands == [0, table.state.hands[BEAT], 0, 0]
    assert replay(redact_events(table.log, EVA)).hands == [0, 0, 0, 0]
    assert replay(redact_events(table.log, GABI)) == table.state


@pytest.mark.parametrize("observer", [Observer.seat(CHIARA), EVA, GABI, Observer.spectator("after_deal")])
def test_no_event_is_dropped_or_renumbered(observer: Observer) -> None:
    table = club_table()
    table.play_out()
    seen = list(redact_events(table.log, observer))
    assert [(type(e), e.seq) for e in seen] == [(type(e), e.seq) for e in table.log]


def test_the_later_tier_opens_the_hands_of_deals_that_are_over() -> None:
    table = club_table(target=None, deals=3)
    table.play_out()
    table.deal(SUIT_EACH)
    table.do(Push(seat=BEAT))
    tier = Observer.spectator("after_deal")
    hands = [event.cards for event in redact_events(table.log, tier) if isinstance(event, HandDealt)]
    assert None not in hands[:4]
    assert hands[4:] == [None] * 4
    table.rule("annul_deal", deal=2)
    assert None not in [
        event.cards for event in redact_events(table.log, tier) if isinstance(event, HandDealt)
    ]


@pytest.mark.parametrize("tier", ["played", "after_deal"])
def test_a_deal_that_was_opened_is_seen_like_by_a_referee_and_the_next_one_is_not(tier: Tier) -> None:
    table = club_table(target=None, deals=3)
    looks, closed = Observer.spectator(tier, opened=1), Observer.spectator(tier)
    referee = [encode(event) for event in redact_events(table.log, GABI)]
    assert [encode(event) for event in redact_events(table.log, looks)] == referee
    assert snapshot(table.state, looks) == snapshot(table.state, GABI)
    table.play_out()
    first = len(table.log)
    table.deal(SUIT_EACH)
    table.do(Push(seat=BEAT))
    assert [encode(event) for event in redact_events(table.log, looks)][:first] == [
        encode(event) for event in redact_events(table.log[:first], GABI)
    ]
    assert [*redact_events(table.log, looks)][first:] == [*redact_events(table.log, closed)][first:]
    assert snapshot(table.state, looks) == snapshot(table.state, closed)


def test_a_prediction_is_heard_unless_it_is_sealed() -> None:
    open_one = PredictionMade(seq=0, seat=ANNA, points=40)
    sealed = replace(open_one, sealed=True)
    assert redact(open_one, EVA) == open_one
    assert redact(sealed, EVA) == replace(sealed, points=None)
    assert redact(sealed, Observer.seat(ANNA)) == sealed


def test_what_nobody_sees_only_the_referee_does() -> None:
    talon = TalonDealt(seq=0, open=["S6"], size=1, closed=["SA"])
    assert redact(talon, Observer.seat(DARIO)) == replace(talon, closed=None)
    assert redact(talon, GABI) == talon


def test_a_view_never_grows_a_byte_by_what_is_hidden() -> None:
    first, second = Table(preset="championship"), Table(preset="championship")
    first.deal(SUIT_EACH, dealer=DARIO)
    second.deal([SUIT_EACH[0], SUIT_EACH[2], SUIT_EACH[1], SUIT_EACH[3]], dealer=DARIO)
    for observer in (Observer.seat(ANNA), EVA):
        assert [encode(e) for e in redact_events(first.log, observer)] == [
            encode(e) for e in redact_events(second.log, observer)
        ]


def test_observers_have_names() -> None:
    for text in ("seat:0", "seat:1", "seat:2", "seat:3", "spectator", "spectator:after_deal", "referee"):
        assert str(Observer.parse(text)) == text
    for text in ("seat:4", "seat:", "director", ""):
        with pytest.raises(ValueError, match="not an observer"):
            Observer.parse(text)
    assert str(Observer.spectator("after_deal", 2, opened=3)) == "spectator:after_deal:2:opened:3"
    assert str(Observer.spectator(opened=3)) == "spectator:opened:3"


def test_a_referee_sees_all_of_every_deal_and_others_of_the_one_that_was_opened_to_them() -> None:
    opened = Observer.spectator(opened=3)
    for observer, deals in ((GABI, [2, 3]), (opened, [3]), (EVA, []), (Observer.seat(ANNA), [])):
        assert [deal for deal in (2, 3) if observer.sees_deal(deal)] == deals


def test_an_observer_has_no_seat_no_later_tier_and_nothing_opened_unless_it_is_said() -> None:
    assert GABI == ("referee", None, "played", 0, None)
    assert EVA == ("spectator", None, "played", 0, None)
    assert Observer.seat(ANNA) == ("seat", ANNA, "played", 0, None)


def after_deals(ended: int) -> Table:
    """Deals 1 to `ended` are over, the next one is being played."""
    table = club_table("hearts", target=5000)
    for _ in range(ended):
        table.play_out()
        table.deal(SUIT_EACH)
        table.choose("hearts")
    return table


def open_hands(events: list[Event], observer: Observer) -> list[int]:
    """The deals of which all four hands are seen."""
    found, deal = [], 0
    for event in redact_events(events, observer):
        if isinstance(event, DealStarted):
            deal = event.deal
        elif isinstance(event, HandDealt) and event.cards is not None:
            found.append(deal)
    return [deal for deal in sorted(set(found)) if found.count(deal) == 4]


@pytest.mark.parametrize(("behind", "seen"), [(0, [1, 2]), (1, [1]), (2, []), (3, [])])
def test_the_later_tier_keeps_the_last_deals_closed_as_it_is_told(behind: int, seen: list[int]) -> None:
    assert open_hands(after_deals(2).log, Observer.spectator("after_deal", behind)) == seen


def test_the_deal_that_was_opened_opens_no_other_that_is_over() -> None:
    log = after_deals(2).log
    assert open_hands(log, Observer.spectator(opened=2)) == [2]
    assert open_hands(log, Observer.spectator(opened=3)) == [3]
    assert open_hands(log, Observer.spectator("after_deal", 1, opened=3)) == [1, 3]


def test_hands_without_the_beginning_of_their_deal_stay_closed_to_whom_deals_are_opened() -> None:
    hands = [event for event in club_table("hearts").log if isinstance(event, HandDealt)]
    seen = list(redact_events(hands, Observer.spectator(opened=1)))
    assert seen == [replace(event, cards=None) for event in hands]


def test_each_mark_says_who_sees_a_field() -> None:
    class Marked(Event, frozen=True):
        of_all: Public[int]
        of_owner: OwnerOnly[int | None]
        of_owner_when_up: OwnerUnlessFaceDown[int | None]
        of_all_unless_sealed: UnlessSealed[int | None]
        of_nobody: Hidden[int | None]

    assert field_visibility(Marked) == {
        "of_all": "all",
        "of_owner": "owner",
        "of_owner_when_up": "owner_unless_face_down",
        "of_all_unless_sealed": "all_unless_sealed",
        "of_nobody": "nobody",
    }
