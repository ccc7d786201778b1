from django.db import migrations, models


class Migration(migrations.Migration):
    """Rename the model SitOut to Bye. The table, its constraints and the content type stay as they are."""

    dependencies = [("tournaments", "0052_logos_named_after_clubs")]

    operations = [
        # Only the state: RenameModel itself would also rename the content type.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("SitOut", "Bye"),
                migrations.AlterModelTable("bye", "tournaments_sitout"),
                migrations.AlterField(
                    "bye",
                    "round",
                    models.ForeignKey("tournaments.round", models.CASCADE, related_name="byes"),
                ),
                migrations.AlterField(
                    "bye",
                    "entry",
                    models.ForeignKey("tournaments.entry", models.PROTECT, related_name="byes"),
                ),
            ],
        ),
    ]
