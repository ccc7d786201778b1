"""The rules of every game, in each language: complete, and consistent with the engine's figures and rules."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from deploy.environment import BASE_DIR
from engine import VARIANTS
from engine.card_points import VALUES
from engine.tricks.following import FOLLOWING
from engine.variants import coiffeur, plus_minus
from frontend.presenters.regulations import rules
from frontend.presenters.regulations.options import describe_options
from frontend.presenters.regulations.rules import (
    LANGUAGES,
    SECTIONS,
    find_listed_game,
    list_card_orders,
    list_playable_cards,
)
from frontend.rules.game_names import SUMMARIES, game_name, preset_name
from tests.frontend.evening import client, html, opened, table
from tests.games.eighth_games import LOW
from tests.reference.common import UNDERTRUMP, legal_cards, trump_of
from tests.reference.lake_constance import lake_legal_cards
from tests.tournaments.table_play import game_of

TEXTS = BASE_DIR / "frontend" / "rules" / "texts"
EVERY_TEXT = [
    (key, language)
    for key in VARIANTS
    for language in LANGUAGES
    if (TEXTS / language / f"{key}.html").exists()
]
"""Every existing text; tests/architecture/test_game_parts.py reports missing ones."""
WRITTEN = [key for key, language in EVERY_TEXT if language == "en"]
EXAMPLE = re.compile(r'{% may_play "([\w-]*)" "([\w ]*)" "([\w ]+)"([^%]*)%}')
INCLUDE = re.compile(r'{% include "([^"]+)" %}')


def page(key: str, language: str, deck: str = "ch") -> str:
    browser = Client(headers={"accept-language": language})
    browser.cookies["puur_deck"] = deck
    answer = browser.get(f"/rules/{key}/")
    assert answer.status_code == 200
    return html(answer)


def source(key: str, language: str) -> str:
    """The text as it is written, with what it includes."""
    text = (TEXTS / language / f"{key}.html").read_text()
    return INCLUDE.sub(lambda found: (TEXTS.parent / found[1]).read_text(), text)


def section(shown: str, anchor: str) -> str:
    found = re.search(rf'<section id="{anchor}"><h2>[^<]+</h2>(.*?)</section>', shown, re.DOTALL)
    assert found is not None, f"there is no part {anchor}"
    return re.sub(r"<[^>]+>", " ", found[1]).strip()


def test_only_games_of_the_registry_have_a_text() -> None:
    for language in LANGUAGES:
        assert {path.stem for path in (TEXTS / language).glob("*.html")} <= set(VARIANTS)
    assert set(SUMMARIES) <= set(VARIANTS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_without_texts_has_a_page_with_its_options(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(VARIANTS, LOW.key, LOW)
    shown = page(LOW.key, language)
    assert LOW.label in shown
    assert all(f'id="{anchor}"' in shown for anchor in SECTIONS)


def test_a_text_that_is_not_translated_is_shown_in_english(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    english = tmp_path / "en" / f"{WRITTEN[0]}.html"
    english.parent.mkdir()
    english.touch()
    monkeypatch.setattr(rules, "TEXTS", tmp_path)
    with override("de"):
        assert rules.load_rules_text(WRITTEN[0]) == f"texts/en/{WRITTEN[0]}.html"
        assert rules.load_rules_text(WRITTEN[1]) == "parts/rules_sections.html"


@pytest.mark.long(7)
@pytest.mark.parametrize(("key", "language"), EVERY_TEXT)
def test_a_page_of_rules_has_every_part_and_an_anchor_for_it(key: str, language: str) -> None:
    shown = page(key, language)
    for anchor in SECTIONS:
        assert f'href="#{anchor}"' in shown
        assert len(section(shown, anchor)) > 25, anchor
    assert f'<html lang="{language}"' in shown
    assert not re.search(r"{[{%]|[}%]}|>None<", shown)
    assert find_listed_game(key).summary
    assert "<cite>" in shown, "a text names its source, in <cite>"


@pytest.mark.long(7)
@pytest.mark.parametrize(("key", "language"), [one for one in EVERY_TEXT if one[1] != "en"])
def test_each_language_says_the_same_in_its_own_words(key: str, language: str) -> None:
    english, other = source(key, "en"), source(key, language)
    assert EXAMPLE.findall(english) == EXAMPLE.findall(other)
    figures = re.compile(r"{% (?:card_orders|option) .*?%}")
    assert figures.findall(english) == figures.findall(other)
    for tag in ("<li>", "<p>", "<h3>", "<tr>"):
        assert abs(english.count(tag) - other.count(tag)) <= 1, tag
    assert "ß" not in other
    shown, translated = page(key, "en"), page(key, language)
    assert not {section(shown, a) for a in SECTIONS} & {section(translated, a) for a in SECTIONS}


@pytest.mark.long(7)
@pytest.mark.parametrize(("key", "language"), EVERY_TEXT)
def test_all_options_of_the_registry_stand_in_the_table(key: str, language: str) -> None:
    shown = page(key, language, "fr")
    for option in describe_options(key):
        assert f'id="option-{option.name}"' in shown
    if language == "en":
        for option in describe_options(key, "fr"):
            assert option.label in shown
            for preset, value in option.presets:
                assert f"{preset}: {value}" in shown


@pytest.mark.parametrize("key", WRITTEN)
def test_card_values_on_the_page_are_those_of_the_engine(key: str) -> None:
    kinds = re.findall(r'{% card_orders "([^"]+)" %}', source(key, "en"))
    named = " ".join(kinds).split()
    for order in list_card_orders(key, named, "fr"):
        assert len(order.ranks) == 9
        assert order.total in (30, 38, 62, 63)
    if "trump" not in named:
        return
    shown = section(page(key, "en", "fr"), "cards")
    [trump, *_rest] = list_card_orders(key, ["trump"], "fr")
    assert [rank.name for rank in trump.ranks[:3]] == ["Puur (Jack)", "Nell (9)", "Ace"]
    assert re.search(rf"Puur \(Jack\)\s+{trump.ranks[0].points}\b", shown)


def test_a_suit_without_trumps_begins_with_its_ace_or_with_its_six() -> None:
    key = next(iter(VARIANTS))
    down, up = list_card_orders(key, ["obenabe", "undenufe"], "ch")
    assert [(rank.name, rank.points) for rank in down.ranks[:2]] == [("Ace", 11), ("King", 4)]
    assert [(rank.name, rank.points) for rank in up.ranks[:3]] == [("6", 11), ("7", 0), ("8", 8)]
    assert up.ranks[-1].points == VALUES["undenufe"][8] == 0


PUUR = ("spades", ("S9",))
TRUMPED = ("hearts", ("C10", "H8"))
WORKED = [
    # following, contract, cards lying, hand, may be played
    ("only-trumps", *PUUR, "SJ H9", "SJ H9"),
    ("only-trumps", *PUUR, "SJ S6 H9", "SJ S6"),
    ("only-trumps", *TRUMPED, "C7 H7 HA D6", "C7 HA"),
    ("only-trumps", *TRUMPED, "H7 HA D6", "HA D6"),
    ("only-trumps", *TRUMPED, "H7 H6", "H7 H6"),
    ("only-trumps", *TRUMPED, "H7 D6", "D6"),
    ("only-trumps", "hearts", ("C10", "H7", "HK"), "HQ D6", "D6"),
    ("only-trumps", "obenabe", ("CK",), "C7 SA D6", "C7"),
    ("only-trumps", "clubs", ("SJ",), "S7 C9 DA", "S7 C9"),
    ("only-trumps", "clubs", ("DQ",), "S7 C9 HA", "S7 C9 HA"),
    ("only-trumps", "clubs", ("CA",), "CJ S7", "CJ S7"),
    ("only-trumps", "clubs", ("CA",), "CJ C6 S7", "CJ C6"),
    ("void", *PUUR, "SJ H9", "SJ H9"),
    ("void", *TRUMPED, "C7 H7 HA D6", "C7 HA"),
    ("void", *TRUMPED, "H7 HA D6", "H7 HA D6"),
    ("void", *TRUMPED, "H7 D6", "H7 D6"),
    ("forced", "", ("CK",), "C7 SA D6", "C7"),
    ("forced", "hearts", ("C10",), "H7 HA D6", "H7 HA D6"),
    ("forced", *TRUMPED, "C7 H7 HA D6", "C7 HA"),
    ("forced", *TRUMPED, "H7 HA D6", "HA"),
    ("forced", *TRUMPED, "H7 D6", "H7"),
    ("forced", "hearts", ("C10", "H9"), "HJ H7 D6", "HJ H7"),
    ("strict", "hearts", ("C10",), "C7 H7 D6", "C7 H7"),
    ("strict", "hearts", ("C10",), "H7 HA D6", "H7 HA"),
    ("strict", "hearts", ("C10",), "HJ D6", "HJ D6"),
    ("strict", "hearts", ("HA",), "HJ D6", "HJ D6"),
]


def following_of(key: str) -> str:
    """The way of following that this game has by default."""
    game = VARIANTS[key]
    defaults: Any = game.options()
    following = game.play(defaults).following
    return next(name for name, way in FOLLOWING.items() if way is following)


def by_reference(way: str, contract: str, lying: list[str], hand: list[str]) -> set[str]:
    """What may be played, by the rules as the reference has them."""
    trump = trump_of(contract)
    if way in UNDERTRUMP:
        return set(legal_cards(hand, lying, trump, way))
    assert way == "strict", f"the reference follows in no way called {way}"
    return set(lake_legal_cards(hand, lying, trump))


def test_the_reference_follows_as_the_worked_examples_do(subtests: pytest.Subtests) -> None:
    for way, contract, lying, hand, legal in WORKED:
        with subtests.test(way=way, contract=contract, lying=lying, hand=hand, legal=legal):
            assert by_reference(way, contract, list(lying), hand.split()) == set(legal.split())


@pytest.mark.long(7)
@pytest.mark.parametrize(("key", "language"), EVERY_TEXT)
def test_each_example_on_the_page_is_what_the_rules_and_the_engine_say(key: str, language: str) -> None:
    examples = EXAMPLE.findall(source(key, language))
    assert len(examples) >= 4, "a text shows at least four times what may be played"
    shown = page(key, language)
    assert shown.count('class="may-play"') == len(examples)
    for contract, lying, hand, options in examples:
        assert options.strip() == ""
        told = by_reference(following_of(key), contract, lying.split(), hand.split())
        assert list_playable_cards(key, contract or None, lying.split(), hand.split(), {}) == told


def test_an_example_shows_which_cards_of_the_hand_may_be_played() -> None:
    shown = page(next(iter(VARIANTS)), "en", "fr")
    example = shown[
        shown.index("seven of clubs, ace of hearts") - 4000 : shown.index("seven of clubs, ace of hearts")
    ]
    assert "Trumps: Hearts. May be played:" in shown
    assert example.rindex('class="playable"') > 0
    assert example.rindex('class="barred"') > 0


def test_a_preset_is_called_like_its_game_by_a_name_of_its_own_or_by_its_key() -> None:
    with override("de"):
        for key in VARIANTS:
            assert preset_name(key.replace("-", "_")) == game_name(key)
        assert preset_name("klubabend") == "Vereinsjass"
        assert preset_name("four_corners") == "Four corners"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_of_the_ten_ways_multiplies_as_the_engine_does(language: str) -> None:
    rows = re.findall(r'<tr><th scope="row">.*?</th><td class="num">(\d+)</td>', source("coiffeur", language))
    assert [int(factor) for factor in rows] == list(coiffeur.FACTORS.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sticks_on_the_page_are_those_of_the_engine(language: str) -> None:
    rows = re.findall(r"<tr><td>([\d, ]+)</td><td>([\d, ]+)</td></tr>", source("plus-minus", language))
    assert len(rows) == 4
    for points, told in rows:
        taken, score = ([int(n) for n in text.split(", ")] for text in (points, told))
        assert sum(taken) == 157
        assert plus_minus.sticks(taken)[0] == score


def test_the_list_of_rules_names_every_game(django_assert_num_queries: Any, db: None) -> None:
    with django_assert_num_queries(0):
        shown = html(client().get("/rules/"))
    for key in VARIANTS:
        assert f'href="/rules/{key}/"' in shown
        assert find_listed_game(key).name in shown


def test_a_page_of_rules_asks_the_database_nothing(django_assert_num_queries: Any, db: None) -> None:
    with django_assert_num_queries(0):
        client().get(f"/rules/{next(iter(VARIANTS))}/")


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["poker", "en", "shared"])
def test_there_are_no_rules_of_games_that_are_not_here(key: str) -> None:
    assert client().get(f"/rules/{key}/").status_code == 404


@pytest.mark.django_db
def test_the_rules_are_found_from_home_from_a_championship_and_from_its_tables() -> None:
    round_ = opened("sheet")
    key = game_of(table(round_, 1)).variant
    address = f'href="/rules/{key}/"'
    assert 'href="/rules/"' in html(client().get("/"))
    assert address in html(client().get("/c/herbstcup/regulations/"))
    assert address in html(client().get(f"/g/{table(round_, 1).game_id}/"))
