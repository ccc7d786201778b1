"""The times at which a championship is sealed, and the contents of its seal."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from games import sealing as seals
from games import store
from games.appending import record
from games.models import Game, User
from games.play.submit import submit
from tests.tournaments import table_play
from tournaments import regulations, tasks
from tournaments.clubs import rolls
from tournaments.models import Championship, Round
from tournaments.series.events import SeriesDeleted
from tournaments.services import championship_seals
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing
from tournaments.services.referee import appeals, disputes, rulings
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking
from tournaments.services.series import editing

pytestmark = pytest.mark.both

Opened = Callable[..., Round]


@pytest.fixture(autouse=True)
def key(tmp_path: Path, settings: Settings) -> seals.SealKey:
    settings.SEAL_KEY = tmp_path / "seal_key"
    return seals.make_seal_key(settings.SEAL_KEY)


def test_championship_rounds_and_games_lie_under_the_seal(open_round: Opened, key: seals.SealKey) -> None:
    round_ = open_round("dealt", "sheet")
    made = championship_seals.seal_championship(round_.championship)
    assert made is not None
    games = Game.objects.filter(tournament_table__round=round_).values_list("pk", flat=True)
    streams = round_.championship.rounds.values_list("stream_id", flat=True)
    assert set(made.seqs) == {round_.championship.stream_id, *streams, *games}
    assert made.says.key == key.public.hex()


def test_games_of_a_draw_that_was_undone_stay_under_the_seal(open_round: Opened, fredi: User) -> None:
    round_ = open_round("dealt", "sheet")
    before = set(Game.objects.values_list("pk", flat=True))
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    made = championship_seals.seal_championship(round_.championship)
    assert made is not None
    assert before <= set(made.seqs)


def test_the_end_of_a_round_is_sealed_with_its_ranking(open_round: Opened, fredi: User) -> None:
    round_ = open_round("sheet", "sheet")
    assert seals.find_latest_checkpoint(round_.championship.stream_id) is None
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    made = seals.find_latest_checkpoint(round_.championship.stream_id)
    assert made is not None
    published = published_ranking.load_latest_snapshot(round_.championship)
    assert published is not None
    assert made == championship_seals.find_covering_checkpoint(round_.championship, published.made_at)
    assert made == championship_seals.find_covering_checkpoint(round_.championship, None)
    heads = {head.stream: head.seq for head in seals.heads_of(made.seqs)}
    assert made.seqs == heads


def test_each_minute_what_has_moved_is_sealed(open_round: Opened) -> None:
    round_ = open_round("sheet", "sheet")
    assert tasks.seal() == 1
    assert tasks.seal() == 0
    table_play.enter(round_.tables.get(number=1), 1, 100)
    assert tasks.seal() == 1
    assert len(seals.listed(round_.championship.stream_id)) == 2


def test_the_oldest_unsealed_event_of_all_streams_is_found_in_one_query(
    championship: Championship,
    open_round: Opened,
    fredi: User,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    def first_after(stream: str | None, seq: int) -> datetime:
        return datetime.fromisoformat(store.read(str(stream), seq - 1, seq)[0].recorded_at)

    tasks.seal()
    assert championship_seals.find_oldest_unsealed() is None
    series = editing.create_series(rolls.default_club(fredi), name="Year", preset="club_average", actor=fredi)
    assert championship_seals.find_oldest_unsealed() == first_after(series.stream_id, 0)
    assert tasks.seal() == 1
    assert championship_seals.find_oldest_unsealed() is None
    sealed = store.read_head(championship.stream_id).seq
    round_ = open_round("dealt", "sheet")

    expected = first_after(championship.stream_id, sealed + 1)
    with django_assert_max_num_queries(1):
        assert championship_seals.find_oldest_unsealed() == expected
    tasks.seal()
    with django_assert_max_num_queries(1):
        assert championship_seals.find_oldest_unsealed() is None

    tables = list(round_.tables.select_related("game").order_by("number"))
    sheet = next(table for table in tables if table.mode == "sheet")
    before = store.read_head(str(sheet.game_id)).seq
    table_play.enter(sheet, 1, 100)
    entered = first_after(sheet.game_id, before + 1)
    assert championship_seals.find_oldest_unsealed() == entered
    record(str(series.stream_id), SeriesDeleted())
    assert championship_seals.find_oldest_unsealed() == entered, "the series' event is later"
    assert championship_seals.seal_championship(championship) is not None
    held = store.read_head(str(series.stream_id)).seq
    assert championship_seals.find_oldest_unsealed() == first_after(series.stream_id, held)
    with django_assert_max_num_queries(1):
        assert championship_seals.list_unsealed_series() == [series]
    assert tasks.seal() == 1
    assert championship_seals.find_oldest_unsealed() is None
    assert championship_seals.list_unsealed_series() == []


def test_the_oldest_unsealed_event_is_that_of_the_stream_that_moved_first(open_round: Opened) -> None:
    round_ = open_round(*["sheet"] * 5, people=20)
    tasks.seal()
    tables = list(round_.tables.order_by("number"))
    first = tables[3]
    heads = {table.game_id: store.read_head(str(table.game_id)).seq for table in tables}
    for table in [first, *tables[:3], *tables[4:]]:
        table_play.enter(table, 1, 100)
    waiting = store.read(str(first.game_id), heads[first.game_id], heads[first.game_id] + 1)
    assert championship_seals.find_oldest_unsealed() == datetime.fromisoformat(waiting[0].recorded_at)


@pytest.fixture
def finished(championship: Championship, open_round: Opened, fredi: User) -> Round:
    """The last round of a championship that is over, and can still be disputed for half an hour."""
    data = regulations.encode(load_regulations(championship))
    regulations_change.change_regulations(championship, {**data, "appeal_minutes": 30}, actor=fredi)
    for _ in range(4):
        round_ = open_round("sheet", "sheet")
        table_play.play_to_the_end(round_)
        rounds.close_round(round_, actor=fredi)
    championship.refresh_from_db()
    championships.finish(championship, actor=fredi)
    return round_


def test_a_finished_championship_is_sealed_and_again_after_a_late_ruling(
    finished: Round, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert tasks.seal() == 0
    assert championship_seals.find_oldest_unsealed() is None
    with django_assert_num_queries(1):
        assert championship_seals.list_unsealed() == []
    table = finished.tables.get(number=1)
    submit(
        str(table.game_id),
        {"cmd": "rule", "kind": "score_change", "deal": 1, "scores": [90, 67], "reason": "miscounted"},
        actor="gabi",
        command_id="late",
    )
    assert championship_seals.find_oldest_unsealed() is not None
    assert tasks.seal() == 1
    assert tasks.seal() == 0


def test_whatever_comes_after_the_end_is_sealed_within_the_minute(
    finished: Round, fredi: User, gabi: User
) -> None:
    """Not only when the referee has ruled: until then the dispute would have no witness on paper."""
    table = finished.tables.select_related("round__championship", "game").get(number=1)
    dispute = disputes.raise_dispute(table, actor=fredi, deal=1, text="miscounted")
    assert tasks.seal() == 1
    warning = {"kind": "warning", "against": 1, "deal": 1, "reason": "talked"}
    rulings.rule(dispute, actor=gabi, ruling=warning, answer="talked")
    assert tasks.seal() == 1
    appeals.make_appeal(dispute, actor=None, by_ref=table_play.refs(table)[1], reason="it was not me")
    assert tasks.seal() == 1
    assert championship_seals.list_unsealed() == []


def test_a_championship_that_ended_without_a_key_is_not_sealed_by_a_later_one(
    settings: Settings, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """What was recorded before would seem to have had a witness."""
    later, settings.SEAL_KEY = settings.SEAL_KEY, tmp_path / "nowhere"
    request.getfixturevalue("finished")
    settings.SEAL_KEY = later
    assert championship_seals.list_unsealed() == []
    assert championship_seals.find_oldest_unsealed() is None


def test_play_goes_on_without_a_key_and_says_so(
    open_round: Opened, fredi: User, settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SEAL_KEY = tmp_path / "nowhere"
    round_ = open_round("sheet", "sheet")
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    assert round_.status == Round.Status.CLOSED
    assert seals.find_latest_checkpoint(round_.championship.stream_id) is None
    assert "not sealed" in caplog.text
    with pytest.raises(seals.SealKeyError):
        championship_seals.seal_championship(round_.championship)
