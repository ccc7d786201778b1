"""Checkpoints on pages and on paper, the download, the verifier's page, and the origin of the cards."""

import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as django_settings
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from games import sealing
from tests.frontend import evening
from tests.frontend.evening import client, html, person
from tests.tournaments import table_play
from tournaments import demo_record, jobs
from tournaments.archive import storing
from tournaments.models import Championship, Job, Round
from tournaments.services import championship_seals as seals
from tournaments.services.championships import championships
from tournaments.services.draw import drawing, seed_entropy
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def key(tmp_path: Path, settings: Settings) -> sealing.SealKey:
    settings.SEAL_KEY = tmp_path / "seal_key"
    settings.VAR_DIR = tmp_path
    return sealing.make_seal_key(settings.SEAL_KEY)


@pytest.fixture
def closed() -> Round:
    """Round 1 of one deal, closed: a dealt table and a sheet."""
    round_ = evening.opened("dealt", "sheet", changes={"rounds": 1, "deals": 1})
    demo_record.play_out_with_bots(str(evening.table(round_, 1).game_id))
    table_play.write_sheet(evening.table(round_, 2), [100])
    return rounds.close_round(round_, actor=person("fredi"))


def words_of(championship: Championship) -> tuple[str, ...]:
    last = sealing.find_latest_checkpoint(championship.stream_id)
    assert last is not None
    return sealing.in_words(last.hash)


def downloaded(answer: Any) -> bytes:
    """The bytes of a file."""
    return b"".join(answer.streaming_content)


def test_the_words_and_a_code_stand_below_the_ranking(closed: Round) -> None:
    page = html(client().get(reverse("standings", args=["herbstcup"])))
    words = words_of(closed.championship)
    assert all(f"<li>{word}</li>" in page for word in words)
    assert '<div class="qr" aria-hidden="true"><svg' in page
    assert "no-print" not in page[page.index('class="seal"') : page.index("seal-words")]


def test_the_sheet_of_a_ranking_keeps_its_words(closed: Round) -> None:
    before = words_of(closed.championship)
    championships.finish(closed.championship, actor=person("fredi"))
    after = words_of(closed.championship)
    assert before != after
    page = html(client().get(reverse("standings", args=["herbstcup"]), {"after": 1}))
    assert before[0] in page
    assert after[0] not in page


def test_a_ranking_that_nobody_has_sealed_says_nothing(settings: Settings, tmp_path: Path) -> None:
    settings.SEAL_KEY = tmp_path / "none"
    round_ = evening.opened("sheet")
    table_play.enter(evening.table(round_, 1), 1, 100)
    page = html(client().get(reverse("standings", args=["herbstcup"]), {"live": 1}))
    assert 'class="seal"' not in page


def test_the_list_has_every_checkpoint_and_the_one_of_a_sheet(closed: Round) -> None:
    championships.finish(closed.championship, actor=person("fredi"))
    page = html(client().get(reverse("checkpoints", args=["herbstcup"]), {"at": 1}))
    for one in sealing.listed(closed.championship.stream_id):
        assert f'<tr id="{"-".join(sealing.in_words(one.hash))}"' in page
    assert '" class="mine"><th scope="row" class="num">1</th>' in page
    assert html(client().get(reverse("checkpoints", args=["herbstcup"]), {"at": "x"})).count("<tr id=") == 2


def test_checkpoints_are_served_as_json_without_the_names_of_streams(closed: Round) -> None:
    told = client().get(reverse("checkpoints_json", args=["herbstcup"])).json()["checkpoints"]
    latest = client().get(reverse("checkpoint_latest", args=["herbstcup"])).json()
    assert told[-1] == latest
    assert latest["words"].split() == list(words_of(closed.championship))
    assert set(latest) == {"number", "body", "signature", "hash", "words"}
    assert client().get(reverse("checkpoints_json", args=["herbstcup"]), {"since": 1}).json() == {
        "checkpoints": []
    }


def test_the_public_key_is_served(key: sealing.SealKey, settings: Settings, tmp_path: Path) -> None:
    assert client().get(reverse("seal_key")).json() == {"key": key.public.hex()}
    settings.SEAL_KEY = tmp_path / "none"
    assert client().get(reverse("seal_key")).status_code == 404


def test_before_the_first_checkpoint_the_page_says_so() -> None:
    evening.championship(8)
    assert "Nothing has been sealed yet" in html(client().get(reverse("checkpoints", args=["herbstcup"])))
    assert client().get(reverse("checkpoint_latest", args=["herbstcup"])).status_code == 404
    assert client().get(reverse("championship_file", args=["herbstcup"])).status_code == 404


def test_everybody_has_the_file_made_once_and_downloads_it(closed: Round) -> None:
    address, page = (
        reverse("championship_file", args=["herbstcup"]),
        reverse("checkpoints", args=["herbstcup"]),
    )
    assert client().get(address).status_code == 404, "nothing is made by looking"
    assert not Job.objects.exists()
    for _who in range(2):
        assert client().post(address).status_code == 302
    job = Job.objects.get()
    assert f"job-{job.pk}" in html(client().get(page))
    assert jobs.run(job.pk)
    assert address in html(client().get(reverse("job", args=[job.pk])))
    assert "Prepare the download" not in html(client().get(page))
    answer = client().get(address)
    data = downloaded(answer)
    assert answer["Content-Disposition"] == 'attachment; filename="herbstcup.zip"'
    assert int(answer["Content-Length"]) == len(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert json.loads(archive.read("manifest.json"))["level"] == "public"
    assert downloaded(client().get(address)) == data


@pytest.mark.django_db(transaction=True)
async def test_a_long_file_leaves_the_server_a_piece_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "PIECE", 1000)

    def made() -> None:
        round_ = evening.opened("sheet", "sheet")
        seals.seal_championship(round_.championship)
        assert jobs.run(jobs.start_file_job(round_.championship).pk)

    await sync_to_async(made)()
    address = reverse("championship_file", args=["herbstcup"])
    answer = cast(Any, await AsyncClient(headers={"host": "localhost"}).get(address))
    pieces = [piece async for piece in answer.streaming_content]
    assert {len(piece) for piece in pieces[:-1]} == {1000}
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as archive:
        assert archive.testzip() is None


def test_a_download_is_made_again_once_something_has_changed(
    closed: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    championship = closed.championship
    jobs.run(jobs.start_file_job(championship).pk)
    first = storing.current_file(championship)
    assert first is not None
    jobs.run(jobs.start_file_job(championship).pk)
    assert storing.current_file(championship) == first
    entries.edit_entry(championship.entries.get(number=1), actor=person("fredi"), name="Annamarie")
    assert storing.current_file(championship) is None
    assert storing.recent_file(championship) == first, "for a moment"
    monkeypatch.setattr(storing, "STILL_GOOD", timedelta(0))
    assert storing.recent_file(championship) is None
    monkeypatch.setattr(storing, "BEING_READ", timedelta(0))
    jobs.run(jobs.start_file_job(championship).pk)
    assert [storing.current_file(championship)] == list(championship.public_files.all())
    championships.finish(championship, actor=person("fredi"))
    assert storing.current_file(championship) is None


def test_one_file_is_made_at_a_time(closed: Round) -> None:
    other = championships.create(actor=person("fredi"), name="Other", slug="other")
    seals.seal_championship(other)
    first, second = jobs.start_file_job(closed.championship), jobs.start_file_job(other)
    Job.objects.filter(pk=first.pk).update(state=Job.State.RUNNING, beat_at=timezone.now(), tries=1)
    assert not jobs.run(second.pk)
    Job.objects.filter(pk=first.pk).update(state=Job.State.DONE)
    assert jobs.run(second.pk)
    assert storing.current_file(other) is not None


def test_people_who_may_not_see_the_cards_get_no_file() -> None:
    changes = {"rounds": 1, "deals": 1, "visibility": "private"}
    round_ = evening.opened("dealt", "sheet", changes=changes)
    seals.seal_championship(round_.championship)
    address = reverse("championship_file", args=["herbstcup"])
    assert client().get(address).status_code == 302
    assert client("eva").get(address).status_code == 403
    assert client("eva").post(address).status_code == 403
    jobs.run(jobs.start_file_job(round_.championship).pk)
    assert client("eva").get(reverse("job", args=[Job.objects.get().pk])).status_code == 404
    taking_part = client("anna").get(address)
    assert taking_part.status_code == 200
    assert downloaded(taking_part)
    page = html(client().get(reverse("checkpoints", args=["herbstcup"])))
    assert "Ask the organiser for the file" in page


def test_the_verifier_is_a_page_and_a_program() -> None:
    page = html(Client(headers={"accept-language": "en"}).get(reverse("verify")))
    assert "Nothing is uploaded" in page
    assert 'src="/static/puur/verify.js"' in page
    script = client().get(reverse("verifier"))
    assert script.content == (django_settings.BASE_DIR / "docs/verify/puur_verify.py").read_bytes()


@pytest.fixture
def first() -> Round:
    return evening.first(evening.championship(8, count=1))


def fairness(round_: Round, name: str | None = None) -> str:
    return html(client(name).get(reverse("round_fairness", args=["herbstcup", round_.number])))


def add(name: str | None, text: str) -> str:
    answer = client(name).post(reverse("round_chance", args=["herbstcup", 1]), {"chance": text}, follow=True)
    return html(answer)


def test_before_the_round_the_page_says_what_is_known_and_what_comes(first: Round) -> None:
    page = fairness(first)
    data = json.loads(page.split('<script id="fairness" type="application/json">')[1].split("</script>")[0])
    assert [event["type"] for event in data["events"]] == ["seed_committed"]
    assert data["events"][0]["commitments"]["seed"] in page
    assert "That happens when the round closes" in page
    assert "data-tables" not in page
    assert "Signed-in players and officials" in page


def test_phones_and_the_hall_add_chance_and_are_counted(first: Round) -> None:
    assert "Add a random number" in fairness(first, "anna")
    assert "Contribute numbers" not in fairness(first, "anna")
    assert "Contribute numbers" in fairness(first, "fredi")
    assert "Add a random number" not in fairness(first, "eva")
    assert "1 phone has added something" in add("anna", "ab" * 32)
    page = add("fredi", "4, 17, 23")
    assert "<strong>4, 17, 23</strong>" in page
    assert [one.device for one in seed_entropy.list_contributions(first)] == [True, False]
    assert "Only numbers" in add("fredi", "four")
    add("eva", "cd" * 32)
    assert (
        "sign-in"
        in client().post(reverse("round_chance", args=["herbstcup", 1]), {"chance": "1"})["Location"]
    )
    assert len(seed_entropy.list_contributions(first)) == 2


def test_once_tables_are_open_nothing_can_be_added(first: Round) -> None:
    drawing.draw_round(first, actor=person("fredi"))
    rounds.open_round(first, actor=person("fredi"))
    assert "Add a random number" not in fairness(first, "anna")
    assert "already fixed" in add("anna", "ab" * 32)


def test_after_the_round_the_seed_and_the_tables_are_there(closed: Round) -> None:
    page = fairness(closed)
    data = json.loads(page.split('<script id="fairness" type="application/json">')[1].split("</script>")[0])
    kinds = [event["type"] for event in data["events"]]
    assert kinds == ["seed_committed", "seats_drawn", "forehand_drawn", "round_opened", "seed_revealed"]
    assert data["events"][-1]["body"]["seed"] in page
    [table] = data["tables"]
    assert table["game"] == evening.table(closed, 1).game_id
    assert len(table["names"]) == 4


def test_there_is_no_such_round(first: Round) -> None:
    assert client().get(reverse("round_fairness", args=["herbstcup", 9])).status_code == 404


@pytest.mark.parametrize(("name", "most"), [("round_fairness", 14), ("checkpoints", 12), ("standings", 20)])
def test_pages_ask_a_bounded_number_of_times(
    closed: Round, name: str, most: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    browser = client("anna")
    address = reverse(name, args=["herbstcup", 1] if name == "round_fairness" else ["herbstcup"])
    with evening.cached_version(), django_assert_max_num_queries(most):
        assert browser.get(address).status_code == 200
