"""Encrypt secret parts and the hashes of commands with a key from outside the database.

New tables replace the old ones, which are dropped: an updated row would leave its clear bytes in the pages of
its table. On SQLite freed pages are overwritten, and the file is rewritten after the migration
(`games.store.cleaning`). The migration is one transaction: after an interruption it starts again.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

BATCH = 2000


def overwrite_what_is_freed(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "sqlite":
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete=ON")


def close_everything(apps: Any, schema_editor: Any) -> None:
    from games import encryption
    from games.store import layout

    database = schema_editor.connection
    ring = None
    with database.chunked_cursor() as cursor, database.cursor() as writer:
        cursor.execute("SELECT stream_id, seq, name, nonce, body FROM games_clearpart")
        while rows := cursor.fetchmany(BATCH):
            ring = ring or encryption.keys_in_use()
            writer.executemany(
                "INSERT INTO games_secretpart (stream_id, seq, name, key, closed) VALUES (%s, %s, %s, %s, %s)",
                [
                    (
                        *(stream, seq, name),
                        *layout.encrypt_part(ring, stream, seq, layout.Part(name, bytes(nonce), bytes(body))),
                    )
                    for stream, seq, name, nonce, body in rows
                ],
            )
    with database.chunked_cursor() as cursor, database.cursor() as writer:
        cursor.execute("SELECT stream_id, command_id, body_hash, first_seq, count FROM games_clearreceipt")
        while rows := cursor.fetchmany(BATCH):
            ring = ring or encryption.keys_in_use()
            writer.executemany(
                "INSERT INTO games_receipt (stream_id, command_id, key, closed, first_seq, count) "
                "VALUES (%s, %s, %s, %s, %s, %s)",
                [
                    (
                        *(stream, command_id),
                        *layout.encrypt_receipt(ring, stream, command_id, bytes(body_hash)),
                        *(first, count),
                    )
                    for stream, command_id, body_hash, first, count in rows
                ],
            )


def belongs(to: str) -> Any:
    return models.ForeignKey(
        to, on_delete=django.db.models.deletion.PROTECT, related_name="+", db_constraint=False, db_index=False
    )


def composite(*names: str) -> Any:
    return models.CompositePrimaryKey(*names, blank=True, editable=False, primary_key=True, serialize=False)


class Migration(migrations.Migration):
    dependencies = [("games", "0006_seed_of_a_game")]

    operations = [
        migrations.RunPython(overwrite_what_is_freed),
        migrations.RemoveConstraint("Receipt", "games_receipt_count"),
        migrations.RenameModel("SecretPart", "ClearPart"),
        migrations.RenameModel("Receipt", "ClearReceipt"),
        migrations.CreateModel(
            name="SecretPart",
            fields=[
                ("pk", composite("stream_id", "seq", "name")),
                ("seq", models.IntegerField()),
                ("name", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=12)),
                ("closed", models.BinaryField()),
                ("stream", belongs("games.stream")),
            ],
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                ("pk", composite("stream_id", "command_id")),
                ("command_id", models.CharField(max_length=64)),
                ("key", models.CharField(max_length=12)),
                ("closed", models.BinaryField()),
                ("first_seq", models.IntegerField()),
                ("count", models.IntegerField()),
                ("stream", belongs("games.stream")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(count__gte=0), name="games_receipt_count")
                ]
            },
        ),
        migrations.RunPython(close_everything),
        migrations.DeleteModel("ClearPart"),
        migrations.DeleteModel("ClearReceipt"),
    ]
