from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page

from tests import live_tree as trees


@dataclass(frozen=True)
class Place:
    """A running platform with a few tables by name."""

    url: str
    games: dict[str, str]

    def address(self, table: str, page: str = "") -> str:
        return f"{self.url}/g/{self.games[table]}/{page}"

    def sign_in(self, page: Page, name: str = "anna") -> None:
        page.goto(f"{self.url}/sign-in/")
        page.fill("input[name=username]", name)
        page.fill("input[name=password]", trees.ORGANISER[1])
        page.click("main form button.primary")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One platform for all tests of a file, because its start is slow."""
    with trees.running("serve", tmp_path_factory.mktemp("place")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.tables"))
