"""What is Django's alone runs untraced while coverage measures.

On Python 3.11 tracing slows down all code two to three times, also what is not measured. Much of what a page
takes is the making of queries, which nobody measures and which calls no code of ours: it is traced as far as
its door. Whatever may call or import code of ours stays traced: rows that become models, addresses
(the first one imports all views), templates, forms, signals.
"""

import functools
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from coverage.tracer import CTracer
from django.conf import settings
from django.db.models.base import Model
from django.db.models.query import QuerySet
from django.db.models.sql import compiler
from django.db.models.sql.query import Query

DOORS: dict[type, tuple[str, ...]] = {
    compiler.SQLCompiler: ("execute_sql", "as_sql"),
    compiler.SQLInsertCompiler: ("execute_sql", "as_sql"),
    compiler.SQLUpdateCompiler: ("execute_sql", "as_sql"),
    Query: ("add_q", "add_annotation", "add_fields", "add_ordering", "chain"),
    QuerySet: ("_clone",),
    Model: ("save_base",),
}


def install() -> None:
    """Where coverage measures this process; nothing elsewhere. All views are imported now: the first address
    that is asked for imports them, and that may be in a test which is not measured."""
    if isinstance(sys.gettrace(), CTracer):
        import_module(settings.ROOT_URLCONF)
        for owner, names in DOORS.items():
            for name in names:
                setattr(owner, name, untraced(owner.__dict__[name]))


def untraced(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same, and the tracer of its thread rests meanwhile."""

    @functools.wraps(function)
    def run(*args: Any, **more: Any) -> Any:
        tracer = sys.gettrace()
        if not isinstance(tracer, CTracer):
            return function(*args, **more)
        sys.settrace(None)
        try:
            return function(*args, **more)
        finally:
            tracer.start()

    return run
