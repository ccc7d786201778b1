"""Add the side of each seat to the row of a game: in some games the seats with a common score are not every
second ones.
"""

from django.db import migrations, models


def fill(apps, schema_editor):
    """Fill the new column of existing games: sides alternate by seat. In games whose sides are decided in
    play, a rebuild of the row sets them.
    """
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
