"""In an open heat a round is a session: no page, print or refusal calls it a round."""

import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from django.http import HttpResponse
from django.utils import translation

from engine import Refused
from frontend.presenters.words.refusals import refusal_sentence
from frontend.prints.documents import DOCUMENTS
from frontend.prints.occasion import Occasion
from frontend.prints.rules_blocks import rules_in_blocks
from tests.frontend.evening import client, html, person
from tests.frontend.pages import addresses, parts_of
from tests.frontend.test_queue_page import come, heat, seat, session
from tests.frontend.visible import visible
from tournaments import regulations
from tournaments.models import Championship
from tournaments.presets import PRESETS
from tournaments.prizes import Prize, PrizePlan
from tournaments.services import broadcast_delay, prize_giving
from tournaments.services.championships import archiving, championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import merging, seat_codes
from tournaments.services.open_heat import starts
from tournaments.services.referee import disputes
from tournaments.services.rounds import fewer_rounds, rounds

pytestmark = pytest.mark.django_db

ROUNDS = {"de": re.compile(r"\bPassen?\b"), "en": re.compile(r"\brounds?\b", re.IGNORECASE)}
PASS = "Passen"
"""The German button of a player who passes."""
PLAN = PrizePlan(prizes=(Prize(kind="place", amount=2000), Prize(kind="best_round", thing="Schinken")))


def find_rounds(language: str, texts: Iterable[str]) -> list[str]:
    """Return the texts that speak of rounds, without those of the rules of the game."""
    with translation.override(language):
        rules = re.sub(r"\s+", "", "".join(words_in(rules_in_blocks("schieber"))))
    return [
        text
        for text in texts
        if ROUNDS[language].search(text) and text != PASS and re.sub(r"\s+", "", text) not in rules
    ]


def words_in(value: object) -> Iterator[str]:
    """Return all texts in the contents of a print."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from words_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from words_in(each)


def pages_that_say_round(made: Championship, language: str, name: str | None) -> tuple[int, list[str]]:
    """Return how many pages of the heat were loaded, and texts of them that speak of rounds."""
    browser, loaded, wrong = client(name), 0, []
    browser.cookies["django_language"] = language
    one = made.rounds.get(number=1).tables.order_by("number").first()
    assert one is not None
    for address in addresses(parts_of(one)).values():
        if made.slug not in address and str(one.game_id) not in address and "/disputes/" not in address:
            continue
        answer = browser.get(address)
        if answer.status_code != 200 or not isinstance(answer, HttpResponse):
            continue
        if "text/html" not in answer.headers["Content-Type"]:
            continue
        loaded += 1
        wrong += [f"{address}: {text}" for text in find_rounds(language, visible(html(answer)))]
    return loaded, sorted(set(wrong))


def play_a_session(mode: str = "sheet") -> Championship:
    """Hold the first session of two, with a prize plan, and open the second."""
    made = heat(play={**regulations.encode(PRESETS["klubabend"])["play"], "mode": mode})
    prize_giving.set_plan(made, PLAN, actor=person("fredi"))
    opened = session(made)
    people = come(opened, 9)
    seat(opened, 100 if mode == "sheet" else None)
    rounds.close_round(opened, actor=person("fredi"), force=True, reason="late")
    second = session(made, 2)
    for one in people[:5]:
        starts.add_start(second, one, actor=person("fredi"))
    seat(second)
    return made


@pytest.mark.parametrize(
    ("mode", "language", "name"),
    [
        ("sheet", "de", "fredi"),
        ("transcribed", "de", "fredi"),
        ("dealt", "de", "fredi"),
        ("sheet", "en", "fredi"),
        ("dealt", "de", None),
    ],
)
def test_no_page_of_an_open_heat_speaks_of_rounds(mode: str, language: str, name: str | None) -> None:
    made = play_a_session(mode)
    loaded, wrong = pages_that_say_round(made, language, name)
    assert loaded > (30 if name else 15)
    assert not wrong, "\n".join(sorted(set(wrong)))


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_page_of_a_heat_before_its_first_session_speaks_of_rounds(language: str) -> None:
    heat()
    browser, loaded, wrong = client("fredi"), 0, []
    browser.cookies["django_language"] = language
    pages = ("", "regulations/document/", "rounds/", "rounds/1/", "where/", "board/", "end/", "standings/")
    for page in (
        *pages,
        "tables/",
        "codes/",
        "entries/",
        "rounds/1/codes/",
        "where/projector/",
        "officials/",
    ):
        answer = browser.get(f"/c/herbstcup/{page}", follow=True)
        if answer.status_code == 200:
            loaded += 1
            wrong += [f"{page}: {text}" for text in find_rounds(language, visible(html(answer)))]
    assert loaded > 10
    assert not wrong, "\n".join(sorted(set(wrong)))


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_print_of_an_open_heat_speaks_of_rounds(language: str) -> None:
    made = play_a_session()
    occasion = Occasion(made, load_regulations(made), made.rounds.get(number=2), language, "a4", "")
    printed, wrong = 0, []
    with translation.override(language):
        for key, document in DOCUMENTS.items():
            if document.needs in ("rounds", "teams"):
                continue
            for part in document.parts:
                told = {name: value for name, value in part(occasion).items() if name != "kind"}
                printed += 1
                wrong += [f"{key}: {text}" for text in find_rounds(language, words_in(told))]
    assert printed > 12
    assert not wrong, "\n".join(sorted(set(wrong)))


def refused_acts(made: Championship) -> dict[str, Callable[[], object]]:
    """Return acts that a heat refuses while its second session is open."""
    fredi = person("fredi")
    first, second = made.rounds.get(number=1), made.rounds.get(number=2)
    one, other = made.entries.order_by("number")[:2]
    return {
        "rounds/already_closed": lambda: rounds.close_round(first, actor=fredi),
        "rounds/not_closed": lambda: rounds.reopen_round(second, actor=fredi, reason="x"),
        "rounds/tables_playing": lambda: rounds.close_round(second, actor=fredi),
        "championship/round_on": lambda: archiving.require_no_round_on(made),
        "delays/round_closed": lambda: broadcast_delay.set_delay(first, 5, actor=fredi),
        "regulations/frozen": lambda: regulations_change.change_regulations(
            made, load_regulations(made), actor=fredi
        ),
        "merge/played_together": lambda: merging.merge_entries(one, other, actor=fredi),
        "championship/rounds_bounds": lambda: fewer_rounds.set_round_count(made, 999, actor=fredi),
        "codes/round_not_open": lambda: seat_codes.issue_codes(first, actor=fredi),
    }


def test_no_refusal_of_an_open_heat_speaks_of_rounds() -> None:
    made = play_a_session()
    wrong = {}
    for code, act in refused_acts(made).items():
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == code
        for language in ("de", "en"):
            with translation.override(language):
                if said := find_rounds(language, [refusal_sentence(refused.value)]):
                    wrong[code, language] = said
    assert wrong == {}


def test_an_ended_heat_refuses_disputes_without_rounds() -> None:
    made = play_a_session()
    fredi = person("fredi")
    rounds.close_round(made.rounds.get(number=2), actor=fredi, force=True, reason="late")
    made.refresh_from_db()
    championships.finish(made, actor=fredi)
    table = made.rounds.get(number=1).tables.select_related("round__championship").first()
    assert table is not None
    with pytest.raises(Refused) as refused:
        disputes.raise_dispute(table, actor=person("gabi"), text="Farbe nicht angegeben")
    assert refused.value.code == "disputes/closed"
    with translation.override("de"):
        assert find_rounds("de", [refusal_sentence(refused.value)]) == []
