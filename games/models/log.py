"""The tables of the log and its checkpoints. Only `games.store` writes the log, and only `games.sealing`
writes checkpoints; database triggers reject changes, except re-encryption.
"""

from typing import ClassVar

from django.db import models

from games.ids import new_id


class Stream(models.Model):
    """One append-only sequence of events. `head_seq`, `head_hash`: number and hash of its last event;
    `head_seq` is -1 while the stream is empty.
    """

    class Kind(models.TextChoices):
        GAME = "game"
        ROUND = "round"
        CHAMPIONSHIP = "championship"
        SERIES = "series"

    id = models.CharField(max_length=32, primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    head_seq = models.IntegerField()
    head_hash = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Event(models.Model):
    """One event. `envelope`: the exact bytes that the hash chain covers (docs/developers/log-format.md).
    `hash`: the hash of the event in the chain.
    """

    pk = models.CompositePrimaryKey("stream_id", "seq")
    # The head update of the same statement proves that the stream exists: no second check per row.
    stream = models.ForeignKey(
        Stream, on_delete=models.PROTECT, related_name="events", db_constraint=False, db_index=False
    )
    seq = models.IntegerField()
    type = models.CharField(max_length=40)
    envelope = models.BinaryField()
    hash = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"{self.stream_id}:{self.seq} {self.type}"


class SecretPart(models.Model):
    """One secret part of an event; the event's envelope holds SHA-256(nonce ‖ body) of it. `key`: id of a
    data key. `closed`: nonce and body, encrypted with this key; `games.store.layout` decrypts them.
    """

    pk = models.CompositePrimaryKey("stream_id", "seq", "name")
    stream = models.ForeignKey(
        Stream, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    seq = models.IntegerField()
    name = models.CharField(max_length=40)
    key = models.CharField(max_length=12)
    closed = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.stream_id}:{self.seq} {self.name}"


class Receipt(models.Model):
    """The events that a command caused (`count` from `first_seq` on), so that a repeated command gets the
    original result. `key`: id of a data key. `closed`: the SHA-256 of the request, encrypted with this key.
    """

    pk = models.CompositePrimaryKey("stream_id", "command_id")
    stream = models.ForeignKey(
        Stream, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    command_id = models.CharField(max_length=64)
    key = models.CharField(max_length=12)
    closed = models.BinaryField()
    first_seq = models.IntegerField()
    count = models.IntegerField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(count__gte=0), name="games_receipt_count")
        ]

    def __str__(self) -> str:
        return f"{self.stream_id} {self.command_id}"


class Checkpoint(models.Model):
    """One checkpoint of the stream of a championship or series. `body`: the exact bytes of the signed and
    hashed content. `heads`: a JSON object of stream id → seq, from which the Merkle root in `body` is
    computed.
    """

    pk = models.CompositePrimaryKey("stream_id", "number")
    stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="checkpoints")
    number = models.PositiveIntegerField()
    body = models.BinaryField()
    signature = models.BinaryField(max_length=64)
    heads = models.BinaryField()
    made_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["stream", "made_at"], name="games_checkpoint_when")]

    def __str__(self) -> str:
        return f"checkpoint {self.number} of {self.stream_id}"
