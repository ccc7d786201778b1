
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0011_clubs_and_persons"),
    ]

    operations = [
        migrations.CreateModel(
            name='Substitute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('deal', models.PositiveSmallIntegerField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entry')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='substitutes', to='tournaments.table')),
            ],
            options={
                'ordering': ['table', 'seat', 'deal'],
                'constraints': [models.UniqueConstraint(fields=('table', 'seat', 'deal'), name='tournaments_substitute_once')],
            },
        ),
    ]
