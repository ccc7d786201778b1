"""Money of an evening: automatic booking of fees, counted tills, bills, and the accounts."""

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from qrbill.bill import MM_TO_UU
from stdnum import iso11649
from stdnum.ch import esr

from games.models import User
from tests.games.databases import in_threads
from tests.tournaments.qr_codes import read_matrix
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Booking, Championship, Creditor, Entry, Official
from tournaments.services.championships import officials
from tournaments.services.entries import entries
from tournaments.services.money import bills, bookings, fees, till_shifts
from tournaments.services.money.bill_characters import ALLOWED, to_permitted
from tournaments.services.money.evening_accounts import compute_evening_accounts
from tournaments.services.money.fees import Price

pytestmark = pytest.mark.both

IBAN = "CH93 0076 2011 6238 5295 7"
QR_IBAN = "CH44 3199 9123 0008 8901 2"


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(TournamentError) as refused:
        call()
    return refused.value.code


@pytest.fixture
def priced(championship: Championship, fredi: User) -> Championship:
    fees.set_fees(championship, [Price("Mitglied", 2000), Price("Gast", 2500)], actor=fredi)
    return championship


@pytest.fixture
def people(priced: Championship, fredi: User) -> list[Entry]:
    return [entries.add_entry(priced, actor=fredi, name=name) for name in ("Anna", "Beat", "Chiara")]


def balance(championship: Championship) -> int:
    return compute_evening_accounts(championship).balance


def test_what_is_paid_at_the_desk_books_itself(
    priced: Championship, people: list[Entry], fredi: User
) -> None:
    guest = priced.fees.get(label="Gast")
    fees.set_fee(people[1], guest, actor=fredi)
    for entry in people[:2]:
        entries.pay(entry, actor=fredi)

    found = compute_evening_accounts(priced)
    assert [(line.title, line.count, line.amount) for line in found.income] == [
        ("Gast", 1, 2500),
        ("Mitglied", 1, 2000),
    ]
    assert found.by_method == {"cash": 4500}


def test_a_fee_is_booked_once_however_often_it_is_pressed(people: list[Entry], fredi: User) -> None:
    for _ in range(3):
        entries.pay(people[0], actor=fredi)

    assert Booking.objects.count() == 1


def test_what_is_given_back_stays_in_the_book_with_its_opposite(
    priced: Championship, people: list[Entry], fredi: User
) -> None:
    entries.pay(people[0], actor=fredi)
    entries.pay(people[0], actor=fredi, paid=False)

    assert [line.amount for line in Booking.objects.all()] == [2000, -2000]
    assert balance(priced) == 0
    entries.pay(people[0], actor=fredi)
    assert balance(priced) == 2000


def test_where_nothing_is_asked_nothing_is_booked(championship: Championship, fredi: User) -> None:
    entries.pay(entries.add_entry(championship, actor=fredi, name="Anna"), actor=fredi)

    assert not Booking.objects.exists()


def test_who_has_paid_before_has_paid_by_transfer(priced: Championship, fredi: User) -> None:
    entries.add_entry(priced, actor=fredi, name="Dario", status=Entry.Status.PAID)

    assert [(one.method, one.shift) for one in Booking.objects.all()] == [("transfer", None)]


def test_the_house_pays_nothing_and_is_not_owing(priced: Championship, fredi: User) -> None:
    entries.add_entry(priced, actor=fredi, name="Helfer", house=True, status=Entry.Status.ARRIVED)
    entries.add_entry(priced, actor=fredi, name="Anna", status=Entry.Status.ARRIVED)
    found = compute_evening_accounts(priced)

    assert (found.owing, found.owed) == (1, 2000)


def test_a_fee_is_not_changed_under_who_has_paid_it(
    priced: Championship, people: list[Entry], fredi: User
) -> None:
    entries.pay(people[0], actor=fredi)
    guest = priced.fees.get(label="Gast")

    assert code_of(lambda: fees.set_fee(people[0], guest, actor=fredi)) == "money/paid_already"


def test_fees_are_a_list_that_is_replaced_and_keeps_who_pays_what(
    priced: Championship, people: list[Entry], fredi: User
) -> None:
    fees.set_fee(people[0], priced.fees.get(label="Gast"), actor=fredi)
    fees.set_fees(priced, [Price("Gast", 3000), Price("Jugend", 500)], actor=fredi)
    people[0].refresh_from_db()

    assert people[0].fee is not None
    assert people[0].fee.amount == 3000
    assert [fee.label for fee in priced.fees.all()] == ["Gast", "Jugend"]


@pytest.mark.parametrize(
    ("prices", "code"),
    [
        ([Price("Gast", 1), Price("Gast", 2)], "money/fee_twice"),
        ([Price("Gast", -1)], "money/fees"),
        ([Price("Gast", 100_001)], "money/fees"),
        ([Price(f"Art {n}", 1) for n in range(13)], "money/fees"),
        ([Price("", 1)], "names/missing"),
    ],
)
def test_a_list_of_fees_that_cannot_be_changes_nothing(
    priced: Championship, fredi: User, prices: list[Price], code: str
) -> None:
    assert code_of(lambda: fees.set_fees(priced, prices, actor=fredi)) == code
    assert [fee.label for fee in priced.fees.all()] == ["Mitglied", "Gast"]


def test_a_till_is_counted_against_what_went_through_it(
    priced: Championship, people: list[Entry], fredi: User
) -> None:
    entries.pay(people[0], actor=fredi)  # before the till is open
    shift = till_shifts.open_till(priced, actor=fredi, float_amount=10_000)
    entries.pay(people[1], actor=fredi)
    bookings.book(priced, "expense", "Znüni", 1550, actor=fredi)
    bookings.book(priced, "income", "Gönner", 5000, actor=fredi, method="twint")
    bookings.book(priced, "income", "Sponsor", 9000, actor=fredi, method="transfer")
    till_shifts.close_till(shift, actor=fredi, counted=10_400)
    (till,) = till_shifts.list_tills(priced)

    assert till.expected == 10_000 + 2000 - 1550
    assert till.difference == -50
    assert till.by_method == {"twint": 5000}
    assert code_of(lambda: till_shifts.close_till(shift, actor=fredi, counted=1)) == "money/till_closed"


def test_one_person_has_one_open_till_and_another_one_his_own(
    priced: Championship, fredi: User, eva: User
) -> None:
    officials.appoint(priced, eva, Official.Role.DESK, actor=fredi)
    mine = till_shifts.open_till(priced, actor=fredi)
    hers = till_shifts.open_till(priced, actor=eva)

    assert code_of(lambda: till_shifts.open_till(priced, actor=eva)) == "money/till_open"
    with pytest.raises(NotAllowed):
        till_shifts.close_till(mine, actor=eva, counted=0)
    till_shifts.close_till(hers, actor=fredi, counted=0)
    assert [till.shift.number for till in till_shifts.list_tills(priced)] == [1, 2]


def test_a_line_is_cancelled_once_and_the_fee_is_owed_again(
    priced: Championship, people: list[Entry], fredi: User
) -> None:
    entries.arrive(people[0], actor=fredi)
    entries.pay(people[0], actor=fredi)
    booking = Booking.objects.get()
    made = bookings.cancel(booking, actor=fredi)

    assert code_of(lambda: bookings.cancel(booking, actor=fredi)) == "money/cancelled"
    assert code_of(lambda: bookings.cancel(made, actor=fredi)) == "money/is_cancelling"
    assert compute_evening_accounts(priced).owing == 1


@pytest.mark.parametrize("amount", [0, -5, 10_000_001])
def test_an_amount_that_is_none_is_not_booked(priced: Championship, fredi: User, amount: int) -> None:
    booked = code_of(lambda: bookings.book(priced, "income", "Los", amount, actor=fredi))

    assert booked == "money/amount"
    assert not Booking.objects.exists()


def test_only_the_desk_takes_money(priced: Championship, eva: User, gabi: User) -> None:
    for actor in (eva, gabi):
        with pytest.raises(NotAllowed):
            bookings.book(priced, "income", "Los", 100, actor=actor)
        with pytest.raises(NotAllowed):
            till_shifts.open_till(priced, actor=actor)


@pytest.mark.django_db(transaction=True)
def test_two_desks_that_take_one_fee_at_once_book_it_once(people: list[Entry], fredi: User) -> None:
    def pay() -> object:
        return entries.pay(Entry.objects.get(pk=people[0].pk), actor=fredi)

    in_threads([pay, pay])

    assert Booking.objects.count() == 1


# --- bills


@pytest.fixture
def creditor(priced: Championship, fredi: User) -> None:
    told = {"name": "Jassclub", "street": "Gasse 1", "postcode": "8000", "town": "Zürich", "iban": IBAN}
    bills.set_creditor(priced, actor=fredi, **told)


@pytest.mark.usefixtures("creditor")
def test_a_bill_is_a_drawing_with_account_amount_and_reference(people: list[Entry]) -> None:
    drawn = bills.render_bill(people[0])
    words = [element.text or "" for element in ET.fromstring(drawn).iter() if element.text]

    assert "20.00" in words
    assert any("Jassclub" in word for word in words)
    assert iso11649.is_valid(bills.make_payment_reference(people[0], IBAN))


@pytest.mark.usefixtures("creditor")
def test_a_bill_names_the_fonts_of_the_style_guide_and_one_as_wide_for_other_machines(
    people: list[Entry],
) -> None:
    drawn = bills.render_bill(people[0])
    families = {one.get("font-family") for one in ET.fromstring(drawn).iter() if one.get("font-family")}

    assert families == {bills.FONTS}
    assert "Liberation Sans" in bills.FONTS
    assert drawn.count("<style>") == 1
    assert drawn.count("size-adjust") == 2


def test_a_qr_iban_gets_a_reference_of_27_digits(people: list[Entry]) -> None:
    reference = bills.make_payment_reference(people[0], QR_IBAN)

    assert len(reference) == 27
    assert esr.is_valid(reference)


@pytest.mark.parametrize("iban", ["", "CH93 0076 2011 6238 5295 8", "DE89 3704 0044 0532 0130 00", "x" * 40])
def test_an_account_that_is_none_is_refused(priced: Championship, fredi: User, iban: str) -> None:
    told = {"name": "Jassclub", "postcode": "8000", "town": "Zürich", "iban": iban}

    assert code_of(lambda: bills.set_creditor(priced, actor=fredi, **told)) == "money/iban"


def test_without_an_account_or_a_fee_there_is_no_bill(
    priced: Championship, people: list[Entry], fredi: User
) -> None:
    assert code_of(lambda: bills.render_bill(people[0])) == "money/no_creditor"
    told = {"name": "Jassclub", "postcode": "8000", "town": "Zürich", "iban": IBAN}
    bills.set_creditor(priced, actor=fredi, **told)
    fees.set_fees(priced, [], actor=fredi)
    assert code_of(lambda: bills.render_bill(people[0])) == "money/no_fee"


@pytest.mark.usefixtures("creditor")
def test_what_the_code_of_a_bill_holds_is_what_stands_on_it(people: list[Entry]) -> None:
    lines = bills.build_bill(people[1]).qr_data().split("\r\n")

    assert lines[:4] == ["SPC", "0200", "1", "CH9300762011623852957"]
    assert lines[lines.index("20.00") + 1] == "CHF"
    reference = bills.make_payment_reference(people[1], IBAN)
    assert lines[lines.index("SCOR") + 1] == reference
    assert f"{people[1].championship.name} Beat" in lines
    assert lines[30] == "EPD"


def test_references_of_two_people_and_of_two_championships_are_never_alike(people: list[Entry]) -> None:
    one, other, _third = people
    for iban in (IBAN, QR_IBAN):
        assert bills.make_payment_reference(one, iban) != bills.make_payment_reference(other, iban)


def test_an_account_that_came_without_its_number_prints_no_bill_and_says_what_is_missing(
    priced: Championship, people: list[Entry]
) -> None:
    Creditor.objects.create(championship=priced, name="Jassclub", postcode="", town="Zürich", iban="")

    with pytest.raises(TournamentError, match="Enter: the postcode, the IBAN") as refused:
        bills.render_bill(people[0])

    assert refused.value.code == "money/creditor_incomplete"
    assert not bills.can_bill(priced)


@pytest.mark.parametrize(("field", "most"), [("name", 70), ("street", 70), ("town", 35)])
def test_a_field_of_the_account_is_as_long_as_the_standard_allows(
    priced: Championship, people: list[Entry], fredi: User, field: str, most: int
) -> None:
    told = {"name": "Jassclub", "street": "Gasse 1", "postcode": "8000", "town": "Zürich", "iban": IBAN}
    longer = told | {field: "x" * (most + 1)}
    assert code_of(lambda: bills.set_creditor(priced, actor=fredi, **longer)) == "names/too_long"
    bills.set_creditor(priced, actor=fredi, **told | {field: "x" * most})
    assert "x" * most in bills.build_bill(people[0]).qr_data()


@pytest.mark.parametrize("field", ["name", "street", "town", "postcode"])
def test_a_field_of_the_account_has_a_letter_that_a_bill_shows(
    priced: Championship, people: list[Entry], fredi: User, field: str
) -> None:
    told = {"name": "Jassclub", "street": "Gasse 1", "postcode": "8000", "town": "Zürich", "iban": IBAN}
    strange = told | {field: "王小明"}
    assert code_of(lambda: bills.set_creditor(priced, actor=fredi, **strange)) == "money/letters"
    Creditor.objects.create(championship=priced, **strange)
    if field == "street":
        assert "Jassclub" in bills.render_bill(people[0])
    else:
        assert code_of(lambda: bills.render_bill(people[0])) == "money/creditor_incomplete"


@pytest.mark.parametrize("stored", [{"name": "€" * 70}, {"postcode": "€" * 10}, {"town": "Æ" * 35}])
def test_a_stored_field_that_gets_longer_in_allowed_letters_still_prints(
    priced: Championship, people: list[Entry], stored: dict[str, str]
) -> None:
    told = {"name": "Jassclub", "postcode": "8000", "town": "Zürich", "iban": IBAN} | stored
    Creditor.objects.create(championship=priced, **told)
    assert "<svg" in bills.render_bill(people[0])


def test_a_stored_account_number_that_is_none_prints_no_bill(
    priced: Championship, people: list[Entry]
) -> None:
    Creditor.objects.create(championship=priced, name="Jassclub", postcode="8000", town="Zürich", iban="CH1")
    assert code_of(lambda: bills.render_bill(people[0])) == "money/creditor_incomplete"


def test_a_long_address_stays_on_the_paper_and_above_the_amount(
    priced: Championship, people: list[Entry], fredi: User
) -> None:
    told = {
        "name": "Verein zur Förderung des Schieber- und Differenzlerjasses Oberemmental",
        "street": "Obere Bahnhofstrasse beim alten Schulhaus Hinterdorf-Nord Nummer 1234a",
        "postcode": "3550",
        "town": "Langnau im Emmental",
        "iban": IBAN,
    }
    bills.set_creditor(priced, actor=fredi, **told)
    texts = [one for one in ET.fromstring(bills.render_bill(people[0])).iter() if one.tag.endswith("text")]
    assert max(len(one.text or "") for one in texts) <= bills.LINE_WIDTH
    left = min(float(one.get("x", 0)) for one in texts)
    receipt = [one.text or "" for one in texts if float(one.get("x", 0)) == left]
    assert not any("Bahnhofstrasse" in text for text in receipt)
    assert "CH-3550 Langnau im Emmental" in receipt
    assert any("Bahnhofstrasse" in (one.text or "") for one in texts)


@pytest.mark.parametrize(
    ("name", "street", "town", "shown"),
    [
        ("Verein zur Förderung des Schieberjasses Oberemmental", "Gasse 1", "Langnau", "Gasse 1"),
        ("x" * 70, "y" * 70, "Langnau im Emmental beim Rathausweg", "CH-3550"),
        (
            "x" * 20 + " " + "x" * 20 + " " + "x" * 28,
            "",
            "Langnau im Emmental beim Rathausweg",
            "CH-3550",
        ),
    ],
)
def test_the_field_for_the_payer_ends_above_the_amount(
    priced: Championship, people: list[Entry], fredi: User, name: str, street: str, town: str, shown: str
) -> None:
    told = {"name": name, "street": street, "postcode": "3550", "town": town, "iban": IBAN}
    bills.set_creditor(priced, actor=fredi, **told)
    drawn = list(ET.fromstring(bills.render_bill(people[0])).iter())
    texts = [one for one in drawn if one.tag.endswith("text")]
    left = min(float(one.get("x", 0)) for one in texts)
    receipt = {one.text or "": float(one.get("y", 0)) for one in texts if float(one.get("x", 0)) == left}
    assert any(text.startswith(shown) for text in receipt)
    corners = [
        float(one.get("y2", 0))
        for one in drawn
        if one.tag.endswith("line") and float(one.get("x1", 0)) == left
    ]
    assert max(corners) < receipt["Currency"] - 2.5 * MM_TO_UU
    assert max(corners) - min(corners) > 19 * MM_TO_UU


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Herbstcup – «Rund um den Puur»", 'Herbstcup - "Rund um den Puur"'),
        ("Zürich, Genève, Cañón, Großmann", "Zürich, Genève, Cañón, Großmann"),
        ("Łukasz Đoković Şahin Ørsted", "Lukasz Dokovic Sahin Orsted"),
        ("D’Angelo\u00a0… 50 € 🎉", "D'Angelo ... 50 EUR ."),
        ("Zu\u0308rich\u200b", "Zürich"),
        ("王小明", ""),
    ],
)
def test_a_bill_has_only_letters_that_its_standard_allows(text: str, written: str) -> None:
    assert to_permitted(text) == written
    assert set(written) <= ALLOWED


@pytest.mark.usefixtures("creditor")
def test_the_code_of_a_bill_is_read_with_the_name_of_the_evening_in_allowed_letters(
    people: list[Entry],
) -> None:
    people[1].championship.name = "Stöck – Wys – Stich: «Finale» ’26"
    people[1].name = "Łukasz Đoković"
    bill = bills.build_bill(people[1])
    data = read_matrix([[bool(one) for one in row] for row in bill.qr_image().modules]).decode()

    assert data == bill.qr_data()
    assert set(data) <= ALLOWED | {"\r", "\n"}
    assert 'Stöck - Wys - Stich: "Finale" \'26 Lukasz Dokovic' in data.split("\r\n")
