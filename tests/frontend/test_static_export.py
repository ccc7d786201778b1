"""A finished championship as a folder without a server: contents, readers, and omissions."""

import io
import posixpath
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from django.urls import reverse
from pytest_django import Settings

from frontend.static_export import drawings, plan
from frontend.static_export.rewriting import make_static
from games import sealing
from tests.frontend import evening
from tests.frontend.evening import client, html, person
from tests.tournaments import table_play
from tournaments import demo_record, jobs, personal_data
from tournaments.archive import storing
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Job, PublicFile
from tournaments.services.championships import archiving, championships
from tournaments.services.entries import entries
from tournaments.services.money import bookings
from tournaments.services.referee import disputes, rulings
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db
MARKUP = '<img src=x onerror=alert(1)>&amp; "Ö"'
COPY = PublicFile.Kind.COPY


@pytest.fixture(autouse=True)
def key(tmp_path: Path, settings: Settings) -> sealing.SealKey:
    settings.SEAL_KEY = tmp_path / "seal_key"
    settings.VAR_DIR = tmp_path
    return sealing.make_seal_key(settings.SEAL_KEY)


def played(**more: Any) -> Championship:
    """Two rounds of one deal: a dealt table and a sheet, somebody whose name looks like HTML."""
    changes = {"rounds": 1, "deals": 1, **more.pop("changes", {})}
    round_ = evening.opened("dealt", "sheet", changes=changes, **more)
    made = round_.championship
    demo_record.play_out_with_bots(str(evening.table(round_, 1).game_id))
    table_play.write_sheet(evening.table(round_, 2), [100])
    rounds.close_round(round_, actor=person("fredi"))
    return made


@pytest.fixture
def finished(monkeypatch: pytest.MonkeyPatch) -> Championship:
    monkeypatch.setattr("tournaments.pairing.seating._MOVES", 6_000)  # the verifier draws it again
    made = played(place="Bären, Ins", language="en")
    championships.finish(made, actor=person("fredi"))
    entries.edit_entry(made.entries.get(number=3), actor=person("fredi"), name=MARKUP)
    return made


def copied(championship: Championship) -> dict[str, bytes]:
    """Path below its folder → bytes."""
    job = jobs.start_copy_job(championship, actor=person("fredi"))
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, (job.message, job.message_params)
    copy = storing.current_file(championship, COPY)
    assert copy is not None
    with zipfile.ZipFile(io.BytesIO(b"".join(storing.read_pieces(copy)))) as archive:
        assert archive.testzip() is None
        folder = f"{championship.slug}/"
        assert all(name.startswith(folder) and ".." not in name for name in archive.namelist())
        return {name.removeprefix(folder): archive.read(name) for name in archive.namelist()}


def pages(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    for name, data in files.items():
        if name.endswith(".html"):
            yield name, data.decode()


def links_of(page: str) -> set[str]:
    return {unquote(href) for href in re.findall(r'(?:href|src)="([^"]*)"', page)}


def test_every_link_leads_to_a_file_of_the_copy(finished: Championship) -> None:
    files = copied(finished)
    reached = {"index.html"}
    for name, page in pages(files):
        for link in links_of(page):
            path, _, fragment = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            assert target in files, f"{name} leads to {link}"
            if path.endswith(".html"):
                reached.add(target)
            if fragment:
                assert f'id="{fragment}"' in files[target].decode(), f"{name} leads to {link}"
    assert reached == {name for name, _ in pages(files)}, "a page to which nothing leads"


def test_ranking_round_table_deal_and_people_are_in_it(finished: Championship) -> None:
    files = dict(pages(copied(finished)))
    assert "Herbstcup" in files["index.html"]
    assert "Bären, Ins" in files["index.html"]
    assert 'href="pages/person-1.html">Anna Ammann' in files["index.html"]
    assert 'href="table-1-1.html"' in files["pages/round-1.html"]
    tricks = files["pages/table-1-1.html"]
    assert tricks.count('<th scope="row">') >= 9
    assert tricks.count('href="#ch-pip-') >= 36 + 36, "every card dealt, and every card played"
    assert len(set(re.findall(r'<symbol id="ch-pip-(.)"', tricks))) == 4
    assert re.search(r'href="table-1-[12].html"', files["pages/person-3.html"])
    assert len([name for name in files if name.startswith("pages/person-")]) == 8
    assert "pages/prizes.html" not in files, "there are none"


def test_disputes_are_in_it_with_their_ruling_and_the_moment() -> None:
    made = played(language="en")
    one = evening.table(made.rounds.get(number=1), 1)
    raised = disputes.raise_dispute(one, actor=person("gabi"), text="Was that trumps?")
    rulings.rule(raised, actor=person("gabi"), ruling={"kind": "warning"}, answer="A warning for both.")
    championships.finish(made, actor=person("fredi"))

    files = dict(pages(copied(made)))

    assert 'href="pages/disputes.html"' in files["index.html"]
    assert 'href="dispute-1.html"' in files["pages/disputes.html"]
    assert "ago" not in files["pages/disputes.html"]
    assert "A warning for both." in files["pages/dispute-1.html"]
    assert 'href="table-1-1.html"' in files["pages/dispute-1.html"]
    assert "<form" not in files["pages/dispute-1.html"]


def test_nothing_runs_is_sent_or_fetched_but_on_the_page_that_verifies(finished: Championship) -> None:
    files = copied(finished)
    for name, page in pages(files):
        assert "//" not in "".join(links_of(page)), name
        tags = "".join(re.findall(r"<[^>]*>", page.split("<body")[1]))
        assert not re.search(r"\s(on\w+|hx-[\w-]+|style)=|javascript:|csrf", tags), name
        if name != plan.VERIFY:
            assert not re.search(r"<(script|form|button|input|img|iframe|object|template)\b", page), name
            assert "script-src" not in page
    styles = b"".join(data for name, data in files.items() if name.endswith(".css"))
    for url in re.findall(rb"url\(([^)]*)\)", styles):
        assert f"files/{url.decode().removeprefix('../')}" in files


def test_a_name_that_looks_like_html_stays_text(finished: Championship) -> None:
    files = copied(finished)
    shown = "&lt;img src=x onerror=alert(1)&gt;&amp;amp; &quot;Ö&quot;"
    assert shown in files["pages/person-3.html"].decode()
    assert not any("<img" in page for _, page in pages(files))


def test_the_file_in_it_is_the_public_one_and_verifies(finished: Championship, tmp_path: Path) -> None:
    files = copied(finished)
    public = storing.current_file(finished)
    assert public is not None
    assert files["herbstcup.zip"] == b"".join(storing.read_pieces(public))
    for name in ("herbstcup.zip", plan.PROGRAM):
        (tmp_path / name).write_bytes(files[name])
    asked = [sys.executable, plan.PROGRAM, "herbstcup.zip"]
    last = sealing.find_latest_checkpoint(finished.stream_id)
    assert last is not None
    words = " ".join(sealing.in_words(last.hash))
    told = subprocess.run([*asked, "--checkpoint", words], cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout
    assert words in files["README.txt"].decode("utf-8-sig")


def test_the_same_state_gives_the_same_bytes(finished: Championship) -> None:
    first = copied(finished)
    evening.forget_what_is_shared()
    PublicFile.objects.filter(kind=COPY).delete()
    assert copied(finished) == first


def test_what_a_stranger_may_not_see_does_not_change_one_byte(finished: Championship) -> None:
    before = copied(finished)
    PublicFile.objects.filter(kind=COPY).delete()
    fredi = person("fredi")
    finished.entries.filter(number=1).update(
        email="anna@example.org", note="zahlt morgen", licence="L-77", birth_year=1950
    )
    bookings.book(finished, "expense", "Znüni", 4200, actor=fredi)
    evening.forget_what_is_shared()
    assert copied(finished) == before


def test_names_are_those_that_everybody_reads(finished: Championship) -> None:
    assert b"B\xc3\xbchler" in copied(finished)["index.html"]
    championships.edit_championship(finished, actor=person("fredi"), public_names="initials")
    assert client().get(reverse("championship_copy", args=["herbstcup"])).status_code == 404, (
        "none with names"
    )
    finished.refresh_from_db()
    evening.forget_what_is_shared()
    files = copied(finished)
    for name, data in files.items():
        if not name.endswith((".zip", ".woff2")):
            assert "Bühler".encode() not in data, name


def test_a_name_that_is_erased_is_in_no_copy_that_is_kept(finished: Championship) -> None:
    copied(finished)
    waiting = jobs.start_copy_job(finished, actor=person("fredi"))
    personal_data.erase_data(personal_data.find_subject("anna"))
    assert not PublicFile.objects.exists()
    assert not Job.objects.filter(pk=waiting.pk).exists(), "one that is being written is not kept"
    evening.forget_what_is_shared()
    assert not any(b"Ammann" in data for data in copied(finished).values())


def test_only_what_is_over_and_for_everybody_is_copied() -> None:
    made = played()
    with pytest.raises(TournamentError) as refusal:
        jobs.start_copy_job(made, actor=person("fredi"))
    assert refusal.value.code == "copies/not_finished"
    championships.finish(made, actor=person("fredi"))
    Championship.objects.filter(pk=made.pk).update(public=False)
    made.refresh_from_db()
    with pytest.raises(TournamentError) as refusal:
        jobs.start_copy_job(made, actor=person("fredi"))
    assert refusal.value.code == "copies/not_public"
    Championship.objects.filter(pk=made.pk).update(public=True)
    made.refresh_from_db()
    waiting = jobs.start_copy_job(made, actor=person("fredi"))
    Championship.objects.filter(pk=made.pk).update(public=False)
    jobs.run(waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.message) == (Job.State.FAILED, "copies/not_public")
    assert not PublicFile.objects.filter(kind=COPY).exists()


def test_cards_that_only_players_may_see_are_in_none() -> None:
    made = played(changes={"visibility": "private"})
    championships.finish(made, actor=person("fredi"))
    with pytest.raises(TournamentError) as refusal:
        jobs.start_copy_job(made, actor=person("fredi"))
    assert refusal.value.code == "copies/not_public"


def test_a_championship_in_the_archive_is_copied_as_well() -> None:
    made = played()
    archiving.archive(made, actor=person("fredi"))
    made.refresh_from_db()
    assert "index.html" in copied(made)


def test_the_director_has_it_written_and_everybody_downloads_it(finished: Championship) -> None:
    address, page = (reverse(name, args=["herbstcup"]) for name in ("championship_copy", "checkpoints"))
    assert client().get(address).status_code == 404, "there is none yet"
    assert client("gabi").post(address).status_code == 403
    assert client().post(address).status_code == 302
    assert not Job.objects.exists()
    with pytest.raises(NotAllowed):
        jobs.start_copy_job(finished, actor=person("gabi"))
    assert "A copy to keep" not in html(client("eva").get(page))
    assert "Write the copy" in html(client("fredi").get(page))
    for _press in range(2):
        client("fredi").post(address)
    job = Job.objects.get()
    assert f"job-{job.pk}" in html(client("fredi").get(page))
    assert client("eva").get(reverse("job", args=[job.pk])).status_code == 404
    assert jobs.run(job.pk)
    assert address in html(client("fredi").get(reverse("job", args=[job.pk])))
    assert "Download the copy" in html(client("eva").get(page))
    answer: Any = client().get(address)
    assert re.fullmatch(
        r'attachment; filename="herbstcup-\d{4}-\d\d-\d\d.zip"', answer["Content-Disposition"]
    )
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert "herbstcup/index.html" in archive.namelist()
    assert "Write it again" in html(client("fredi").get(page))


def test_it_speaks_the_language_of_the_championship() -> None:
    made = played(language="de")
    championships.finish(made, actor=person("fredi"))
    files = copied(made)
    assert "LIESMICH.txt" in files
    assert '<html lang="de"' in files["index.html"].decode()
    assert "Rangliste" in files["index.html"].decode()


def leads_nowhere(_: str) -> None:
    return None


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ('<a href="javascript:alert(1)">x</a>', "<span>x</span>"),
        ('<a class="button" href="/x/">x</a>', ""),
        ('<p onclick="alert(1)" hx-get="/x/" style="x" class="a">x</p>', '<p class="a">x</p>'),
        ("<form><p>x</p></form>y", "y"),
        ("<object data=x></object><marquee>x</marquee>y", "y"),
        ('<p title="&quot;&gt;&lt;b&gt;">a &lt;b&gt; &amp;amp; &#39;</p>',
         '<p title="&quot;&gt;&lt;b&gt;">a &lt;b&gt; &amp;amp; &#39;</p>'),
        ('<div class="a no-print"><p>x</p><img src=x></div>y<br>z', "y<br>z"),
        ("<!-- a comment --><script>if (a < b) {}</script>y", "y"),
        ("<p hidden>x</p>y", "y"),
    ],
)  # fmt: skip
def test_only_what_shows_is_taken_over(written: str, left: str) -> None:
    assert make_static(f"<body>before<main>{written}</main>after", leads_nowhere).html == left


@pytest.mark.parametrize("broken", ["<main><p></main>", "<main>", "no page", "<main><b><i></b></i></main>"])
def test_a_page_that_is_not_whole_is_no_page(broken: str) -> None:
    with pytest.raises(ValueError, match="<"):
        make_static(broken, leads_nowhere)


def test_a_drawing_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        drawings.load_symbols({"ch-pip-X"})
