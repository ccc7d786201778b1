"""manage.py export-series SLUG FILE: export a series with the public files of its events to one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.management.base import BaseCommand, CommandError

from tournaments.archive.series_file import export_series
from tournaments.models import ClubSeries
from tournaments.services.series.loading import load_series, read_series


class Command(BaseCommand):
    help = "Write the sealed tables of a series and the public data of its events into a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the last part of the series' address")
        parser.add_argument("file", type=Path)

    def handle(self, *, slug: str, file: Path, **_: Any) -> None:
        series = ClubSeries.objects.select_related("club").filter(slug=slug).first()
        if series is None:
            raise CommandError(f"there is no series {slug}")
        loaded = load_series(series)
        reading = read_series(loaded, AnonymousUser(), keeper=False)
        names = reading.names if reading.visible else {}
        try:
            with file.open("xb") as out:
                manifest = export_series(loaded, out, names=names, with_events=True)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        events = sum(name.startswith("events/") for name in manifest.files)
        self.stdout.write(f"{file}: {events} events, {file.stat().st_size} bytes")
