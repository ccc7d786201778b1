"""What of the tables beside the log is exported, who may have it, and what of it is personal.

Every table that leads to a championship goes along, new ones too. The log itself holds no names; everything
personal goes into a file of its own, which can be taken away.
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
    models.Entry: ("championship", "number", "player_ref", "entrant", "house", "merged_into"),
    models.Round: ("championship", "number", "status", "opened_at", "closed_at", "draws", "stream"),
    Game: (
        *("id", "variant", "preset", "mode", "seat_count", "options", "round_stream", "number"),
        *("visibility", "hands_wait_deals", "hands_wait_minutes", "created_at"),
    ),
    Seat: ("game", "number", "player_ref", "bot"),
    models.Table: ("round", "number", "mode", "game"),
    models.Seating: ("round", "table", "seat", "entry"),
    models.SitOut: ("round", "entry", "points"),
    models.Substitute: ("table", "seat", "entry", "deal"),
    models.StandingsSnapshot: ("championship", "after_round", "version", "rows", "reason", "made_at"),
}
"""What anybody may have who may see the championship's pages."""

PERSONAL_COLUMNS: Final[dict[type[Model], tuple[str, ...]]] = {
    models.Entry: (
        *models.Entry.NAMES,
        *("club", "licence", "note", "email", "birth_year", "category", "consented_at"),
    ),
    models.Dispute: ("text", "answer"),
    models.Appeal: ("reason", "answer"),
    models.Creditor: ("name", "street", "postcode", "town", "country", "iban"),
    models.Booking: ("title",),
}
"""What goes into the file of names; of it only PUBLIC_NAMES into a public export."""

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
"""Columns of a game that an import works out again."""

OF_THE_PLATFORM: Final = (User, models.Club, models.Person)
"""Accounts and rolls of clubs: columns that point to them say nothing elsewhere."""

ELSEWHERE: Final[dict[type[Model], tuple[str, ...]]] = {models.Championship: ("copied_from",)}
"""Columns that point out of a championship: its file is whole without."""

LEFT_OUT: Final = (
    *(models.Job, models.PublicFile, models.PublicFilePiece),
    *(models.TableCode, models.TablePhone, models.PhoneAddress, models.PersonalLink),
    *(models.Club, models.Keeper, models.Person, models.SheetPhoto),
    *(models.Subscription, models.Notice),
)
"""Tables that an import begins anew: work in hand, files that were made and what opens tables mean nothing
elsewhere, a roll is its club's, not a championship's, of a photo the
stream has the hash, and a phone agreed to be told from here."""


@cache
def ways() -> dict[type[Model], str]:
    """Every table to export, each after those it points to, and the way from its rows to the championship."""
    found: dict[type[Model], str] = {Championship: "pk", Game: "round_stream__round__championship"}
    everything: list[type[Model]] = [*apps.get_app_config("tournaments").get_models(), Seat]
    waiting = [model for model in everything if model not in found and model not in LEFT_OUT]
    while waiting:
        ready = [
            model for model in waiting if not any(fk.related_model in waiting for fk in others_of(model))
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
    """The columns that point to other rows, but for what belongs to a platform."""
    fields = model._meta.concrete_fields
    return [f for f in fields if isinstance(f, ForeignKey) and f.related_model not in OF_THE_PLATFORM]


def others_of(model: type[Model]) -> "list[ForeignKey[Model, Model]]":
    """Of these columns, those that point to another table."""
    return [fk for fk in foreign_keys_of(model) if fk.related_model is not model]


def within(model: type[Model]) -> "list[ForeignKey[Model, Model]]":
    """Of these columns, those that point to another row of the same table and of the same championship."""
    left = ELSEWHERE.get(model, ())
    return [fk for fk in foreign_keys_of(model) if fk.related_model is model and fk.name not in left]


def archived_rows_of(
    model: type[Model], championship: Championship, *, public: bool = True
) -> QuerySet[Model]:
    """The rows of one table that belong to a championship, with the accounts they name; in a backup those too
    that only a referee's decision keeps.
    """
    manager = model._default_manager if public else model._base_manager
    rows = manager.filter(**{ways()[model]: championship.pk}).order_by("pk")
    return rows.select_related(*accounts_of(model))


def accounts_of(model: type[Model]) -> list[str]:
    """The columns that name an account."""
    return [f.name for f in model._meta.concrete_fields if getattr(f, "related_model", None) is User]


def label_of(model: type[Model]) -> str:
    """How a table is called in the file."""
    return model._meta.model_name or ""
