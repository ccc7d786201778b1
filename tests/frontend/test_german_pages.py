"""German pages have no English text and no code, for any reader and with any error."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from engine import Refused
from frontend.forms.regulations import RegulationsForm
from frontend.presenters.regulations.rules import TEXTS
from frontend.presenters.words.errors import sentence_for
from games.store import ConcurrencyError
from tests.architecture.codes import raised
from tests.client_responses import Answer
from tests.frontend.evening import championship, client, html, opened, person, table, work
from tests.frontend.pages import addresses, parts_of
from tests.frontend.visible import codes, english, visible
from tournaments.errors import TournamentError
from tournaments.models import Championship, Dispute, Table
from tournaments.presets import PRESETS
from tournaments.services.current_regulations import load_regulations
from tournaments.services.referee import disputes

pytestmark = pytest.mark.django_db

ROLES = (None, "anna", "hanna", "gabi", "fredi")
IN_GERMAN = [name for name, one in PRESETS.items() if (TEXTS / "de" / f"{one.play.variant}.html").exists()]
"""A game without German rules is named by tests/architecture/test_game_parts.py."""


def german(name: str | None) -> Client:
    browser = client(name)
    browser.cookies["django_language"] = "de"
    return browser


def wrong_in(page: Answer) -> list[str]:
    if "text/html" not in page.headers.get("Content-Type", ""):
        return []
    text = html(page)
    return [*english(text), *codes(text)]


@pytest.mark.long(1)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("mode", ["sheet", "transcribed", "dealt"])
def test_every_page_is_german(mode: str, role: str | None) -> None:
    browser, pages = german(role), addresses(parts_of(table(opened(mode, people=5, language="de"), 1)))
    work()

    assert len(pages) > 60
    found = {name: wrong_in(browser.get(address)) for name, address in pages.items()}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.long(6)
@pytest.mark.parametrize("preset", IN_GERMAN)
def test_the_regulations_of_every_way_of_playing_are_german(preset: str) -> None:
    made = championship(preset=preset, changes=None, language="de")
    browser = german("fredi")

    for name in ("championship", "regulations", "regulations_document"):
        assert wrong_in(browser.get(reverse(name, args=[made.slug]))) == [], name


def test_each_language_is_called_as_who_speaks_it_calls_it() -> None:
    page = html(german(None).get(reverse("home")))
    assert {"Deutsch", "Français", "Italiano", "Español", "English"} == set(
        re.findall(r'<button name="language"[^>]*>([^<]+)<', page)
    )


def test_pages_where_nothing_is_yet_are_german() -> None:
    made = championship(people=3, language="de")

    for role in ROLES:
        browser = german(role)
        for name in ("home", "championship_new"):
            assert wrong_in(browser.get(reverse(name))) == [], name
        for name in (
            "championship",
            "entries",
            "rounds",
            "standings",
            "disputes",
            "board",
            "tables",
            "audits",
        ):
            assert wrong_in(browser.get(reverse(name, args=[made.slug]))) == [], name
        assert wrong_in(browser.get(reverse("round", args=[made.slug, 1]))) == []


def provoked(made: Championship, one: Table) -> dict[str, tuple[str, dict[str, object]]]:
    """Form → what is sent; each of them is refused."""
    slug = made.slug

    def act(what: str) -> str:
        return reverse("round_act", args=[slug, 1, what])

    return {
        "open again": (act("reopen"), {"reason": "x"}),
        "draw": (act("draw"), {}),
        "open": (act("open"), {}),
        "close": (act("close"), {}),
        "undo": (act("undo"), {}),
        "modes": (act("modes"), {"all": "nonsense"}),
        "by hand": (act("by-hand"), {"tables": "1 2 x\n1 1 99"}),
        "times": (act("times"), {"opens_at": "gestern"}),
        "chairs": (reverse("round_chairs", args=[slug, 1]), {"one": "Niemand", "other": "1"}),
        "chance": (reverse("round_chance", args=[slug, 1]), {"numbers": "4, siebzehn"}),
        "finish": (reverse("championship_finish", args=[slug]), {}),
        "entry": (reverse("entry_add", args=[slug]), {"name": "Anna Ammann", "status": "arrived"}),
        "long": (reverse("entry_add", args=[slug]), {"name": "x" * 90, "status": "arrived"}),
        "withdraw": (reverse("entry_act", args=[slug, 1, "withdraw"]), {}),
        "apart": (reverse("entry_apart", args=[slug, 1]), {"other": "Niemand", "kind": "never_meet"}),
        "empty list": (reverse("entries_import", args=[slug]), {}),
        "list": (reverse("entries_import", args=[slug]), {"text": 'Name;Verein\n"Anna;x'}),
        "bytes": (
            reverse("entries_import", args=[slug]),
            {"file": SimpleUploadedFile("liste.csv", b"\0\0\0", "text/csv")},
        ),
        "regulations": (reverse("regulations", args=[slug]), {"rounds": "99", "deals": "x"}),
        "no end": (
            reverse("regulations", args=[slug]),
            {**form_of(made), "deals": "", "option.target": "", "about": ""},
        ),
        "appoint": (reverse("official_appoint", args=[slug]), {"username": "niemand", "role": "referee"}),
        "dispute": (reverse("dispute_raise", args=[one.game_id]), {"incident": "revoke", "deal": "99"}),
        "appeal": (reverse("dispute_appeal", args=[Dispute.objects.get().pk]), {"text": "nein"}),
        "rule": (
            reverse("dispute_rule", args=[Dispute.objects.get().pk]),
            {"choice": "annul_deal", "deal": "7"},
        ),
        "new": (reverse("championship_new"), {"name": "", "preset": "quatsch"}),
        "lots": (reverse("lots", args=[slug]), {}),
    }


def form_of(made: Championship) -> dict[str, object]:
    """The regulations as their own page would send them."""
    form = RegulationsForm(None, regulations=load_regulations(made))
    return {name: form[name].value() for name in form.fields if form[name].value() not in (None, False, "")}


@pytest.mark.parametrize("role", ["hanna", "gabi", "fredi"])
def test_what_is_refused_is_refused_in_german(role: str) -> None:
    one = table(opened("sheet", people=8, language="de"), 1)
    disputes.raise_dispute(one, actor=person("gabi"), text="Stöck vergessen")
    made = one.round.championship
    browser = german(role)

    for what, (address, sent) in provoked(made, one).items():
        answer = browser.post(address, sent, follow=True)
        assert wrong_in(answer) == [], what


def test_a_form_before_the_first_opening_is_refused_in_german() -> None:
    made = championship(people=3, language="de")
    browser = german("fredi")
    page = reverse("regulations", args=[made.slug])
    for sent in (
        {"deals": "", "option.target": ""},
        {"seats": "3"},
        {"counting": "drop_worst", "counting_number": "9"},
    ):
        answer = browser.post(page, {**form_of(made), **sent})
        assert answer.status_code == 400
        assert wrong_in(answer) == [], sent
    browser.post(reverse("round_act", args=[made.slug, 1, "draw"]))
    work()
    answer = browser.get(reverse("round", args=[made.slug, 1]))
    assert any("Zuerst am Empfang abhaken" in text for text in visible(html(answer)))
    assert wrong_in(answer) == []


def test_the_code_of_a_refusal_is_there_for_whoever_helps() -> None:
    made = championship(people=3, language="de")
    answer = german("fredi").post(reverse("round_act", args=[made.slug, 1, "undo"]), follow=True)

    assert 'data-code="draw/nothing_to_undo"' in html(answer)
    assert "Passe 1 ist nicht ausgelost." in visible(html(answer))


def test_a_wrong_password_is_called_wrong() -> None:
    answer = german(None).post(reverse("sign_in"), {"username": "fredi", "password": "falsch"})

    assert "Name oder Passwort stimmt nicht." in visible(html(answer))
    assert wrong_in(answer) == []


def test_every_code_that_another_layer_refuses_with_has_its_words() -> None:
    """The platform's own refusals are translated where they are raised; the engine speaks English only."""
    kinds = {code: kind for code, kind in raised((Refused,)) if "{" not in code and "*" not in code}
    lacking = [
        code
        for code, kind in kinds.items()
        if not issubclass(kind, TournamentError | ConcurrencyError)
        and not code.startswith(("log/", "notate/", "notation/", "evidence/", "replay/", "rule/"))
        and sentence_for(code) is None
    ]

    assert lacking == []
