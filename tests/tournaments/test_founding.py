"""Permission to found championships, their number, and resignation from an unwanted office."""

from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command

from games.models import Access, User
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Official, Round
from tournaments.services.championships import championships, officials


def refused(user: User, code: str) -> None:
    before = Championship.objects.count()
    with pytest.raises(TournamentError) as refusal:
        championships.found_championship(actor=user, name="Fremdcup")
    assert refusal.value.code == code
    assert Championship.objects.count() == before


def test_an_account_alone_founds_nothing(eva: User) -> None:
    refused(eva, "championship/may_not_found")
    call_command("let_found", "eva")
    assert championships.found_championship(actor=eva, name="Evas Cup").owner == eva
    call_command("let_found", "eva", no=True)
    refused(eva, "championship/may_not_found")
    with pytest.raises(CommandError):
        call_command("let_found", "nobody")


def test_the_organiser_of_the_platform_always_may(db: None) -> None:
    root = User.objects.create_superuser("root", password="x")
    assert championships.found_championship(actor=root, name="Clubabend").owner == root


def test_nobody_fills_the_platform_with_drafts(eva: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(championships, "MAX_DRAFTS", 2)
    User.objects.update(may_found=True)
    first = championships.found_championship(actor=eva, name="Eins")
    championships.found_championship(actor=eva, name="Zwei")
    refused(eva, "championship/too_many_drafts")
    Championship.objects.filter(pk=first.pk).update(status=Championship.Status.RUNNING)
    championships.found_championship(actor=eva, name="Drei")


def test_an_office_that_was_given_unasked_is_given_up(
    championship: Championship, open_round: Callable[..., Round], gabi: User, fredi: User
) -> None:
    open_round("dealt", "dealt")
    assert Access.objects.filter(user=gabi).exists()
    officials.resign(championship, actor=gabi)
    assert not championship.officials.filter(user=gabi).exists()
    assert not Access.objects.filter(user=gabi).exists()


def test_the_last_director_stays(championship: Championship, fredi: User) -> None:
    officials.appoint(championship, fredi, Official.Role.DESK, actor=fredi)
    with pytest.raises(TournamentError) as refusal:
        officials.resign(championship, actor=fredi)
    assert refusal.value.code == "officials/last_director"
    assert championship.officials.filter(user=fredi).count() == 2


def test_who_may_not_is_refused_by_the_service_too(eva: User) -> None:
    with pytest.raises(NotAllowed):
        championships.found_championship(actor=eva, name="Fremdcup", public=True)
