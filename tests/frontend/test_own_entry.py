"""A person's own page by the link that they keep: their state, partner, fee and bill; withdrawing."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries, Settings

from frontend.views.entries import entries as entries_page
from games.messaging.rate_limit import Budget
from games.rights.tokens import hash_token
from tests.client_responses import Answer
from tests.frontend.evening import championship, client, html, person
from tournaments.models import Championship, Entry, EntryMail, OwnPage, Round
from tournaments.presets import PRESETS
from tournaments.services.championships import archiving
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, entry_link, entry_terms, merging, own_pages
from tournaments.services.entries.entries import NewEntry
from tournaments.services.money import bills, fees
from tournaments.services.money.fees import Price

pytestmark = pytest.mark.django_db
PAIRS = next(key for key, found in PRESETS.items() if found.play.format == "fixed_pairs")
ZITA = {"first_name": "Zita", "family_name": "Zehnder", "club": "Jassfreunde"}
ACCOUNT = {
    "name": "Jassclub",
    "street": "Gasse 1",
    "postcode": "3000",
    "town": "Bern",
    "iban": "CH5800791123000889012",
}


def limited(people: int, limit: int | None, **more: Any) -> tuple[Championship, str]:
    """An evening with this many places, and the address of its link."""
    made = championship(people, status="registered", **more)
    link = entry_link.set_link(made, on=True, actor=person("hanna"))
    entry_terms.set_terms(made, actor=person("hanna"), limit=limit, opens_at=None, closes_at=None)
    return made, reverse("enter_oneself", args=["herbstcup", link])


def enter(address: str, **told: str) -> tuple[str, Answer]:
    """Enter somebody; return the address of their page, and that page."""
    answer = client().post(address, {**ZITA, **told}, follow=True)
    assert answer.status_code == 200, html(answer)
    return answer.redirect_chain[-1][0], answer


def test_whoever_enters_is_led_to_a_page_to_keep() -> None:
    made, address = limited(2, 3)

    own, answer = enter(address)

    shown = html(answer)
    assert "You are entered, number 3." in shown
    assert f'value="http://testserver{own}"' in shown
    assert re.fullmatch(r"/e/herbstcup/me/[\w-]{22}/", own)
    token = own.split("/")[-2]
    assert OwnPage.objects.get(entry__name="Zita Zehnder").digest == hash_token(token)
    assert token not in repr(list(OwnPage.objects.values())), "the database does not hold the link"
    assert "E-mail" not in html(client().get(address)), "there is no mail server"
    assert made.entries.count() == 3


def test_the_page_is_kept_by_nobody_else() -> None:
    _made, address = limited(2, None)
    own, _ = enter(address)

    answer = client().get(own)

    assert answer["Cache-Control"] == "no-store"
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert '<meta name="robots" content="noindex, nofollow">' in html(answer)


def test_who_enters_a_full_evening_waits_at_a_place_that_is_named() -> None:
    made, address = limited(2, 2)
    assert "All 2 places are taken. New entries" in html(client().get(address))

    own, answer = enter(address)

    assert "number 1 on the waiting list" in html(answer)
    second, answer = enter(address, first_name="Yves")
    assert "number 2 on the waiting list" in html(answer)
    third, _ = enter(address, first_name="Xenia")
    assert "unlikely" in html(client().get(third))
    assert "unlikely" not in html(client().get(own))
    assert "unlikely" not in html(client().get(second))
    entries.withdraw_entry(made.entries.get(number=1), actor=person("hanna"))
    assert "You are entered, number 3." in html(client().get(own))
    assert "number 1 on the waiting list" in html(client().get(second))


def test_one_withdraws_oneself_after_being_asked() -> None:
    made, address = limited(2, None)
    own, _ = enter(address)

    client().post(own, {"do": "withdraw"})
    assert made.entries.get(number=3).status == Entry.Status.REGISTERED, "not without the second press"
    shown = html(client().post(own, {"do": "withdraw", "sure": "1"}, follow=True))

    assert made.entries.get(number=3).status == Entry.Status.WITHDRAWN
    assert "You have withdrawn." in shown
    assert "Yes, withdraw me" not in shown
    again = html(client().post(own, {"do": "withdraw", "sure": "1"}, follow=True))
    assert "You have withdrawn." in again


def test_nobody_withdraws_somebody_else() -> None:
    made, address = limited(2, None)
    own, _ = enter(address)
    token = own.split("/")[-2]
    other, _ = enter(address, first_name="Yves")
    wrong = [
        *(token[:-1] + ("A" if token[-1] != "A" else "B"), token.swapcase(), token[:-1], f"{token}A"),
        *("ä", "x" * 500, made.entries.get(number=3).player_ref, OwnPage.objects.earliest("pk").digest),
    ]

    for one in wrong:
        path = f"/e/herbstcup/me/{one}/"
        assert client().get(path).status_code == 404
        assert client().post(path, {"do": "withdraw", "sure": "1"}).status_code == 404
    championship(name="Anderes", slug="anderes")
    elsewhere = own.replace("herbstcup", "anderes")
    assert client().post(elsewhere, {"do": "withdraw", "sure": "1"}).status_code == 404
    client().post(own, {"do": "withdraw", "sure": "1", "number": "1", "entry": "1"})

    there = set(made.entries.exclude(status="withdrawn").values_list("number", flat=True))
    assert there == {1, 2, 4}
    assert "Yes, withdraw me" in html(client().get(other))


def test_after_the_draw_only_the_desk_withdraws_and_the_page_shows_the_seat() -> None:
    made, address = limited(7, None)
    own, _ = enter(address)
    for entry in made.entries.all():
        entries.arrive(entry, actor=person("hanna"))
    drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))

    shown = html(client().get(own))
    refused = html(client().post(own, {"do": "withdraw", "sure": "1"}, follow=True))

    assert "Yes, withdraw me" not in shown
    assert re.search(r"Round 1.{0,40}Table [12]", shown, re.DOTALL)
    assert "entries/drawn_already" in refused
    assert made.entries.get(number=8).status == Entry.Status.ARRIVED


def test_the_seat_of_a_private_evening_is_shown_without_links_into_it() -> None:
    made, address = limited(7, None, public=False)
    own, _ = enter(address)
    for entry in made.entries.all():
        entries.arrive(entry, actor=person("hanna"))
    drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))

    shown = html(client().get(own))

    assert re.search(r"Table [12]", shown)
    assert 'href="/c/' not in shown


def test_a_link_that_is_lost_is_replaced_by_the_desk_and_the_old_one_ends() -> None:
    _made, address = limited(2, None)
    own, _ = enter(address)

    answer = client("hanna").post(reverse("entry_own_link", args=["herbstcup", 3]))

    found = re.search(r'value="http://testserver(/e/herbstcup/me/[\w-]+/)"', html(answer))
    assert found is not None
    assert client().get(own).status_code == 404
    assert "Zita Zehnder" in html(client().get(found[1]))
    for_another = client("hanna").post(reverse("entry_own_link", args=["herbstcup", 1]))
    assert "/me/" in html(for_another), "also for somebody whom the desk has entered"
    assert OwnPage.objects.count() == 2


def test_the_bill_is_shown_to_who_has_a_place_and_has_not_paid() -> None:
    made, address = limited(2, 3)
    fees.set_fees(made, [Price("Mitglied", 2000), Price("Gast", 2500)], actor=person("fredi"))
    bills.set_creditor(made, actor=person("fredi"), **ACCOUNT)
    guest = made.fees.get(label="Gast")
    assert "Gast: 25.–" in html(client().get(address))

    own, answer = enter(address, fee=str(guest.pk))

    assert made.entries.get(number=3).fee == guest
    assert f'src="{own}bill.svg"' in html(answer)
    drawn = client().get(f"{own}bill.svg")
    assert drawn["Content-Type"] == "image/svg+xml"
    assert drawn["X-Robots-Tag"] == "noindex, nofollow"
    assert "25.00" in drawn.content.decode()
    waits, answer = enter(address, first_name="Yves", fee=str(guest.pk))
    assert "bill.svg" not in html(answer)
    assert "Pay once you have a place." in html(answer)
    assert client().get(f"{waits}bill.svg").status_code == 404
    entries.pay(made.entries.get(number=3), actor=person("hanna"))
    assert client().get(f"{own}bill.svg").status_code == 404
    assert "bill.svg" not in html(client().get(own))


@pytest.mark.parametrize("fee", ["0", "x", "999999", ""])
def test_a_fee_that_is_none_of_the_list_enters_nobody(fee: str) -> None:
    made, address = limited(2, None)
    fees.set_fees(made, [Price("Mitglied", 2000), Price("Gast", 2500)], actor=person("fredi"))

    assert client().post(address, {**ZITA, "fee": fee}).status_code == 400
    assert made.entries.count() == 2


def test_a_fee_of_another_championship_enters_nobody() -> None:
    made, address = limited(2, None)
    fees.set_fees(made, [Price("Mitglied", 2000), Price("Gast", 2500)], actor=person("fredi"))
    other = championship(name="Anderes", slug="anderes")
    fees.set_fees(other, [Price("Gratis", 0)], actor=person("fredi"))

    assert client().post(address, {**ZITA, "fee": str(other.fees.get().pk)}).status_code == 400
    with pytest.raises(ValueError, match="another championship"):
        entry_link.enter_by_link(
            made, made.entry_link, "192.0.2.1", NewEntry(family_name="Zehnder", fee=other.fees.get())
        )
    assert made.entries.count() == 2


def test_two_enter_together_and_the_second_link_is_shown_to_the_first() -> None:
    made, address = limited(0, 4, preset=PAIRS)

    own, answer = enter(address, partner="Yves Yersin", with_partner="on")

    shown = html(answer)
    links = set(re.findall(r'href="http://testserver(/e/herbstcup/me/[\w-]+/)"', shown))
    assert len(links) == 1
    assert own not in links
    assert "Yves Yersin" in html(client().get(own))
    assert "Zita Zehnder" in html(client().get(links.pop()))
    assert made.entrants.count() == 1


def test_a_single_place_beside_a_waiting_pair_is_offered_to_who_enters_alone() -> None:
    _made, address = limited(2, 3, preset=PAIRS, starts_at=timezone.now() + timedelta(days=3))
    desk = reverse("entries", args=["herbstcup"])
    _, answer = enter(address, partner="Yves Yersin", with_partner="on")
    assert "number 1 on the waiting list" in html(answer)

    shown = html(client().get(address))

    assert "1 of 3 places are free." in shown
    assert "Put me on the list" in shown
    assert '<option value="registered" selected>' in html(client("hanna").get(desk))
    _, answer = enter(address, first_name="Xenia")
    assert "You are entered, number 5." in html(answer)
    assert "All 3 places are taken; 2 people are waiting." in html(client().get(address))
    assert '<option value="waiting" selected>' in html(client("hanna").get(desk))


def test_a_helper_of_the_house_takes_no_place_on_the_desks_form() -> None:
    made, _address = limited(2, 2, starts_at=timezone.now() + timedelta(days=3))
    made.entries.filter(number=2).update(house=True)

    shown = html(client("hanna").get(reverse("entries", args=["herbstcup"])))

    assert '<option value="registered" selected>' in shown


def test_whom_one_enters_too_has_to_be_named() -> None:
    made, address = limited(0, 4, preset=PAIRS)

    answer = client().post(address, {**ZITA, "with_partner": "on"})

    assert (answer.status_code, made.entries.count()) == (400, 0)


def test_who_is_asked_answers_on_their_own_page() -> None:
    made, address = limited(0, 4, preset=PAIRS)
    own, _ = enter(address)
    other, answer = enter(address, first_name="Yves", partner="Zita Zehnder")
    assert "You have named Zita Zehnder." in html(answer)

    assert "Yves Zehnder would like to play with you." in html(client().get(own))
    shown = html(client().post(own, {"do": "accept", "number": "2"}, follow=True))

    assert "<strong>Yves Zehnder</strong>" in shown
    assert made.entrants.count() == 1
    client().post(other, {"do": "partner", "partner": ""})
    assert made.entrants.count() == 0
    assert "<strong>Yves Zehnder</strong>" not in html(client().get(own))


@pytest.mark.parametrize("name", ["x" * 181, "a\u202eb", "x" * 100_000])
def test_a_partner_of_an_impossible_name_is_none(name: str) -> None:
    made, address = limited(0, 4, preset=PAIRS)
    own, _ = enter(address)

    shown = html(client().post(own, {"do": "partner", "partner": name}, follow=True))

    assert "names/" in shown
    assert client().post(address, {**ZITA, "first_name": "Yves", "partner": name}).status_code in (400, 409)
    assert (made.entries.count(), OwnPage.objects.get().wished) == (1, "")


def test_an_act_that_there_is_not_changes_nothing() -> None:
    made, address = limited(2, None)
    own, _ = enter(address)

    for told in (
        {},
        {"do": "pay"},
        {"do": "accept", "number": "x"},
        {"do": "partner", "partner": "Beat Bühler"},
    ):
        assert client().post(own, told, follow=True).status_code == 200
    assert made.entries.get(number=3).status == Entry.Status.REGISTERED
    assert not OwnPage.objects.exclude(partner=None).exists()


def test_who_presses_without_end_is_held_up(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LIMITS = True
    monkeypatch.setattr(own_pages, "CHANGES", Budget("own-page-of-this-test", most=2, seconds=600))
    _made, address = limited(0, 4, preset=PAIRS)
    own, _ = enter(address)

    said = [
        html(client().post(own, {"do": "partner", "partner": f"Gast {n}"}, follow=True)) for n in range(3)
    ]

    assert ["entries/too_many_changes" in one for one in said] == [False, False, True]
    assert OwnPage.objects.get().wished == "Gast 1"


def test_of_two_entries_made_one_the_page_says_which_counts() -> None:
    made, address = limited(2, None)
    own, _ = enter(address)
    merging.merge_entries(made.entries.get(number=1), made.entries.get(number=3), actor=person("hanna"))

    assert "Number 1 counts" in html(client().get(own))


def test_of_an_archived_evening_the_page_is_to_look_at() -> None:
    made, address = limited(2, None)
    own, _ = enter(address)
    Championship.objects.filter(pk=made.pk).update(status="finished")
    archiving.archive(made, actor=person("fredi"))

    assert "Yes, withdraw me" not in html(client().get(own))
    assert "championship/archived" in html(client().post(own, {"do": "withdraw", "sure": "1"}, follow=True))


def test_names_that_the_public_may_not_read_are_full_on_ones_own_page() -> None:
    made, address = limited(2, None, preset=PAIRS)
    own, _ = enter(address)
    Championship.objects.filter(pk=made.pk).update(public_names="numbers")

    assert "Zita Zehnder" in html(client().get(own))
    other, _ = enter(address, first_name="Yves", partner="Zehnder Zita")
    assert "Yves Zehnder would like to play with you." in html(client().get(own))
    client().post(own, {"do": "accept", "number": "4"})
    assert made.entrants.count() == 1, "names are compared as they are stored"
    assert Entry.objects.get(number=3).name == "Zita Zehnder"
    client().post(other, {"do": "withdraw", "sure": "1"})
    assert Entry.objects.get(number=4).name == "Yves Zehnder"


def test_the_page_asks_as_often_whatever_the_number_of_people(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    made, address = limited(60, 8, preset=PAIRS)
    own, _ = enter(address, partner="Nobody Known")
    for n in range(6):
        enter(address, first_name=f"Gast{n}", partner="Zita Zehnder")

    with django_assert_max_num_queries(20):
        client().get(own)
    assert made.entries.filter(Entry.WAITS).count() == 7


def desk(query: str = "", who: str = "hanna") -> str:
    return html(client(who).get(reverse("entries", args=["herbstcup"]) + query))


def act(number: int, name: str, reader: Client | None = None) -> Answer:
    path = reverse("entry_act", args=["herbstcup", number, name])
    return (reader or client("hanna")).post(f"{path}?show=waiting", follow=True)


def test_the_desk_sees_the_list_in_its_order_and_moves_people_up_and_back() -> None:
    made, address = limited(2, 2)
    for name in ("Zita", "Yves", "Xenia"):
        enter(address, first_name=name)

    shown = desk("?show=waiting")
    assert [int(n) for n in re.findall(r'<span class="muted">(\d)\.</span>', shown)] == [1, 2, 3]
    assert shown.index("Zehnder Zita") < shown.index("Zehnder Yves") < shown.index("Zehnder Xenia")
    assert "Bühler" not in shown.split("entry-rows")[1]
    act(5, "move-up")
    assert made.entries.get(number=5).status == Entry.Status.REGISTERED
    assert "Back to the waiting list" in desk()
    act(5, "put-back")
    assert made.entries.get(number=5).waits
    act(3, "withdraw")
    assert not made.entries.get(number=3).waits
    assert "entries/waits" in html(act(4, "pay"))
    assert not made.entries.get(number=4).paid


def test_the_desk_offers_the_way_back_as_long_as_no_round_is_drawn() -> None:
    made, address = limited(2, 2)
    for name in ("Zita", "Yves"):
        enter(address, first_name=name)
    assert "Zita Zehnder is off the waiting list." in html(act(3, "withdraw"))
    act(4, "move-up")
    desk_of_parts = Client(headers={"accept-language": "en", "HX-Request": "true"})
    desk_of_parts.force_login(person("hanna"))
    assert "Back to the waiting list" in desk()
    assert "Back to the waiting list" in html(act(4, "pay", desk_of_parts))

    made.rounds.update(status=Round.Status.DRAWN)

    assert "entries/round_drawn" in html(act(4, "put-back"))
    assert "Back to the waiting list" not in desk()
    assert "Back to the waiting list" not in html(act(4, "unpay", desk_of_parts))


def test_each_waiting_person_stands_on_one_page_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries_page, "ENTRIES_PER_PAGE", 2)
    _made, address = limited(2, 2, preset=PAIRS)
    first, _ = enter(address, first_name="Anna")
    for name in ("Beat", "Chiara"):
        enter(address, first_name=name)
    enter(address, first_name="Dario", partner="Anna Zehnder")
    client().post(first, {"do": "accept", "number": "6"})

    pages = [desk(f"?show=waiting&from={at}") for at in (0, 2)]

    names = [re.findall(r"Zehnder (Anna|Beat|Chiara|Dario)</a>", shown) for shown in pages]
    assert names == [["Beat", "Chiara"], ["Anna", "Dario"]]


def test_nobody_but_the_desk_sees_who_waits() -> None:
    _made, address = limited(2, 2)
    enter(address)

    for who in (None, "anna", "eva"):
        path = reverse("entries", args=["herbstcup"])
        for query in ("", "?show=waiting", "?q=Zita"):
            assert "Zehnder" not in html(client(who).get(path + query))


def test_the_desk_enters_somebody_on_the_waiting_list() -> None:
    made, _address = limited(2, 2)
    add = reverse("entry_add", args=["herbstcup"])
    assert 'value="waiting"' in desk()

    client("hanna").post(add, {"family_name": "Zehnder", "first_name": "Zita", "status": "waiting"})

    assert made.entries.get(number=3).waits
    entry_terms.set_terms(made, actor=person("hanna"), limit=None, opens_at=None, closes_at=None)
    assert not made.entries.get(number=3).waits
    assert 'value="waiting"' not in desk(), "without a limit nobody waits"
    told = {"family_name": "Yersin", "first_name": "Yves", "status": "waiting"}
    assert client("hanna").post(add, told).status_code == 400


def test_the_desk_sets_places_and_times_and_is_told_what_is_wrong() -> None:
    made, address = limited(2, 2)
    enter(address)
    terms = reverse("entry_terms", args=["herbstcup"])
    day = timezone.localtime() + timedelta(days=2)

    shown = html(client("hanna").post(terms, {"terms-limit": "3"}, follow=True))
    assert "1 person moved up from the waiting list." in shown
    times = {"terms-opens_at": f"{day:%Y-%m-%dT%H:%M}", "terms-closes_at": f"{day:%Y-%m-%dT%H:%M}"}
    assert "entries/closes_first" in html(client("hanna").post(terms, times, follow=True))
    for wrong in ({"terms-limit": "0"}, {"terms-limit": "x"}, {"terms-opens_at": "1066-10-14T09:00"}):
        assert client("hanna").post(terms, wrong, follow=True).status_code == 200
    made.refresh_from_db()
    assert (made.entry_limit, made.entries_open_at) == (3, None)

    client("hanna").post(terms, {"terms-limit": "3", "terms-opens_at": times["terms-opens_at"]})
    page = html(client().get(address))
    assert "Entering opens on" in page
    assert '<form class="panel"' not in page
    answer = client().post(address, {**ZITA, "first_name": "Yves"})
    assert "entries/not_open_yet" in html(answer)
    past = timezone.now() - timedelta(hours=1)
    Championship.objects.filter(pk=made.pk).update(entries_open_at=None, entries_close_at=past)
    assert "Entering closed on" in html(client().get(address))
    assert "entries/closed" in html(client().post(address, {**ZITA, "first_name": "Yves"}))
    assert made.entries.count() == 3


def test_the_desk_sees_a_mail_that_did_not_arrive_and_whom_somebody_wished(settings: Settings) -> None:
    settings.MAIL_FROM, settings.ORIGIN = "jass@example.org", "https://jass.example.org"
    made, address = limited(0, None, preset=PAIRS)
    assert "E-mail" in html(client().get(address))
    enter(address, email="zita@example.ch", partner="Yves Yersin")
    assert made.entries.get().email == "zita@example.ch"
    assert "mail not delivered" not in desk()

    EntryMail.objects.update(state="failed")

    shown = desk()
    assert "mail not delivered" in shown
    assert "would like to play with Yves Yersin" in shown
    assert "mail not delivered" not in desk(who="eva")
    number = made.entries.get().number
    page = reverse("entry_edit", args=[made.slug, number])
    assert "The last mail was not delivered." in html(client("fredi").get(page))
    answer = client("fredi").post(reverse("entry_mail", args=[made.slug, number]), follow=True)
    assert "The link is on its way to zita@example.ch." in html(answer)
    assert "mail not delivered" not in desk()


def test_the_public_page_of_who_waits_does_not_call_them_withdrawn() -> None:
    made, address = limited(2, 2)
    enter(address)

    shown = html(client().get(reverse("persons_evening", args=["herbstcup", 3])))

    assert "on the waiting list" in shown
    assert 'role="note">withdrawn' not in shown
    assert made.entries.get(number=3).waits
