"""Constraints of the database tables, and names of rows."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.db.models import Model

from games import store
from games.models import Access, Deadline, Event, Receipt, Seat, SecretPart, TableToken
from games.play import submit
from tests.games.cast import next_command, person, play, table, table_code

pytestmark = pytest.mark.django_db


def refused(row: Model) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()


def test_a_role_is_given_once() -> None:
    game = table()
    eva = person("eva", game, "spectator")
    person("anna", game, "seat", 0)
    refused(Access(game=game, user=eva, role="spectator"))
    refused(Access(game=game, user=person("anna"), role="seat", seat=0))
    Access.objects.create(game=game, user=eva, role="scorer")


def test_a_seat_has_a_number_and_one_player() -> None:
    game = table()
    refused(Access(game=game, user=person("eva"), role="seat"))
    refused(TableToken(game=game, role="seat", digest="x" * 64))
    refused(Seat(game=game, number=2, player_ref="e" * 32))


def test_rows_say_what_they_are() -> None:
    game = play(table(turn_seconds=30, mode="dealt"), 1)
    table_code(game, "scorer")
    submit.submit(game.id, next_command(game), actor="anna", command_id="c")
    kinds: list[type[Model]] = [Event, SecretPart, Receipt, Seat, TableToken, Deadline]
    for kind in kinds:
        assert str(kind._default_manager.first())
    ended = play(table())
    assert str(ended.results.get()) == f"deal 1 of {ended.id}"
    assert str(ended.round_stream).startswith("round ")
    assert str(person("gabi", game, "referee").accesses.get()).endswith(game.id)


def test_the_migrations_are_those_of_the_models() -> None:
    call_command("makemigrations", "games", check=True, dry_run=True, verbosity=0)


def test_a_stream_that_carries_games_cannot_go() -> None:
    game = table()
    with pytest.raises(Exception, match=r"append-only|protected"), transaction.atomic():
        game.round_stream.delete()
    store.verify(game.round_stream_id)
