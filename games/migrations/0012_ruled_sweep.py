from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_results_as_paper_brings_them"),
    ]

    operations = [
        migrations.AddField(
            model_name="dealresult",
            name="ruled_sweep",
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
