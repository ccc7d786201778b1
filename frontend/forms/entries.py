"""Forms to enter and edit a person, to set how people enter, to import a list, and to enter pairs."""

from typing import Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from frontend.forms.accounts import AccountField, AsksForAnAccount
from frontend.forms.championship import When
from frontend.forms.lines import LineField
from frontend.forms.persons import BesideNameForm, NamesForm
from frontend.presenters.money.prizes import format_francs
from tournaments.models import Championship, Fee, SideConstraint
from tournaments.services.entries import entry_terms, own_partner

QUIET = {"autocomplete": "off"}
MAX_NAMED_LENGTH = 100
"""Largest length of a person's number and name in a field: "12 Anna Ammann"."""
MAX_TEXT = 900_000
"""Largest number of characters of a list that the form can contain; a longer list must be uploaded again for
the next step.
"""


class EntryForm(NamesForm):
    club = LineField(label=_("Club"), max_length=40, required=False)
    licence = LineField(label=_("Licence"), max_length=20, required=False)
    note = LineField(label=_("Note"), max_length=80, required=False)
    house = forms.BooleanField(
        label=_("Of the house: plays only if somebody is missing at a table"), required=False
    )
    consents = forms.BooleanField(label=_("Agrees to be named in public"), required=False)


class OwnEntryForm(NamesForm):
    """A self-registration. It asks for a partner only if the championship has fixed pairs, for a fee only if
    there are several, and for a mail address only if there is a mail server.
    """

    club = LineField(label=_("Club"), max_length=40, required=False)
    partner = LineField(
        label=_("Partner"),
        max_length=own_partner.LONGEST,
        required=False,
        help_text=_(
            "Your partner's name, if you have one. A person who enters and names you becomes your partner."
        ),
    )
    with_partner = forms.BooleanField(
        label=_("Enter my partner too: we both get a place, or wait together"), required=False
    )
    fee = forms.ModelChoiceField(queryset=Fee.objects.none(), empty_label=None, label=_("Entry fee"))
    email = forms.EmailField(
        label=_("E-mail"),
        max_length=120,
        required=False,
        help_text=_("For the confirmation, if you want one. Only the organiser sees it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    consents = forms.BooleanField(label=_("My name may be shown in public"), required=False)

    def __init__(self, *args: Any, pairs: bool, fees: QuerySet[Fee], mails: bool, **more: Any) -> None:
        """`pairs`: the championship has fixed pairs; `fees`: its fees; `mails`: a mail server can send a
        confirmation.
        """
        super().__init__(*args, **more)
        left_out = [] if pairs else ["partner", "with_partner"]
        if len(fees) > 1:
            field: Any = self.fields["fee"]
            field.queryset = fees
            field.label_from_instance = describe_fee
        else:
            left_out.append("fee")
        for name in left_out if mails else [*left_out, "email"]:
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("with_partner") and not data.get("partner"):
            self.add_error("partner", _("Write the name of the person you also enter."))
        return data


def describe_fee(fee: Fee) -> str:
    """Return for whom a fee is and its amount."""
    return f"{fee.label}: {format_francs(fee.amount)}"


class EntryTermsForm(forms.Form):
    """The number of places, and the time in which people can enter by the link."""

    limit = forms.IntegerField(
        label=_("Places"),
        required=False,
        min_value=1,
        max_value=entry_terms.MOST_PLACES,
        help_text=_("Later entries are on the waiting list. Empty: no limit."),
    )
    opens_at = When(label=_("Entries open"), required=False, help_text=_("Empty: at once."))
    closes_at = When(label=_("Entries close"), required=False, help_text=_("Empty: not automatically."))

    @classmethod
    def of(cls, championship: Championship, posted: QueryDict | None = None) -> "EntryTermsForm":
        """Return the form with the championship's present values; bound to the posted data, if given."""
        now = {
            "limit": championship.entry_limit,
            "opens_at": championship.entries_open_at,
            "closes_at": championship.entries_close_at,
        }
        return cls(posted, initial=now, prefix="terms")


class KnownEntryForm(AsksForAnAccount, BesideNameForm, EntryForm):
    field_order = ("family_name", "first_name", "club", "category", "birth_year", "email")

    user = AccountField(
        label=_("Account"),
        required=False,
        help_text=_("This account plays the person's seat online."),
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["consents"].help_text = _(
            "Clearing the box withdraws the consent: from then on the public sees a number instead "
            "of the name, also in series. The name is shown again if the person agrees again."
        )


def excused_field(rounds: int) -> "RoundNumbers":
    return RoundNumbers(
        label=_("Excused in rounds"),
        required=False,
        help_text=_(
            "Numbers of rounds that are not drawn yet, for example: 2, 3. The list of entries shows "
            "who is here now."
        ),
        most=rounds,
    )


class RoundNumbers(forms.CharField):
    """A field for numbers of rounds, at most `most`. Its clean value is a sorted list without doubles."""

    def __init__(self, *, most: int, **more: Any) -> None:
        super().__init__(max_length=200, widget=forms.TextInput(attrs=QUIET), **more)
        self.most = most

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        written = str(super().clean(value) or "").replace(",", " ").split()
        if not all(one.isascii() and one.isdecimal() and len(one) < 4 for one in written):
            raise forms.ValidationError(_("Write numbers of rounds, such as 2, 3."))
        numbers = sorted({int(one) for one in written})
        if numbers and not 1 <= numbers[0] <= numbers[-1] <= self.most:
            raise forms.ValidationError(_("Rounds are numbered from 1 to %(most)s.") % {"most": self.most})
        return numbers


class PairedEntryForm(KnownEntryForm):
    """The form of an entry in a championship with fixed pairs."""

    partner = forms.CharField(
        label=_("Partner"),
        required=False,
        max_length=MAX_NAMED_LENGTH,
        help_text=_("Number or name; empty for nobody yet. Both must be here for the draw."),
        widget=forms.TextInput(attrs={**QUIET, "list": "partners"}),
    )


class ApartForm(forms.Form):
    """A person from whom draws keep the entry apart."""

    other = forms.CharField(
        label=_("Keep apart from"),
        max_length=MAX_NAMED_LENGTH,
        help_text=_("Number or name. It applies from the next draw on."),
        widget=forms.TextInput(attrs={**QUIET, "list": "others"}),
    )
    kind = forms.ChoiceField(label=_("How"))
    strength = forms.ChoiceField(
        label=_("How strictly"),
        choices=[("hard", _("always")), ("soft", _("as far as possible"))],
        required=False,
        help_text=_("As far as possible: no repeated partner or opponent is accepted for it."),
    )

    def __init__(self, *args: Any, partners: bool, queue: bool) -> None:
        """`partners`: the draw assigns partners. `queue`: tables are drawn from a queue, where two people who
        are kept apart are treated as if they had met.
        """
        super().__init__(*args)
        kinds = [SideConstraint.Kind.NEVER_MEET]
        if partners:
            kinds.append(SideConstraint.Kind.NEVER_PARTNER)
        if queue:
            self.fields["strength"].help_text = ""
        self.fields["kind"].choices = [(kind.value, kind.label) for kind in kinds]  # type: ignore[attr-defined]  # the field is a ChoiceField


class NewEntryForm(EntryForm):
    STATUSES: ClassVar = {
        "registered": _("entered"),
        "paid": _("entered and paid"),
        "arrived": _("here"),
        "waiting": _("on the waiting list"),
    }

    status = forms.ChoiceField(label=_("Status"), choices=[*STATUSES.items()], initial="arrived")
    allow_double = forms.BooleanField(
        label=_("Enter even if somebody with this name is already entered"), required=False
    )

    def __init__(self, *args: Any, limited: bool, **more: Any) -> None:
        """`limited`: the number of places is limited, so there is a waiting list."""
        super().__init__(*args, **more)
        field: Any = self.fields["status"]
        if not limited:
            field.choices = [one for one in field.choices if one[0] != "waiting"]


class ImportForm(forms.Form):
    file = forms.FileField(
        label=_("File"), required=False, help_text=_("XLSX, or CSV with ; or , between the columns.")
    )
    text = forms.CharField(
        label=_("Or write the list here"),
        required=False,
        strip=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "wrap": "off"}),
    )


MAX_PAIRS_TEXT = 200_000


class PairLinesForm(forms.Form):
    text = forms.CharField(
        label=_("Pairs, one a line"),
        max_length=MAX_PAIRS_TEXT,
        help_text=_(
            "Two names with /, &, + or “and” between them. A number, or a full name, stands for an "
            "entered person."
        ),
        widget=forms.Textarea(
            attrs={
                "rows": 8, "spellcheck": "false", "autocomplete": "off",
                "placeholder": "Müller Fredi / Meier Heidi", "autofocus": True,
            }
        ),
    )  # fmt: skip
    status = forms.ChoiceField(
        label=_("Status"),
        choices=[
            ("registered", _("entered")),
            ("paid", _("entered and paid")),
            ("arrived", _("here")),
        ],
        initial="arrived",
    )
