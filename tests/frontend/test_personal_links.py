"""Personal links for a whole online evening: the desk's page, the waiting room, the seat, the clock."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.models import Deadline, Game, TableToken, User
from tests.frontend.evening import client, html
from tests.tournaments import table_play
from tournaments import regulations
from tournaments.errors import NotAllowed
from tournaments.models import Championship, PersonalLink, Round, SeatChange
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, personal_links, seat_codes
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db
NAMES = ("Anna", "Beat", "Chiara", "Dario")


@pytest.fixture
def fredi() -> User:
    return User.objects.get_or_create(username="fredi")[0]


@pytest.fixture
def online(fredi: User) -> Championship:
    """Four people whose cards are dealt here, with half a minute a turn."""
    made = championships.create(actor=fredi, name="Online", slug="online", changes={"rounds": 2, "deals": 1})
    data = regulations.encode(load_regulations(made))
    play = {**data["play"], "mode": "dealt", "turn_seconds": 30}
    regulations_change.change_regulations(made, {**data, "play": play}, actor=fredi)
    new = [entries.NewEntry(name, status="arrived", email=f"{name.lower()}@example.org") for name in NAMES]
    entries.add_entries(made, new, actor=fredi)
    return made


@pytest.fixture
def links(online: Championship, fredi: User) -> dict[str, str]:
    """By name, as they stand behind the `#`."""
    return {one.entry.name: one.token for one in personal_links.make_links(online, actor=fredi)}


def scan(token: str) -> Client:
    """A browser that opens a link."""
    phone = client()
    answer = phone.post(reverse("open_table"), {"code": token})
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("waiting_room"))
    return phone


def room(phone: Client, **more: Any) -> Any:
    return phone.get(reverse("waiting_room"), headers={"HX-Request": "true"}, **more)


def open_round(online: Championship, fredi: User, number: int = 1) -> Round:
    round_ = drawing.draw_round(online.rounds.get(number=number), actor=fredi)
    return rounds.open_round(round_, actor=fredi)


def test_the_desk_makes_links_once_to_copy_to_scan_and_to_mail(
    online: Championship, settings: Settings
) -> None:
    page = reverse("personal_links", args=[online.slug])
    director = client("fredi")
    assert "4 people have no link yet." in html(director.get(page))
    settings.ORIGIN = "https://jass.example"
    made = director.post(page, {"missing": "1"})
    shown = html(made)
    urls = re.findall(r'value="(https://jass.example/t/#([0-9a-f]{32}))"', shown)
    assert len({token for _url, token in urls}) == 4
    assert shown.count("<svg") >= 4
    assert shown.count("mailto:") == 4
    assert made.headers["Cache-Control"].startswith("no-store")
    kept = "".join(PersonalLink.objects.values_list("digest", flat=True))
    assert not any(token in kept for _url, token in urls), "only hashes are stored"
    again = html(director.get(page))
    assert not any(token in again for _url, token in urls), "they are shown once"
    assert client("eva").post(page, {"missing": "1"}).status_code == 403


@pytest.mark.parametrize("again", ["", "x", "0"])
def test_an_unreadable_number_makes_no_link(online: Championship, again: str) -> None:
    client("fredi").post(reverse("personal_links", args=[online.slug]), {"again": again})

    assert not PersonalLink.objects.exists()


@pytest.mark.usefixtures("template_contexts")
def test_the_waiting_room_says_the_next_table_who_is_there_and_leads_to_it(
    online: Championship, fredi: User, links: dict[str, str]
) -> None:
    anna = scan(links["Anna"])
    assert "Your next table is not drawn yet." in html(room(anna))
    drawing.draw_round(online.rounds.get(number=1), actor=fredi)
    scan(links["Beat"]).get(reverse("waiting_room"))
    shown = html(room(anna))
    assert "Round 1" in shown
    assert "Table 1" in shown
    assert shown.count("is here") == 2
    assert shown.count("not here yet") == 2

    rounds.open_round(online.rounds.get(number=1), actor=fredi)
    game = Game.objects.get()
    table = reverse("table_play", args=[game.pk])
    assert room(anna).headers["HX-Redirect"] == table
    page = anna.get(table)
    assert page.status_code == 200
    seat = online.entries.get(name="Anna").seatings.get().seat
    assert page.context["page_data"]["seat"] == seat

    table_play.play_to_the_end(online.rounds.get(number=1))
    assert "Your table is over." in html(room(anna))
    rounds.close_round(online.rounds.get(number=1), actor=fredi)
    open_round(online, fredi, 2)
    second = online.rounds.get(number=2).tables.get().game
    assert second is not None
    assert room(anna).headers["HX-Redirect"] == reverse("table_play", args=[second.pk])


@pytest.mark.usefixtures("template_contexts")
def test_a_link_opens_the_seat_of_its_person_and_no_other(
    online: Championship, fredi: User, links: dict[str, str]
) -> None:
    open_round(online, fredi)
    game = Game.objects.get()
    for name, token in links.items():
        phone = scan(token)
        room(phone)
        page = phone.get(reverse("table_play", args=[game.pk]))
        assert page.context["page_data"]["seat"] == online.entries.get(name=name).seatings.get().seat
        assert phone.get(reverse("round_codes", args=[online.slug, 1])).status_code in (302, 403)
    assert TableToken.objects.filter(revoked_at=None).count() == 4
    wrong = client().post(reverse("open_table"), {"code": "0" * 32})
    assert wrong.status_code == 403


def test_another_device_takes_the_seat_only_when_it_says_so(
    online: Championship, fredi: User, links: dict[str, str]
) -> None:
    open_round(online, fredi)
    phone, laptop = scan(links["Anna"]), scan(links["Anna"])
    table = room(phone).headers["HX-Redirect"]
    assert phone.get(table).status_code == 200
    shown = html(room(laptop))
    assert "Your seat is open on another device." in shown
    assert phone.get(table).status_code == 200, "nothing was taken from it"
    answer = laptop.post(reverse("waiting_room"))
    assert answer.headers["Location"] == table
    assert laptop.get(table).status_code == 200
    assert phone.get(table).status_code == 302, "it watches now"


def test_a_new_link_ends_the_one_before_with_its_seat(
    online: Championship, fredi: User, links: dict[str, str]
) -> None:
    open_round(online, fredi)
    phone = scan(links["Anna"])
    table = room(phone).headers["HX-Redirect"]
    assert phone.get(table).status_code == 200
    anna = online.entries.get(name="Anna")
    [new] = personal_links.make_links(online, [anna.number], actor=fredi)
    assert client().post(reverse("open_table"), {"code": links["Anna"]}).status_code == 403
    assert room(phone).headers["HX-Redirect"] == reverse("open_table")
    assert phone.get(table).status_code == 302, "the seat is nobody's until the new link comes"
    assert SeatChange.objects.get().way == SeatChange.Way.CODE
    assert room(scan(new.token)).headers["HX-Redirect"] == table
    assert PersonalLink.objects.count() == 4


def test_who_has_sat_down_by_a_code_of_the_seat_is_not_put_out_by_its_link(
    online: Championship, fredi: User, links: dict[str, str]
) -> None:
    round_ = open_round(online, fredi)
    seating = online.entries.get(name="Anna").seatings.select_related("table__round__championship").get()
    code = seat_codes.renew_code(seating.table, seating.seat, actor=fredi)
    substitute = client()
    assert substitute.post(reverse("open_table"), {"code": code.token}).status_code == 302
    anna = scan(links["Anna"])
    for answer in (room(anna), anna.post(reverse("waiting_room"))):
        assert "Somebody else has taken this seat with a code." in html(answer)
    game = round_.tables.get().game
    assert game is not None
    assert substitute.get(reverse("table_play", args=[game.pk])).status_code == 200


def test_only_the_desk_makes_links(online: Championship) -> None:
    eva = User.objects.get_or_create(username="eva")[0]
    with pytest.raises(NotAllowed):
        personal_links.make_links(online, actor=eva)


def clock_runs() -> bool:
    return Deadline.objects.filter(kind="clock").exists()


@pytest.mark.usefixtures("template_contexts")
def test_the_clock_begins_when_everybody_is_there(
    online: Championship, fredi: User, links: dict[str, str]
) -> None:
    open_round(online, fredi)
    game = Game.objects.get()
    table = reverse("table_play", args=[game.pk])
    told = reverse("table_clock", args=[game.pk])
    for name in NAMES:
        assert not clock_runs()
        assert "HX-Refresh" not in client().get(told).headers
        phone = scan(links[name])
        room(phone)
        assert phone.get(table).status_code == 200
    assert clock_runs()
    assert client().get(told).headers["HX-Refresh"] == "true"
    game.refresh_from_db()
    assert not game.clock_waits
    assert phone.get(table).context["page_data"]["extra"]["clock"]["seconds"] == 30


def test_the_clock_begins_when_the_director_says_so(
    online: Championship, fredi: User, links: dict[str, str]
) -> None:
    open_round(online, fredi)
    anna = scan(links["Anna"])
    anna.get(room(anna).headers["HX-Redirect"])
    page = reverse("round", args=[online.slug, 1])
    shown = html(client("fredi").get(page))
    assert "Clocks wait until everybody is there" in shown
    assert "Anna, " not in re.findall(r"Table 1: [^<]*not here yet", shown)[0]
    act = reverse("round_act", args=[online.slug, 1, "clocks"])
    assert "1 clock is running now." in html(client("fredi").post(act, follow=True))
    assert clock_runs()
    assert "Clocks wait" not in html(client("fredi").get(page))
