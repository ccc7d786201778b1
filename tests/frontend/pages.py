"""The addresses of all pages of an evening."""

from django.urls import URLPattern, reverse

from frontend import championship_urls, urls
from tests.frontend.evening import person
from tournaments import jobs
from tournaments.clubs import rolls
from tournaments.models import Audit, Championship, ClubSeries, Job, Table
from tournaments.services.entries import entry_link, own_pages
from tournaments.services.referee import disputes
from tournaments.services.series import editing

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
        "game_id": one.game_id,
        "dispute_id": raised_here.pk,
        "official_id": made.officials.order_by("pk")[0].pk,
        "job_id": job.pk,
        "audit_id": Audit.objects.create(championship=made).pk,
        "key": "schieber",
        "link": entry_link.set_link(made, on=True, actor=person("fredi")),
        "series_slug": series_with(made).slug,
        "token": own_pages.make_page(made.entries.get(number=1)),
    }


def series_with(made: Championship) -> ClubSeries:
    """Create a series of the championship's club, in which it counts at once."""
    fredi = person("fredi")
    found = editing.create_series(
        made.club or rolls.default_club(fredi), name="Saison", preset="share_of_heats", actor=fredi
    )
    editing.edit_event(editing.add_event(found, championship=made, actor=fredi), state="held", actor=fredi)
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
