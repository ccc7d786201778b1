"""Who may see what: closed by default, and the same events in the same order for everybody."""

import pytest
from msgspec.structs import replace

from engine import Observer, encode, replay, view_for
from engine.commands import Push
from engine.events import EVENTS, CardPlayed, HandDealt, PredictionMade, TalonDealt
from engine.secrecy import fields_seen, secret_fields
from engine.views import redact
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, EVA, GABI, SUIT_EACH, Table, club_table

PUBLIC = {
    "seat",
    "seats",
    "side",
    "sides",
    "deal",
    "dealer",
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
    "sealed",
}


@pytest.mark.parametrize("event_type", EVENTS)
def test_every_field_is_declared_secret_or_on_the_public_list(event_type: type) -> None:
    for name, seen in fields_seen(event_type).items():
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
    assert redact(Careless(seq=0, seat=0, card="S6", peek="SA"), Observer.seat(0)).peek is None  # type: ignore[attr-defined]


def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    table = club_table()
    seen = replay(view_for(table.log, Observer.seat(BEAT)))
    assert seen.hands == [0, table.state.hands[BEAT], 0, 0]
    assert replay(view_for(table.log, EVA)).hands == [0, 0, 0, 0]
    assert replay(view_for(table.log, GABI)) == table.state


@pytest.mark.parametrize("observer", [Observer.seat(CHIARA), EVA, GABI, Observer.spectator("after_deal")])
def test_no_event_is_dropped_or_renumbered(observer: Observer) -> None:
    table = club_table()
    table.play_out()
    seen = list(view_for(table.log, observer))
    assert [(type(e), e.seq) for e in seen] == [(type(e), e.seq) for e in table.log]


def test_the_later_tier_opens_the_hands_of_deals_that_are_over() -> None:
    table = club_table(target=None, deals=3)
    table.play_out()
    table.deal(SUIT_EACH)
    table.do(Push(seat=BEAT))
    tier = Observer.spectator("after_deal")
    hands = [event.cards for event in view_for(table.log, tier) if isinstance(event, HandDealt)]
    assert None not in hands[:4]
    assert hands[4:] == [None] * 4
    table.rule("annul_deal", deal=2)
    assert None not in [event.cards for event in view_for(table.log, tier) if isinstance(event, HandDealt)]


def test_a_prediction_is_heard_unless_it_is_sealed() -> None:
    open_one = PredictionMade(seq=0, seat=ANNA, points=40)
    sealed = replace(open_one, sealed=True)
    assert redact(open_one, EVA) == open_one
    assert redact(sealed, EVA).points is None  # type: ignore[attr-defined]
    assert redact(sealed, Observer.seat(ANNA)) == sealed


def test_what_nobody_sees_only_the_referee_does() -> None:
    talon = TalonDealt(seq=0, open=["S6"], size=1, closed=["SA"])
    assert redact(talon, Observer.seat(DARIO)).closed is None  # type: ignore[attr-defined]
    assert redact(talon, GABI) == talon


def test_a_view_never_grows_a_byte_by_what_is_hidden() -> None:
    first, second = Table(preset="championship"), Table(preset="championship")
    first.deal(SUIT_EACH, dealer=DARIO)
    second.deal([SUIT_EACH[0], SUIT_EACH[2], SUIT_EACH[1], SUIT_EACH[3]], dealer=DARIO)
    for observer in (Observer.seat(ANNA), EVA):
        assert [encode(e) for e in view_for(first.log, observer)] == [
            encode(e) for e in view_for(second.log, observer)
        ]


def test_observers_have_names() -> None:
    for text in ("seat:2", "spectator", "spectator:after_deal", "referee"):
        assert str(Observer.parse(text)) == text
    for text in ("seat:4", "seat:", "director", ""):
        with pytest.raises(ValueError, match="not an observer"):
            Observer.parse(text)
