"""Remove a column of deadlines that was never used."""

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0017_clocks_that_wait")]

    operations: ClassVar = [migrations.RemoveField("deadline", "payload")]
