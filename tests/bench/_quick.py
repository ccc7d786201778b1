"""`--quick` of every bench: sizes so small that it runs in seconds. The figures then mean little."""

import argparse
from collections.abc import Mapping
from typing import Any


class _Quick(argparse.Action):
    def __init__(self, *, sizes: Mapping[str, object], **more: Any) -> None:
        self._sizes = sizes
        super().__init__(nargs=0, default=False, **more)

    def __call__(self, parser: object, namespace: argparse.Namespace, *_: object) -> None:
        vars(namespace).update(self._sizes, quick=True)


def add_quick(parser: argparse.ArgumentParser, **sizes: object) -> None:
    """Set the other options for `--quick`; explicit options override it."""
    parser.add_argument(
        "--quick", action=_Quick, sizes=sizes, help="small sizes, a few seconds: does it run?"
    )
