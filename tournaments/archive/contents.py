"""Exported tables and columns: which are public, and which are personal.

A backup includes every database table related to a championship, new ones too, except LEFT_OUT; a public
export includes PUBLIC_COLUMNS. The log holds no names; personal data goes into a file of its own, which can
be removed.
"""

from functools import cache
from typing import Final

from django.apps import apps
from django.db.models import ForeignKey, Model, QuerySet

from games.models import Game, Seat, User
from tournaments import models
from tournaments.models import Championship

PUBLIC_COLUMNS: Final[dict[type[Model], tuple[str, ...]]] = {
    models.Championship: (
        *("slug", "name", "place", "starts_at", "language", "status", "public", "regulations_version"),
        *("stream", "created_at"),
    ),
    models.Regulations: ("championship", "version", "data", "frozen_at", "created_at"),
    models.Entrant: ("championship", "number", "ref"),
    models.Team: ("championship", "number", "ref"),
    models.Entry: (
        "championship",
        "number",
        "player_ref",
        "entrant",
        "team",
        "house",
        "merged_into",
        "start_of",
    ),
    models.Round: ("championship", "number", "status", "opened_at", "closed_at", "draws", "stream"),
    Game: (
        *("id", "variant", "preset", "mode", "seat_count", "options", "round_stream", "number"),
        *("visibility", "hands_wait_deals", "hands_wait_minutes", "created_at"),
    ),
    Seat: ("game", "number", "player_ref", "bot"),
    models.Table: ("round", "number", "mode", "game"),
    models.Seating: ("round", "table", "seat", "entry"),
    models.Bye: ("round", "entry", "points"),
    models.Substitute: ("table", "seat", "entry", "deal"),
    models.StandingsSnapshot: (
        *("championship", "after_round", "version", "rows", "teams", "reason", "made_at"),
    ),
}
"""Columns for everyone who may see the championship's pages."""

PERSONAL_COLUMNS: Final[dict[type[Model], tuple[str, ...]]] = {
    models.Championship: ("announced", "announced_too"),
    models.Entry: (
        *models.Entry.NAMES,
        *("club", "licence", "note", "email", "birth_year", "category"),
        *("consented_at", "unnamed_since"),
    ),
    models.Team: ("name",),
    models.Dispute: ("text", "answer"),
    models.Appeal: ("reason", "answer"),
    models.Creditor: ("name", "street", "postcode", "town", "country", "iban"),
    models.Booking: ("title",),
}
"""Columns in the file of names. A public export contains only those in PUBLIC_NAMES."""

PUBLIC_NAMES: Final = ("name", "club")

FOLLOWS_FROM_THE_LOG: Final = (
    "status",
    "phase",
    "deal",
    "trick",
    "turn_seat",
    "head_seq",
    "totals",
    "sides",
    "winners",
    "ahead",
    "ahead_seq",
)
"""Columns of a game that an import recomputes."""

OF_THE_PLATFORM: Final = (User, models.Club, models.Person)
"""Tables of accounts and club rolls. Columns that refer to them are meaningless on another platform."""

ELSEWHERE: Final[dict[type[Model], tuple[str, ...]]] = {models.Championship: ("copied_from",)}
"""Columns that refer to another championship. They are not exported."""

LEFT_OUT: Final = (
    *(models.Job, models.PublicFile, models.PublicFilePiece),
    *(models.TableCode, models.TablePhone, models.PhoneAddress, models.PersonalLink),
    *(models.Club, models.ClubImage, models.Keeper, models.Person, models.SheetPhoto),
    *(models.ClubSeries, models.ClubEvent, models.OutsideEvent, models.OutsidePerson),
    *(models.SeriesTicket, models.SeriesSnapshot),
    *(models.Subscription, models.Notice, models.OwnPage, models.EntryMail),
    *(models.AccountMail, models.Invitation, models.PasswordReset, models.SignedInSession),
)
"""Tables that an export leaves out.

Jobs, generated files, access codes and accounts are meaningless on another platform; a roll and a series
belong to their club; of a photo the stream has the hash; phones have consented to notices of this platform
only."""


_EXPORTED_NAMES: Final[dict[type[Model], str]] = {models.Bye: "sitout"}
"""Names in exported files of tables whose model has another name."""


@cache
def export_paths() -> dict[type[Model], str]:
    """Return each table to export with the lookup from its rows to the championship.

    A table comes after the tables to which it refers.
    """
    found: dict[type[Model], str] = {Championship: "pk", Game: "round_stream__round__championship"}
    everything: list[type[Model]] = [*apps.get_app_config("tournaments").get_models(), Seat]
    waiting = [model for model in everything if model not in found and model not in LEFT_OUT]
    while waiting:
        ready = [
            model for model in waiting if not any(fk.related_model in waiting for fk in outer_keys_of(model))
        ]
        if not ready:
            raise LookupError(f"tables that point to each other: {waiting}")
        for model in ready:
            first = next(fk for fk in foreign_keys_of(model) if fk.related_model in found)
            rest = found[first.related_model]
            found[model] = first.name if rest == "pk" else f"{first.name}__{rest}"
            waiting.remove(model)
    return found


def foreign_keys_of(model: type[Model]) -> "list[ForeignKey[Model, Model]]":
    """List the foreign keys of a table, except those to the tables in OF_THE_PLATFORM."""
    fields = model._meta.concrete_fields
    return [f for f in fields if isinstance(f, ForeignKey) and f.related_model not in OF_THE_PLATFORM]


def outer_keys_of(model: type[Model]) -> "list[ForeignKey[Model, Model]]":
    """List those of `foreign_keys_of` that refer to another table."""
    return [fk for fk in foreign_keys_of(model) if fk.related_model is not model]


def inner_keys_of(model: type[Model]) -> "list[ForeignKey[Model, Model]]":
    """List those of `foreign_keys_of` that refer to the table itself, without those in ELSEWHERE."""
    left = ELSEWHERE.get(model, ())
    return [fk for fk in foreign_keys_of(model) if fk.related_model is model and fk.name not in left]


def archived_rows(model: type[Model], championship: Championship, *, public: bool = True) -> QuerySet[Model]:
    """Return the rows that a championship has in one database table, loaded with the accounts to which they
    refer.

    A backup (`public=False`) also has the playing tables of undone draws.
    """
    manager = model._default_manager if public else model._base_manager
    rows = manager.filter(**{export_paths()[model]: championship.pk}).order_by("pk")
    return rows.select_related(*account_keys_of(model))


def account_keys_of(model: type[Model]) -> list[str]:
    """List the foreign keys of a table to accounts."""
    return [f.name for f in model._meta.concrete_fields if getattr(f, "related_model", None) is User]


def table_label(model: type[Model]) -> str:
    """Return the name that the exported file uses for the database table of `model`."""
    return _EXPORTED_NAMES.get(model) or model._meta.model_name or ""
