"""A copy of the database opens no session: its row keys differ from the cookie values."""

from collections.abc import Iterator
from importlib import import_module
from inspect import iscoroutinefunction
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.rights.sessions import SessionStore, hash_session_key
from tests.games.cast import person

pytestmark = pytest.mark.django_db


def signed_in() -> Client:
    client = Client()
    client.force_login(person("anna"))
    return client


def is_anna(cookie: str) -> bool:
    phone = Client()
    phone.cookies["sessionid"] = cookie
    return "anna" in phone.get(reverse("home")).content.decode()


def test_what_lies_in_the_database_is_no_cookie() -> None:
    cookie = signed_in().cookies["sessionid"].value
    [row] = Session.objects.values_list("session_key", flat=True)
    assert (is_anna(cookie), is_anna(row)) == (True, False)
    assert cookie not in str(Session.objects.values_list().get())


def test_a_session_lives_as_any_other() -> None:
    client = signed_in()
    before = client.session.session_key
    changed = client.session
    changed["table"] = 7
    changed.save()
    assert SessionStore(before)["table"] == 7
    changed.cycle_key()
    assert SessionStore(before).get("table") is None
    assert changed.session_key is not None
    assert SessionStore(changed.session_key)["table"] == 7
    changed.delete()
    assert Session.objects.count() == 0
    SessionStore().delete()


def test_no_view_is_async_and_asks_for_a_session_by_the_key_itself() -> None:
    views = [pattern.callback for pattern in patterns(get_resolver())]
    assert len(views) > 80
    assert [view for view in views if iscoroutinefunction(view) or is_async(view)] == []


@pytest.mark.parametrize("call", ["aload", "acreate", "asave", "adelete"])
def test_the_async_half_of_django_stores_no_key_and_finds_none(call: str) -> None:
    store = SessionStore("a" * 32)
    store["table"] = 7
    with pytest.raises(NotImplementedError):
        async_to_sync(getattr(store, call))()
    with pytest.raises(NotImplementedError):
        async_to_sync(store.aexists)("a" * 32)
    assert Session.objects.count() == 0


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each)
        else:
            yield each


def is_async(view: Any) -> bool:
    """Of a class of views."""
    made_of = getattr(view, "view_class", None) or getattr(view, "cls", None)
    return bool(getattr(made_of, "view_is_async", False))


def test_sessions_of_before_stay_open() -> None:
    cookie = signed_in().cookies["sessionid"].value
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_session SET session_key = %s", [cookie])
    assert not is_anna(cookie)
    migration = import_module("games.migrations.0009_sessions_by_hash")
    migration.rename(None, SimpleNamespace(connection=connection))
    assert is_anna(cookie)
    assert Session.objects.filter(session_key=hash_session_key(cookie)).exists()
