"""Public names: outsiders read initials or numbers on every page, part, file and print; members read names. A
change takes effect at once.
"""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone
from pypdf import PdfReader

from frontend.championship_urls import urlpatterns
from frontend.presenters.tables.table_page import API
from frontend.urls import urlpatterns as all_urlpatterns
from games.models import User
from games.sealing import make_seal_key
from tests.client_responses import Answer
from tests.frontend.accounts import with_password
from tests.frontend.evening import (
    client,
    forget_what_is_shared,
    html,
    opened,
    person,
    table,
    work,
)
from tests.tournaments import table_play
from tournaments.archive.writing import BACKUP, export_championship
from tournaments.models import Championship, Dispute, Entry, Round
from tournaments.names.public_names import PublicPerson, initials, public_names
from tournaments.names.readers import reading_for
from tournaments.services import championship_seals
from tournaments.services.championships import championships
from tournaments.services.draw import drawing, substitutions
from tournaments.services.entries import entries
from tournaments.services.people.name_visibility import outsider, update_unnamed
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds
from tournaments.services.table_access import table_codes

pytestmark = pytest.mark.django_db

SECRET = (
    "Anna",
    "Ammann",
    "Beat",
    "Bühler",
    "Chiara",
    "Caduff",
    "Dario",
    "Dörig",
    "Elsbeth",
    "Egli",
    "Fränzi",
)
"""What of the names of `evening.PEOPLE` is looked for; accounts are called otherwise here."""
ESCAPED = {"ü": ("\\u00fc", "&uuml;"), "ö": ("\\u00f6", "&ouml;"), "ä": ("\\u00e4", "&auml;")}


def hide(of: Championship, how: str) -> None:
    championships.edit_championship(of, actor=person("fredi"), public_names=how)


def withdraw(of: Championship, *numbers: int) -> None:
    """Withdraw the consent to be named of these entries, else of all."""
    found = of.entries.filter(number__in=numbers) if numbers else of.entries.all()
    found.update(unnamed_since=timezone.now())
    update_unnamed(of.pk)


def told(answer: Answer) -> str:
    """Everything that an answer says, head and body; an archive unpacked."""
    pieces: Any = getattr(answer, "streaming_content", [])
    body = b"".join(pieces) if answer.streaming else answer.content
    if body[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            body = b"\n".join(archive.read(name) for name in archive.namelist())
    if body[:5] == b"%PDF-":
        body = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(body)).pages).encode()
    return f"{answer.headers}\n{body.decode(errors='replace')}"


def names_in(text: str) -> list[str]:
    spellings = {name: {name} for name in SECRET}
    for name in SECRET:
        for letter, others in ESCAPED.items():
            spellings[name] |= {name.replace(letter, other) for other in others}
    return [name for name, ways in spellings.items() if any(way in text for way in ways)]


@pytest.fixture
def evening(settings: Any, tmp_path: Path) -> Round:
    """A round over, one being played, with all that has names: a dispute, a substitute, somebody who sits
    out, codes, a seal.
    """
    settings.SEAL_KEY = tmp_path / "seal_key"
    User.objects.create(username="anna", first_name="Konto")
    round_ = opened("sheet", "sheet", people=9, count=2)
    made = round_.championship
    table_play.play_to_the_end(round_)
    make_seal_key(settings.SEAL_KEY)
    championship_seals.seal_championship(made)
    rounds.close_round(round_, actor=person("fredi"))
    second = made.rounds.get(number=2)
    drawing.draw_round(second, actor=person("fredi"))
    for at in second.tables.select_related("round__championship"):
        rounds.set_mode(at, "sheet", actor=person("fredi"))
    rounds.open_round(second, actor=person("fredi"))
    one = table(second, 1)
    disputes.raise_dispute(one, actor=person("gabi"))
    spare = made.entries.exclude(seatings__round=second).first()
    seated = one.seatings.order_by("seat").first()
    assert spare is not None
    assert seated is not None
    substitutions.substitute(second, spare.number, seated.entry.number, deal=2, actor=person("fredi"))
    table_codes.make_codes(made, 2, actor=person("fredi"))
    return second


def addresses(round_: Round) -> Iterator[str]:
    made = round_.championship
    for number in (1, 2):
        at = table(made.rounds.get(number=number), 1)
        seating = at.seatings.select_related("entry").first()
        assert seating is not None
        parts: dict[str, object] = {
            "slug": made.slug,
            "number": number,
            "entry": seating.entry.number,
            "table": at.number,
            "table_id": at.pk,
            "game_id": at.game_id,
            "place": 0,
            "deal": 1,
            "act": "times",
            "key": "evening",
            "dispute_id": Dispute.objects.get().pk,
        }
        for pattern in (*urlpatterns, *all_urlpatterns):
            if (
                isinstance(pattern, URLPattern)
                and pattern.name
                and pattern.pattern.converters.keys() <= parts.keys()
            ):
                yield reverse(pattern.name, kwargs={name: parts[name] for name in pattern.pattern.converters})
    for search in ("entries", "where", "tables", "standings"):
        yield reverse(search, args=[made.slug]) + "?q=mman&page=1"
    for document in ("wall", "ranking", "evening", "certificates"):
        yield reverse("print", args=[made.slug, document])
    for path in ("", "events/", "replay/", "sheet/", "evidence/"):
        yield f"{API}/{table(round_, 1).game_id}/{path}"


@pytest.mark.slow
@pytest.mark.long(1)
@pytest.mark.parametrize(("how", "who"), [("initials", None), ("numbers", "eva"), ("full", None)])
def test_no_page_part_or_file_says_a_name_to_who_does_not_belong_here(
    evening: Round, how: str, who: str | None
) -> None:
    """Where names are full, everybody here has withdrawn the consent to be named."""
    made = evening.championship
    hide(made, how)
    if how == "full":
        withdraw(made)
    forget_what_is_shared()
    work()
    # A participant reads the page first; others must not get what was made for a participant.
    insider = client("fredi")
    # The examples of the style guide happen to be called like ours.
    wanted = sorted(set(addresses(evening)) - {reverse("styleguide")})
    seen_inside = {url: names_in(told(insider.get(url))) for url in wanted}
    assert sum(map(bool, seen_inside.values())) > 15

    browser = client(who)
    for url in wanted:
        for headers in ({}, {"HX-Request": "true"}):
            assert names_in(told(browser.get(url, headers=headers))) == [], url


def test_the_public_file_says_them_to_nobody_and_a_backup_keeps_them(evening: Round) -> None:
    made = evening.championship
    hide(made, "initials")
    for level, there in (("public", False), (BACKUP, True)):
        out = io.BytesIO()
        export_championship(made, out, level=level)
        with zipfile.ZipFile(out) as archive:
            names = archive.read("names.json").decode()
        assert bool(names_in(names)) is there
        assert ("A. A." in names) is not there
    assert not Entry.objects.filter(name__contains=".").exists()


def test_who_belongs_here_reads_names(evening: Round) -> None:
    made = evening.championship
    hide(made, "numbers")
    for who in ("fredi", "gabi", "hanna", "anna"):
        assert "Ammann" in html(client(who).get(reverse("standings", args=[made.slug]))), who


def test_what_hangs_on_the_wall_names_nobody_even_where_an_official_is_signed_in(evening: Round) -> None:
    made = evening.championship
    hide(made, "initials")
    for name in ("projector", "seating_projector", "tables_projector", "prizes_projector"):
        assert names_in(told(client("fredi").get(reverse(name, args=[made.slug])))) == [], name


def test_the_organiser_chooses_how_a_list_for_the_wall_is_printed(evening: Round) -> None:
    made = evening.championship
    page, wall = reverse("prints", args=[made.slug]), reverse("print", args=[made.slug, "ranking"])
    assert "prints-names" not in html(client("fredi").get(page))
    hide(made, "initials")
    assert "&amp;names=public" in html(client("fredi").get(f"{page}?names=public"))
    assert "Ammann" in names_in(told(client("fredi").get(wall)))
    printed = told(client("fredi").get(f"{wall}?names=public"))
    assert names_in(printed) == []
    assert "B. B." in printed


def test_a_change_holds_at_once_also_for_parts_that_are_shared(evening: Round) -> None:
    made = evening.championship
    browser, page = client(), reverse("standings", args=[made.slug])
    assert "Beat Bühler" in html(browser.get(page))
    for how, shown in (("initials", "B. B."), ("numbers", "№ 2"), ("full", "Beat Bühler")):
        hide(made, how)
        forget_at_hand()
        found = html(browser.get(page, headers={"HX-Request": "true"}))
        assert shown in found
        at = found.find("Beat Bühler")
        assert (at >= 0) is (how == "full"), found[max(0, at - 300) : at + 100]


def test_a_withdrawn_name_is_a_number_at_once_and_the_others_stay(evening: Round) -> None:
    made = evening.championship
    beat = made.entries.get(number=2)
    beat.user = with_password("eva")
    beat.save(update_fields=["user"])
    pages = [reverse(name, args=[made.slug]) for name in ("standings", "projector")]
    browser, eva = client(), client("eva")
    for page in pages:
        assert {"Beat", "Anna"} <= set(names_in(told(browser.get(page)))), page
    for named in (False, True):
        eva.post(reverse("own_data_named"), {"named": "yes" if named else ""})
        forget_at_hand()
        for page in pages:
            found = set(names_in(told(browser.get(page))))
            assert ("Beat" in found, "Bühler" in found, "Anna" in found) == (named, named, True), page
        for member in ("fredi", "eva"):
            assert "Beat Bühler" in html(client(member).get(pages[0]))
    beat.refresh_from_db()
    assert (beat.unnamed_since, beat.consented_at is not None) == (None, True)


def test_a_withdrawn_name_is_not_found_and_others_are(evening: Round) -> None:
    made = evening.championship
    withdraw(made, 2)
    made.refresh_from_db()
    with reading_for(outsider(made)):
        assert not entries.search_entries(made, "Bühler").exists()
        assert entries.search_entries(made, "Ammann").get().name == "Anna Ammann"
        assert entries.search_entries(made, "№ 2").get().name == "№ 2"
    assert entries.search_entries(made, "Bühler").get().name == "Beat Bühler"


def test_the_desk_withdraws_a_consent_for_a_person_without_an_account(evening: Round) -> None:
    made = evening.championship
    beat = made.entries.get(number=2)
    for consents, kind in ((True, "full"), (False, "consented"), (True, "full")):
        entries.edit_entry(beat, actor=person("fredi"), consents=consents)
        made.refresh_from_db()
        assert made.name_kind == kind
        assert (beat.consented_at is None, beat.unnamed_since is None) == (not consents, consents)
        assert beat.person is not None
        beat.person.refresh_from_db()
        assert (beat.person.unnamed_since is None) == consents, "the next evening knows it"


def forget_at_hand() -> None:
    """A second has passed: cache versions are asked for anew, pieces that were made stay."""
    from tournaments.services import cache_versions

    cache_versions.forget_all()


def test_nobody_is_found_by_a_name_that_is_not_read(evening: Round) -> None:
    made = evening.championship
    hide(made, "initials")
    with reading_for(outsider(made)):
        assert not entries.search_entries(made, "Ammann").exists()
        assert [entry.number for entry in entries.search_entries(made, "a. a.")] == [1]
        assert entries.search_entries(made, "1").get().name == "A. A."
    assert entries.search_entries(made, "Ammann").get().name == "Anna Ammann"


def test_what_a_reader_was_shown_is_never_stored(evening: Round) -> None:
    made = evening.championship
    hide(made, "numbers")
    with reading_for(outsider(made)):
        entry = made.entries.get(number=1)
    with pytest.raises(ValueError, match="withheld"):
        entry.save()
    entry.save(update_fields=["status"])
    assert made.entries.get(number=1).name == "Anna Ammann"


def test_who_has_come_in_by_the_code_of_a_table_reads_who_plays_there(evening: Round) -> None:
    made = evening.championship
    hide(made, "initials")
    game = table(evening, 1).game_id
    phone = Client(headers={"accept-language": "en"})
    card = table_codes.list_cards(made)[0]
    phone.post(reverse("open_table"), {"code": card.code}, follow=True)
    phone.post(reverse("at_table"), {"side": "0"}, follow=True)
    assert names_in(told(phone.get(reverse("at_table")))) or names_in(
        told(phone.get(reverse("table_sheet", args=[game])))
    )


@pytest.mark.parametrize(
    ("first", "family", "shown"),
    [
        ("Fredi", "Müller", "F. M."),
        ("Anna Maria", "von Rotz", "A. M. v. R."),
        ("", "Änni", "Ä."),
        ("A\u0308nni", "Ott", "Ä. O."),
        ("", "№ 7", ""),
        ("", "Gast 12", "G."),
        ("(Hans)", "O'Neill", "H. O."),
    ],
)
def test_initials_are_the_first_letters(first: str, family: str, shown: str) -> None:
    assert initials(first, family) == shown


def test_two_alike_are_told_apart_by_their_numbers() -> None:
    people = [
        PublicPerson(11, 1, "Fredi", "Müller"),
        PublicPerson(12, 2, "Fritz", "Meier"),
        PublicPerson(13, 3, "Heidi", "Huber"),
        PublicPerson(14, 4, "", "№ 4"),
    ]
    assert public_names(people, "initials") == {11: "F. M. (1)", 12: "F. M. (2)", 13: "H. H.", 14: "№ 4"}
    assert public_names([one._replace(unnamed=one.key == 11) for one in people], "initials") == {
        11: "№ 1",
        12: "F. M.",
        13: "H. H.",
        14: "№ 4",
    }
    assert public_names([one._replace(unnamed=one.key == 11) for one in people], "consented") == {11: "№ 1"}
    assert public_names(people, "numbers") == {11: "№ 1", 12: "№ 2", 13: "№ 3", 14: "№ 4"}
