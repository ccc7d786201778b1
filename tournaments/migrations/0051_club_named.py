from typing import Any

from django.db import migrations, models


def mark_unnamed(apps: Any, schema_editor: Any) -> None:
    """Mark the clubs that have the full name or the username of a keeper: nobody has named them."""
    rows = apps.get_model("tournaments", "Keeper").objects.select_related("club", "user")
    unnamed = [
        keeper.club_id
        for keeper in rows.iterator()
        if keeper.club.name
        in (keeper.user.username[:80], f"{keeper.user.first_name} {keeper.user.last_name}".strip()[:80])
    ]
    apps.get_model("tournaments", "Club").objects.filter(pk__in=unnamed).update(named=False)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0050_entry_index_of_series")]

    operations = [
        migrations.AddField("club", "named", models.BooleanField(default=True)),
        migrations.RunPython(mark_unnamed, migrations.RunPython.noop),
    ]
