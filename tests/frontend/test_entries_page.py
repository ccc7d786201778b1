"""The desk: finding, entering, one key each for present, paid and withdrawn, and the public view."""

import re
from typing import Any

import pytest
from django.urls import reverse

from tests.client_responses import Answer
from tests.frontend.evening import championship, client, entry, html, opened, person
from tournaments.models import Entry
from tournaments.services.entries import entries as desk
from tournaments.services.entries import pairs

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def act(name: str, number: int, what: str) -> str:
    answer = client(name).post(reverse("entry_act", args=["herbstcup", number, what]), headers=HTMX)
    assert answer.status_code == 200
    return html(answer)


def test_three_letters_find_a_person_whatever_the_accents() -> None:
    championship(8)

    found = html(client("hanna").get(reverse("entries", args=["herbstcup"]), {"q": "FRAEN"}, headers=HTMX))

    assert "Frei Fränzi" in found
    assert "Ammann Anna" not in found
    assert "<html" not in found


def test_a_number_finds_its_entry_and_no_other() -> None:
    championship(16)

    found = html(client("hanna").get(reverse("entries", args=["herbstcup"]), {"q": "3"}, headers=HTMX))

    assert "Caduff Chiara" in found
    assert "Meier Maja" not in found


def test_one_key_marks_somebody_as_here_and_the_counts_come_along() -> None:
    made = championship(8, status="registered")

    answer = act("hanna", 1, "arrive")

    assert entry(made, "Anna Ammann").status == Entry.Status.ARRIVED
    assert 'id="entry-1"' in answer
    assert 'id="desk-counts" hx-swap-oob="true"' in answer
    assert "/entries/1/leave/" in answer, "what was done can be undone with one key"


@pytest.mark.parametrize(("what", "back"), [("arrive", "leave"), ("pay", "unpay"), ("withdraw", "take-back")])
def test_every_key_has_its_undo(what: str, back: str) -> None:
    made = championship(4, status="registered")
    before = entry(made, "Beat Bühler")

    act("hanna", 2, what)
    act("hanna", 2, back)

    after = entry(made, "Beat Bühler")
    assert (after.status, after.paid) == (before.status, before.paid)


def test_the_counts_say_how_many_are_missing_to_the_next_table() -> None:
    championship(13)

    page = html(client("hanna").get(reverse("entries", args=["herbstcup"])))

    assert "<dt>missing to the next</dt><dd>3</dd>" in page


def test_who_sits_at_an_open_table_is_not_withdrawn_but_may_go_after_the_round() -> None:
    round_ = opened("sheet")

    answer = act("hanna", 1, "withdraw")

    assert "entries/seated" in answer
    assert "/entries/1/withdraw-after/" in answer
    assert entry(round_.championship, "Anna Ammann").status == Entry.Status.ARRIVED

    act("hanna", 1, "withdraw-after")

    assert entry(round_.championship, "Anna Ammann").status == Entry.Status.WITHDRAWN


def test_a_double_is_refused_with_its_code_and_the_name_stays_in_the_form() -> None:
    made = championship(2)

    answer = client("hanna").post(
        reverse("entry_add", args=["herbstcup"]), {"family_name": "anna  AMMANN", "status": "arrived"}
    )

    assert answer.status_code == 400
    assert "entries/double" in html(answer)
    assert 'value="anna  AMMANN"' in html(answer)
    assert made.entries.count() == 2


def test_somebody_is_entered_by_hand() -> None:
    made = championship(2)

    client("hanna").post(
        reverse("entry_add", args=["herbstcup"]),
        {"family_name": "Zäch", "first_name": "Zoé", "club": "Glarus", "status": "paid"},
    )

    assert entry(made, "Zoé Zäch").paid


def test_a_wrong_name_is_corrected() -> None:
    made = championship(2)

    client("hanna").post(
        reverse("entry_edit", args=["herbstcup", 1]), {"family_name": "Amman", "first_name": "Anna"}
    )

    assert made.entries.get(number=1).name == "Anna Amman"


def test_what_prizes_ask_for_is_written_down_beside_the_name() -> None:
    made = championship(2)
    address, desk = reverse("entry_edit", args=["herbstcup", 1]), client("hanna")
    told = {"family_name": "Ammann", "first_name": "Anna"}

    desk.post(address, {**told, "category": "Damen", "birth_year": "1961", "email": "anna@example.ch"})

    anna = made.entries.get(number=1)
    assert (anna.category, anna.birth_year, anna.email) == ("Damen", 1961, "anna@example.ch")
    assert 'value="Damen"' in html(desk.get(address))
    refused = desk.post(address, {**told, "birth_year": "bald"})
    assert refused.status_code == 400
    assert made.entries.get(number=1).birth_year == 1961


def apart(number: int, **posted: Any) -> Answer:
    return client("hanna").post(reverse("entry_apart", args=["herbstcup", number]), posted)


def test_who_agrees_to_be_named_is_kept_with_the_entry_and_taken_back() -> None:
    made = championship(1)
    desk = client("hanna")
    fields = {"family_name": "Zgraggen", "first_name": "Röbi", "status": "arrived", "consents": "on"}
    desk.post(reverse("entry_add", args=["herbstcup"]), fields)
    entered = entry(made, "Röbi Zgraggen")
    assert entered.consented_at is not None

    address = reverse("entry_edit", args=["herbstcup", entered.number])
    shown = html(desk.get(address))
    assert "Clearing the box withdraws the consent" in shown
    assert 'id="id_consents" checked' in shown
    desk.post(address, {"family_name": "Zgraggen", "first_name": "Röbi"})
    assert entry(made, "Röbi Zgraggen").consented_at is None


def test_two_are_kept_apart_and_drawn_together_again() -> None:
    made = championship(8)
    anna, beat = entry(made, "Anna Ammann"), entry(made, "Beat Bühler")
    assert apart(anna.number, other=f"{beat.number} Beat Bühler", kind="never_meet").status_code == 302

    [(wish, other)] = desk.list_constraints(beat)
    assert (other, wish.kind) == (anna, "never_meet")
    shown = html(client("hanna").get(reverse("entry_edit", args=["herbstcup", beat.number])))
    assert "never at one table: <strong>Anna Ammann</strong>" in shown

    assert apart(beat.number, release=wish.pk).status_code == 302
    assert desk.list_constraints(anna) == []


def test_two_are_kept_apart_as_far_as_possible_and_then_always() -> None:
    made = championship(8)
    page = reverse("entry_edit", args=["herbstcup", 1])
    assert apart(1, other="2", kind="never_meet", strength="soft").status_code == 302

    assert [wish.soft for wish, _other in desk.list_constraints(made.entries.get(number=2))] == [True]
    shown = "never at one table, as far as possible: <strong>Beat Bühler</strong>"
    assert shown in html(client("hanna").get(page))

    assert apart(2, other="1", kind="never_meet", strength="hard").status_code == 302
    assert [wish.soft for wish, _other in desk.list_constraints(made.entries.get(number=1))] == [False]
    assert shown not in html(client("hanna").get(page))
    assert apart(1, other="2", kind="never_meet", strength="perhaps").status_code == 400


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ("99", "There is no entry 99."),
        ("1", "A constraint is about two people"),
        ("Zita", "Nobody who is entered is called “Zita”."),
        ("", "This field is required."),
    ],
)
def test_nobody_is_kept_apart_from_somebody_who_is_not_there(other: str, sentence: str) -> None:
    made = championship(8)

    answer = apart(1, other=other, kind="never_meet")

    assert answer.status_code == 400
    assert sentence in html(answer)
    assert desk.list_constraints(entry(made, "Anna Ammann")) == []


def test_where_nobody_has_a_partner_only_tables_keep_people_apart() -> None:
    made = championship(8, preset="differenzler")

    answer = apart(1, other="2", kind="never_partner")

    assert answer.status_code == 400
    assert "never_partner" not in re.findall(r'<option value="(\w+)"', html(answer))
    assert desk.list_constraints(made.entries.get(number=1)) == []


def test_nothing_is_released_that_is_somebody_elses() -> None:
    made = championship(8)
    people = [made.entries.get(number=number) for number in (1, 2, 3)]
    wish = desk.add_constraint(made, "never_meet", people[0], people[1], actor=person("fredi"))

    for number in (wish.pk, "x", 10**12):
        apart(3, release=number)

    assert len(desk.list_constraints(people[0])) == 1


def test_people_without_an_office_read_the_list_and_get_no_buttons_and_no_notes() -> None:
    made = championship(3)
    desk.edit_entry(entry(made, "Beat Bühler"), actor=person("fredi"), note="schuldet noch 20")
    desk.withdraw_entry(entry(made, "Chiara Caduff"), actor=person("fredi"))

    page = html(client().get(reverse("entries", args=["herbstcup"])))

    assert "Bühler Beat" in page
    assert "schuldet" not in page
    assert "Caduff Chiara" not in page
    assert "entry_act" not in page
    assert '<button class="button small' not in page


def test_an_empty_list_says_what_to_do_next() -> None:
    championship(0)

    page = html(client("hanna").get(reverse("entries", args=["herbstcup"])))

    assert "Nobody is entered yet" in page
    assert reverse("entries_import", args=["herbstcup"]) in page


def test_a_long_list_comes_in_parts() -> None:
    championship(120)

    page = html(client("hanna").get(reverse("entries", args=["herbstcup"])))
    rest = html(client("hanna").get(reverse("entries", args=["herbstcup"]), {"from": "100"}, headers=HTMX))

    assert page.count('class="desk-row') == 100
    assert "from=100" in page
    assert rest.count('class="desk-row') == 20


def test_partners_are_named_at_the_desk_where_they_stay_the_same() -> None:
    made = championship(4, preset="partnerschieber", changes={})
    address = "/c/herbstcup/entries/1/"
    shown = html(client("hanna").get(address))
    assert '<option value="2 Beat Bühler">' in shown
    assert '<option value="1 Anna Ammann">' not in shown

    said = {
        "family_name": "Ammann",
        "first_name": "Anna",
        "club": "",
        "licence": "",
        "note": "",
        "user": "anna",
    }
    assert client("hanna").post(address, said | {"partner": "2 Beat Bühler"}).status_code == 302

    assert pairs.find_partner(entry(made, "Beat Bühler")) == entry(made, "Anna Ammann")
    assert 'value="2 Beat Bühler"' in html(client("hanna").get(address))
    assert 'value="1 Anna Ammann"' in html(client("hanna").get("/c/herbstcup/entries/2/"))
    client("hanna").post(address, said | {"partner": ""})
    assert pairs.find_partner(entry(made, "Beat Bühler")) is None


@pytest.mark.parametrize(
    ("partner", "words"),
    [
        ("77", "There is no entry 77."),
        ("Zita", "Nobody who is entered is called “Zita”."),
        ("3", "is already the partner of"),
    ],
)
def test_a_partner_who_cannot_be_is_refused_and_the_name_stays(partner: str, words: str) -> None:
    made = championship(4, preset="partnerschieber", changes={})
    pairs.pair(entry(made, "Chiara Caduff"), entry(made, "Dario Dörig"), actor=person("fredi"))

    said = {"family_name": "Anna Anders", "user": "anna", "partner": partner}
    answer = client("hanna").post("/c/herbstcup/entries/1/", said)

    assert answer.status_code == 400
    assert words in html(answer)
    assert entry(made, "Anna Ammann").name == "Anna Ammann"


def test_where_partners_are_drawn_nobody_asks_for_one() -> None:
    championship(2)

    assert 'name="partner"' not in html(client("hanna").get("/c/herbstcup/entries/1/"))


@pytest.mark.parametrize("who", ["gabi", "anna", None])
def test_who_has_paid_is_for_the_desk_alone(who: str | None) -> None:
    made = championship(4, status="registered")
    desk.pay(entry(made, "Anna Ammann"), actor=person("hanna"))
    address = reverse("entries", args=["herbstcup"])

    def listed(**asked: str) -> str:
        return html(client(who).get(address, asked, headers=HTMX))

    everybody = listed()
    assert listed(show="unpaid") == everybody
    assert listed(show="unpaid", q="Anna") == listed(q="Anna")
    assert len(set(re.findall(r'class="pill[^>]*>[^<]*<', everybody))) == 1, "a state that only payment makes"
    assert "Ammann Anna" not in html(client("hanna").get(address, {"show": "unpaid"}, headers=HTMX))


@pytest.mark.parametrize("query", ["²", "٣", "9" * 4400])
def test_what_looks_like_a_number_and_is_none_finds_nobody(query: str) -> None:
    championship(4)
    assert client().get(reverse("entries", args=["herbstcup"]), {"q": query}).status_code == 200


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Dörig Dölf", "Dölf Dörig"),
        ("Zgraggen Xeni", "Xeni Zgraggen"),
        ("Anna Anders", "Anna Anders"),
        ("Meier", "Meier"),
    ],
)
def test_both_names_in_the_first_field_are_read_as_it_says(typed: str, name: str) -> None:
    made = championship(0)
    client("hanna").post(
        reverse("entry_add", args=["herbstcup"]), {"family_name": typed, "status": "registered"}
    )
    assert made.entries.get().name == name
