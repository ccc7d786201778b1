"""The addresses of all pages of an evening."""

import base64

from django.urls import URLPattern, reverse
from django.utils import timezone

from frontend import championship_urls, urls
from tests.frontend.evening import person
from tournaments import jobs
from tournaments.clubs import images, rolls
from tournaments.models import Audit, Championship, ClubSeries, Job, OutsideEvent, Table
from tournaments.services.entries import entry_link, own_pages
from tournaments.services.referee import disputes
from tournaments.services.series import editing

SMALLEST_PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
NOT_READ = {"styleguide", "set_language", "verifier"}
"""A page for developers; addresses that are no pages."""


def parts_of(one: Table) -> dict[str, object]:
    made = one.round.championship
    raised_here = disputes.raise_dispute(one, actor=person("gabi"), text="Farbe nicht angegeben")
    job = jobs.start_job(Job.Kind.STANDINGS, made, actor=person("fredi"))
    return {
        "slug": made.slug,
        "number": 1,
        "act": "arrive",
        "entry": 1,
        "table_id": one.pk,
        "table": one.number,
        "place": 0,
        "deal": 1,
        "start": 1,
        "game_id": one.game_id,
        "dispute_id": raised_here.pk,
        "official_id": made.officials.order_by("pk")[0].pk,
        "job_id": job.pk,
        "audit_id": Audit.objects.create(championship=made).pk,
        "key": "schieber",
        "link": entry_link.set_link(made, on=True, actor=person("fredi")),
        "series_slug": (counted := series_with(made)).slug,
        "outside_id": outside_of(counted).pk,
        **club_parts(made),
        "invitation_id": 0,
        "row": "0" * 40,
        "user_id": person("fredi").pk,
        "pk": 0,
        "token": own_pages.make_page(made.entries.get(number=1)),
    }


def club_parts(made: Championship) -> dict[str, object]:
    """Return the address of the championship's club, a person of its roll, and a sponsor."""
    club = made.club or rolls.default_club(person("fredi"))
    if not club.named:
        rolls.rename_club(club, "Jassklub", actor=None)
    picture = images.Emblem(SMALLEST_PNG, "png", 1, 1)
    images.add_sponsor(club, picture, name="Metzgerei", actor=None)
    someone = club.roll.order_by("pk").first()
    return {
        "club_id": club.pk,
        "club_slug": club.slug,
        "person_id": 0 if someone is None else someone.pk,
        "image_id": images.list_images(club)[0].pk,
    }


def series_with(made: Championship) -> ClubSeries:
    """Create a series of the championship's club, in which it counts at once."""
    fredi = person("fredi")
    found = editing.create_series(
        made.club or rolls.default_club(fredi), name="Saison", preset="share_of_heats", actor=fredi
    )
    editing.edit_event(editing.add_event(found, championship=made, actor=fredi), state="held", actor=fredi)
    return found


def outside_of(series: ClubSeries) -> OutsideEvent:
    """Create a verified file from elsewhere with one person, which does not count yet."""
    found = OutsideEvent.objects.create(
        series=series,
        source="Puur Bern",
        digest="0" * 64,
        size=1,
        state=OutsideEvent.State.DONE,
        ended_at=timezone.now(),
        stream="0" * 32,
        key="ab" * 32,
        words="lusab " * 12,
        name="Sektion Bern",
    )
    found.people.create(number=1, name="Anna Ammann", place=1, total=900, choice="new")
    return found


def addresses(parts: dict[str, object]) -> dict[str, str]:
    """Return the addresses of every page that these parts suffice for."""
    found = {}
    for pattern in (*urls.urlpatterns, *championship_urls.urlpatterns):
        if isinstance(pattern, URLPattern) and pattern.name and pattern.name not in NOT_READ:
            wanted = pattern.pattern.converters
            if set(wanted) <= set(parts):
                found[pattern.name] = reverse(pattern.name, kwargs={name: parts[name] for name in wanted})
    return found
