"""Entries, entrants, teams and side constraints.

Names are stored in these tables and in no stream, so that they can be erased.
"""

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Self

from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.ids import new_id
from games.models import User
from tournaments.models.championship import Championship
from tournaments.models.club import Named, Person
from tournaments.names import sort_key
from tournaments.names.public_names import CONSENTED, FULL, NUMBERS, numbered_name
from tournaments.names.readers import reader
from tournaments.names.spelling import MAX_CLUB_LENGTH


class Entrant(models.Model):
    """Entries drawn and ranked as one: a fixed pair. People ranked alone have no entrant.

    `number`: number of its first member's entry, so that people and pairs share one numbering; `ref`: the
    entrant's reference in streams. A member who has played stays a member after withdrawing, since the
    results belong to the pair.
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


class Team(models.Model):
    """People ranked together, in a ranking of teams beside that of persons or pairs, or drawn and ranked as
    one.

    `number`: identifies the team in the ranking; `ref`: its reference in streams.
    """

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=MAX_CLUB_LENGTH)
    ref = models.CharField(max_length=32, unique=True, default=new_id, editable=False)

    class Meta:
        ordering: ClassVar = ["championship", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "number"], name="tournaments_team_number")
        ]

    withheld = False
    """Whether this object has a number instead of its name, because its reader may not see names."""

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **more: Any) -> None:
        """Save the team. Raises ValueError if this object has a number instead of the name."""
        if self.withheld:
            raise ValueError(f"the name of team {self.pk} was withheld from who would write it")
        super().save(*args, **more)

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any
    ) -> Self:
        """Load the team with the name that the current reader may see."""
        team = super().from_db(db, field_names, values, **more)
        now = reader()
        if now is not None and "name" in team.__dict__ and now.kind(team.championship_id) == NUMBERS:
            team.name, team.withheld = gettext("Team %(n)d") % {"n": team.number}, True
        return team


class Entry(Named):
    """One person in one championship. `player_ref` is their reference in streams and games.

    `person`: the person on the roll of the organiser's club. `category`: a word of the organiser's for prizes
    (woman, youth, senior). `unnamed_since`: the consent to be named is withdrawn since then, and the public
    sees the number. `house`: a helper who fills a table and is not ranked; `bot`: a helper that the server
    plays, at online tables. `withdrawn_from`: first round without the person. `excused_rounds`: numbers of
    the rounds that the person misses with notice. `waiting_since`: on the waiting list since then, if also
    withdrawn; the time stays after moving up, so that this can be undone. `merged_into`: the entry that
    counts, if the person was entered twice. `start_of`: the person's first entry, if this is a further start
    in an open heat. `cut`, `lot`: card cut and lot drawn to separate level entries.
    """

    class Status(models.TextChoices):
        REGISTERED = "registered", _("registered")
        PAID = "paid", _("paid")
        ARRIVED = "arrived", _("arrived")
        WITHDRAWN = "withdrawn", pgettext_lazy("entry", "withdrawn")

    championship = models.ForeignKey(
        Championship, on_delete=models.CASCADE, related_name="entries", db_index=False
    )
    number = models.PositiveIntegerField()
    club = models.CharField(max_length=40, blank=True, default="")
    licence = models.CharField(max_length=20, blank=True, default="")
    note = models.CharField(max_length=80, blank=True, default="")
    email = models.EmailField(max_length=120, blank=True, default="")
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    category = models.CharField(max_length=20, blank=True, default="")
    start_rank = models.PositiveIntegerField(null=True, blank=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    unnamed_since = models.DateTimeField(null=True, blank=True)
    person = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="entries"
    )
    player_ref = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="entries")
    entrant = models.ForeignKey(
        Entrant, null=True, blank=True, on_delete=models.SET_NULL, related_name="members"
    )
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.SET_NULL, related_name="members")
    house = models.BooleanField(default=False)
    bot = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.REGISTERED)
    paid = models.BooleanField(default=False)
    fee = models.ForeignKey(
        "tournaments.Fee", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    arrived_at = models.DateTimeField(null=True, blank=True)
    withdrawn_from = models.PositiveIntegerField(null=True, blank=True)
    excused_rounds = models.JSONField(default=list, blank=True)
    waiting_since = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="merged"
    )
    start_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="starts"
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
        indexes: ClassVar = [
            # A series aggregates these columns of all its entries without reading the rows (cached_series).
            models.Index(
                fields=["championship", "number", "person", "team", "category"],
                name="tournaments_entry_in_series",
            ),
        ]

    @property
    def waits(self) -> bool:
        """Whether the person is on the waiting list now."""
        return self.status == self.Status.WITHDRAWN and self.waiting_since is not None

    WAITS: ClassVar = models.Q(status="withdrawn", waiting_since__isnull=False)
    GONE: ClassVar = models.Q(status="withdrawn", waiting_since=None)
    """`WAITS` and `GONE` are filters: entries on the waiting list, and withdrawn entries that are not on it.
    """

    withheld = False
    """Whether this object has a replacement name, because its reader may not see the stored one."""

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any
    ) -> Self:
        """Load the entry with the name that the current reader may see (`tournaments.names.readers`)."""
        entry = super().from_db(db, field_names, values, **more)
        now = reader()
        if now is not None and not entry.__dict__.keys().isdisjoint(cls.NAMES):
            kind = now.kind(entry.championship_id)
            if kind != FULL:
                number = numbered_name(entry.number)
                shown = now.names(entry.championship_id).get(entry.pk, "" if kind == CONSENTED else number)
                if shown:
                    entry.withhold(shown)
                if shown == number:
                    entry.club = ""
        return entry

    def withhold(self, shown: str) -> None:
        """Replace the names in this object; the database row stays as it is."""
        self.name = self.family_name = shown
        self.first_name = ""
        self.sort_name = sort_key(shown, "")
        self.withheld = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **more: Any) -> None:
        """Save the entry. Raises ValueError if a replacement name would overwrite the stored one."""
        changed_fields = None if update_fields is None else set(update_fields)
        if self.withheld and (changed_fields is None or changed_fields & {*self.NAMES, "club"}):
            raise ValueError(f"the name of entry {self.pk} was withheld from who would write it")
        super().save(*args, update_fields=changed_fields, **more)


class SideConstraint(models.Model):
    """A constraint of the draw between two people.

    `fixed_pair`: a pair as older versions stored it, before entrants; rows exist only in championships that
    ended then. `soft`: the draw follows the constraint as far as possible, without repeating a meeting.
    """

    class Kind(models.TextChoices):
        FIXED_PAIR = "fixed_pair", _("always partners")
        NEVER_PARTNER = "never_partner", _("never partners")
        NEVER_MEET = "never_meet", _("never at one table")

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="side_constraints")
    kind = models.CharField(max_length=13, choices=Kind.choices)
    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    soft = models.BooleanField(default=False)

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
