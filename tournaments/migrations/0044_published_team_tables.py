from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0038_before_the_evening'),
    ]

    operations = [
        migrations.AddField(
            model_name='seriessnapshot',
            name='teams',
            field=models.JSONField(null=True),
        ),
    ]
