"""Rename the rows of open sessions to the hash of their key, under which they are now looked up. So sessions
stay open.
"""

import hashlib
from typing import Any

from django.db import migrations


def rename(apps: Any, schema_editor: Any) -> None:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT session_key FROM django_session")
        keys = [key for (key,) in cursor.fetchall()]
        cursor.executemany(
            "UPDATE django_session SET session_key = %s WHERE session_key = %s",
            [(hashlib.sha256(key.encode()).hexdigest()[:40], key) for key in keys],
        )


class Migration(migrations.Migration):
    dependencies = [("games", "0008_who_may_found"), ("sessions", "0001_initial")]

    operations = [migrations.RunPython(rename)]
