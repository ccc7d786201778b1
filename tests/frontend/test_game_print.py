"""Prints of every game, as visible to their reader, and as text files."""

import html
import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from engine import Observer, cards, redact_events
from engine import events as ev
from engine.cards import Card
from engine.commands import (
    Choose,
    ConfirmResult,
    CorrectResult,
    Deal,
    EnterResult,
    Play,
    Predict,
    Rule,
    Start,
)
from engine.notation import parse
from engine.variants import ALL
from frontend.presenters.tables.commentary import EventNarrator, join_points
from frontend.presenters.tables.game_page import build_game_page
from games import game_state
from games.models import Game
from games.play import submit
from tests.engine.random_games import GAMES, log_of
from tests.engine.random_games import Game as Way
from tests.engine.tables import SUIT_EACH, Table, club_table
from tests.games.cast import PLAYERS, person, play, seated, table

NAMES = ["Anna", "Beat", "Chiara", "Dario"]
every_way = pytest.mark.parametrize("way", GAMES, ids=str)


def printed(game: Game, who: str | None = None, deck: str = "fr", language: str = "en") -> str:
    client = Client(headers={"accept-language": language})
    client.cookies["puur_deck"] = deck
    if who is not None:
        client.force_login(person(who))
    answer = client.get(reverse("game_print", args=[game.pk]))
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "private, no-store"
    return answer.content.decode()


def notation_of(game: Game, who: str | None = None) -> str:
    client = Client()
    if who is not None:
        client.force_login(person(who))
    answer = client.get(reverse("game_notation", args=[game.pk]))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert f'filename="{game.pk}.txt"' in answer["Content-Disposition"]
    return answer.content.decode()


@pytest.mark.long(15)
@every_way
@pytest.mark.parametrize("deck", ["ch", "fr"])
def test_every_card_bid_and_point_of_a_game_is_on_its_page(way: Way, deck: str) -> None:
    log = log_of(way, 31)
    names = NAMES[: way.seats]
    page = build_game_page(log, names, deck)
    played = [event for event in log if isinstance(event, ev.CardPlayed)]
    shown = [cell.card for deal in page.deals for row in deal.rows for cell in row.cells if cell]
    assert sorted(map(str, shown)) == sorted(str(event.card) for event in played)
    bids = [event for event in log if isinstance(event, ev.BidMade | ev.PredictionMade | ev.BidPassed)]
    told = [text for deal in page.deals for text in deal.said]
    assert len(told) >= len(bids)
    assert all(str(event.points) in " ".join(told) for event in bids if not isinstance(event, ev.BidPassed))
    scored = [event for event in log if isinstance(event, ev.DealScored)]
    assert [line.points for line in page.lines] == [tuple(event.scores) for event in scored]
    assert page.totals == tuple(scored[-1].totals)
    assert len(page.deals[0].hands) == way.seats
    assert page.after


@every_way
def test_everything_that_happens_is_a_sentence_without_gaps(way: Way) -> None:
    log = log_of(way, 32)
    sides = ["A", "B", "C", "D"]
    silent = {ev.HandDealt, ev.HandTakenUp, ev.ExtraDealt, ev.TableDealt, ev.TalonDealt, ev.DiscardsCounted}
    for observer in (Observer.referee(), Observer.spectator(), Observer.seat(0)):
        for event in redact_events(log, observer):
            text = EventNarrator(NAMES, sides, "ch").sentence(event)
            assert text or type(event) in silent
            assert not re.search(r"[{}]|None", text)


def test_rulings_infractions_and_the_end_are_told() -> None:
    game = club_table()
    game.play_out()
    game.do(
        Rule(kind="award_from_trick", deal=1, trick=3, against=0, article="5.2", reason="Farbe verleugnet")
    )
    game.do(Rule(kind="warning", reason="Bock gesagt"))
    page = build_game_page(game.log, NAMES, "fr")
    (told,) = page.deals[0].rulings
    assert "Farbe verleugnet" in told
    assert "Article 5.2." in told
    assert page.deals[0].counts
    assert page.deals[0].counts != page.deals[0].scores
    assert page.lines[0].points == tuple(int(p) for p in page.deals[0].counts.split(" : "))
    assert any("Bock gesagt" in text for text in page.after)
    game.rule("annul_deal", deal=1)
    page = build_game_page(game.log, NAMES, "fr")
    assert page.deals[0].annulled
    assert page.lines[0].annulled


def test_an_illegal_card_of_a_transcript_is_marked_where_it_lies() -> None:
    game = Table("schieber", 4, mode="transcribed", options={"first_forehand": "drawn"})
    game.do(Deal(dealer=3))
    game.do(Choose(seat=0, contract="obenabe"))
    played: list[tuple[int, Card | None]] = [
        (0, "S6"),
        (1, "H6"),
        (2, "S7"),
        (3, None),
        (2, "S8"),
        (3, None),
        (0, None),
        (1, "S9"),
    ]
    for seat, card in played:
        game.do(Play(seat=seat, card=card))
    page = build_game_page(game.log, NAMES, "fr")
    cells = [cell for cell in page.deals[0].rows[0].cells if cell]
    assert [cell.wrong for cell in cells] == [False, True, False, False]
    assert cells[3].card is None
    (note,) = page.deals[0].notes
    assert (note.mark, cells[1].mark) == (1, 1)
    assert "Beat revoked in trick 1" in note.text


def test_a_sheet_prints_what_was_written_last_and_how_it_came_about() -> None:
    game = Table("schieber", 4, mode="sheet", preset="championship")
    game.do(EnterResult(seat=0, deal=1, card_points=[100, 57], contract="hearts"))
    game.do(ConfirmResult(seat=1, deal=1))
    game.do(CorrectResult(seat=0, deal=1, card_points=[90, 67]))
    page = build_game_page(game.log, NAMES, "fr")
    assert page.written
    assert [(line.points, line.confirmed) for line in page.lines] == [((90, 67), False)]
    assert len(page.entries) == 3
    game.do(ConfirmResult(seat=1, deal=1))
    assert build_game_page(game.log, NAMES, "fr").lines[0].confirmed


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (ev.OutClaimed(seq=1, seat=0, right=True), "Anna claims to be out, and is right."),
        (ev.OutClaimed(seq=1, seat=1, right=False), "Beat claims to be out, and is wrong."),
        (ev.PredictionMade(seq=1, seat=2, points=None, sealed=True), "Chiara has made a hidden prediction."),
        (ev.PredictionsRevealed(seq=1, points=[1, 2, 3, 4]), "Anna 1, Beat 2, Chiara 3, Dario 4"),
        (ev.ContractSet(seq=1, contract="hearts"), "The contract is Hearts."),
        (ev.ContractSet(seq=1, contract="hearts", seat=0, slot="joker7"), "Anna plays Joker with Hearts."),
        (ev.ContractSet(seq=1, contract="hearts", seat=0, slot="hearts"), "Anna names Hearts."),
        (ev.TalonDealt(seq=1, open=["S6"], size=1, closed=["H6"]), "Face down: six of hearts."),
        (ev.TalonDealt(seq=1, open=[], size=1, closed=None), ""),
        (ev.TrickTaken(seq=1, seat=3, points=None), "Dario takes the trick."),
        (ev.TrickTaken(seq=1, seat=None, points=None), "nobody takes the trick."),
        (ev.DiscardsCounted(seq=1, seat=0, points=None), ""),
        (ev.GameClosed(seq=1, reason="Feierabend"), "Feierabend"),
    ],
)
def test_what_is_rare_is_told_too(event: ev.Event, told: str) -> None:
    text = EventNarrator(NAMES, ["Anna + Chiara", "Beat + Dario"], "fr").sentence(event)
    assert told in text
    assert bool(told) == bool(text)


def test_an_entry_that_was_taken_back_is_told_once() -> None:
    teller = EventNarrator(NAMES, ["Anna + Chiara", "Beat + Dario"], "fr")
    assert teller.sentence(ev.TakenBack(seq=4, to=1)) == "The last entry is undone."


def test_what_is_lost_has_a_minus_sign() -> None:
    assert join_points([-1, None, 12]) == "−1 : – : 12"


@pytest.mark.parametrize(("winners", "told"), [([0], "Winner: Anna."), ([0, 2], "Winners: Anna, Chiara.")])
def test_of_one_who_won_alone_it_is_said_in_the_singular(winners: list[int], told: str) -> None:
    over = ev.GameEnded(seq=9, winners=winners, totals=[1, 2, 3, 4])
    assert told in EventNarrator(NAMES, NAMES, "fr").sentence(over)
    assert "Winners: Anna & Chiara." in EventNarrator(NAMES, ["Anna & Chiara", "B"], "fr").sentence(
        ev.GameEnded(seq=9, winners=[0], totals=[2, 1])
    )


def test_whoever_told_what_a_card_made_trumps_has_not_named_it() -> None:
    game = Table("differenzler", 4, mode="transcribed", options={"trump": "cut"})
    game.do(Deal(dealer=3))
    game.do(Choose(seat=1, contract="hearts"))
    (deal,) = build_game_page(game.log, NAMES, "fr").deals
    assert (deal.contract, deal.by) == ("Hearts", "")

    (told,) = [event for event in game.log if isinstance(event, ev.ContractSet)]
    assert EventNarrator(NAMES, NAMES, "fr", by_card=True).sentence(told) == "The contract is Hearts."


def test_payments_are_told_at_the_end() -> None:
    game = Table("differenzler", 4, options={"stake": 10, "deals": 4})
    while not game.state.over:
        if not game.state.dealing:
            game.do(Deal(deck=list(cards.DECK), dealer=3 if game.state.dealer is None else None))
        else:
            for seat in (0, 1, 2, 3):
                game.do(Predict(seat=game.turn, points=10 * seat))
            game.play_out()
    (end,) = build_game_page(game.log, NAMES, "fr").after
    assert re.search(r"pays \d+|receives \d+|pays nothing", end)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_running_game_shows_no_hand_on_paper_to_anybody() -> None:
    game = play(table(deals=2), 6)
    seated(game)
    person("gabi", game, "referee", opened_deal=1)
    hands = [card for hand in game_state.load_snapshot(game.id).state.hands for card in cards.codes(hand)]
    for who in (None, "anna", "gabi"):
        text = html.unescape(printed(game, who))
        for code in hands:
            assert f"{_name(code)}<" not in text, (who, code)
    assert all(code in notation_of(game, "gabi") for code in hands)
    own = cards.codes(game_state.load_snapshot(game.id).state.hands[0])
    assert all(code in notation_of(game, "anna") for code in own)
    others = [code for code in hands if code not in own]
    assert not any(re.search(rf"\b{code}\b", notation_of(game, "anna")) for code in others)
    assert not any(re.search(rf"\b{code}\b", notation_of(game)) for code in hands)


def _name(code: str) -> str:
    suits = {"D": "Diamonds", "H": "Hearts", "S": "Spades", "C": "Clubs"}
    ranks = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}
    return f"{suits[code[0]]} {ranks.get(code[1:], code[1:])}"


@pytest.mark.django_db
def test_a_finished_game_is_on_paper_with_what_was_played() -> None:
    game = play(table(deals=1))
    text = printed(game)
    assert text.count("<use href=") >= 36
    assert "#fr-pip-" in text
    assert "Deal 1" in text
    assert parse(notation_of(game, None).split("\n", 1)[0])[0] == Start(
        variant="schieber", seats=4, options={"deals": 1}, preset="championship"
    )
    german = printed(game, deck="ch", language="de-CH")
    assert "#ch-pip-" in german
    assert "Spiel 1" in german


@pytest.mark.django_db
def test_the_notation_of_a_hand_has_a_public_length_and_is_read_as_what_it_says() -> None:
    game = table()
    seated(game)
    play(game, 6)
    for name in ("anna", "beat"):
        text = notation_of(game, name)
        assert len(text) % 512 == 1, "a step and the end of the line"
        assert parse(text) == parse(text.rstrip() + "\n")


@pytest.mark.django_db
def test_a_page_without_a_deal_says_so() -> None:
    game = table(mode="sheet")
    assert "Nothing has been dealt yet" in printed(game)


@pytest.mark.django_db
def test_a_written_game_is_open_to_its_scorer() -> None:
    game = table(mode="transcribed", options={"deals": 1})
    person("eva", game, "scorer")
    submit.submit(game.id, Deal(dealer=3), actor=PLAYERS[0], command_id="d", expected_seq=0)
    submit.submit(game.id, Choose(seat=0, contract="hearts"), actor=PLAYERS[0], command_id="c")
    submit.submit(game.id, Play(seat=0, card="S6"), actor=PLAYERS[0], command_id="p")
    text = printed(game, "eva")
    assert "six of spades" in text
    assert text.count("9 × ?") == 3
    assert text.count("8 × ?") == 1


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["game_print", "game_notation"])
def test_a_private_game_is_printed_for_nobody_else(name: str) -> None:
    game = table(visibility="private")
    assert Client().get(reverse(name, args=[game.pk])).status_code == 404
    assert Client().get(reverse(name, args=["0" * 32])).status_code == 404
    assert Client().post(reverse(name, args=[game.pk])).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["game_print", "game_notation"])
def test_paper_asks_the_database_little(name: str, django_assert_max_num_queries: Any) -> None:
    few, many = play(table(deals=1)), play(table(deals=3))
    for game in (few, many):
        with django_assert_max_num_queries(9):
            Client().get(reverse(name, args=[game.pk]))


@pytest.mark.django_db
def test_the_replay_leads_to_the_paper() -> None:
    game = table()
    address = reverse("game_print", args=[game.pk])
    assert address in Client().get(reverse("replay", args=[game.pk])).content.decode()
    text = printed(game)
    for name in ("game_notation", "api_game_log", "replay"):
        assert reverse(name, args=[game.pk]) in text


def test_a_card_that_nobody_saw_is_an_unknown_card_in_its_trick() -> None:
    game = Table("schieber", 4, mode="transcribed", options={"first_forehand": "drawn"})
    game.do(Deal(dealer=3))
    game.do(Choose(seat=0, contract="obenabe"))
    game.do(Play(seat=0, card=None))
    (row,) = build_game_page(game.log, NAMES, "fr").deals[0].rows
    assert [cell and (cell.card, cell.led) for cell in row.cells] == [(None, True), None, None, None]
    assert "an unknown card" in render_to_string("pages/game_print.html", paper(game.log))


def paper(log: Any) -> dict[str, Any]:
    """What the template needs, without a request."""
    return {"page": build_game_page(log, NAMES, "fr"), "game": Game(pk="0" * 32), "table_label": "Table 1"}


def test_sides_have_names_before_it_is_known_who_plays_with_whom() -> None:
    log = log_of(next(way for way in GAMES if way.variant == "bieter"), 34)
    before = build_game_page(log[:5], NAMES[:3], "fr")
    assert before.who == ("Anna", "Beat", "Chiara")
    assert before.sides == ("Declarer", "Opponents")
    assert len(build_game_page(log, NAMES[:3], "fr").who) == 2


@every_way
def test_so_far_is_told_of_both_sides_or_of_who_took_the_trick(way: Way) -> None:
    page = build_game_page(log_of(way, 35), NAMES[: way.seats], "fr")
    row = page.deals[0].rows[-1] if page.deals[0].rows else page.deals[1].rows[-1]
    assert (" : " in row.so_far) == (not page.alone)
    assert page.alone == (len(page.sides) > 2)


def test_each_game_is_called_by_its_label() -> None:
    for variant in ALL:
        way = next(way for way in GAMES if way.variant == variant.key)
        log = log_of(way, 33)[:1]
        assert build_game_page(log, NAMES[: way.seats], "fr").title == variant.label


def test_hands_that_nobody_saw_are_known_by_what_was_played() -> None:
    game = club_table(hands=SUIT_EACH)
    game.play_out()
    seen = list(redact_events(game.log, Observer.spectator()))
    parts = build_game_page(seen, NAMES, "fr").deals[0].hands[0].parts
    assert [part.cards for part in parts] == [SUIT_EACH[0].split()]
