from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def let_founders(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Whoever has founded a championship goes on as he is used to."""
    users = apps.get_model("games", "User").objects.using(editor.connection.alias)
    users.filter(championships__isnull=False).update(may_found=True)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_who_may_found"),
        ("tournaments", "0007_public_files"),
    ]

    operations = [migrations.RunPython(let_founders, migrations.RunPython.noop, elidable=True)]
