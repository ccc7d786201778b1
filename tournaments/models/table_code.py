"""Permanent table codes, the phones that used them, the printed address, and personal links."""

from typing import ClassVar

from django.db import models

from games.ids import new_id
from games.models import TableToken, User
from tournaments.models.championship import Championship
from tournaments.models.entry import Entry


class TableCode(models.Model):
    """The code that admits to the table of this number in any open round, until a new code replaces it.

    The code derives from `nonce` and a key outside the database. `digest`, by which a typed code is found, is
    keyed too: a plain hash of six characters could be brute-forced.
    """

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="table_codes")
    number = models.PositiveIntegerField()
    nonce = models.CharField(max_length=32)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["championship", "number", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["championship", "number"],
                condition=models.Q(ended_at__isnull=True),
                name="tournaments_table_code_once",
            )
        ]

    def __str__(self) -> str:
        return f"code of table {self.number} of {self.championship_id}"


class TablePhone(models.Model):
    """A browser admitted by a table's code.

    `ref`: reference of the person who writes with it, in the streams of all tables that this code opens.
    `user`: the account signed in.
    """

    code = models.ForeignKey(TableCode, on_delete=models.CASCADE, related_name="phones")
    ref = models.CharField(max_length=32, default=new_id, unique=True)
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    came_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["code", "came_at", "pk"]

    def __str__(self) -> str:
        return f"phone at {self.code_id}"


class PhoneAddress(models.Model):
    """The address at which phones in the hall reach this installation, for example
    `http://192.168.1.20:8000`.

    `nonce`: path of the test page that a phone opens; `checked_at`: when a phone last opened it.
    """

    championship = models.OneToOneField(Championship, on_delete=models.CASCADE, related_name="phone_address")
    address = models.CharField(max_length=120)
    nonce = models.CharField(max_length=32, default=new_id, unique=True)
    checked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.address


class PersonalLink(models.Model):
    """The link that opens one person's tables during a championship, without an account. A new link replaces
    it.

    `digest`: hash of the secret behind the `#` of the link; `token`: the seat token that the link opened
    last; `seen_at`: when its waiting room was last open.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="personal_link")
    digest = models.CharField(max_length=64, unique=True)
    token = models.ForeignKey(TableToken, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"link of {self.entry_id}"
