"""People who are kept apart as far as possible: what the draw records, and who reads it."""

import pytest
from django.urls import reverse

from frontend.presenters.rounds.table_reasons import load_reasons
from games import store
from tests.frontend.evening import championship, client, html, person
from tournaments import pairing
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_checks, drawing
from tournaments.services.entries.entries import add_constraint

pytestmark = pytest.mark.django_db


def test_a_draw_tells_officials_only_who_could_not_be_kept_apart() -> None:
    made = championship(4)
    one, other = made.entries.filter(number__in=(1, 2)).order_by("number")
    add_constraint(made, "never_meet", one, other, actor=person("fredi"), soft=True)
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))

    events = store.read(round_.stream_id, parts=False)
    [drawn] = [event.body for event in events if event.type == "seats_drawn"]
    assert drawn["algorithm"] == pairing.AVOIDING_VERSION
    assert drawn["problem"]["avoid_meet"] == [[0, 1]]
    assert "avoid_partner" not in drawn["problem"]
    note = {"code": "pairing/apart", "table": 1, "one": "n0001", "other": "n0002", "how": "soft"}
    assert drawn["cost"]["notes"] == [note]

    page, sentence = reverse("round", args=["herbstcup", 1]), "here they could not be kept apart"
    assert f"{one.name}, {other.name} meet: {sentence}" in html(client("fredi").get(page))
    assert sentence not in html(client().get(page))
    assert draw_checks.list_unkept_wishes(round_, load_regulations(made)) == []
    reasons = load_reasons(made, round_.stream_id, events)
    assert reasons is not None
    [fold] = reasons.folds
    assert fold.sentences == ("1 pair could not be kept apart without a repeated meeting.",)


def test_a_draw_without_such_a_wish_is_recorded_as_before() -> None:
    made = championship(8)
    one, other = made.entries.filter(number__in=(1, 2)).order_by("number")
    add_constraint(made, "never_meet", one, other, actor=person("fredi"))
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))
    [drawn] = [e.body for e in store.read(round_.stream_id, parts=False) if e.type == "seats_drawn"]
    assert drawn["algorithm"] == "2"
    assert drawn["problem"]["never_meet"] == [[0, 1]]
    assert not any(name.startswith("avoid") for name in (*drawn["problem"], *drawn["cost"]))
