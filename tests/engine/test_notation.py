"""The notation: every command there and back, games of every kind, and errors that say where."""

import random
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from engine import (
    CorruptLog,
    IllegalCommand,
    Observer,
    State,
    advance,
    decide,
    encode,
    evolve,
    list_sheet_fields,
    redact_events,
    replay,
)
from engine.audit.command_of_event import starts_command
from engine.cards import DECK
from engine.commands import COMMANDS, Bid, Choose, Command, Deal, Play, Predict, Rule, Start
from engine.events import DealScored, Event, HandDealt
from engine.notation import first_difference, notate, parse, write_command
from engine.notation.consequences import describe_event
from engine.notation.hands import format_hands
from engine.notation.kinds import infer_kind
from engine.notation.phrases import get_phrase, list_phrases
from engine.notation.reading import read_commands
from engine.notation.scanner import Scanner
from engine.phases.dealing import deck_from_hands
from engine.registry import get_rules
from tests.engine.random_games import GAMES, Game, beginning_of, log_of, steps_of
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, SUIT_EACH, Table, cards_of, club_table
from tests.engine.test_sheets_of_all_games import as_written
from tests.engine.test_transcripts_of_all_games import forgotten

every_game = pytest.mark.parametrize("game", GAMES, ids=str)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


def played(commands: Sequence[Command]) -> list[Event]:
    state = State()
    log: list[Event] = []
    for command in commands:
        log += advance(state, command)
    return log


def values_of(field: inspect.Type) -> st.SearchStrategy[Any]:
    """Every value that a field of this type may hold."""
    if isinstance(field, inspect.Metadata):
        return values_of(field.type)
    if isinstance(field, inspect.UnionType):
        return st.one_of(*map(values_of, field.types))
    if isinstance(field, inspect.NoneType):
        return st.none()
    if isinstance(field, inspect.BoolType):
        return st.booleans()
    if isinstance(field, inspect.LiteralType):
        return st.sampled_from(field.values)
    if isinstance(field, inspect.IntType):
        return st.integers(field.ge, field.le)
    if isinstance(field, inspect.StrType):
        return st.text(min_size=field.min_length or 0, max_size=min(field.max_length or 30, 30))
    if isinstance(field, inspect.ListType):
        most = min(field.max_length or 9, 12)
        return st.lists(values_of(field.item_type), min_size=field.min_length or 0, max_size=most)
    if isinstance(field, inspect.StructType):
        parts = {part.name: values_of(part.type) for part in field.fields}
        return st.builds(field.cls, **parts)
    assert isinstance(field, inspect.DictType), f"no values for {field}"
    return st.dictionaries(st.text(max_size=9), JSON, max_size=3)


def commands_of(kind: type[Command]) -> st.SearchStrategy[Command]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    needed = {f.encode_name: values_of(f.type) for f in info.fields if f.required}
    free = {f.encode_name: values_of(f.type) for f in info.fields if not f.required}
    return st.fixed_dictionaries(needed, optional=free).map(lambda fields: kind(**fields))


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_every_command_with_every_field_is_read_as_it_was_written(kind: type[Command], data: Any) -> None:
    command = data.draw(commands_of(kind))
    line = write_command(command)
    assert "\n" not in line
    assert parse(line) == [command]
    assert parse(notate([command])) == [command]


def test_no_field_of_a_command_is_left_out(subtests: pytest.Subtests) -> None:
    for kind in COMMANDS:
        with subtests.test(kind=kind):
            phrase = get_phrase(kind)
            named = {part.name for part in phrase.parts if not isinstance(part, str)} | set(phrase.clauses)
            assert named == {field.name for field in msgspec.structs.fields(kind)}


def test_no_two_commands_begin_alike() -> None:
    heads = [(phrase.seated, phrase.head) for phrase in list_phrases()]
    assert len(set(heads)) == len(heads)
    assert {phrase.command for phrase in list_phrases()} == set(COMMANDS)


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("seed", [11, 12])
def test_a_game_of_commands_is_read_as_it_was_written(game: Game, seed: int) -> None:
    commands = [command for command, _ in steps_of(game, seed)]
    assert parse(notate(commands)) == commands
    assert parse(notate(commands, comments=False)) == commands


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("seed", [13, 14])
def test_a_log_written_down_is_played_again_event_for_event(game: Game, seed: int) -> None:
    log = log_of(game, seed)
    text = notate(log)
    assert played(parse(text)) == log
    assert first_difference(text) is None
    assert text.isascii()


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("share", [0.05, 0.4])
def test_a_transcript_with_gaps_is_read_as_it_was_written(game: Game, share: float) -> None:
    rng = random.Random(15)
    state, done = State(), []
    for command, _ in steps_of(game, 15)[:70]:
        told = forgotten(command, rng, share)
        try:
            events = decide(state, told)
        except IllegalCommand:
            continue  # as where what is missing is needed to go on
        for event in events:
            evolve(state, event)
        done.append(told)
    assert len(done) > 10
    assert parse(notate(done)) == done
    log = played(done)
    assert played(parse(notate(log))) == log


@every_game
def test_a_sheet_of_any_game_is_read_as_it_was_written(game: Game) -> None:
    log = log_of(game, 16)
    table = Table(game.variant, game.seats, preset=game.preset, mode="sheet")
    for at in [at for at, event in enumerate(log) if isinstance(event, DealScored)][:4]:
        state = replay(log[: at + 1])
        names = {field.name for field in list_sheet_fields(table.state)}
        written = as_written(state, state.records[-1], names)
        points = list(state.records[-1].card_points)
        deal = len(table.state.results) + 1
        try:
            table.do(_command("enter_result")(seat=ANNA, deal=deal, card_points=points, **written))
        except IllegalCommand:
            break  # a deal that was given away, or that ended the game in its middle
        sides = get_rules(table.state).sides_of(table.state)
        other = next(seat for seat in range(game.seats) if sides[seat] != sides[ANNA])
        table.do(_command("confirm_result")(seat=other, deal=deal))
        table.do(Rule(kind="penalty", reason="zu spät", against=ANNA, points=3))
    assert table.state.results
    assert parse(notate(table.commands)) == table.commands
    assert played(parse(notate(table.log))) == table.log


def test_a_deal_of_which_little_is_known_is_written_by_hands() -> None:
    table = Table("la-pomme", 2, mode="transcribed")
    table.do(Deal(deck=[*DECK[:3], *[None] * 21, "S9", *[None] * 11], dealer=ANNA))
    text = notate(table.log)
    assert "1: D6 D7 D8 ?x6 | ?x3; 0: ?x9 | ?x3; rest: S9 | ?x11" in text
    assert played(parse(text)) == table.log
    table = Table(mode="transcribed")
    table.do(Deal(dealer=DARIO))
    assert notate(table.commands).endswith("\ndeal, dealer 3            # deal 1, dealer 3\n")
    assert played(parse(notate(table.log))) == table.log
    table = Table("bieter", 3, mode="transcribed")
    table.do(Deal(dealer=ANNA))
    assert notate(table.commands).endswith("# deal 1, dealer 0; talon ?x3 | ?x3\n")


def test_only_a_hand_that_lies_face_down_is_described_so() -> None:
    hand = HandDealt(seq=2, seat=1, size=4, cards=["S6", "S7"])
    assert describe_event(hand) == "hand of 1 S6 S7 ?x2"
    assert describe_event(msgspec.structs.replace(hand, face_down=True)) == "hand of 1 face down"


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_a_sheet_is_read_as_it_was_written(data: Any) -> None:
    table = Table("schieber", 4, mode="sheet", preset="championship")
    for deal in range(1, data.draw(st.integers(1, 8)) + 1):
        points = data.draw(st.integers(0, 157).filter(lambda sum_: sum_ not in (1, 156)))
        fields = {"seat": data.draw(st.sampled_from([0, 1, 2, 3])), "deal": deal}
        table.do(msgspec.convert({"cmd": "enter_result", "card_points": [points, 157 - points], **fields},
                                 type=COMMANDS[COMMANDS.index(_command("enter_result"))]))  # fmt: skip
        if data.draw(st.booleans()):
            table.do(_command("confirm_result")(seat=(fields["seat"] + 1) % 4, deal=deal))
        if data.draw(st.booleans()):
            table.do(_command("correct_result")(card_points=[157, 0], sweep=0, **fields))
    assert parse(notate(table.commands)) == table.commands
    assert played(parse(notate(table.log))) == table.log


def _command(tag: str) -> Any:
    return next(command for command in COMMANDS if command.__struct_config__.tag == tag)


def test_rulings_and_their_reasons_stand_in_the_text() -> None:
    table = club_table()
    table.play_out()
    table.do(
        Rule(kind="award_from_trick", deal=1, trick=3, against=ANNA, article="5.2", reason='"So", # é\n')
    )
    table.do(Rule(kind="score_change", deal=1, scores=[10, -20], replaces=1, reason="über"))
    table.do(_command("close")(reason="Feierabend"))
    text = notate(table.log)
    line = 'referee rules award_from_trick "\\"So\\", # é\\n", deal 1, trick 3, against 0, article "5.2"'
    assert any(said.startswith(line) for said in text.splitlines())
    assert 'director closes "Feierabend"' in text
    assert "scores 10:-20" in text
    assert played(parse(text)) == table.log


def test_a_turned_card_taken_later_is_a_decision_of_its_own() -> None:
    table = Table("la-pomme", 2)
    hands = ["C6 D7 D8 D9 D10 DJ DQ DK DA S7 S8 S9", "H6 H7 H8 H9 H10 HJ HQ HK HA S6 S10 SJ"]
    deck = deck_from_hands([cards_of(hand) for hand in hands], 0)
    rest = sorted(set(DECK) - set(deck) - {"C9"}, key=DECK.index)
    table.do(Deal(deck=[*deck, "C9", *rest], dealer=BEAT))
    table.do(_command("keep")(seat=ANNA))
    table.do(_command("exchange")(seat=BEAT, cards=["H6", "H7", "H8"]))
    table.do(_command("take_turned")(seat=ANNA))
    text = notate(table.log)
    assert re.search(r"0 keeps\n1 exchanges H6 H7 H8 .*\n0 takes the turned card +# 0 takes C9 for C6", text)
    assert played(parse(text)) == table.log


def test_the_signed_stoeck_and_melds_stand_beside_the_card() -> None:
    assert write_command(Play(seat=1, card="SK", stoeck=True)) == "1 plays SK, stoeck"
    assert write_command(Play(seat=1, card="SK", stoeck=False)) == "1 plays SK, stoeck no"
    assert write_command(Play(seat=1, card="SK", stoeck=-20)) == "1 plays SK, stoeck -20"
    melds: Any = [["SQ", "SK", "SA"], []]
    assert write_command(Play(seat=1, card=None, melds=melds)) == "1 plays ?, melds SQ SK SA + none"
    assert parse(" 1  plays ? , melds SQ SK SA +none # Wyys") == [Play(seat=1, card=None, melds=melds)]
    assert parse("1 plays S6, stoeck, melds nothing") == [Play(seat=1, card="S6", stoeck=True, melds=[])]


def test_a_deck_that_was_dealt_otherwise_is_written_as_it_lies() -> None:
    table = Table(options={"first_forehand": "drawn"})
    table.deal(SUIT_EACH)
    command = table.commands[-1]
    assert isinstance(command, Deal)
    assert command.deck is not None
    assert format_hands(command.deck, table.log, 4) is not None
    moved = [msgspec.structs.replace(e, cards=list(DECK[:9])) if isinstance(e, HandDealt) else e
             for e in table.log]  # fmt: skip
    more = [*table.log[:-1], msgspec.structs.replace(table.log[-1], size=10)]
    assert format_hands(command.deck, moved, 4) is None
    assert format_hands(command.deck, more, 4) is None
    assert format_hands(command.deck[:30], table.log, 4) is None
    assert format_hands(command.deck, [], 4) is None
    assert write_command(command).startswith("deal, deck S6 S7 S8 H6")


def test_commands_that_lead_nowhere_are_written_without_consequences() -> None:
    commands = [Start(variant="skat", seats=3), Deal(deck=[None] * 36), Bid(seat=0, points=18)]
    assert notate(commands) == "start skat with 3 seats\n\ndeal, deck ?x36\n0 bids 18\n"
    assert notate([]) == ""


def test_a_view_shows_question_marks_for_what_it_hides() -> None:
    log = beginning_of(Game("differenzler", None, 4), 3)
    text = notate(list(redact_events(log, Observer.seat(BEAT))))
    assert "0: D8 D10" not in text
    assert re.search(r"0: \?x9; 1: [DHSC]", text)
    sealed = Table("differenzler", 4, options={"sealed_predictions": True})
    sealed.deal(SUIT_EACH, dealer=DARIO)
    sealed.do(Predict(seat=ANNA, points=41))
    seen = list(redact_events(sealed.log, Observer.seat(CHIARA)))
    assert "0 predicts ?   " in notate(seen)
    assert "0 predicts 41  " in notate(list(redact_events(sealed.log, Observer.seat(ANNA))))
    with pytest.raises(IllegalCommand) as refused:
        played(parse(notate(seen)))
    assert refused.value.code == "deal/wrong_deck"


@every_game
def test_the_text_of_a_view_names_no_card_that_the_view_does_not(game: Game) -> None:
    log = beginning_of(game, 17, 120)
    code = re.compile(r"\b[DHSC](?:10|[6-9JQKA])\b")
    for observer in (Observer.spectator(), Observer.seat(0), Observer.seat(game.seats - 1)):
        for at in [at for at in range(1, len(log)) if starts_command(log, at)][::4]:
            seen = list(redact_events(log[:at], observer))
            known = set(code.findall("".join(encode(event).decode() for event in seen)))
            assert set(code.findall(notate(seen))) <= known


@every_game
def test_no_consequence_is_left_out(game: Game) -> None:
    """Whatever number, yes or no of an event is another, the text is."""
    log = beginning_of(game, 19, 60)
    text = notate(log)
    for at, event in enumerate(log[1:], 1):
        for name, value in msgspec.structs.asdict(event).items():
            if name in ("seq", "size") or type(value) not in (int, bool):
                continue
            other = not value if isinstance(value, bool) else value + 1 if value < 2 else value - 1
            changed = [*log[:at], msgspec.structs.replace(event, **{name: other}), *log[at + 1 :]]
            with suppress(CorruptLog):  # what cannot follow is refused, not passed over
                assert notate(changed) != text, (name, event)


def test_a_verified_text_says_where_it_departs() -> None:
    text = notate(log_of(GAMES[0], 1))
    at, line = next((n, line) for n, line in enumerate(text.splitlines(), 1) if "takes" in line)
    wrong = text.replace(line, re.sub(r"takes \d+", "takes 99", line), 1)
    found = first_difference(wrong)
    assert found is not None
    assert (found[0], found[2]) == (at, line)
    assert "takes 99" in found[1]
    assert first_difference(text + "# more\n") == (len(text.splitlines()) + 1, "# more", "")
    assert first_difference("\n".join(text.splitlines()[:-1])) is not None


def test_an_error_names_line_and_column(subtests: pytest.Subtests) -> None:
    for text, code, line, column in [
        ("0 plays S6\n2 flies", "notation/unknown_decision", 2, 3),
        ("hello", "notation/unknown_decision", 1, 1),
        ("0", "notation/unknown_decision", 1, 2),
        ("0 plays S5", "notation/unexpected", 1, 9),
        ("0 plays", "notation/unexpected", 1, 8),
        ("0 discards six", "notation/unexpected", 1, 12),
        ("0 plays S6 S7", "notation/unexpected", 1, 12),
        ("0 plays S6, loud", "notation/unexpected", 1, 13),
        ("0 plays S6, ", "notation/unexpected", 1, 13),
        ("0 pushes, now", "notation/unexpected", 1, 11),
        ("0 plays S6, stoeck, stoeck", "notation/repeated", 1, 21),
        ("4 plays S6", "notation/bad_value", 1, 1),
        ("0 chooses acorns", "notation/bad_value", 1, 11),
        ("0 bids ?", "notation/not_known", 1, 8),
        ("0 bids many", "notation/unexpected", 1, 8),
        ("0 bids 99999999999999999999", "notation/unexpected", 1, 8),
        ("director closes late", "notation/unexpected", 1, 17),
        ('director closes "late', "notation/unexpected", 1, 17),
        ('director closes "\\ud800"', "notation/unexpected", 1, 17),
        ("start schieber with four seats", "notation/unexpected", 1, 21),
        ("start schieber having 4 seats", "notation/unexpected", 1, 16),
        ("start schieber with 4 seats, options", "notation/unexpected", 1, 37),
        ("start schieber with 4 seats, options deals", "notation/unexpected", 1, 43),
        ("start schieber with 4 seats, options deals=", "notation/unexpected", 1, 44),
        ("start schieber with 4 seats, options a=1 a=2", "notation/repeated", 1, 42),
        ("deal, deck 0 S6", "notation/unexpected", 1, 14),
        ("deal, deck 0: S6; 2: S7", "notation/seats", 1, 11),
        ("deal, deck 0: S6; 0: S7", "notation/repeated", 1, 19),
        ("deal, deck 0: S6; 1: S7 S8", "notation/uneven_hands", 1, 19),
        ("deal, deck 0: S6; the others: S7", "notation/unexpected", 1, 19),
        ("deal, deck ?x40", "notation/too_many_cards", 1, 16),
        ("1 enters deal 3 85", "notation/unexpected", 1, 19),
        ("1 enters deal 3 1:2:3:4:5", "notation/bad_value", 1, 17),
    ]:
        with subtests.test(text=text, code=code, line=line, column=column):
            with pytest.raises(CorruptLog) as refused:
                parse(text)
            error = refused.value
            assert (error.code, error.params["line"], error.params["column"]) == (code, line, column)
            assert error.params["expected"]
            assert "\n" not in str(error)


def test_what_is_no_text_is_refused() -> None:
    for data in (b"\xff\xfe0 pushes", "0 pushes \ud800".encode(errors="surrogatepass")):
        with pytest.raises(CorruptLog, match="notation/not_text"):
            list(read_commands(data))
    assert list(read_commands(b"\xef\xbb\xbf0 pushes\r\n\r\n# end")) == [(1, _command("push")(seat=0))]


LINES = sorted({line for game in GAMES for line in notate(beginning_of(game, 20, 60)).splitlines()})


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    _read_or_refused(text)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_line_with_something_wrong_is_read_or_refused(data: Any) -> None:
    line = data.draw(st.sampled_from(LINES))
    start, end = sorted((data.draw(st.integers(0, len(line))), data.draw(st.integers(0, len(line)))))
    put = data.draw(st.text(alphabet='0123456789 ?x:;|,+-="{}[]#SHCDAKQJ\\untrueabcé', max_size=8))
    _read_or_refused(line[:start] + put + line[end:])


def _read_or_refused(text: str) -> None:
    try:
        commands = parse(text)
    except CorruptLog as error:
        refusal = error
    else:
        assert parse(notate(commands)) == commands
        return
    assert refusal.code.startswith("notation/")
    assert "\n" not in str(refusal)


class Wind(msgspec.Struct):
    strength: int


class Shout(Command, frozen=True, kw_only=True, tag="shout_out"):
    """A command of tomorrow, with fields of kinds that none has today."""

    seat: int
    loud: bool | None = None
    wind: Wind | None = None
    factor: float = 1.0
    pairs: list[list[int | None]] | None = None
    either: int | str = 3
    words: list[str] | None = None
    noted: Annotated[int | None, msgspec.Meta(extra={"of": "tomorrow"})] = None


def test_a_command_of_tomorrow_is_written_without_a_word_here() -> None:
    pairs: list[list[int | None]] = [[0, 1], [2, None]]
    shout = Shout(seat=1, loud=True, wind=Wind(3), factor=0.5, pairs=pairs, either="x", words=["a"], noted=7)
    assert write_command(shout) == (
        '1 shout_out, loud, wind {"strength":3}, factor 0.5, pairs 0:1 + 2:?, either "x", words ["a"], '
        "noted 7"
    )
    assert write_command(Shout(seat=1)) == "1 shout_out"
    shouted = msgspec.inspect.type_info(Shout)
    assert isinstance(shouted, msgspec.inspect.StructType)
    for field in shouted.fields:
        kind = infer_kind(field.type)
        value = getattr(shout, field.encode_name)
        plain = msgspec.to_builtins(value)
        assert kind.read(Scanner(kind.write(value))) == plain


@pytest.mark.parametrize("at", range(0, 60, 7))
def test_events_that_are_no_game_are_refused(at: int) -> None:
    log = log_of(GAMES[0], 1)[:60]
    for wrong in ([*log[:at], *log[at + 1 :]], [*log[:at], log[at], *log[at:]], log[at + 1 :]):
        with suppress(CorruptLog):
            text = notate(wrong)
            assert text == "" or text.startswith("start")


def test_a_log_that_ends_with_half_a_decision_is_refused() -> None:
    table = club_table()
    table.play("S6", melds=[["S6", "S7", "S8"]])
    assert "0 plays S6, melds S6 S7 S8" in notate(table.log)
    with pytest.raises(CorruptLog, match="log/no_cause"):
        notate(table.log[:-1])


def test_options_of_an_older_log_are_written_as_they_are() -> None:
    (start,) = log_of(GAMES[0], 1)[:1]
    text = notate([msgspec.structs.replace(start, options={"deals": 3})])
    assert text.splitlines()[0] == "start schieber with 4 seats, options deals=3"
    assert parse("start schieber with 4 seats, options none") == [Start(variant="schieber", seats=4)]


def test_a_game_of_unknown_rules_is_refused() -> None:
    log = log_of(GAMES[0], 1)[:8]
    for changes in ({"variant": "skat"}, {"options": {"trumps": 5}}):
        with pytest.raises(CorruptLog, match="log/unknown_rules"):
            notate([msgspec.structs.replace(log[0], **changes), *log[1:]])


def test_the_shortest_start_is_written() -> None:
    for options, wanted in (
        ({}, "start schieber with 4 seats"),
        ({"deals": 3}, "start schieber with 4 seats, options deals=3"),
    ):
        table = Table(options=options)
        assert notate(table.log).splitlines()[0] == wanted
    table = Table(preset="championship", options={"first_forehand": "D7"}, won_before=1)
    assert notate(table.log).splitlines()[0] == (
        "start schieber with 4 seats, options first_forehand=D7, preset championship, won_before 1"
    )
    assert replay(played(parse(notate(table.log)))) == table.state


def test_choices_stand_as_words() -> None:
    assert write_command(Choose(seat=2, contract="slalom-obenabe", slot="joker7")) == (
        "2 chooses slalom-obenabe, slot joker7"
    )
    assert parse('2 chooses slalom-obenabe, slot "joker7"') == parse("2 chooses slalom-obenabe, slot joker7")
