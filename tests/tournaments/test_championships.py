"""Founding, regulations, offices, the end."""

from collections.abc import Callable
from typing import Any

import pytest

from games import store
from games.messaging import game_pubsub
from games.models import Game, User
from tournaments import permissions, regulation_checks, regulations
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Official, Regulations, Round
from tournaments.presets import PRESETS
from tournaments.services.championships import championships, officials, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

Opened = Callable[..., Round]


def test_a_championship_is_founded_with_its_rounds_and_their_seeds(fredi: User) -> None:
    made = championships.create(actor=fredi, name="Herbst 2026", place="Zürich", language="de")
    assert (made.slug, made.status, made.owner) == ("herbst-2026", Championship.Status.DRAFT, fredi)
    assert [event.type for event in store.read(made.stream_id)] == ["regulations_set"]
    assert [round_.number for round_ in made.rounds.all()] == [1, 2, 3, 4]
    for round_ in made.rounds.all():
        assert [event.type for event in store.read(round_.stream_id)] == ["seed_committed"]


def test_addresses_are_never_given_twice(fredi: User) -> None:
    slugs = [championships.create(actor=fredi, name="Cup").slug for _ in range(3)]
    assert slugs == ["cup", "cup-2", "cup-3"]
    assert championships.create(actor=fredi, name="チャンピオン").slug == "championship"
    with pytest.raises(TournamentError) as refused:
        championships.create(actor=fredi, name="Anderes", slug="cup")
    assert refused.value.code == "championship/slug_taken"
    assert not Championship.objects.filter(name="Anderes").exists()


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_can_be_played_by(fredi: User, preset: str) -> None:
    made = championships.create(actor=fredi, name=preset, preset=preset)
    assert load_regulations(made) == PRESETS[preset]
    assert regulation_checks.decode(regulations.encode(PRESETS[preset])) == PRESETS[preset]


def test_an_unknown_preset_is_refused(fredi: User) -> None:
    with pytest.raises(TournamentError) as refused:
        championships.create(actor=fredi, name="Cup", preset="poker")
    assert refused.value.code == "regulations/unknown_preset"
    assert not Championship.objects.exists()


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"rounds": 0}, "regulations/out_of_bounds", "rounds"),
        ({"deals": 49}, "regulations/out_of_bounds", "deals"),
        ({"draw": "by age"}, "regulations/unknown_value", "draw"),
        ({"visibility": "all"}, "regulations/unknown_value", "visibility"),
        ({"byes": {"policy": "nap"}}, "regulations/unknown_value", "byes.policy"),
        ({"remedies": {"revoke": {"ruling": "jail"}}}, "regulations/unknown_ruling", "remedies.revoke"),
        ({"rounds": "four"}, "regulations/unreadable", None),
        ({"colour": "green"}, "regulations/unreadable", None),
        ({"counting": {"what": "best", "number": 5}}, "regulations/counting", None),
        ({"play": {"variant": "poker"}}, "regulations/game", None),
        ({"play": {"variant": "schieber", "options": {"sweep_bonus": -1}}}, "regulations/game", None),
        (
            {"play": {"variant": "schieber", "turn_seconds": 0}},
            "regulations/out_of_bounds",
            "play.turn_seconds",
        ),
        ({"play": {"variant": "schieber", "seats": 3}}, "regulations/game", None),
    ],
)
def test_regulations_nobody_can_play_by_are_refused(
    championship: Championship, fredi: User, change: dict[str, Any], code: str, field: str | None
) -> None:
    data = {**regulations.encode(PRESETS["santiago"]), **change}
    with pytest.raises(TournamentError) as refused:
        regulations_change.change_regulations(championship, data, actor=fredi)
    assert refused.value.code == code
    assert field is None or refused.value.params["field"] == field
    assert load_regulations(championship) == PRESETS["santiago"]


def test_broken_json_is_refused() -> None:
    with pytest.raises(TournamentError) as refused:
        regulation_checks.decode(b'{"rounds": ')
    assert refused.value.code == "regulations/unreadable"


def test_regulations_have_versions_until_the_first_round(championship: Championship, fredi: User) -> None:
    data = {**regulations.encode(PRESETS["santiago"]), "rounds": 6}
    regulations_change.change_regulations(championship, data, actor=fredi)
    assert championship.rounds.count() == 6
    regulations_change.change_regulations(championship, {**data, "rounds": 2}, actor=fredi)
    assert championship.rounds.count() == 2
    championship.refresh_from_db()
    assert championship.regulations_version == 3
    assert Regulations.objects.filter(championship=championship).count() == 3
    told = [e.body["version"] for e in store.read(championship.stream_id) if e.type == "regulations_set"]
    assert told == [1, 2, 3]


def test_drawn_rounds_are_not_cut_off(
    championship: Championship, fredi: User, arrived: Callable[[int], list[Entry]]
) -> None:
    arrived(8)
    for number in (1, 2):
        drawing.draw_round(championship.rounds.get(number=number), actor=fredi)
    data = {**regulations.encode(PRESETS["santiago"]), "rounds": 1}
    with pytest.raises(TournamentError) as refused:
        regulations_change.change_regulations(championship, data, actor=fredi)
    assert refused.value.code == "regulations/rounds_drawn"


def test_a_championship_ends_when_its_rounds_are_closed(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    for left in (4, 3, 2, 1):
        with pytest.raises(TournamentError) as refused:
            championships.finish(championship, actor=fredi)
        assert (refused.value.code, refused.value.params["left"]) == ("championship/rounds_left", left)
        rounds.close_round(open_round("sheet", "sheet"), actor=fredi, force=True)
    championships.finish(championship, actor=fredi)
    championships.finish(championship, actor=fredi)
    assert championship.status == Championship.Status.FINISHED
    told = [event.type for event in store.read(championship.stream_id)]
    assert told.count("championship_finished") == 1
    assert told.count("regulations_frozen") == 1


def test_name_and_place_are_corrected(championship: Championship, fredi: User) -> None:
    championships.edit_championship(championship, actor=fredi, name="  Neuer  Name ", public=False)
    championship.refresh_from_db()
    assert (championship.name, championship.public) == ("Neuer Name", False)
    with pytest.raises(TypeError, match="slug"):
        championships.edit_championship(championship, actor=fredi, slug="x")


def test_offices_are_given_once_and_taken_away(championship: Championship, fredi: User, eva: User) -> None:
    first = officials.appoint(championship, eva, "desk", actor=fredi)
    assert officials.appoint(championship, eva, "desk", actor=fredi) == first
    assert permissions.may(eva, "enter", championship)
    assert not permissions.may(eva, "draw", championship)
    officials.dismiss(championship, eva, "desk", actor=fredi)
    assert not permissions.may(eva, "enter", championship)


def test_the_last_director_stays(championship: Championship, fredi: User) -> None:
    with pytest.raises(TournamentError) as refused:
        officials.dismiss(championship, fredi, "director", actor=fredi)
    assert refused.value.code == "officials/last_director"
    assert championship.officials.filter(user=fredi).exists()


ALLOWED = {
    "director": {"edit", "appoint", "enter", "import", "draw", "open", "close", "board", "export_entries"}
    | {"audit", "look", "reseat", "rule_alone", "correct", "correct_confirmed", "prizes", "cash"},
    "referee": {"rule", "rule_alone", "board", "audit", "look", "reseat", "correct", "correct_confirmed"},
    "desk": {"enter", "reseat", "import", "board", "export_entries", "correct", "cash"},
    None: set(),
}


@pytest.mark.parametrize("role", ALLOWED, ids=str)
def test_who_may_do_what(championship: Championship, eva: User, role: str | None) -> None:
    if role is not None:
        Official.objects.create(championship=championship, user=eva, role=role)
    may = {action for action in permissions.ACTIONS if permissions.may(eva, action, championship)}
    assert may == ALLOWED[role]
    for action in permissions.ACTIONS:
        if action in may:
            permissions.require(eva, action, championship)
        else:
            with pytest.raises(NotAllowed):
                permissions.require(eva, action, championship)


def test_an_office_holds_in_its_own_championship_only(championship: Championship, eva: User) -> None:
    other = championships.create(actor=eva, name="Anderswo")
    assert permissions.may(eva, "draw", other)
    assert not permissions.may(eva, "draw", championship)
    assert not permissions.may(None, "draw", championship)


def test_streams_call_people_by_their_part(
    championship: Championship, fredi: User, anna: User, eva: User
) -> None:
    entry = entries.add_entry(championship, actor=fredi, name="Anna", user=anna)
    assert permissions.member_ref(anna, championship) == entry.player_ref
    assert permissions.member_ref(fredi, championship) == championship.officials.get(role="director").ref
    assert permissions.member_ref(None, championship) == "server"
    with pytest.raises(NotAllowed) as refused:
        permissions.member_ref(eva, championship)
    assert refused.value.code == "tournaments/not_taking_part"


def test_every_row_has_a_line_for_people(championship: Championship, fredi: User, open_round: Opened) -> None:
    rounds.close_round(open_round("sheet", people=9), actor=fredi, force=True)
    from django.apps import apps

    for model in apps.get_app_config("tournaments").get_models():
        for row in model._default_manager.all()[:1]:
            assert str(row)


def test_whoever_only_watches_a_table_is_let_go_at_once_when_it_is_no_longer_public(
    championship: Championship,
    open_round: Opened,
    fredi: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    """Without waiting for the next heartbeat of the socket."""
    told: list[str] = []
    monkeypatch.setattr(game_pubsub, "publish_rights_change", told.append)
    round_ = open_round("sheet", "dealt", "dealt", people=12)
    games = {table.game_id: table.number for table in round_.tables.all()}
    Game.objects.filter(pk=next(game for game in games if games[game] == 3)).update(status=Game.Status.ENDED)
    for public, expected in ((False, {1, 2}), (True, set())):
        told.clear()
        with django_capture_on_commit_callbacks(execute=True):
            championships.edit_championship(championship, actor=fredi, public=public)
        assert {games[game] for game in told} == expected
