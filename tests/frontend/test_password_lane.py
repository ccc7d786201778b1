"""Every address that hashes passwords is in the lane of passwords, which bounds their number and memory."""

import ast
import inspect
import re
from collections.abc import Iterator
from typing import Any, Final

from django.urls import URLPattern, URLResolver, get_resolver

from deploy.environment import BASE_DIR
from deploy.limits.lanes import Lanes

HASHERS: Final = {
    "check_password",
    "make_password",
    "set_password",
    "AuthenticationForm",
    "LoginView",
    "PasswordChangeView",
    "ReauthenticateView",
}
"""Functions that hash a password, and the parts of Django and allauth that call them."""
SAMPLES: Final = {"int": "7", "uuid": "0" * 32}
Definition = tuple[str, str]
"""A module, and a function or class at its top."""


def definitions() -> dict[Definition, set[Definition]]:
    """Return what each function and class of the pages and of accounts uses, by imports."""
    found: dict[Definition, set[Definition]] = {}
    for folder in ("frontend", "tournaments/accounts"):
        for file in sorted((BASE_DIR / folder).rglob("*.py")):
            if "node_modules" in file.parts:
                continue
            tree = ast.parse(file.read_text())
            module = ".".join(file.relative_to(BASE_DIR).with_suffix("").parts).removesuffix(".__init__")
            imported = {
                alias.asname or alias.name: (node.module or "", alias.name)
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom)
                for alias in node.names
            }
            for node in tree.body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    own = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
                    used = {use for part in ast.walk(node) for use in uses(part, module, imported)}
                    found[module, node.name] = used - {(module, name) for name in own}
    return found


def uses(part: ast.AST, module: str, imported: dict[str, Definition]) -> Iterator[Definition]:
    if isinstance(part, ast.Name):
        yield imported.get(part.id, (module, part.id))
    elif isinstance(part, ast.Attribute):
        if part.attr in HASHERS:
            yield "", part.attr
        if isinstance(part.value, ast.Name) and part.value.id in imported:
            yield ".".join(imported[part.value.id]), part.attr


def reaching_a_hasher() -> set[Definition]:
    known = definitions()
    reached = {use for used in known.values() for use in used if use[1] in HASHERS}
    while more := {one for one, used in known.items() if used & reached} - reached:
        reached |= more
    return reached


def views(patterns: list[Any], prefix: str = "/") -> Iterator[tuple[str, Definition]]:
    """Yield a sample path and the view of each address."""
    for one in patterns:
        route = prefix + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from views(one.url_patterns, route)
        elif isinstance(one, URLPattern):
            path = re.sub(r"<(?:(\w+):)?\w+>", lambda hit: SAMPLES.get(hit[1] or "str", "abc"), route)
            view = getattr(one.callback, "view_class", None) or inspect.unwrap(one.callback)
            yield path, (view.__module__, view.__name__)


async def test_each_address_that_hashes_a_password_is_in_its_lane() -> None:
    lanes, hashing = Lanes(), reaching_a_hasher()
    found = {
        path: lanes.select_lane("POST", path, known=True).name
        for path, view in set(views(get_resolver().url_patterns))
        if view in hashing
    }
    assert {path: lane for path, lane in found.items() if lane != "passwords"} == {}
    for expected in ("/sign-in/", "/password/", "/account/confirm/", "/invitation/abc/", "/reset/abc/"):
        assert expected in found
    assert "/c/abc/finish/" in found, "the password is asked for again"
    assert "/c/abc/rounds/new/" not in found


async def test_strangers_who_set_a_password_by_a_link_are_in_the_lane_of_passwords() -> None:
    lanes = Lanes()
    for path in ("/invitation/abc/", "/reset/abc/", "/sign-in/"):
        assert lanes.select_lane("POST", path, known=False).name == "passwords"
    assert lanes.select_lane("GET", "/invitation/abc/", known=False).name == "viewers"
