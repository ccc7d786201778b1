"""Clubs that nobody has named lose their public page and the founder's name in their logo and address, also
those that an earlier version made.
"""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests import servers
from tests.games import databases
from tournaments.models import Club

BEFORE = [("tournaments", "0050_entry_index_of_series")]


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_a_club_with_the_name_of_a_keeper_counts_as_unnamed(
    vendor: str, tmp_path: Path, django_db_blocker: Any
) -> None:
    if vendor == "postgresql":
        servers.postgres_url()
    with django_db_blocker.unblock(), databases.clone(databases.template(vendor), tmp_path):
        executor = MigrationExecutor(connection)
        executor.migrate(BEFORE)
        before = executor.loader.project_state(BEFORE).apps
        users = before.get_model("games", "User").objects
        named = users.create(username="anna", first_name="Anna", last_name="Zurfluh")
        short = users.create(username="beat")
        for number, (keeper, name) in enumerate(
            [(named, "Anna Zurfluh"), (named, "anna"), (named, "Jassklub"), (short, "beat"), (short, "Anna")]
        ):
            club = before.get_model("tournaments", "Club").objects.create(name=name, slug=f"c{number}")
            before.get_model("tournaments", "Keeper").objects.create(club=club, user=keeper)
            logo = {"kind": "logo", "name": name, "digest": "", "link": "", "width": 1, "height": 1}
            before.get_model("tournaments", "ClubImage").objects.create(
                club=club, format="png", data=b"", **logo
            )
            sponsor = {**logo, "kind": "sponsor", "name": "Metzgerei"}
            before.get_model("tournaments", "Club").objects.filter(pk=club.pk).update(
                slug="anna-zurfluh" if number == 0 else f"club-{number}", pictures=[logo, sponsor]
            )
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes("tournaments"))
        assert set(Club.objects.filter(named=True).values_list("name", flat=True)) == {"Jassklub", "Anna"}
        names = {"Jassklub": "Jassklub", "Anna": "Anna"}
        for club in Club.objects.all():
            logo_name = names.get(club.name, "")
            assert [one.name for one in club.images.all()] == [logo_name]
            assert [one["name"] for one in club.pictures] == [logo_name, "Metzgerei"]
            assert club.slug.startswith("club-"), "the address has no name of a person"
