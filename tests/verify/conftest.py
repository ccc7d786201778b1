"""The evening, made once; the verifier, loaded from the file that players download."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from django.db import transaction
from pytest_django import Settings

from deploy.environment import BASE_DIR
from games import sealing
from tests.verify import evening as evenings
from tests.verify.evening import Evening

SCRIPT = BASE_DIR / "docs" / "verify" / "puur_verify.py"


class BackOut(Exception):
    """Undoes what was made."""


@pytest.fixture(scope="session")
def puur_verify() -> ModuleType:
    found = importlib.util.spec_from_file_location("puur_verify", SCRIPT)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("key") / "seal_key"
    sealing.make_seal_key(path)
    return path


@pytest.fixture(autouse=True)
def _key(key_file: Path, settings: Settings) -> None:
    settings.SEAL_KEY = key_file


@pytest.fixture(scope="session")
def _kept() -> dict[str, Evening]:
    return {}


@pytest.fixture
def evening(_kept: dict[str, Evening], db: None, key_file: Path) -> Evening:
    """The exported championship; the database is empty again."""
    if not _kept:
        try:
            with transaction.atomic():
                _kept["evening"] = evenings.export(evenings.build())
                raise BackOut
        except BackOut:
            pass
    return _kept["evening"]
