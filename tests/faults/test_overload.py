"""People play while somebody asks for too much. The short form: that the measuring sees what it should;
`manage.py faults --attacks` is the long one, with the bounds."""

import pytest

from tests.faults.attacks import attacked

pytestmark = [pytest.mark.faults, pytest.mark.long]


def test_cards_go_on_falling_while_strangers_ask_and_sockets_open() -> None:
    crowd, sockets = attacked(["crowd", "sockets"], tables=1, rate=4.0, seconds=2.0, on="sqlite")
    assert set(crowd.answers) <= {"200", "429", "503"}
    assert sum(crowd.answers.values()) > 0
    assert sum(sockets.answers.values()) == 1000
    for found in (crowd, sockets):
        assert found.share > 0
        assert found.refused == 0
        assert found.after == 200
        assert not {"500", "502", "504"} & set(found.visitor)
