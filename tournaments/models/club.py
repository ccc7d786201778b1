"""Clubs, their keepers, and their rolls of persons. Entries of several championships refer to one person."""

from typing import Any, ClassVar, Final

from django.db import models
from django.utils.text import slugify

from games.models import User
from tournaments.names import TwoNames, sort_key
from tournaments.names.spelling import MAX_NAME_LENGTH, MAX_SORTING_LENGTH

MAX_LOGO_NAME_LENGTH: Final = 60


class Named(models.Model):
    """Base of models with a family name and a first name."""

    name = models.CharField(max_length=MAX_NAME_LENGTH)
    family_name = models.CharField(max_length=MAX_NAME_LENGTH, default="")
    first_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True, default="")
    sort_name = models.CharField(max_length=MAX_SORTING_LENGTH, db_index=True, editable=False)

    NAMES: ClassVar = ("name", "family_name", "first_name", "sort_name")
    """The columns that `call` sets."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    def call(self, names: TwoNames) -> None:
        """Set family and first name, and with them `name` (first name first) and the sort key."""
        self.first_name, self.family_name = names
        self.name = names.running
        self.sort_name = sort_key(names.family, names.first)

    @property
    def listed(self) -> str:
        """The name in list order: "Müller Fredi"."""
        return TwoNames(self.first_name, self.family_name).listed


class Club(models.Model):
    """An organiser with a roll, which its keepers may read.

    `named`: a keeper has named it; until then its name is that of its founder, and only keepers see it.
    `slug`: part of the address of its public page. `pictures`: the data of its `ClubImage` rows that pages
    show, copied so that pages need no further query.
    """

    name = models.CharField(max_length=80)
    named = models.BooleanField(default=True)
    slug = models.SlugField(max_length=60, unique=True)
    pictures = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **more: Any) -> None:
        """Save the club. A new club gets a slug."""
        if not self.slug:
            self.slug = self.find_free_slug()
        super().save(*args, **more)

    @property
    def logo_name(self) -> str:
        """The text alternative of the club's logo; "" as long as no keeper has named the club."""
        return self.name[:MAX_LOGO_NAME_LENGTH] if self.named else ""

    def name_logo(self) -> None:
        """Give the logo the club's name, in its row and in the unsaved `pictures`."""
        self.images.filter(kind="logo").update(name=self.logo_name)
        self.pictures = [
            one | {"name": self.logo_name} if one["kind"] == "logo" else one for one in self.pictures
        ]

    def find_free_slug(self) -> str:
        """Return an unused slug made from the name, or from "club" until a keeper has named the club.

        It never consists of digits alone, because the keepers' pages have the club's number in their
        addresses.
        """
        slug = slugify(self.name)[:50].strip("-") if self.named else ""
        slug = f"club-{slug}".strip("-") if not slug.strip("0123456789") else slug
        others = Club.objects.filter(slug__startswith=slug).exclude(pk=self.pk)
        taken = set(others.values_list("slug", flat=True))
        free = (
            one for n in range(1, len(taken) + 2) if (one := f"{slug}-{n}" if n > 1 else slug) not in taken
        )
        return next(free)


class Keeper(models.Model):
    """A user who keeps a club's roll."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="keepers")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="clubs_kept")

    class Meta:
        ordering: ClassVar = ["club", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "user"], name="tournaments_keeper_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} of {self.club}"


class Person(Named):
    """A person on a club's roll. Erasing a person keeps the row, because entries refer to it.

    `home_club`: name of the person's own club. `category`: a word for prizes (woman, youth, senior). `user`:
    their account. `unnamed_since`: they have withdrawn their consent to be named; new entries take it over.
    `archived_at`: since then the person is not suggested at the desk, until they are entered again.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="roll")
    home_club = models.CharField(max_length=40, blank=True, default="")
    licence = models.CharField(max_length=20, blank=True, default="")
    email = models.EmailField(max_length=120, blank=True, default="")
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    category = models.CharField(max_length=20, blank=True, default="")
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="persons")
    added_at = models.DateTimeField(auto_now_add=True)
    unnamed_since = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["club", "sort_name", "pk"]
