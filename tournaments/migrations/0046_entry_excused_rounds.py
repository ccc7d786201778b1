from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0045_account_mails")]

    operations = [
        migrations.AddField("entry", "excused_rounds", models.JSONField(blank=True, default=list)),
    ]
