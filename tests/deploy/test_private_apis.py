"""The undocumented parts of uvicorn and Django that subclasses of ours build on. An upgrade that moves one of
them is named here before anything else fails.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

import uvicorn
from django.contrib.sessions.backends import db
from django.core.handlers import asgi
from django.core.management.commands import migrate
from uvicorn.protocols.http import flow_control, httptools_impl
from uvicorn.protocols.websockets import websockets_sansio_impl
from uvicorn.supervisors import multiprocess

from deploy import asgi_handler, web
from deploy.limits import connections
from deploy.management.commands import migrate as our_migrate
from games.rights import sessions


class Part(NamedTuple):
    """A class of ours, the one it builds on, what it overrides (with the parameters there), what it uses."""

    ours: type
    base: type
    overridden: dict[str, str | None]
    """None: not a function."""
    used: str = ""


PARTS = [
    Part(
        connections.BoundedHttp,
        httptools_impl.HttpToolsProtocol,
        {
            "connection_made": "transport",
            "connection_lost": "exc",
            "data_received": "data",
            "handle_websocket_upgrade": "",
            "on_body": "body",
            "on_header": "name value",
            "on_headers_complete": "",
            "on_message_begin": "",
            "on_message_complete": "",
            "on_response_complete": "",
            "on_url": "url",
            "pause_writing": "",
            "send_400_response": "msg",
        },
        used="client cycle flow loop parser transport",
    ),
    Part(
        web.WholeFrames,
        websockets_sansio_impl.WebSocketsSansIOProtocol,
        {"run_asgi": ""},
        used="close_sent conn disconnected handshake_complete initial_response scope transport writable",
    ),
    Part(
        web.Server,
        uvicorn.Server,
        {
            "__init__": "config",
            "handle_exit": "sig frame",
            "main_loop": "",
            "shutdown": "sockets",
            "startup": "sockets",
        },
        used="on_tick should_exit started",
    ),
    Part(
        web.ServingProcess,
        multiprocess.Process,
        {"pong": "", "server": None},
        used="child_conn config",
    ),
    Part(
        asgi_handler.Handler,
        asgi.ASGIHandler,
        {"__call__": "scope receive send", "__init__": "", "load_middleware": "is_async"},
        used="create_request get_response send_response",
    ),
    Part(
        sessions.SessionStore,
        db.SessionStore,
        {
            "_get_session_from_db": "",
            "acreate_model_instance": "data",
            "adelete": "session_key",
            "aexists": "session_key",
            "aload": "",
            "create_model_instance": "data",
            "delete": "session_key",
            "exists": "session_key",
        },
        used="_session_key session_key",
    ),
    Part(our_migrate.Command, migrate.Command, {"execute": "args options", "handle": "args kwargs"}),
]
OF_MODULES = {
    "django.core.handlers.asgi.get_script_prefix": (asgi, "get_script_prefix"),
    "uvicorn.supervisors.multiprocess.Process": (multiprocess, "Process"),
    "uvicorn…httptools_impl.RequestResponseCycle": (httptools_impl, "RequestResponseCycle"),
}
"""Names that are not reached through a subclass."""


def parsed(kind: type) -> ast.Module:
    return ast.parse(textwrap.dedent(inspect.getsource(kind)))


def of_self(tree: ast.AST, context: type[ast.expr_context] | None = None) -> Iterator[str]:
    """The names of attributes of `self`, in one context or in any."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ctx):
                if context is None or isinstance(ctx, context):
                    yield name


def provided(kind: type) -> set[str]:
    """All names that a class and its bases define or give to their instances."""
    found = set(dir(kind))
    for base in kind.__mro__[:-1]:
        try:
            found |= set(of_self(parsed(base), ast.Store))
        except (OSError, TypeError):  # written in C
            continue
    return found


def parameters(function: Any) -> str:
    return " ".join(name for name in inspect.signature(function).parameters if name != "self")


def test_every_private_part_is_where_it_was() -> None:
    moved = []
    for ours, base, overridden, used in PARTS:
        for name, expected in overridden.items():
            there = inspect.getattr_static(base, name, None)
            if there is None:
                moved.append(f"{ours.__qualname__}: {base.__qualname__}.{name} is gone")
            elif expected is not None and parameters(there) != expected:
                moved.append(f"{base.__qualname__}.{name} takes ({parameters(there)}), not ({expected})")
        gone = set(used.split()) - provided(base)
        moved += [f"{ours.__qualname__}: {base.__qualname__}.{name} is gone" for name in sorted(gone)]
    moved += [f"{name} is gone" for name, (module, part) in OF_MODULES.items() if not hasattr(module, part)]
    assert moved == []


def test_the_list_names_all_that_is_overridden_or_used() -> None:
    wrong = {}
    for ours, base, overridden, used in PARTS:
        own, theirs = vars(ours), provided(base)
        implicit = {"__doc__", "__module__", "__annotations__", "__qualname__", "__static_attributes__"}
        replaced = {name for name in own if hasattr(base, name)} - implicit
        mentioned = {name for name in of_self(parsed(ours)) if name in theirs} - {"__class__", *own}
        listed = set(overridden), set(used.split())
        if (replaced, mentioned) != listed:
            wrong[ours.__qualname__] = (replaced ^ listed[0], mentioned ^ listed[1])
    assert wrong == {}


def test_what_a_connection_asks_of_a_request_at_work_is_there() -> None:
    assert "response_complete" in provided(httptools_impl.RequestResponseCycle)
    assert "read_paused" in provided(flow_control.FlowControl)
