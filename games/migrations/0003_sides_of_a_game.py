"""The side of each seat, kept beside the totals: not everywhere does every second seat score together."""

from django.db import migrations, models


def fill(apps, schema_editor):
    """Games begun before: their sides took turns. (Where they are found in play, a rebuild sets them.)"""
    Game = apps.get_model("games", "Game")
    changed = []
    for game in Game.objects.only("id", "seat_count", "totals").iterator(1000):
        game.sides = [seat % (len(game.totals) or game.seat_count) for seat in range(game.seat_count)]
        changed.append(game)
    Game.objects.bulk_update(changed, ["sides"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_checkpoints"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="sides",
            field=models.JSONField(default=list),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
