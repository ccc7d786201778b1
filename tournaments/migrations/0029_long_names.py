"""Names have up to 90 characters; what lists run by is made anew of each name."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tournaments.names import sort_key

BATCH = 500


def sort_anew(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    for model in ("Entry", "Person"):
        rows = apps.get_model("tournaments", model).objects.using(editor.connection.alias)
        changed = []
        for row in rows.only("family_name", "first_name", "sort_name").iterator(chunk_size=BATCH):
            anew = sort_key(row.family_name, row.first_name)
            if anew != row.sort_name:
                row.sort_name = anew
                changed.append(row)
        rows.bulk_update(changed, ["sort_name"], batch_size=BATCH)


def _fields(model: str) -> list[migrations.AlterField]:
    return [
        migrations.AlterField(model, "name", models.CharField(max_length=90)),
        migrations.AlterField(model, "family_name", models.CharField(default="", max_length=90)),
        migrations.AlterField(model, "first_name", models.CharField(blank=True, default="", max_length=90)),
        migrations.AlterField(
            model, "sort_name", models.CharField(db_index=True, editable=False, max_length=360)
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0028_calls_put_off")]

    operations = [
        *_fields("entry"),
        *_fields("person"),
        migrations.RunPython(sort_anew, migrations.RunPython.noop),
    ]
