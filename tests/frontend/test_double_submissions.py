"""Buttons of desk, round, till and prizes, pressed again in an outdated second tab: the action happens once,
and the second tab gets an explanation.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.client_responses import Answer
from tests.frontend.evening import championship, client, first, html, opened, person, table, work
from tests.frontend.test_standings_page import played
from tests.tournaments.table_play import write_sheet
from tournaments.models import (
    Booking,
    Bye,
    CashShift,
    Championship,
    Creditor,
    Entry,
    Fee,
    Job,
    PrizeGiving,
    Round,
    Seating,
    Substitute,
)
from tournaments.prizes import Prize, PrizePlan
from tournaments.services import prize_giving
from tournaments.services.draw import drawing, seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.money import bookings, fees
from tournaments.services.money.fees import Price
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db

ROWS = (Booking, CashShift, Championship, Entry, Job, PrizeGiving, Round, Seating, Bye, Substitute)
Sent = tuple[str, list[Any], dict[str, str]]
"""Name of an address, what it is of, what the form holds."""


def state() -> list[Any]:
    """All that an evening's buttons change, but for the moments."""
    at = {"beat_at", "sent_at", "started_at", "queued_at", "ended_at", "arrived_at"}
    found = []
    for model in ROWS:
        names = [field.attname for field in model._meta.concrete_fields if field.name not in at]
        found.append(sorted(map(repr, model._default_manager.values_list(*names))))
    return found


def send(browser: Client, sent: Sent) -> Answer:
    name, of, told = sent
    return browser.post(reverse(name, args=["herbstcup", *of]), told, follow=True)


def people_here() -> None:
    made = championship(8, count=2)
    fees.set_fees(made, [Price("Mitglied", 2000)], actor=person("fredi"))


def drawn_round() -> None:
    people_here()
    drawing.draw_round(first(Championship.objects.get(slug="herbstcup")), actor=person("fredi"))


def open_round() -> None:
    people_here()
    made = Championship.objects.get(slug="herbstcup")
    seating_by_hand.seat_by_hand(first(made), [[1, 2, 3, 4]], actor=person("fredi"), byes_confirmed=True)
    first(made).tables.update(mode="sheet")
    rounds.open_round(first(made), actor=person("fredi"))


def played_round() -> None:
    round_ = opened("sheet")
    for one in round_.tables.order_by("number"):
        write_sheet(table(round_, one.number), [100] * 8, {})


def closed_round() -> None:
    played_round()
    rounds.close_round(Round.objects.get(number=1), actor=person("fredi"))


def prizes_ready() -> None:
    plan = PrizePlan(prizes=(Prize(kind="place", number=1, amount=5000),), table=("Käse", "Wurst"))
    prize_giving.set_plan(played(), plan, actor=person("fredi"))


def prizes_called() -> None:
    prizes_ready()
    made = Championship.objects.get(slug="herbstcup")
    prize_giving.call(made, len(prize_giving.load_giving(made).steps), version=1, actor=person("fredi"))


def money_taken_back() -> None:
    prizes_called()
    bookings.cancel(Booking.objects.earliest("pk"), actor=person("fredi"))


def number_of_the_winner() -> int:
    winner = Booking.objects.earliest("pk").entry
    assert winner is not None
    return winner.number


def paid() -> None:
    people_here()
    entries.pay(Entry.objects.get(number=1), actor=person("hanna"))


def paid_before_fees() -> None:
    made = championship(8)
    entries.pay(made.entries.get(number=1), actor=person("hanna"))
    fees.set_fees(made, [Price("Mitglied", 2000)], actor=person("fredi"))


def till_open() -> None:
    people_here()
    client("hanna").post(reverse("cash_till", args=["herbstcup"]), {"open-amount": "100"})


def hidden(page: str, name: str) -> Callable[[], str]:
    """What a form on this page says that it has seen."""

    def read() -> str:
        of = ["herbstcup", 1] if page == "round" else ["herbstcup"]
        found = re.search(
            rf'name="{name}" value="([^"]*)"', html(client("fredi").get(reverse(page, args=of)))
        )
        assert found is not None, (page, name)
        return found[1]

    return read


SPENT = {
    "booking-kind": "expense",
    "booking-title": "Znüni",
    "booking-amount": "12",
    "booking-method": "cash",
}
PLAN = {"prize-TOTAL_FORMS": "0", "prize-INITIAL_FORMS": "0", "sharing": "shared", "places": "50"}
BUTTONS: dict[str, tuple[Callable[[], None], str, str, list[Any], dict[str, Any], str]] = {
    "enter": (
        people_here, "hanna", "entry_add", [], {"family_name": "Zäch", "status": "arrived"},
        "Zäch is already entered.",
    ),
    "pays at the desk": (people_here, "hanna", "entry_act", [1, "pay"], {}, "/entries/1/unpay/"),
    "gives back": (paid, "hanna", "entry_act", [1, "unpay"], {}, "/entries/1/pay/"),
    "not here": (people_here, "hanna", "entry_act", [1, "leave"], {}, "/entries/1/arrive/"),
    "withdraw": (people_here, "hanna", "entry_act", [1, "withdraw"], {}, "/entries/1/take-back/"),
    "merge": (people_here, "hanna", "entry_merge", [1], {"other": "2"}, "is already merged"),
    "draw": (people_here, "fredi", "round_act", [1, "draw"], {}, "Somebody started the same thing"),
    "undo the draw": (
        drawn_round, "fredi", "round_act", [1, "undo"], {"reason": "zu früh"}, "Round 1 is not drawn."
    ),
    "open": (drawn_round, "fredi", "round_act", [1, "open"], {}, "Somebody started the same thing"),
    "close": (played_round, "fredi", "round_act", [1, "close"], {}, "Somebody started the same thing"),
    "open again": (
        closed_round, "fredi", "round_act", [1, "reopen"], {"reason": "weiter"}, "Round 1 is not closed."
    ),
    "by hand": (
        people_here, "fredi", "round_act", [1, "by-hand"], {"tables": "1 2 3 4\n5 6 7 8"},
        "Round 1 is already drawn.",
    ),
    "chairs": (
        open_round, "hanna", "round_chairs", [1], {"one": "1", "other": "2", "seen": hidden("round", "seen")},
        "Chairs have been changed in the meantime",
    ),
    "somebody is missing": (
        open_round, "hanna", "round_stand_in", [1], {"instead": "1", "player": "5", "what": "gone"},
        "Nobody with the number 1 is seated in this round.",
    ),
    "a substitute with a new name": (
        open_round, "hanna", "round_stand_in", [1],
        {"instead": "1", "player": "Toni Huber", "what": "for", "new": "on", "deal": "1"},
        "Toni Huber is already entered.",
    ),
    "open the till": (
        people_here, "hanna", "cash_till", [], {"open-amount": "100"}, "Your till is already open."
    ),
    "close the till": (
        till_open, "hanna", "cash_till", [], {"shift": "1", "close-amount": "100"},
        "This till is already closed.",
    ),
    "pays at the till": (
        people_here, "hanna", "cash_fee", [1], {"method": "twint"}, "Anna Ammann has already paid."
    ),
    "other money": (
        people_here, "hanna", "cash_book", [], {**SPENT, "seen": hidden("cash", "seen")},
        "You have just booked this.",
    ),
    "take back": (
        paid, "hanna", "cash_cancel", [lambda: Booking.objects.get().pk], {},
        "This line is already cancelled.",
    ),
    "prize money": (
        money_taken_back, "hanna", "cash_prize", [number_of_the_winner],
        {"line": "0", "method": "transfer"}, "This money is already booked as handed over.",
    ),
    "fees of who had paid before": (
        paid_before_fees, "hanna", "cash_paid", [], {"method": "transfer"}, "These fees are already booked."
    ),
    "all prize money": (
        money_taken_back, "hanna", "cash_prizes", [], {"method": "cash"},
        "This money is already booked as handed over.",
    ),
    "call": (
        prizes_ready, "fredi", "prize_call", [], {"step": "1", "version": "1"}, "Somebody else has continued"
    ),
    "one back": (
        prizes_called, "fredi", "prize_call", [], {"step": "0", "version": "2", "sure": "1"},
        "Somebody else has continued",
    ),
    "prizes written down": (
        people_here, "fredi", "prize_plan", [], {**PLAN, "version": hidden("prize_plan", "version")},
        "Somebody else has continued",
    ),
}  # fmt: skip
"""Before, who, the address, what it is of, what is sent, and what the second one reads."""


@pytest.fixture(autouse=True)
def no_worker_meanwhile() -> Iterator[None]:
    yield
    work()


@pytest.mark.long(9)
@pytest.mark.parametrize("button", BUTTONS)
def test_a_second_press_changes_nothing_and_is_answered(button: str) -> None:
    make, who, name, of, told, answered = BUTTONS[button]
    make()
    now: Sent = (
        name,
        [value() if callable(value) else value for value in of],
        {key: value() if callable(value) else value for key, value in told.items()},
    )
    first_tab, second_tab = client(who), client(who)
    before = state()

    assert send(first_tab, now).status_code < 500
    once = state()
    assert once != before, "the first press does something"
    answer = send(second_tab, now)

    assert state() == once
    assert answer.status_code < 500
    assert answered in html(answer)


FEES = {"about": "fees", "fee-TOTAL_FORMS": "1", "fee-INITIAL_FORMS": "0", "fee-0-label": "Mitglied"}
ACCOUNT = {
    "about": "creditor",
    "name": "Jassclub",
    "iban": "CH93 0076 2011 6238 5295 7",
    "postcode": "6060",
    "town": "Sarnen",
}
LOOKED_AT = re.compile(r'value="(fees|creditor)"><input type="hidden" name="seen" value="([^"]+)"')


def marks(answer: Answer) -> dict[str, str]:
    """What each of the two forms of fees and account says that it has seen."""
    return dict(LOOKED_AT.findall(html(answer)))


@pytest.mark.parametrize(
    ("told", "field", "values"),
    [(FEES, "fee-0-amount", ("22", "25", "22.–")), (ACCOUNT, "town", ("Sarnen", "Kerns", "Sarnen"))],
    ids=["fees", "account"],
)
def test_of_two_tabs_with_fees_and_account_the_second_sees_what_the_first_has_saved(
    told: dict[str, str], field: str, values: tuple[str, str, str]
) -> None:
    people_here()
    first_tab, second_tab = client("fredi"), client("fredi")
    address = reverse("cash_fees", args=["herbstcup"])
    seen = marks(first_tab.get(address))[told["about"]]
    mine = {**told, "seen": seen, field: values[0]}

    assert first_tab.post(address, mine).status_code == 302
    once = Creditor.objects.count(), list(Fee.objects.values_list("label", "amount"))
    assert first_tab.post(address, mine).status_code == 302, "the same again is no quarrel"
    refused = second_tab.post(address, {**mine, field: values[1]})

    assert refused.status_code == 400
    assert (Creditor.objects.count(), list(Fee.objects.values_list("label", "amount"))) == once
    shown = html(refused)
    assert "money/changed_since" in shown
    assert values[2] in shown[shown.index("Current value:") :][:200]
    assert f'value="{values[1]}"' in shown, "what was typed is not lost"
    after = {**mine, field: values[1], "seen": marks(refused)[told["about"]]}
    assert second_tab.post(address, after).status_code == 302, "who has seen it may go on"
