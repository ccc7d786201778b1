"""A championship, its officials and its regulations."""

from collections.abc import Collection
from typing import Any, ClassVar, Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.ids import new_id
from games.models import Stream, User
from tournaments.models.club import Club
from tournaments.names.public_names import find_name_kind
from tournaments.names.readers import reader


class Championship(models.Model):
    """A championship with its entries and rounds. Its history is in `stream`; the row is a summary.

    `public`: everybody may see its pages. `entry_link`: secret of the self-registration link, "" for none;
    the link takes entries from `entries_open_at` to `entries_close_at`. `entry_limit`: the number of places;
    later entries go to the waiting list. `someone_unnamed`: a person has withdrawn the consent to be named.
    `keep_days`: days after the last round until personal data except names is erased; None: it is kept.
    `announced`, `announced_too`: the director's announcement, in two languages. `archived_at`: the
    championship is unlisted and read-only since then.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", _("in preparation")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")

    class PublicNames(models.TextChoices):
        """The form of names for readers who are neither officials nor players."""

        FULL = "full", _("full names")
        INITIALS = "initials", _("initials")
        NUMBERS = "numbers", _("numbers only")

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    place = models.CharField(max_length=80, blank=True, default="")
    starts_at = models.DateTimeField(null=True, blank=True)
    language = models.CharField(max_length=8, default="en")
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="championships")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.DRAFT)
    public = models.BooleanField(default=True)
    entry_link = models.CharField(max_length=22, blank=True, default="")
    entry_limit = models.PositiveIntegerField(null=True, blank=True)
    entries_open_at = models.DateTimeField(null=True, blank=True)
    entries_close_at = models.DateTimeField(null=True, blank=True)
    public_names = models.CharField(max_length=8, choices=PublicNames.choices, default=PublicNames.FULL)
    someone_unnamed = models.BooleanField(default=False, editable=False)
    keep_days = models.PositiveSmallIntegerField(null=True, blank=True)
    announced = models.CharField(max_length=120, blank=True, default="")
    announced_too = models.CharField(max_length=120, blank=True, default="")
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.SET_NULL, related_name="championships"
    )
    regulations_version = models.PositiveIntegerField(default=1)
    stream = models.OneToOneField(Stream, on_delete=models.PROTECT, related_name="championship")
    copied_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="copies"
    )
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-starts_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def name_kind(self) -> str:
        """The kind of names that the public sees (`tournaments.names.public_names`)."""
        return find_name_kind(self.public_names, self.someone_unnamed)

    @property
    def is_over(self) -> bool:
        """Whether the championship is finished or archived."""
        return self.status == self.Status.FINISHED or self.archived_at is not None

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any
    ) -> Self:
        """Load the championship, and pass its kind of public names to the current reader of names."""
        found = super().from_db(db, field_names, values, **more)
        now = reader()
        if now is not None and found.__dict__.keys() >= {"public_names", "someone_unnamed"}:
            now.set_kind_if_unset(found.pk, found.name_kind)
        return found


class Official(models.Model):
    """A role of a user in a championship. `ref` is their reference in its streams."""

    class Role(models.TextChoices):
        DIRECTOR = "director", _("director")
        REFEREE = "referee", _("referee")
        DESK = "desk", _("desk")

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="officials")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="offices")
    role = models.CharField(max_length=8, choices=Role.choices)
    ref = models.CharField(max_length=32, default=new_id, editable=False)

    class Meta:
        ordering: ClassVar = ["championship", "role", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "user", "role"], name="tournaments_official_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class Regulations(models.Model):
    """One version of a championship's regulations; `data` is the JSON of
    `tournaments.regulations.Regulations`.

    The last version is frozen when the first round opens: no new version can follow.
    """

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="regulations")
    version = models.PositiveIntegerField(default=1)
    data = models.JSONField()
    frozen_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["championship", "version"]
        verbose_name_plural = "regulations"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "version"], name="tournaments_regulations_once")
        ]

    def __str__(self) -> str:
        return f"regulations {self.version} of {self.championship_id}"
