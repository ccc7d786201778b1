from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0039_accounts'),
    ]

    operations = [
        migrations.AddField(
            model_name='seriessnapshot',
            name='teams',
            field=models.JSONField(null=True),
        ),
    ]
