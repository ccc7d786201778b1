from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tournaments.names import given_first, sort_key


def take_apart(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """The last word is the family name, with the particles before it: names go on being shown as they were."""
    entries = apps.get_model("tournaments", "Entry").objects.using(editor.connection.alias)
    changed = []
    for entry in entries.only("name").iterator():
        entry.first_name, entry.family_name = given_first(entry.name)
        entry.sort_name = sort_key(entry.family_name, entry.first_name)
        changed.append(entry)
    entries.bulk_update(changed, ["first_name", "family_name", "sort_name"], batch_size=200)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_founders_may_found")]

    operations = [
        migrations.AddField("entry", "family_name", models.CharField(default="", max_length=40)),
        migrations.AddField("entry", "first_name", models.CharField(blank=True, default="", max_length=40)),
        migrations.AlterField(
            "entry", "sort_name", models.CharField(db_index=True, editable=False, max_length=90)
        ),
        migrations.RunPython(take_apart, migrations.RunPython.noop),
    ]
