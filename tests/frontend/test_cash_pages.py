"""The till: unpaid fees, bookings, the expected cash, and the accounts on one page."""

import re
from typing import Any

import pytest
from django.urls import reverse

from frontend.forms.money import parse_francs
from frontend.presenters.money.prizes import format_francs
from tests.client_responses import Answer
from tests.frontend.evening import championship, client, entry, html, opened, person
from tests.frontend.test_standings_page import played
from tournaments.models import Booking, CashShift, Championship, Creditor, Fee
from tournaments.prizes import Prize, PrizePlan
from tournaments.services import prize_giving
from tournaments.services.entries import entries, entry_link
from tournaments.services.money import fees
from tournaments.services.money.evening_accounts import compute_evening_accounts
from tournaments.services.money.fees import Price

pytestmark = pytest.mark.django_db


@pytest.fixture
def priced() -> Championship:
    made = championship(8)
    fees.set_fees(made, [Price("Mitglied", 2000), Price("Gast", 2500)], actor=person("fredi"))
    return made


def address(name: str, *args: object) -> str:
    return reverse(name, args=["herbstcup", *args])


def page(name: str = "cash", who: str = "hanna", query: str = "") -> str:
    return html(client(who).get(address(name) + query))


def post(name: str, /, *args: object, who: str = "hanna", **told: str) -> Answer:
    return client(who).post(address(name, *args), told)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("25", 2500), ("25.5", 2550), ("25,50", 2550), ("25.-", 2500), ("25.—", 2500), ("1'200", 120_000),
        ("CHF 20.–", 2000), ("Fr. 7.05", 705), ("", None), ("zwanzig", None), ("-5", None), ("1.234", None),
        ("1e9", None), ("٢٥", 2500),
    ],
)  # fmt: skip
def test_amounts_are_read_as_people_write_them(text: str, amount: int | None) -> None:
    assert parse_francs(text) == amount


@pytest.mark.parametrize(
    ("amount", "text"), [(0, "0.–"), (2500, "25.–"), (2505, "25.05"), (125_000, "1'250.–"), (-500, "−5.–")]
)
def test_amounts_are_written_as_people_read_them(amount: int, text: str) -> None:
    assert format_francs(amount) == text


@pytest.mark.usefixtures("priced")
def test_who_pays_leaves_the_list_and_stands_in_the_book() -> None:
    assert "1 Ammann Anna" in page()
    post("cash_fee", 1, method="twint")

    assert Booking.objects.get().method == "twint"
    shown = page()
    assert "1 Ammann Anna" not in shown
    assert "Mitglied · Anna Ammann" in shown


@pytest.mark.usefixtures("priced")
def test_somebody_is_charged_as_a_guest() -> None:
    post("cash_fee", 2, fee="Gast")
    post("cash_fee", 2, method="cash")

    assert Booking.objects.get().amount == 2500


@pytest.mark.usefixtures("priced")
def test_each_press_is_confirmed() -> None:
    def confirmed(name: str, *parts: object, **told: str) -> str:
        return html(client("hanna").post(address(name, *parts), told, follow=True))

    assert "Beat Bühler owes the fee “Gast”." in confirmed("cash_fee", 2, fee="Gast")
    assert "Beat Bühler has paid." in confirmed("cash_fee", 2, method="cash")
    assert "Your till is open." in confirmed("cash_till", **{"open-amount": "100"})
    expense = {"booking-kind": "expense", "booking-title": "Znüni", "booking-method": "cash"}
    assert "Written down." in confirmed("cash_book", **expense, **{"booking-amount": "12"})
    number = str(CashShift.objects.get().number)
    assert "Your till is closed." in confirmed("cash_till", shift=number, **{"close-amount": "88"})


@pytest.mark.usefixtures("priced")
def test_a_fee_that_was_renamed_since_the_page_was_loaded_is_refused() -> None:
    fees.set_fees(Championship.objects.get(), [Price("Mitglied", 2000), Price("Gäste", 2500)], actor=None)
    post("cash_fee", 3, fee="Gäste")

    answer = client("hanna").post(address("cash_fee", 3), {"fee": "Gast"}, follow=True)

    assert "There is no fee “Gast”." in html(answer)
    assert entry(Championship.objects.get(), "Chiara Caduff").fee == Fee.objects.get(label="Gäste")


@pytest.mark.usefixtures("priced")
def test_the_list_is_searched_by_name_and_number() -> None:
    shown = page(query="?q=chiara")

    assert "Caduff Chiara" in shown
    assert "Ammann Anna" not in shown
    assert "Nobody with that name owes anything." in page(query="?q=zzz")


@pytest.mark.usefixtures("priced")
def test_a_till_is_opened_and_counted_and_the_difference_is_said() -> None:
    post("cash_till", **{"open-amount": "100"})
    post("cash_fee", 1, method="cash")
    assert "120.–" in page()
    number = str(CashShift.objects.get().number)
    post("cash_till", shift=number, **{"close-amount": "119.50"})

    assert "−0.50" in page()
    assert "−0.50" in page("accounts")


@pytest.mark.usefixtures("priced")
def test_other_money_is_booked_and_what_is_wrong_is_refused_beside_its_field() -> None:
    told = {"booking-kind": "expense", "booking-title": "Znüni", "booking-method": "cash"}
    assert post("cash_book", **told, **{"booking-amount": "15.50"}).status_code == 302
    wrong = post("cash_book", **told, **{"booking-amount": "viel"})

    assert wrong.status_code == 400
    assert "An amount in francs" in html(wrong)
    assert Booking.objects.count() == 1


@pytest.mark.usefixtures("priced")
def test_a_line_is_taken_back_and_both_stay() -> None:
    post("cash_fee", 1, method="cash")
    post("cash_cancel", Booking.objects.get().pk)

    assert Booking.objects.count() == 2
    assert "1 Ammann Anna" in page()
    assert "taken back" in page()


def test_money_won_stands_in_the_book_and_can_be_handed_over_by_another_way() -> None:
    made = played()
    plan = PrizePlan(prizes=tuple(Prize(kind="place", number=n, amount=100 * n) for n in range(1, 9)))
    prize_giving.set_plan(made, plan, actor=person("fredi"))
    count = len(prize_giving.load_giving(made).steps)
    assert "CHF 36.– of prize money has not been handed over yet." in page("accounts")
    client("fredi").post(address("prize_call"), {"step": str(count), "version": "1"})

    shown = page()
    assert "prize money: Place 1 · " in shown
    assert "money that differs" not in shown
    assert "not been handed over yet" not in page("accounts")
    assert re.search(r"prize money</th><td class=\"num\">8</td><td class=\"num\">−36.–", page("accounts"))
    booking = Booking.objects.earliest("pk")
    assert booking.entry is not None
    post("cash_cancel", booking.pk)
    assert "Prize money not booked yet" in page()
    told = {"line": str(booking.prize), "method": "transfer"}
    desk = client("hanna")
    answer = desk.post(address("cash_prize", booking.entry.number), told, follow=True)
    assert "The prize money is booked." in html(answer)
    desk.post(address("cash_prize", booking.entry.number), told)
    assert Booking.objects.filter(method="transfer").count() == 1
    shown = html(desk.get(address("cash")))
    assert "This money is already booked as handed over." in shown
    assert "not booked yet" not in shown


def test_who_had_paid_before_a_fee_was_written_down_is_booked_by_one_press() -> None:
    made = championship(4)
    for number in (1, 2):
        entries.pay(made.entries.get(number=number), actor=person("hanna"))
    assert "Paid, but not booked" not in page(), "nothing is asked"
    fees.set_fees(made, [Price("Mitglied", 2000)], actor=person("fredi"))
    entries.pay(made.entries.get(number=3), actor=person("hanna"))

    shown = page()
    assert "Paid, but not booked" in shown
    assert "1 Ammann Anna · 2 Bühler Beat</p>" in shown
    post("cash_paid", method="transfer")

    assert list(Booking.objects.order_by("pk").values_list("entry__number", "amount", "method")) == [
        (3, 2000, "cash"),
        (1, 2000, "transfer"),
        (2, 2000, "transfer"),
    ]
    assert "Paid, but not booked" not in page()


def test_prizes_given_before_their_money_was_booked_are_booked_by_one_press() -> None:
    made = played()
    plan = PrizePlan(prizes=tuple(Prize(kind="place", number=n, amount=100 * n) for n in range(1, 9)))
    prize_giving.set_plan(made, plan, actor=person("fredi"))
    giving = prize_giving.load_giving(made)
    prize_giving.call(made, len(giving.steps), version=giving.version, actor=person("fredi"))
    Booking.objects.all().delete()  # as an evening of before is: called, and nothing in the book

    shown = page()
    assert "These prizes were given before the till booked prize money" in shown
    assert "money that differs" not in shown
    post("cash_prizes", method="cash")

    handed_over = list(Booking.objects.values_list("amount", flat=True))
    assert (len(handed_over), sum(handed_over)) == (8, -3_600)
    shown = page()
    assert "not booked yet" not in shown
    assert "not been handed over yet" not in page("accounts")


@pytest.mark.usefixtures("priced")
def test_the_accounts_stand_on_one_page() -> None:
    post("cash_fee", 1, method="cash")
    told = {"booking-kind": "prize", "booking-title": "Preise", "booking-method": "cash"}
    post("cash_book", **told, **{"booking-amount": "12"})
    shown = page("accounts")

    assert re.search(r"Balance</th><td></td><td class=\"num\">8.–", shown)
    assert "7 people who are or were here have not paid: CHF 140.–" in shown


def test_fees_and_account_are_written_down_and_refused() -> None:
    made = championship(1)
    management = {"fee-TOTAL_FORMS": "2", "fee-INITIAL_FORMS": "0"}
    rows = {"fee-0-label": "Mitglied", "fee-0-amount": "20", "fee-1-label": "", "fee-1-amount": ""}
    assert post("cash_fees", who="fredi", about="fees", **management, **rows).status_code == 302
    assert [(fee.label, fee.amount) for fee in made.fees.all()] == [("Mitglied", 2000)]
    half = {**rows, "fee-1-label": "Gast"}
    refused = post("cash_fees", who="fredi", about="fees", **management, **half)
    assert "Enter both: who pays, and how much." in html(refused)
    account = {"name": "Jassclub", "postcode": "8000", "town": "Zürich", "iban": "CH93 0076 2011 6238 5295 8"}
    refused = post("cash_fees", who="fredi", about="creditor", **account)
    assert "money/iban" in html(refused)
    assert "CH93 0076 2011 6238 5295 8" in html(refused), "what was typed stands there"
    account["iban"] = "CH93 0076 2011 6238 5295 7"
    refused = post("cash_fees", who="fredi", about="creditor", **account | {"name": "x" * 71})
    assert "at most 70 characters (it has 71)" in html(refused)
    assert post("cash_fees", who="fredi", about="creditor", **account).status_code == 302
    assert Creditor.objects.get().town == "Zürich"
    assert client("hanna").get(address("bill", 1)).status_code == 200
    drawn = client("hanna").get(address("bill_drawing", 1))
    assert drawn.headers["Content-Type"] == "image/svg+xml"
    assert drawn.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(("preset", "pairs"), [("klubabend", True), ("differenzler", False)])
def test_a_fee_is_for_one_person_and_the_pages_say_so(preset: str, pairs: bool) -> None:
    made = championship(8, preset=preset)
    form = page("cash_fees", who="fredi")
    assert form.count("Francs per person") == 2
    assert "Each amount is for one person" in form
    assert ("both of a pair pay it" in form) == pairs, "where everybody is alone nothing speaks of pairs"
    fees.set_fees(made, [Price("Gast", 2500)], actor=person("fredi"))
    assert "Francs per person" in page("cash")
    link = entry_link.set_link(made, on=True, actor=person("hanna"))
    own = html(client().get(reverse("enter_oneself", args=["herbstcup", link])))
    assert "Entry fee for one person: Gast 25.–" in own


def test_without_fees_the_till_says_what_to_do() -> None:
    championship(4)

    assert "No fees yet" in page()


def test_the_till_asks_the_database_the_same_for_any_number_of_people(
    priced: Championship, django_assert_max_num_queries: Any
) -> None:
    for number in range(1, 8):
        post("cash_fee", number, method="cash")
    browser = client("hanna")
    with django_assert_max_num_queries(16):
        browser.get(address("cash"))


def test_who_has_played_and_gone_still_owes_his_fee_and_who_never_came_does_not() -> None:
    round_ = opened("sheet", people=8)
    made = round_.championship
    fees.set_fees(made, [Price("Mitglied", 2000)], actor=person("fredi"))
    plays = round_.seatings.select_related("entry").order_by("pk")[0].entry
    never = entries.add_entry(made, actor=person("hanna"), name="Zita Zimmer")
    for gone in (plays, never):
        entries.withdraw_entry(gone, actor=person("hanna"), after_round=True)

    owing = page()
    assert f"{plays.family_name} {plays.first_name}" in owing
    assert "Zimmer" not in owing
    assert compute_evening_accounts(made).owing == 8
