"""A club's whole evening, read in German at every step: totals, corrections, prizes, money, pairs, uneven
fields, and errors.
"""

import json
import re
import secrets
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from django.views.defaults import server_error

from deploy.limits import overload_responses
from frontend import sign_in_attempts
from tests.client_responses import Answer
from tests.frontend.catalogues import ROOT, in_catalogue
from tests.frontend.evening import championship, html, opened, person, table, work
from tests.frontend.test_german_pages import german, wrong_in
from tests.frontend.test_standings_page import played
from tests.frontend.visible import visible
from tournaments.models import Booking, Championship, Job
from tournaments.services.money import fees
from tournaments.services.money.fees import Price
from tournaments.services.scores import desk_results
from tournaments.services.table_access import table_codes

pytestmark = pytest.mark.django_db

PO = ROOT / "frontend" / "locale" / "de" / "LC_MESSAGES" / "django.po"
SNAKE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
"""A name of code: `left_over`, `hand_in`."""
CALLED_SO = {"puur_verify", "data_key", "seal_key"}
"""Files that people have."""
OF_THE_EVENING = [
    "championship",
    "regulations",
    "regulations_document",
    "officials",
    "entries",
    "entries_import",
    "rounds",
    "where",
    "table_codes",
    "phone_address",
    "standings",
    "standings_graph",
    "lots",
    "prizes",
    "prize_plan",
    "prize_giving",
    "prizes_projector",
    "cash",
    "cash_fees",
    "accounts",
    "prints",
    "tables",
    "board",
    "audits",
    "checkpoints",
    "disputes",
    "championship_again",
    "projector",
    "tables_projector",
    "seating_projector",
]
OF_A_ROUND = ("round", "round_fairness", "round_wall", "round_results", "round_codes")


@cache
def english_only() -> frozenset[str]:
    """What the catalogue has in English and nowhere in German."""
    known = in_catalogue(PO)
    said = {text for translations in known.values() for text in translations}
    return frozenset(
        text for message in known for text in message[1:] if re.search("[a-z]", text) and text not in said
    )


def wrong(page: Answer) -> list[str]:
    """English sentences, English words of the catalogue, codes."""
    if "text/html" not in page.headers.get("Content-Type", ""):
        return []
    texts = visible(html(page))
    names = [found for text in texts for found in SNAKE.findall(text) if found not in CALLED_SO]
    return [*wrong_in(page), *(text for text in texts if text in english_only()), *names]


def found_wrong(
    made: Championship, *names: str, roles: tuple[str | None, ...] = (None, "fredi")
) -> dict[str, list[str]]:
    """Page and role → what is wrong there; nothing is left out that opens."""
    found, opened_here = {}, 0
    for role in roles:
        browser = german(role)
        for name in (*OF_THE_EVENING, *OF_A_ROUND, *names):
            args = [made.slug, 1] if name in OF_A_ROUND else [made.slug]
            answer = browser.get(reverse(name, args=args))
            opened_here += answer.status_code == 200
            if said := wrong(answer):
                found[f"{name} {role}"] = said
    assert opened_here > 20 * len(roles)
    return found


def post(browser: Client, name: str, *args: object, **told: Any) -> Answer:
    return browser.post(reverse(name, args=["herbstcup", *args]), told, follow=True)


@pytest.mark.slow
def test_an_evening_of_totals_from_the_first_line_to_the_correction() -> None:
    round_ = opened("sheet", people=9, language="de", changes={"rounds": 2, "hand_in": "totals"})
    made, desk, director = round_.championship, german("hanna"), german("fredi")
    for number in round_.tables.order_by("number").values_list("number", flat=True):
        address = reverse("round_result", args=["herbstcup", 1, number])
        for scores in ([700, 544], [712, 544]):
            [row] = desk_results.desk_rows(round_, number)
            line = {
                "id": f"{number}{scores}",
                "people": row.people,
                "seen": row.head,
                "scores": scores,
                "signed": True,
            }
            told = desk.post(address, json.dumps(line), content_type="application/json").content.decode()
            assert not re.search(r"\b(the|is|has|are|of)\b", told), told
    assert found_wrong(made, roles=(None, "gabi", "hanna")) == {}
    assert wrong(post(director, "round_act", 1, "close")) == []
    work()
    correction = reverse("correct", args=["herbstcup", 1, 1]) + "?deal=1"
    page = html(director.get(correction))
    hidden = dict(re.findall(r'name="(seen|token)" value="([^"]+)"', page))
    for score, reason in (("700", ""), ("544", "Seiten verwechselt")):
        fields = {**hidden, "scores-0": score, "scores-1": "712", "reason": reason}
        assert wrong(director.post(correction, fields, follow=True)) == [], reason
    assert found_wrong(made) == {}


@pytest.mark.slow
def test_prizes_from_the_plan_to_the_last_name() -> None:
    made = played()
    made.language = "de"
    made.save()
    director = german("fredi")
    empty = {"prize-TOTAL_FORMS": "1", "prize-INITIAL_FORMS": "0", "sharing": "shared", "once": "on"}
    for told in ({"places": "30 zwanzig"}, {"places": "30 20 10", "table": "Käse\nWurst\nSpeck"}):
        assert wrong(post(director, "prize_plan", **empty, **told)) == [], told
    for step in ("1", "1", "2"):
        assert wrong(post(director, "prize_call", step=step, version=step)) == []
    assert found_wrong(made) == {}


def test_money_that_comes_in_and_is_taken_back() -> None:
    made = championship(8, language="de")
    fees.set_fees(made, [Price("Mitglied", 2000), Price("Gast", 2500)], actor=person("fredi"))
    desk, director = german("hanna"), german("fredi")
    acts = [
        post(desk, "cash_till", do="open", amount="100", francs="100"),
        post(desk, "cash_till", francs="hundert"),
        post(desk, "cash_fee", 1, amount="20", price="Mitglied", means="cash"),
        post(desk, "cash_fee", 99),
        post(desk, "cash_book", kind="other_in", francs="viel", text=""),
        post(director, "cash_fees", iban="CH00"),
        *(post(desk, "cash_cancel", booking.pk) for booking in Booking.objects.all()),
        desk.get(reverse("bill", args=["herbstcup", 2]), follow=True),
    ]
    assert [said for answer in acts for said in wrong(answer)] == []
    assert found_wrong(made, roles=("fredi",)) == {}


def test_pairs_that_stay_together() -> None:
    made = championship(0, preset="partnerschieber", changes={}, language="de")
    desk, director = german("hanna"), german("fredi")
    lines = "Müller Fredi / Meier Heidi\nEgli Erna / Roth Rosa\nFrei Fränzi"
    acts = [
        post(desk, "pairs", do="lines", text="Anna / Anna", status="registered"),
        post(desk, "pairs", do="lines", text=lines, status="arrived"),
        post(director, "round_act", 1, "draw"),
        post(desk, "pairs", do="part", number="1"),
        post(desk, "pairs", do="order"),
        desk.get(reverse("pairs", args=["herbstcup"])),
    ]
    work()
    assert [said for answer in acts for said in wrong(answer)] == []
    assert found_wrong(made, "pairs", roles=("fredi",)) == {}


def test_who_is_left_over_is_late_or_missing() -> None:
    made = championship(7, preset="differenzler", language="de")
    director = german("fredi")
    assert wrong(director.get(reverse("round", args=["herbstcup", 1]))) == []
    post(director, "round_act", 1, "draw", left_over="three")
    work()
    acts = [
        director.get(reverse("round", args=["herbstcup", 1])),
        post(director, "round_stand_in", 1, who="Niemand", instead="1", how="chair_absent"),
        post(director, "round_stand_in", 1, who="", instead=""),
        post(director, "round_act", 1, "open"),
    ]
    work()
    acts.append(post(director, "round_act", 1, "close"))
    work()
    acts.append(director.get(reverse("round", args=["herbstcup", 1])))
    assert [said for answer in acts for said in wrong(answer)] == []
    assert found_wrong(made, roles=("fredi",)) == {}


def test_a_table_finished_early_and_written_down_later() -> None:
    round_ = opened("sheet", people=8, language="de")
    director, one = german("fredi"), table(round_, 1)
    acts = [
        director.get(reverse("table_close", args=["herbstcup", one.pk])),
        post(director, "table_close", one.pk),
        director.get(reverse("table_resume", args=["herbstcup", one.pk])),
        post(director, "round_act", 1, "close", force="on", reason="zu spät"),
    ]
    work()
    acts += [director.get(reverse(name, args=["herbstcup", 1])) for name in ("round", "round_results")]
    acts.append(director.get(reverse("correct", args=["herbstcup", 1, 1])))
    assert [said for answer in acts for said in wrong(answer)] == []


def test_where_everybody_is_alone_nothing_speaks_of_partners() -> None:
    made = championship(7, preset="differenzler", language="de")
    director = german("fredi")
    names = ["championship", "entries", "regulations_document", "rounds", "where", "prints"]
    addresses = [reverse(name, args=["herbstcup"]) for name in names]
    addresses += [reverse("round", args=["herbstcup", 1]), reverse("entry_edit", args=["herbstcup", 1])]
    pages = [*addresses]
    before = {address: visible(html(director.get(address))) for address in pages}
    post(director, "round_act", 1, "draw", left_over="three")
    work()
    pages += [
        reverse(name, args=["herbstcup", 1]) for name in ("round_wall", "round_results", "persons_evening")
    ]
    after = {address: visible(html(director.get(address))) for address in pages}
    assert made.entries.count() == 7
    for read in (before, after):
        assert {at: said for at, texts in read.items() if (said := [t for t in texts if "artner" in t])} == {}


def test_a_wrong_code_stays_in_its_field_to_be_compared() -> None:
    shown = html(german(None).post(reverse("open_table"), {"code": "ac7 d4h"}))
    assert 'value="ac7 d4h"' in shown


def test_a_code_at_a_table_and_one_that_is_none() -> None:
    round_ = opened("sheet", people=8, language="de")
    table_codes.make_codes(round_.championship, 2, actor=person("fredi"))
    phone = german(None)
    acts = [
        phone.get(reverse("open_table")),
        phone.post(reverse("open_table"), {"code": "quatsch"}, follow=True),
        phone.post(reverse("open_table"), {"code": "AAAAAA"}, follow=True),
        german("hanna").get(reverse("table_code", args=["herbstcup", 1])),
    ]
    assert [said for answer in acts for said in wrong(answer)] == []


def errors() -> Iterator[tuple[str, Answer]]:
    browser = german("eva")
    made = championship(4, language="de")
    yield "403", browser.get(reverse("board", args=[made.slug]))
    yield "404", browser.get("/gibt-es-nicht/")
    yield "404 in a championship", browser.get(reverse("round", args=[made.slug, 99]))
    strict = Client(enforce_csrf_checks=True)
    strict.cookies["django_language"] = "de"
    yield "403 csrf", strict.post(reverse("sign_in"), {"username": "fredi"})
    yield (
        "400",
        german("hanna").post(reverse("entry_add", args=[made.slug]), {"family_name": "x" * 2_000_000}),
    )


def test_error_pages_are_german() -> None:
    for what, answer in errors():
        assert answer.status_code == int(what[:3])
        assert wrong(answer) == [], what


@pytest.mark.parametrize("code", sorted(overload_responses.MESSAGES))
def test_who_is_sent_away_for_a_while_reads_why_in_german(code: str) -> None:
    answer: Any = overload_responses.make_overload_response("/", "de", code, 5)
    assert answer.status_code >= 400
    assert wrong(answer) == []


def test_our_own_mistakes_are_told_in_german() -> None:
    with translation.override("de"):
        answer: Any = server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "Etwas ist schiefgelaufen" in html(answer)
    assert wrong(answer) == []


def test_too_many_wrong_passwords_are_told_in_german(settings: Any) -> None:
    settings.LIMITS = True
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{secrets.token_hex(4)}"
    browser = german(None)
    for _turn in range(sign_in_attempts.FROM_HERE.most + 1):
        answer = browser.post(reverse("sign_in"), {"username": "fredi", "password": "falsch"})
        assert wrong(answer) == []
    assert answer.status_code == 429


@pytest.mark.parametrize(
    ("language", "head"),
    [
        ("de", "Rang;Nummer;Name;Verein;Total;Matches;Passe 1"),
        ("en", "place;number;name;club;total;sweeps;round 1"),
    ],
)
def test_a_saved_ranking_has_its_heads_in_the_language_of_who_asked(language: str, head: str) -> None:
    played()
    browser = german("fredi")
    browser.cookies["django_language"] = language
    browser.post(reverse("standings_export", args=["herbstcup"]))
    work()
    job = Job.objects.get(kind="export")
    assert html(browser.get(reverse("job_file", args=[job.pk]))).lstrip("\ufeff").startswith(head)
