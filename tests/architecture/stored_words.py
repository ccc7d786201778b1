"""Names that databases, files, addresses and scripts of users hold, and that no renaming may change.

python -m tests.architecture.stored_words --write     # after adding one
"""

import importlib
import os
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.architecture.codes import TOP

LIST = Path(__file__).with_name("stored_words.txt")
OURS = ("games", "tournaments", "frontend", "deploy")


def words() -> set[str]:
    """Columns of tables, URL patterns, options of management commands, Celery tasks, fields of messages."""
    return {*_tables(), *_urls(), *_commands(), *_tasks(), *_messages()}


def _tables() -> Iterator[str]:
    from django.apps import apps

    for model in apps.get_models():
        if model.__module__.startswith(OURS):
            for column in model._meta.local_fields:
                yield f"column {model._meta.db_table}.{column.column}"


def _urls() -> Iterator[str]:
    from django.urls import URLPattern, URLResolver, get_resolver

    def below(resolver: URLResolver, prefix: str) -> Iterator[str]:
        for entry in resolver.url_patterns:
            path = f"{prefix}{entry.pattern}"
            if isinstance(entry, URLPattern):
                yield f"url {path}"
            elif not path.startswith("admin"):
                yield from below(entry, path)

    yield from below(get_resolver(), "/")


def _commands() -> Iterator[str]:
    from django.core.management import get_commands, load_command_class

    for name, app in get_commands().items():
        if str(app).startswith(OURS):
            parser = load_command_class(str(app), name).create_parser("manage.py", name)
            own = {option for action in parser._actions for option in action.option_strings or [action.dest]}
            yield from (f"command {name} {option}" for option in own)


def _tasks() -> Iterator[str]:
    from deploy.celery import app

    app.loader.import_default_modules()
    yield from (f"task {name}" for name in app.tasks if name.startswith(OURS))


def _messages() -> Iterator[str]:
    """Tagged structs: events, commands, records of streams, frames of sockets."""

    def below(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
        for child in kind.__subclasses__():
            yield child
            yield from below(child)

    for package in ("engine", "games", "tournaments"):
        for module in pkgutil.walk_packages([str(TOP / package)], f"{package}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    for kind in below(msgspec.Struct):
        tag = kind.__struct_config__.tag
        if tag is not None and kind.__module__.startswith(("engine", *OURS)):
            yield from (f"field {tag}.{name}" for name in ("", *kind.__struct_encode_fields__))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django

    django.setup()
    if "--write" in sys.argv:
        LIST.write_text("".join(f"{word}\n" for word in sorted(words())))
