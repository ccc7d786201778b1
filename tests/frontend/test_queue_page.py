"""The pages of an open heat: sessions, the queue at the desk and in the hall, starts, where people are."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend.forms.regulations import RegulationsForm
from frontend.presenters.entries.desk import count_desk_entries
from frontend.presenters.regulations.regulations import list_articles
from frontend.prints.awards import certificates
from frontend.prints.checkin import checkin
from frontend.prints.door_list import door_list
from frontend.prints.occasion import Occasion
from frontend.prints.own_sheets import own_sheets
from frontend.prints.ranking_sheet import sealed_ranking
from tests.client_responses import Answer
from tests.frontend.evening import championship, client, forget_what_is_shared, html, person, whole
from tests.tournaments import table_play
from tournaments import regulations
from tournaments.models import Championship, Entry, Round
from tournaments.presets import PRESETS
from tournaments.services import open_heat_queue
from tournaments.services.championships import archiving, championships
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import left_over
from tournaments.services.entries import entries
from tournaments.services.money import fees
from tournaments.services.open_heat import seating, sessions, starts
from tournaments.services.rounds import rounds
from tournaments.services.table_access import table_codes

pytestmark = pytest.mark.django_db
QUEUE = "/c/herbstcup/rounds/1/queue/"
PART = {"HX-Request": "true"}


def heat(*, held: int = 2, best: int = 1, **more: Any) -> Championship:
    play = {**regulations.encode(PRESETS["klubabend"])["play"], "mode": "sheet"}
    return championship(
        0,
        preset="klubabend",
        changes={
            "play": play,
            "rounds": held,
            "deals": 1,
            "hand_in": "deals",
            "counting": {"what": "best", "number": best, "tie_breaks": []},
            "pairing": {"system": "open", "options": {}},
            **more,
        },
    )


def session(made: Championship, number: int = 1) -> Round:
    return sessions.open_session(made.rounds.get(number=number), actor=person("fredi"))


def come(opened: Round, count: int) -> list[Entry]:
    first = opened.championship.entries.count() + 1
    return [
        starts.add_newcomer(opened, actor=person("fredi"), name=f"Gast{n:02} Muster")
        for n in range(first, first + count)
    ]


def seat(opened: Round, points: int | None = None) -> None:
    for table in seating.seat_next(opened, actor=person("fredi")):
        if points is not None:
            table_play.write_sheet(table, [points])


def press(name: str, act: str, **data: Any) -> Answer:
    return client(name).post(f"{QUEUE}{act}/", data, follow=True)


def test_the_director_opens_a_session_and_sets_its_place() -> None:
    heat()
    shown = html(client("fredi").get("/c/herbstcup/"))
    assert "Open session 1" in shown
    page = html(client("fredi").get("/c/herbstcup/rounds/1/"))
    assert "Draw" not in page
    told = press("fredi", "venue", place="Krone", starts_at="2026-12-01T19:30")
    assert "Krone" in html(told)
    assert "The session is open." in html(press("fredi", "open"))
    assert "Go to the queue" in html(client("fredi").get("/c/herbstcup/"))
    assert "Krone" in html(client().get("/c/herbstcup/rounds/"))
    assert "not open yet" in html(client().get("/c/herbstcup/rounds/2/queue/"))


def test_a_wrong_time_changes_nothing_and_says_so() -> None:
    made = heat()
    told = html(press("fredi", "venue", place="Krone", starts_at="some day"))
    assert "Place and time are set." not in told
    assert made.rounds.get(number=1).place == ""


def test_the_desk_sells_a_start_to_somebody_new_in_one_press() -> None:
    made = heat()
    fees.set_fees(made, [fees.Price("Start", 2000)], actor=person("fredi"))
    opened = session(made)
    told = html(press("hanna", "newcomer", family_name="Ammann", first_name="Anna", method="twint"))
    assert "Anna Ammann is now waiting, as number 1." in told
    assert "1 start waits" in told
    assert made.bookings.get().method == "twint"
    again = press("hanna", "newcomer", family_name="Ammann", first_name="Anna")
    assert again.status_code == 400
    assert "already entered" in html(again)
    assert open_heat_queue.list_waiting(opened)[0].entry.number == 1


def test_a_search_offers_the_next_start_with_its_price() -> None:
    made = heat(best=1, starts=2)
    fees.set_fees(made, [fees.Price("Start", 2000)], actor=person("fredi"))
    opened = session(made)
    come(opened, 4)
    seat(opened, 90)
    found = html(client("hanna").get(QUEUE, {"q": "Gast01"}, headers=PART))
    assert "Sell start 2 (20.–)" in found
    assert "1 start so far" in found
    press("hanna", "start", number=1, seen=1, method="cash")
    assert "all starts" in html(client("hanna").get(QUEUE, {"q": "Gast01"}, headers=PART))
    told = html(press("hanna", "start", number=1, seen=1))
    assert "another start in the meantime" in told
    assert made.entries.count() == 5


def test_one_button_says_what_it_will_do_and_does_it() -> None:
    made = heat()
    opened = session(made)
    come(opened, 3)
    shown = html(client("hanna").get(QUEUE))
    assert "No table is full yet" in shown
    assert "3 starts wait." in shown
    come(opened, 7)
    shown = html(client("hanna").get(QUEUE))
    assert "Seat 2 tables" in shown
    assert "8 people sit down. 2 wait on." in shown
    told = html(press("hanna", "seat", seen=0, mix=0))
    assert "Tables 1, 2 are seated." in told
    assert "meanwhile" not in told
    assert "in the meantime" in html(press("hanna", "seat", seen=0, mix=0))
    assert "Undo this table" in told
    told = html(press("hanna", "undo", table=2))
    assert "6 starts wait" in told
    assert opened.tables.count() == 1


def test_the_desk_sees_what_waiting_for_a_better_mixture_changes() -> None:
    opened = session(heat())
    come(opened, 8)
    assert "Seat 2 tables" in html(client("hanna").get(QUEUE))
    assert "Seat 1 table" in html(client("hanna").get(QUEUE, {"mix": 3}))
    press("hanna", "seat", seen=0, mix=3)
    assert opened.tables.count() == 1


def test_a_start_leaves_the_queue_or_is_taken_back() -> None:
    made = heat()
    opened = session(made)
    come(opened, 2)
    assert "stays bought" in html(press("hanna", "leave", number=1))
    assert "is cancelled" in html(press("hanna", "back", number=2))
    assert made.entries.get(number=1).status == "paid"
    assert made.entries.get(number=2).status == "withdrawn"
    assert "Nobody waits." in html(client().get(QUEUE))


def test_the_hall_reads_who_waits_and_has_no_buttons() -> None:
    opened = session(heat())
    come(opened, 5)
    seat(opened)
    for name in (None, "eva", "gabi"):
        shown = html(client(name).get(QUEUE))
        assert "1 start waits" in shown
        assert "Table 1" in shown
        assert "<form" not in shown[shown.index('id="queue"') :]
        assert client(name).get(QUEUE, {"q": "Gast"}, headers=PART).status_code in (302, 403)
        assert client(name).post(f"{QUEUE}seat/", {}).status_code in (302, 403)


def test_the_queue_is_polled_and_unchanged_answers_are_empty() -> None:
    opened = session(heat())
    come(opened, 2)
    first = client().get(QUEUE, headers=PART)
    again = client().get(QUEUE, headers={**PART, "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    come(opened, 1)
    forget_what_is_shared()
    later = client().get(QUEUE, headers={**PART, "If-None-Match": first.headers["ETag"]})
    assert later.status_code == 200
    assert "3 starts wait" in html(later)


def test_only_the_director_opens_and_undoes_the_opening() -> None:
    made = heat()
    assert "may not" in html(press("hanna", "open"))
    assert made.rounds.get(number=1).status == Round.Status.PLANNED
    press("fredi", "open")
    assert "opening of the session is undone" in html(press("fredi", "close-empty"))
    assert made.rounds.get(number=1).status == Round.Status.PLANNED


def test_where_people_are_is_told_over_all_open_sessions() -> None:
    made = heat()
    here, there = session(made), session(made, 2)
    come(here, 5)
    seat(here)
    come(there, 1)
    waits = open_heat_queue.list_waiting(here)[0].entry.number
    plays = here.seatings.select_related("entry", "table").first()
    assert plays is not None
    where = reverse("where", args=["herbstcup"])
    assert "Table 1" in html(client().get(where, {"q": plays.entry.number}))
    assert "is waiting in session 1" in html(client().get(where, {"q": waits}))
    assert "is waiting in session 2" in html(client().get(where, {"q": 6}))
    assert "Queue of session 2" in html(client().get(where))


def test_persons_are_ranked_with_their_starts_and_starts_by_themselves() -> None:
    made = heat(best=1)
    opened = session(made)
    people = come(opened, 4)
    seat(opened, 120)
    for one in people:
        starts.add_start(opened, one, actor=person("fredi"))
    seat(opened, 60)
    live = html(client().get("/c/herbstcup/standings/?live=1"))
    assert "S2" in live
    assert live.count("<tr") == 5
    assert html(client().get("/c/herbstcup/starts/")).count("<tr") == 9
    rounds.close_round(opened, actor=person("fredi"))
    forget_what_is_shared()
    closed = html(client().get("/c/herbstcup/standings/"))
    assert "After session 1" in closed
    assert "S2" in closed
    assert "session is closed" in html(client().get(QUEUE))


@pytest.mark.parametrize("name", ["fredi", "hanna", None])
def test_all_pages_of_an_open_heat_open(name: str | None) -> None:
    made = heat()
    opened = session(made)
    people = come(opened, 9)
    seat(opened, 100)
    starts.add_start(opened, people[0], actor=person("fredi"))
    session(made, 2)
    rounds_of = ("", "wall/", "fairness/", "results/", "queue/")
    addresses = [
        *(f"/c/herbstcup/rounds/1/{part}" for part in rounds_of if name or part != "results/"),
        "/c/herbstcup/rounds/1/slip/1/",
        *(f"/c/herbstcup/{part}/" for part in ("entries", "rounds", "standings", "starts", "where")),
        *(f"/c/herbstcup/{part}/" for part in ("regulations", "regulations/document", "tables")),
        reverse("persons_evening", args=["herbstcup", 1]),
        reverse("projector", args=["herbstcup"]),
        "/c/herbstcup/",
    ]
    for address in addresses:
        answer = client(name).get(address)
        assert answer.status_code == 200, address


def test_the_form_of_the_regulations_knows_starts_of_an_open_heat_only() -> None:
    made = heat(starts=5)
    shown = html(client("fredi").get("/c/herbstcup/regulations/"))
    assert 'name="starts"' in shown
    assert "at most 5 starts per person" in shown
    assert "the best start" in shown
    assert load_regulations(made).most_starts == 5
    Championship.objects.filter(pk=made.pk).update(slug="other")
    championship(0)
    assert 'name="starts"' not in html(client("fredi").get("/c/herbstcup/regulations/"))


def test_a_longer_queue_takes_no_more_queries() -> None:
    made = heat()
    opened = session(made)
    come(opened, 6)
    seat(opened)

    def count(name: str | None, address: str) -> int:
        forget_what_is_shared()
        client(name).get(address)
        forget_what_is_shared()
        with CaptureQueriesContext(connection) as asked:
            client(name).get(address)
        return len(asked)

    addresses = (QUEUE, f"{QUEUE}?q=Gast", "/c/herbstcup/starts/", "/c/herbstcup/where/?q=Gast")
    few = {(name, a): count(name, a) for name in ("hanna", None) for a in addresses}
    come(opened, 10)
    seat(opened)
    come(opened, 5)
    for (name, address), before in few.items():
        assert count(name, address) <= before, (name, address)


def test_the_desk_is_told_that_the_same_four_meet_again() -> None:
    opened = session(heat())
    people = come(opened, 4)
    seat(opened, 100)
    for one in people:
        starts.add_start(opened, one, actor=person("fredi"))
    told = html(press("hanna", "seat", seen=1, mix=0))
    assert "Table 2 is seated. Table 2: the same people as once before." in told


def test_the_desk_sells_a_start_to_a_pair() -> None:
    play = {**regulations.encode(PRESETS["klubabend"])["play"], "mode": "sheet", "format": "fixed_pairs"}
    made = heat(play=play)
    fees.set_fees(made, [fees.Price("Start", 2000)], actor=person("fredi"))
    opened = session(made)
    shown = html(press("hanna", "newcomer", family_name="Ammann", first_name="Anna", method="cash"))
    assert "Anna Ammann is entered." in shown
    assert "Anna Ammann starts with a partner." in shown
    assert 'name="with" value="1"' in shown
    shown = html(press("hanna", "newcomer", **{"family_name": "Bühler", "first_name": "Beat", "with": "1"}))
    assert "Anna Ammann / Beat Bühler is now waiting, as number 1." in shown
    found = html(client("hanna").get(f"{QUEUE}?q=Anna", headers=PART))
    assert 'href="?with=1"' in found
    assert "<form" not in found, "nobody is sold a start alone"
    found = html(client("hanna").get(f"{QUEUE}?with=1"))
    assert "Sell the start (" in found, "the partner so far is offered without a search"
    shown = html(press("hanna", "start", **{"number": 2, "with": 1, "seen": 2, "method": "cash"}))
    assert "Anna Ammann / Beat Bühler is now waiting, as number 3." in shown
    assert "<strong>Anna Ammann / Beat Bühler</strong>" in shown
    assert "2 starts wait" in shown
    shown = html(press("hanna", "start", **{"number": 2, "with": 1, "seen": 2}))
    assert "has got another start in the meantime" in shown
    assert "choose both" in html(press("hanna", "start", number=2, seen=4))
    shown = html(press("hanna", "leave", number=4))
    assert "Anna Ammann / Beat Bühler is out of the queue" in shown
    found = html(client("hanna").get(f"{QUEUE}?with=2&q=Anna"))
    assert "Add to the queue" in found
    for n in range(2):
        one, other = (entries.add_entry(made, actor=person("fredi"), name=f"Gast {n}{k}") for k in "ab")
        starts.add_start(opened, one, partner=other, actor=person("fredi"))
    seat(opened, 100)
    assert "Anna Ammann / Beat Bühler" in html(client(None).get("/c/herbstcup/starts/"))
    rounds.close_round(opened, actor=person("fredi"))
    shown = html(client(None).get("/c/herbstcup/standings/"))
    assert "Anna Ammann" in shown
    assert "Beat Bühler" in shown


def test_the_projector_shows_the_newest_table_who_waits_and_the_best_starts() -> None:
    made = heat()
    opened = session(made)
    sessions.set_venue(opened, actor=person("fredi"), place="Rössli", starts_at=None)
    come(opened, 4)
    seat(opened, 100)
    come(opened, 17)
    seat(opened)
    address = f"{QUEUE}projector/"
    assert f'href="{address}"' in html(client("hanna").get(QUEUE))
    shown = html(client(None).get(address))
    assert "Session 1 · Rössli" in shown
    assert shown.index("Table 5") < shown.index("Table 4")
    assert "Table 3" not in shown, "the newest tables only"
    assert "1 start waits" in shown
    assert "Gast21 Muster" in shown
    assert '<span class="total">100</span>' in shown
    first = client(None).get(f"{address}?page=1", headers=PART)
    assert first.status_code == 200
    asked = {**PART, "If-None-Match": first.headers["ETag"]}
    assert client(None).get(f"{address}?page=1", headers=asked).status_code == 304
    come(opened, 14)
    second = client(None).get(f"{address}?page=2", headers={**asked})
    assert second.status_code == 200
    assert "15 starts wait" in html(second)
    assert 'start="13"' in html(second)
    assert "2 / 2" in html(second)
    assert f'hx-get="{address}?page=1"' in html(second), "then the first page again"


def test_the_projector_of_the_queue_names_nobody_beyond_what_the_public_may_read() -> None:
    made = heat()
    opened = session(made)
    come(opened, 5)
    seat(opened, 100)
    Championship.objects.filter(pk=made.pk).update(public_names="numbers")
    for name in ("fredi", None):
        forget_what_is_shared()
        shown = html(client(name).get(f"{QUEUE}projector/"))
        assert "Muster" not in shown
        assert "№ 5" in shown


def test_an_open_heat_speaks_of_starts_and_sessions_not_of_rounds() -> None:
    found = [
        article
        for article in list_articles(PRESETS["open_heat"])
        if "round" in f"{article.term} {article.text}".lower()
    ]
    assert found == []
    form = RegulationsForm(regulations=PRESETS["open_heat"])
    chosen = (
        str(form.fields[name].label) for name in ("rounds", "deals", "round_minutes", "counting_number")
    )
    assert list(chosen) == ["Sessions", "Deals per start", "Minutes per start", "Number of starts"]
    made = heat(counting={"what": "best", "number": 1, "tie_breaks": ["highest_round", "next_highest"]})
    opened = session(made)
    come(opened, 4)
    seat(opened, 100)
    for one in list(made.entries.order_by("number"))[:2]:
        starts.add_start(opened, one, actor=person("fredi"))
    come(opened, 2)
    seat(opened, 50)
    shown = html(client().get("/c/herbstcup/standings/?live=1"))
    assert "next best starts" in shown
    assert "next best rounds" not in shown


def play_two_starts(made: Championship) -> Round:
    """Let four people play a start each, and a second one; return the session."""
    opened = session(made)
    people = come(opened, 4)
    seat(opened, 100)
    for one in people:
        starts.add_start(opened, one, actor=person("fredi"))
    seat(opened, 60)
    return opened


@pytest.mark.usefixtures("template_contexts")
def test_everywhere_people_are_counted_and_not_their_starts() -> None:
    made = heat()
    play_two_starts(made)
    forget_what_is_shared()

    overview = html(client().get("/c/herbstcup/"))
    assert "<dt>Entries</dt><dd>4</dd>" in overview
    assert "<dt>Here</dt><dd>4</dd>" in overview
    assert "4 players" in html(client().get("/"))
    assert client("fredi").get(reverse("championship_again", args=["herbstcup"])).context["people"] == 4
    assert archiving.load_contents(made).people == 4
    assert count_desk_entries(made, left_over.count_gap(made)).here == 4
    assert table_codes.count_tables_needed(made, 4) == 2, "two tables have played"


def test_prints_of_an_open_heat_speak_of_starts_and_list_each_person_once() -> None:
    made = heat()
    opened = play_two_starts(made)
    rounds.close_round(opened, actor=person("fredi"))
    occasion = Occasion(made, load_regulations(made), opened, "en", "a4", "")

    assert all("points in the best start" in one["points"] for one in certificates(occasion)["people"])
    assert own_sheets(occasion)["words"]["round"] == "Start"
    assert len(own_sheets(occasion)["people"]) == 4
    assert len(checkin(occasion)["people"]) == len(door_list(occasion)["people"]) == 4


def hold(made: Championship, number: int, starts_held: int) -> None:
    """Hold a session in which the same four people start so often."""
    opened = session(made, number)
    for again in range(starts_held):
        if again == 0 and number == 1:
            come(opened, 4)
        else:
            for entry in list(made.entries.order_by("number")[:4]):
                starts.add_start(opened, entry, actor=person("fredi"))
        seat(opened, 100 + 10 * again + number)
    rounds.close_round(Round.objects.get(pk=opened.pk), actor=person("fredi"))


def test_the_graph_of_an_open_heat_has_a_column_for_each_session() -> None:
    made = heat()
    hold(made, 1, 2)
    address = reverse("standings_graph", args=["herbstcup"])
    alone = html(client().get(address))
    assert "No places over several sessions yet" in alone
    assert "The graph appears here when the second session is closed." in alone

    hold(made, 2, 1)

    shown = html(client().get(address))
    assert "The places over the sessions" in shown
    assert shown.count('class="rule"') == 2, "two sessions, and three starts of each person"
    assert "–" not in "".join(re.findall(r'data-said="([^"]*)"', shown))


def test_nothing_of_an_open_heat_is_called_a_round() -> None:
    made = heat(held=1)
    slug = ["herbstcup"]
    prints = html(client("fredi").get(reverse("prints", args=slug)))
    assert "As soon as a session is closed." in prints
    assert "a round is" not in prints
    opened = session(made)
    come(opened, 4)
    seat(opened)
    results = reverse("round_results", args=[*slug, 1])
    assert reverse("queue", args=[*slug, 1]) in html(client("fredi").get(results)), (
        "the queue is one press away"
    )
    table = opened.tables.get()
    sheet = html(client("fredi").get(reverse("table_live", args=[table.game_id])))
    assert "Session 1" in sheet
    assert "Round 1" not in sheet
    table_play.write_sheet(table, [100])
    rounds.close_round(Round.objects.get(pk=opened.pk), actor=person("fredi"))
    assert "All sessions are over" in html(client("fredi").get(reverse("championship", args=slug)))
    assert "This session is closed." in html(client("fredi").get(reverse("board", args=slug)))
    projected = html(client().get(reverse("projector", args=slug)))
    assert "Starts" in projected
    assert "Rounds" not in projected


def test_each_start_in_the_ranking_links_to_the_sheet_of_its_table() -> None:
    made = heat(held=2, best=2)
    opened = session(made)
    people = come(opened, 4)
    seat(opened, 100)
    rounds.close_round(opened, actor=person("fredi"))
    second = session(made, 2)
    for one in people:
        starts.add_start(second, one, actor=person("fredi"))
    seat(second, 90)
    first, other = (f"/c/herbstcup/people/1/starts/{n}/correct/" for n in (1, 2))
    sheet = "/c/herbstcup/rounds/{}/tables/1/correct/"

    assert f'href="{first}?after=1"' in html(client("fredi").get("/c/herbstcup/standings/"))
    assert f'href="{other}?live=1"' in html(client("fredi").get("/c/herbstcup/standings/?live=1"))
    assert first not in html(client().get("/c/herbstcup/standings/"))
    assert client("fredi").get(f"{first}?after=1").headers["Location"] == sheet.format(1)
    assert client("fredi").get(f"{other}?live=1").headers["Location"] == sheet.format(2)
    missing = client("fredi").get(f"{other}?after=1", follow=True)
    assert "There is no such table." in html(missing)


def test_an_ended_heat_has_a_final_ranking_on_its_page_and_its_print() -> None:
    made = heat(held=1)
    opened = session(made)
    come(opened, 4)
    seat(opened, 100)
    rounds.close_round(opened, actor=person("fredi"))
    pages = ("standings/", "standings/projector/", "")
    for page in pages:
        assert "Final ranking" not in html(client().get(f"/c/herbstcup/{page}"))

    made.refresh_from_db()
    championships.finish(made, actor=person("fredi"))

    for page in pages:
        assert "Final ranking" in html(client().get(f"/c/herbstcup/{page}")), page
    occasion = Occasion(made, load_regulations(made), opened, "en", "a4", "")
    assert sealed_ranking(occasion)["title"] == "Final ranking"


def test_the_queue_and_the_starts_have_their_help() -> None:
    session(heat())
    for address in (QUEUE, reverse("starts", args=["herbstcup"])):
        assert 'id="help"' in whole(client("fredi").get(address)), address


def test_the_page_of_an_entry_shows_its_seat_in_each_open_session() -> None:
    made = heat()
    session(made)
    second = session(made, 2)
    come(second, 4)
    seat(second)
    shown = html(client("fredi").get(reverse("entry_edit", args=[made.slug, 1])))
    assert "Seat in session 2" in shown
    assert "Seat in session 1" not in shown
