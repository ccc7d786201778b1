from typing import Any

from django.db import migrations

MAX_NAME_LENGTH = 60


def name_logos(apps: Any, schema_editor: Any) -> None:
    """Name each logo after its club, and remove the founder's name from the logos and addresses of the clubs
    that no keeper has named.
    """
    clubs = apps.get_model("tournaments", "Club").objects
    images = apps.get_model("tournaments", "ClubImage").objects
    for club in clubs.filter(named=False).exclude(slug__regex=r"^club(-[0-9]+)?$"):
        free = (slug for n in range(club.pk, club.pk + 10_000) if not clubs.filter(slug=(slug := f"club-{n}")))
        clubs.filter(pk=club.pk).update(slug=next(free))
    for club in clubs.filter(images__kind="logo"):
        name = club.name[:MAX_NAME_LENGTH] if club.named else ""
        images.filter(club=club, kind="logo").update(name=name)
        pictures = [one | {"name": name} if one["kind"] == "logo" else one for one in club.pictures]
        clubs.filter(pk=club.pk).update(pictures=pictures)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0051_club_named")]

    operations = [migrations.RunPython(name_logos, migrations.RunPython.noop)]
