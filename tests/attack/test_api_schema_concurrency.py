"""The description of the API, asked for by several at once in a process that has not made it yet: one of them
got a 500, because two threads were making it."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.views import SpectacularAPIView
from rest_framework.response import Response

from deploy import openapi

AT_ONCE = 3


def test_it_is_made_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    making: list[int] = []
    met = threading.Event()

    def make(*_: Any, **__: Any) -> Response:
        making.append(1)
        if len(making) > 1:
            met.set()
        met.wait(0.2)  # long enough for another one to come in, if it may
        making.pop()
        return Response({})

    monkeypatch.setattr(openapi, "_made", {})
    monkeypatch.setattr(SpectacularAPIView, "get", make)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda _: Client().get("/api/schema/").status_code, range(AT_ONCE)))
    assert answers == [200] * AT_ONCE
    assert not met.is_set()
