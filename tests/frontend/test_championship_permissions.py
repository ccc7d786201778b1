"""Every address of the championship pages for every role: opened, redirected to the sign-in, or refused."""

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from frontend.championship_urls import urlpatterns
from tests.frontend.evening import client, opened, person, table
from tests.frontend.pages import club_parts, outside_of, series_with
from tournaments import jobs
from tournaments.models import Audit, Championship, Club, ClubEvent, Dispute, Entry, Job
from tournaments.services.money import bookings
from tournaments.services.referee import disputes
from tournaments.services.table_access import table_codes

pytestmark = pytest.mark.django_db

ROLES = (None, "eva", "anna", "hanna", "gabi", "fredi")
EVERYBODY = dict.fromkeys(ROLES, 200)


def only(*names: str, granted: int = 200, refused: int = 403) -> dict[str | None, int]:
    """Those named get in, others signed in are refused, nobody in particular is sent to the sign-in."""
    return {role: granted if role in names else 302 if role is None else refused for role in ROLES}


GET: dict[str, dict[str | None, int]] = {
    "home": EVERYBODY,
    "championship_new": only("fredi"),
    "championship": EVERYBODY,
    "championship_again": only("fredi"),
    "championship_end": only("fredi"),
    "regulations": EVERYBODY,
    "regulations_document": EVERYBODY,
    "officials": only("fredi"),
    "entries": EVERYBODY,
    "prints": EVERYBODY,
    "print": only("hanna", "fredi"),
    "print_preview": only("hanna", "fredi"),
    "entries_import": only("hanna", "fredi"),
    "teams": dict.fromkeys(ROLES, 404),  # its regulations know no teams
    "team_standings": dict.fromkeys(ROLES, 404),
    "team_projector": dict.fromkeys(ROLES, 404),
    "pairs": {"fredi": 404, "hanna": 404, "gabi": 403, "anna": 403, "eva": 403, None: 302},
    "entry_edit": only("hanna", "fredi"),
    "entry_offered": only("hanna", "fredi"),
    "entries_from_roll": only("fredi"),  # who keeps the roll
    "clubs": {role: 200 if role else 302 for role in ROLES},
    "roll": {role: 200 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "roll_person": {role: 200 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "club_series": {role: 200 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "series": EVERYBODY,
    "series_versions": EVERYBODY,
    "series_file": EVERYBODY,
    "series_tickets": {role: 200 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "series_prints": EVERYBODY,
    "series_print": dict.fromkeys(ROLES, 404),  # nothing to print yet
    "series_print_preview": dict.fromkeys(ROLES, 404),
    "series_calendar": EVERYBODY,
    "club": EVERYBODY,
    "club_calendar": EVERYBODY,
    "club_person": EVERYBODY,
    "club_image": dict.fromkeys(ROLES, 404),  # of another digest
    "club_images": {role: 200 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "series_edit": {role: 200 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "series_elsewhere": {role: 200 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "series_outside": {role: 200 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "entry_merge": only("hanna", "gabi", "fredi"),
    "rounds": EVERYBODY,
    "round": EVERYBODY,
    "round_wall": EVERYBODY,
    "beside": EVERYBODY,
    "round_slip": EVERYBODY,
    "round_results": only("hanna", "fredi"),
    "round_codes": only("hanna", "fredi"),
    "where": EVERYBODY,
    "announcement": EVERYBODY,
    "seating_projector": EVERYBODY,
    "table_codes": only("hanna", "fredi"),
    "personal_links": only("hanna", "fredi"),
    "table_code": only("hanna", "fredi"),
    "phone_address": only("hanna", "fredi"),
    "round_fairness": EVERYBODY,
    "checkpoints": EVERYBODY,
    "checkpoints_json": EVERYBODY,
    "checkpoint_latest": dict.fromkeys(ROLES, 404),  # nothing is sealed yet
    "standings_export": only("hanna", "fredi"),
    "championship_file": dict.fromkeys(ROLES, 404),
    "championship_copy": dict.fromkeys(ROLES, 404),  # nothing is copied yet
    "standings": EVERYBODY,
    "lots": only("fredi"),
    "projector": EVERYBODY,
    "standings_graph": EVERYBODY,
    "queue": dict.fromkeys(ROLES, 404),  # it has rounds, and no sessions
    "queue_projector": dict.fromkeys(ROLES, 404),
    "starts": dict.fromkeys(ROLES, 404),
    "bracket": dict.fromkeys(ROLES, 404),  # its rounds are drawn by lot
    "compared_deals": dict.fromkeys(ROLES, 404),  # each table plays cards of its own
    "compared_deal": dict.fromkeys(ROLES, 404),
    "printed_hands": only("fredi", granted=404),
    "game_places": EVERYBODY,
    "persons_evening": EVERYBODY,
    "follow": dict.fromkeys(ROLES, 302),  # to the player's table
    "calendar_file": dict.fromkeys(ROLES, 404),  # no day is known
    "championship_preview": dict.fromkeys(ROLES, 404),  # of a kind that there is not
    "prizes": EVERYBODY,
    "prizes_projector": EVERYBODY,
    "prize_plan": only("fredi"),
    "prize_giving": only("fredi"),
    "cash": only("hanna", "fredi"),
    "accounts": only("hanna", "fredi"),
    "cash_fees": only("fredi"),
    "cash_receipt": only("hanna", "fredi"),
    "bill": only("hanna", "fredi", granted=302),  # nobody has said to which account
    "bill_drawing": only("hanna", "fredi", granted=404),
    "tables": EVERYBODY,
    "tables_projector": EVERYBODY,
    "table_close": only("fredi"),
    "table_resume": only("fredi"),
    "table_close_of": only("fredi", granted=302),
    "correct": only("hanna", "gabi", "fredi"),
    "correct_preview": only("hanna", "gabi", "fredi", granted=404),  # no deal is asked for
    "correct_of": only("hanna", "gabi", "fredi", granted=302),
    "correct_start": only("hanna", "gabi", "fredi", granted=302),
    "board": only("hanna", "gabi", "fredi"),
    "audits": only("hanna", "gabi", "fredi"),
    "audit": only("hanna", "gabi", "fredi"),
    "audit_text": only("hanna", "gabi", "fredi"),
    "disputes": EVERYBODY,
    "dispute_raise": only("anna", "hanna", "gabi", "fredi"),
    "dispute": EVERYBODY,
    "dispute_remedies": {role: 200 if role == "gabi" else 404 for role in ROLES},
    "job": {role: 200 if role in ("hanna", "gabi", "fredi") else 404 for role in ROLES},
    "job_file": dict.fromkeys(ROLES, 404),
}
POST: dict[str, dict[str | None, int]] = {
    "championship_new": only("fredi", granted=400),
    "championship_finish": only("fredi", granted=302),
    "championship_again": only("fredi", granted=400),
    "championship_archive": only("fredi", granted=302),
    "championship_delete": only("fredi", granted=400),
    "championship_finish_early": only("fredi", granted=302),
    "rounds_ahead": only("fredi", granted=302),
    "rounds_fewer": only("fredi", granted=302),
    "regulations": only("fredi", granted=400),
    "official_appoint": only("fredi", granted=400),
    "official_dismiss": only("fredi", granted=302),
    "invitation_make": only("fredi", granted=302),
    "invitation_withdraw": only("fredi", granted=302),
    "entry_invite": only("hanna", "fredi", granted=200),
    "entry_add": only("hanna", "fredi", granted=400),
    "entry_act": only("hanna", "fredi", granted=302),
    "all_here": only("hanna", "fredi", granted=302),
    "entries_from_roll": only("fredi", granted=302),
    "championship_club": only("fredi", granted=302),
    "clubs": only("fredi", granted=400),
    "roll": {role: 400 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "roll_person": {role: 400 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "roll_act": {role: 302 if role in ("fredi", None) else 404 for role in ROLES},
    "club_change": {role: 302 if role in ("fredi", None) else 404 for role in ROLES},
    "club_images": {role: 400 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "club_image_change": {role: 302 if role is None else 404 for role in ROLES},  # no such act
    "club_series": {role: 400 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "series_ticket": {role: 302 if role is None else 404 for role in ROLES},  # no such act
    "series_change": {role: 302 if role is None else 404 for role in ROLES},  # no such act
    "series_event": {role: 302 if role is None else 404 for role in ROLES},
    "series_elsewhere": {role: 400 if role == "fredi" else 404 if role else 302 for role in ROLES},
    "series_outside_change": {role: 302 if role is None else 404 for role in ROLES},
    "entry_merge": only("hanna", "gabi", "fredi", granted=400),
    "team_act": only("hanna", "fredi", granted=404),
    "entry_part": only("hanna", "fredi", granted=302),
    "entry_link": only("hanna", "fredi", granted=302),
    "queue_act": only("hanna", "fredi", granted=404),  # it has rounds, and no sessions
    "entry_terms": only("hanna", "fredi", granted=302),
    "entry_own_link": only("hanna", "fredi"),
    "entry_mail": only("hanna", "fredi", granted=302),
    "print_order": only("hanna", "fredi", granted=302),
    "entry_edit": only("hanna", "fredi", granted=400),
    "entry_apart": only("hanna", "fredi", granted=400),
    "entries_import": only("hanna", "fredi", granted=400),
    "round_act": only("fredi", granted=302),
    "round_result": only("hanna", "fredi", granted=409),
    "round_chairs": only("hanna", "gabi", "fredi", granted=302),
    "round_stand_in": only("hanna", "fredi", granted=302),
    "round_chance": dict.fromkeys(ROLES, 302),
    "round_codes": only("hanna", "fredi"),
    "printed_hands": only("fredi", granted=404),  # each table plays cards of its own
    "table_codes": only("hanna", "fredi", granted=302),
    "personal_links": only("hanna", "fredi"),
    "table_code": only("hanna", "fredi", granted=302),
    "phone_address": only("hanna", "fredi", granted=302),
    "seat_code": only("hanna", "fredi"),
    "seat_back": only("hanna", "fredi", granted=302),
    "table_close": only("fredi"),
    "table_resume": only("fredi"),
    "correct": only("hanna", "gabi", "fredi"),
    "dispute_raise": only("anna", "hanna", "gabi", "fredi", granted=302),
    "dispute_rule": only("gabi", granted=400),
    "standings_export": only("hanna", "fredi", granted=302),
    "lots": only("fredi", granted=302),
    "prize_plan": only("fredi", granted=400),
    "prize_call": only("fredi", granted=302),
    "cash_till": only("hanna", "fredi", granted=302),
    "cash_book": only("hanna", "fredi", granted=400),
    "cash_fees": only("fredi", granted=400),
    "cash_fee": only("hanna", "fredi", granted=302),
    "cash_prize": only("hanna", "fredi", granted=302),
    "cash_paid": only("hanna", "fredi", granted=302),
    "cash_prizes": only("hanna", "fredi", granted=302),
    "cash_cancel": only("hanna", "fredi", granted=302),
    "audit_start": only("gabi", "fredi", granted=302),
    "dispute_appeal": only("anna", granted=400),
    "dispute_withdraw": dict.fromkeys(ROLES, 302),
    "notices": dict.fromkeys(ROLES, 400),
    "official_resign": only("hanna", "gabi", "fredi", granted=302),  # and then the account has no office
}
"""What a form without any field gets: 400 and 302 are past the door."""


@pytest.fixture
def addresses() -> dict[str, str]:
    """An address of every name."""
    round_ = opened("sheet", "sheet", people=4)
    made: Championship = round_.championship
    one = table(round_, 1)
    raised = disputes.raise_dispute(one, actor=person("gabi"))
    table_codes.make_codes(made, 1, actor=person("fredi"))
    job = jobs.start_job(Job.Kind.STANDINGS, made, actor=person("fredi"))
    parts: dict[str, object] = {
        "slug": made.slug,
        "number": 1,
        "start": 1,
        "act": "arrive",
        "entry": 1,
        "table_id": one.pk,
        "table": one.number,
        "place": 0,
        "deal": 1,
        "game_id": one.game_id,
        "dispute_id": raised.pk,
        "official_id": made.officials.get(role="desk").pk,
        "invitation_id": 0,
        "job_id": job.pk,
        "key": "check-in",
        **club_parts(made),
        "digest": "0" * 64,
        "person_id": made.entries.get(number=2).person_id,
        "booking_id": bookings.book(made, "income", "Los", 100, actor=person("fredi")).pk,
        "audit_id": Audit.objects.create(championship=made).pk,
        "series_slug": (counted := series_with(made)).slug,
        "outside_id": outside_of(counted).pk,
        "event_id": ClubEvent.objects.get(championship=made).pk,
    }
    found = {}
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        assert pattern.name is not None
        wanted = {name: parts[name] for name in pattern.pattern.converters}
        special = {"round_act": "times", "roll_act": "archive", "club_change": "rename"}
        if pattern.name in special:
            wanted["act"] = special[pattern.name]
        if pattern.name.startswith("series_print") and "key" in wanted:
            wanted["key"] = "table"
        found[pattern.name] = reverse(pattern.name, kwargs=wanted)
    return found


def test_the_matrix_names_every_address() -> None:
    assert {pattern.name for pattern in urlpatterns if isinstance(pattern, URLPattern)} == {*GET, *POST}


@pytest.mark.long(2)
@pytest.mark.parametrize("role", ROLES)
def test_pages_open_for_those_they_are_for(addresses: dict[str, str], role: str | None) -> None:
    browser = client(role)

    assert {name: browser.get(addresses[name]).status_code for name in GET} == {
        name: expected[role] for name, expected in GET.items()
    }


@pytest.mark.long(2)
@pytest.mark.parametrize("role", ROLES)
def test_forms_work_for_those_they_are_for(addresses: dict[str, str], role: str | None) -> None:
    browser = client(role)

    assert {name: browser.post(addresses[name]).status_code for name in POST} == {
        name: expected[role] for name, expected in POST.items()
    }


def test_what_changes_something_cannot_be_followed_as_a_link(addresses: dict[str, str]) -> None:
    browser = client("fredi")
    only_posted = {*POST} - {*GET}
    assert {browser.get(addresses[name]).status_code for name in only_posted} == {405}


@pytest.mark.long(1)
@pytest.mark.parametrize("role", [None, "eva", "anna"])
def test_who_may_not_changes_nothing(addresses: dict[str, str], role: str | None) -> None:
    made = Championship.objects.get()
    before = (list(made.entries.values()), list(made.rounds.values()), made.regulations_version)

    for name in POST:
        if name != "dispute_raise":
            client(role).post(addresses[name], {"family_name": "Mallory", "status": "arrived", "sure": "yes"})

    made.refresh_from_db()
    assert (list(made.entries.values()), list(made.rounds.values()), made.regulations_version) == before
    assert not Championship.objects.exclude(pk=made.pk).exists()
    assert Job.objects.count() == 1


def test_of_a_private_championship_nothing_is_found(addresses: dict[str, str]) -> None:
    Championship.objects.update(public=False)
    browser = client("eva")

    for name in (*GET, *POST):
        if name in ("home", "championship_new", "clubs"):
            continue
        ask = browser.get if name in GET else browser.post
        assert ask(addresses[name]).status_code == 404, name


def test_a_form_of_another_site_is_refused(addresses: dict[str, str]) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person("fredi"))

    for name in POST:
        assert strict.post(addresses[name]).status_code == 403, name


HOSTILE = """<img src=x onerror=a()>"'--&"""


def test_what_people_wrote_is_text_on_every_page(addresses: dict[str, str]) -> None:
    Entry.objects.update(family_name=HOSTILE, name=HOSTILE, sort_name=HOSTILE, note=HOSTILE, club=HOSTILE)
    Championship.objects.update(name=HOSTILE)
    Club.objects.update(name=HOSTILE)
    Dispute.objects.update(text=HOSTILE)
    browser, escaped = client("fredi"), set()

    for name in GET:
        answer = browser.get(addresses[name])
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            page = answer.content.decode()
            assert "<img src=x" not in page, name
            escaped |= {name} if "&lt;img src=x" in page else set()

    assert {"championship", "entries", "round", "board", "dispute", "officials", "clubs"} <= escaped
