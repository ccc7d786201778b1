"""Who takes part. Names live here and nowhere in a stream, so that they can be erased."""

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Self

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.ids import new_id
from games.models import User
from tournaments.models.championship import Championship
from tournaments.models.club import Named, Person
from tournaments.names import sorting
from tournaments.names.public import FULL, NUMBERS, numbered
from tournaments.names.readers import reader


class Entrant(models.Model):
    """Several who are drawn and ranked as one: a pair that stays together. Who is ranked alone has no row.

    `number`: that of its first member's entry, so that people and pairs have one numbering; `ref`: how
    streams call it. Whoever has played for it stays a member when he has withdrawn: what he has won is
    its own.
    """

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveIntegerField()
    ref = models.CharField(max_length=32, unique=True, default=new_id, editable=False)

    class Meta:
        ordering: ClassVar = ["championship", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "number"], name="tournaments_entrant_number")
        ]

    def __str__(self) -> str:
        return f"entrant {self.number} of {self.championship_id}"


class Entry(Named):
    """One person in one championship. `player_ref` is how streams and games call him; `person`: the same on
    the roll of the organiser's club. `category`: a word of the organiser's for prizes (woman, youth, senior).
    `merged_into`: the entry of the same person that counts, where he was entered twice.
    `bot`: the server plays at online tables; it is of the house.
    """

    class Status(models.TextChoices):
        REGISTERED = "registered", _("registered")
        PAID = "paid", _("paid")
        ARRIVED = "arrived", _("arrived")
        WITHDRAWN = "withdrawn", pgettext_lazy("entry", "withdrawn")

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    club = models.CharField(max_length=40, blank=True, default="")
    licence = models.CharField(max_length=20, blank=True, default="")
    note = models.CharField(max_length=80, blank=True, default="")
    email = models.EmailField(max_length=120, blank=True, default="")
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    category = models.CharField(max_length=20, blank=True, default="")
    start_rank = models.PositiveIntegerField(null=True, blank=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    person = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="entries"
    )
    player_ref = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="entries")
    entrant = models.ForeignKey(
        Entrant, null=True, blank=True, on_delete=models.SET_NULL, related_name="members"
    )
    house = models.BooleanField(default=False)
    bot = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.REGISTERED)
    paid = models.BooleanField(default=False)
    fee = models.ForeignKey(
        "tournaments.Fee", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    arrived_at = models.DateTimeField(null=True, blank=True)
    withdrawn_from = models.PositiveIntegerField(null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="merged"
    )
    cut = models.SmallIntegerField(null=True, blank=True)
    lot = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["championship", "number"]
        verbose_name_plural = "entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "number"], name="tournaments_entry_number"),
            models.UniqueConstraint(fields=["championship", "user"], name="tournaments_entry_user"),
        ]

    withheld = False
    """Whether the name in this object is not the one that is stored, but what its reader may see."""

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any
    ) -> Self:
        """With the name that whoever reads now may see (`tournaments.names.readers`)."""
        entry = super().from_db(db, field_names, values, **more)
        now = reader()
        if now is not None and not entry.__dict__.keys().isdisjoint(cls.NAMES):
            kind = now.kind(entry.championship_id)
            if kind != FULL:
                entry.withhold(now.names(entry.championship_id).get(entry.pk, numbered(entry.number)))
                if kind == NUMBERS:
                    entry.club = ""
        return entry

    def withhold(self, shown: str) -> None:
        """Be called so, in this object only."""
        self.name = self.family_name = shown
        self.first_name = ""
        self.sort_name = sorting(shown, "")
        self.withheld = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **more: Any) -> None:
        """Raises ValueError where what a reader was shown would take the place of a name."""
        told = None if update_fields is None else set(update_fields)
        if self.withheld and (told is None or told & {*self.NAMES, "club"}):
            raise ValueError(f"the name of entry {self.pk} was withheld from who would write it")
        super().save(*args, update_fields=told, **more)


class SideConstraint(models.Model):
    """Something the draw must respect about two people. `fixed_pair`: how pairs were kept before they were
    entrants; it stays where the last round was played so."""

    class Kind(models.TextChoices):
        FIXED_PAIR = "fixed_pair", _("always partners")
        NEVER_PARTNER = "never_partner", _("never partners")
        NEVER_MEET = "never_meet", _("never at one table")

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="side_constraints")
    kind = models.CharField(max_length=13, choices=Kind.choices)
    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["championship", "kind", "one", "other"], name="tournaments_constraint_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(one=models.F("other")), name="tournaments_constraint_two"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} {self.kind} {self.other_id}"
