"""Two people who swapped their drawn seats, recorded at the desk; and chairs changed by lot."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.randomness import dealing
from tests.frontend.evening import client, drawn, html, opened, person, table
from tournaments.models import Entry, Round
from tournaments.services.draw import seat_exchanges
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def sits_at(round_: Round, table: int, seat: int) -> Entry:
    return round_.seatings.get(table__number=table, seat=seat).entry


def change(round_: Round, one: object, other: object, name: str = "hanna") -> str:
    address = reverse("round_chairs", args=["herbstcup", round_.number])
    return html(client(name).post(address, {"one": one, "other": other}, follow=True))


def page(name: str | None = "hanna") -> str:
    return html(client(name).get(reverse("round", args=["herbstcup", 1])))


def test_the_desk_writes_down_who_sits_elsewhere_and_undoes_it() -> None:
    round_ = opened("sheet", "sheet")
    one, other = sits_at(round_, 1, 0), sits_at(round_, 2, 3)

    said = change(round_, f"{one.number} {one.name}", other.number)

    assert f"{one.name} and {other.name} have changed chairs." in said
    assert (sits_at(round_, 1, 0), sits_at(round_, 2, 3)) == (other, one)
    assert "1 change of chairs since the draw" in said
    assert f"{other.name} sits at table 1 and {one.name} at table 2" in said
    assert said.count(">Undo</button>") == 1

    said = change(round_, other.number, one.number)

    assert (sits_at(round_, 1, 0), sits_at(round_, 2, 3)) == (one, other)
    assert "2 changes of chairs since the draw" in said
    assert said.count(">Undo</button>") == 1, "only the last one"


def test_a_unique_name_identifies_a_person() -> None:
    round_ = opened("sheet", "sheet")
    one, other = sits_at(round_, 1, 0), sits_at(round_, 2, 3)

    change(round_, one.name.upper(), other.name)

    assert sits_at(round_, 1, 0) == other


@pytest.mark.parametrize(
    ("one", "told"),
    [
        ("a", "Several people are called “a”"),
        ("Xaver", "Nobody called “Xaver” is seated at such a table"),
        ("99", "Nobody with the number 99 is seated in this round."),
        ("", "This field is required."),
        ("<script>", "Nobody called “&lt;script&gt;” is seated"),
    ],
)
def test_whoever_is_not_clear_is_asked_for_again_and_nothing_changes(one: str, told: str) -> None:
    round_ = opened("sheet", "sheet")

    said = change(round_, one, sits_at(round_, 1, 0).number)

    assert told in said
    assert seat_exchanges.list_exchanges(round_) == []


def test_the_list_offers_nobody_whose_cards_are_dealt_here() -> None:
    round_ = opened("dealt", "sheet")

    told = page()

    assert f'<option value="{sits_at(round_, 2, 0).number} ' in told
    assert f'<option value="{sits_at(round_, 1, 0).number} ' not in told
    assert reverse("round_codes", args=["herbstcup", 1]) in told


def test_spectators_see_what_changed_and_change_nothing() -> None:
    round_ = opened("sheet", "sheet")
    change(round_, sits_at(round_, 1, 0).number, sits_at(round_, 1, 2).number)

    told = page(None)

    assert "1 change of chairs since the draw" in told
    assert "Undo" not in told
    assert "Somebody sits elsewhere" not in told


def test_of_an_older_round_it_is_told_who_drew_higher_and_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    lot = dealing.ForehandDraw((("D6", "DK", "D7", "D9"),), 0, exchanged=True)
    monkeypatch.setattr(dealing, "draw_forehand", lambda *_, **__: lot)
    made = drawn(4)
    rounds.set_mode(table(made, 1), "dealt", actor=person("fredi"))
    higher, lower = sits_at(made, 1, 1), sits_at(made, 1, 3)

    rounds.open_round(made, actor=person("fredi"))

    told = page(None)
    assert f"Table 1: {higher.name} drew higher than {lower.name} and deals" in told


def test_the_page_asks_as_often_however_many_have_changed_chairs() -> None:
    round_ = opened("sheet", "sheet")
    browser, address = client("hanna"), reverse("round", args=["herbstcup", 1])
    counts = []
    for _ in range(3):
        change(round_, sits_at(round_, 1, 0).number, sits_at(round_, 2, 0).number)
        with CaptureQueriesContext(connection) as asked:
            browser.get(address)
        counts.append(len(asked))
    assert len(set(counts)) == 1
