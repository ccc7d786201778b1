"""All prints: contents, permissions, and robustness against any user text."""

import io
import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import cast

import pytest
from django.urls import reverse
from django.utils import translation
from PIL import Image, ImageFont
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, StreamObject
from pytest_django import Settings

from engine import VARIANTS
from frontend.presenters.rounds import seating
from frontend.prints import pdf_cache, print_jobs, typesetting
from frontend.prints.documents import DOCUMENTS
from frontend.prints.rules_blocks import rules_in_blocks
from games.sealing import SealKey, find_latest_checkpoint, in_words, make_seal_key
from tests.client_responses import Answer
from tests.frontend.evening import (
    PEOPLE,
    championship,
    client,
    drawn,
    first,
    html,
    opened,
    person,
    table,
    work,
)
from tests.tournaments.table_play import write_sheet, write_strokes
from tournaments.models import Championship, Entry, Job, Round
from tournaments.prizes import Prize, PrizePlan
from tournaments.services import championship_seals, prize_giving
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.money import bookings, fees
from tournaments.services.money.fees import Price
from tournaments.services.rounds import rounds
from tournaments.services.table_access import table_codes

pytestmark = pytest.mark.django_db

LANGUAGES = ("de", "fr", "it", "es", "en")

MARKUP = (
    '#import "x": *',
    "*fett* _schräg_ `roh`",
    "$x^2$ @wer <wo> #pagebreak()",
    "// weg /* weg */ \\ [ ] { }",
    "= Titel",
)
PLAN = PrizePlan(
    prizes=(
        Prize(kind="place", number=1, amount=20_000, thing="Wanderpokal"),
        Prize(kind="place", number=2, amount=10_000),
        Prize(kind="last", thing="Trostpreis"),
    ),
    sharing="in_order",
    table=("Schinken", "Käse"),
)
FROM_AFAR = ("Đorđe Čović", "Ñuño Peña", "François Éné", "Łukasz Šimůnek", "Őrs Gök ğ ş", "Жанна")
FROM_ASIA = ("王小明", "山田 さくら", "김민수", "สมชาย ใจดี", "கண்ணன் கௌரி", "李娜")
EVERYWHERE = sorted(key for key, document in DOCUMENTS.items() if document.needs not in ("teams", "rounds"))
"""The documents of a championship without teams and of rounds drawn one by one; test_teams_pages.py and
test_my_rounds.py print the others.
"""
OFFICIAL = sorted(key for key in EVERYWHERE if DOCUMENTS[key].action)
PUBLIC = sorted(set(EVERYWHERE) - set(OFFICIAL))
NAMED = sorted(set(EVERYWHERE) - {"table-cards", "regulations", "blank-sheets"})
NEED_ROUND = ("ranking", "prizes", "payments")


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    pdf_cache.KEPT.clear()
    yield
    pdf_cache.KEPT.clear()


def ask(key: str, query: str = "", who: str | None = "hanna") -> Answer:
    return client(who).get(reverse("print", args=["herbstcup", key]) + query)


def pdf(key: str, query: str = "?language=en", who: str | None = "hanna") -> PdfReader:
    answer = ask(key, query, who)
    assert answer.status_code == 200, (key, query)
    assert answer["Content-Type"] == "application/pdf"
    return PdfReader(io.BytesIO(answer.content))


def texts(reader: PdfReader) -> list[str]:
    """Page by page, with single spaces."""
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def is_for_all_ears(reader: PdfReader) -> bool:
    """Whether it is PDF/UA, which it is not where a letter has no picture."""
    metadata = cast(DictionaryObject, reader.trailer["/Root"])["/Metadata"].get_object()
    return b"pdfuaid:part" in cast(StreamObject, metadata).get_data()


def played_unsealed() -> Championship:
    """A round of eight people on sheets, closed: all that can be printed can be printed now."""
    round_ = opened("sheet")
    for one in round_.tables.order_by("number"):
        write_sheet(table(round_, one.number), [100] * 8, {})
    rounds.close_round(Round.objects.get(pk=round_.pk), actor=person("fredi"))
    prize_giving.set_plan(round_.championship, PLAN, actor=person("fredi"))
    fees.set_fees(round_.championship, [Price("Mitglied", 2000)], actor=person("fredi"))
    entries.pay(round_.championship.entries.get(number=1), actor=person("hanna"))
    return round_.championship


def enter(made: Championship, *names: str) -> None:
    wanted = [entries.NewEntry(name, status="arrived") for name in names]
    entries.add_entries(made, wanted, actor=person("fredi"))


@pytest.mark.long(6)
@pytest.mark.parametrize(("key", "language", "paper"), [*product(EVERYWHERE, LANGUAGES, ("a4", "a5"))])
def test_every_document_is_made_in_every_language_and_on_every_paper(
    key: str, language: str, paper: str
) -> None:
    played_unsealed()

    reader = pdf(key, f"?language={language}&paper={paper}")

    assert len(reader.pages) >= 1
    root = reader.root_object
    assert str(root["/Lang"]) == language
    short, long = sorted(float(side) for side in reader.pages[0].mediabox[2:])
    assert (round(short), round(long)) == ((595, 842) if paper == "a4" else (420, 595))
    assert cast(DictionaryObject, root["/MarkInfo"])["/Marked"]


def test_the_sheets_speak_the_language_asked_for_whatever_the_screen_speaks() -> None:
    drawn(8)

    assert "Präsenzliste" in texts(pdf("check-in", "?language=de"))[0]
    assert "Check-in list" in texts(pdf("check-in", "?language=en"))[0]


def test_the_default_language_is_that_of_the_championship() -> None:
    made = championship(4)
    Championship.objects.filter(pk=made.pk).update(language="de")

    assert "Präsenzliste" in texts(pdf("check-in", ""))[0]
    assert "Präsenzliste" in texts(pdf("check-in", "?language=xx"))[0]


@pytest.mark.parametrize("key", [key for key in NAMED if DOCUMENTS[key].needs not in NEED_ROUND])
def test_what_looks_like_markup_in_a_name_is_printed_as_it_is(key: str) -> None:
    made = championship(3)
    enter(made, *MARKUP)
    drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))
    names = [
        entry.listed if key in ("check-in", "door-list", "wall") else entry.name
        for entry in made.entries.all()
    ]

    shown = re.sub(r"\s", "", "".join(texts(pdf(key))))

    assert [name for name in names if re.sub(r"\s", "", name) not in shown] == []


@pytest.mark.long(2)
@pytest.mark.parametrize("key", ["ranking", "prize-list", "order-of-giving", "certificates"])
def test_nor_does_it_do_anything_in_a_ranking(key: str) -> None:
    made = played_unsealed()
    winner = min(made.snapshots.latest("version").rows, key=lambda row: row["place"])["key"]
    for name in MARKUP:
        made.entries.filter(number=winner).update(name=name, family_name=name, first_name="")

        shown = re.sub(r"\s", "", "".join(texts(pdf(key))))

        assert re.sub(r"\s", "", name) in shown


@pytest.mark.parametrize("key", ["check-in", "own-sheets", "slips", "wall"])
def test_names_of_many_languages_can_be_read(key: str) -> None:
    made = championship(2)
    enter(made, *FROM_AFAR)
    drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))

    shown = " ".join(texts(pdf(key)))

    for word in " ".join(FROM_AFAR).split():
        assert word in shown


@pytest.mark.parametrize("key", ["check-in", "own-sheets", "slips", "wall"])
def test_names_in_letters_of_asia_can_be_read(key: str) -> None:
    made = championship(2)
    enter(made, *FROM_ASIA)
    drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))

    found = pdf(key)

    shown = " ".join(texts(found))
    for word in ("王小明", "山田", "さくら", "김민수", "สมชาย", "李娜"):  # readers put vowels above elsewhere
        assert word in shown
    assert is_for_all_ears(found), "a letter has no picture"


def test_a_name_that_no_font_can_show_stops_no_list() -> None:
    enter(championship(3), "日本 太郎 😀")

    found = pdf("check-in")

    assert "Anna" in texts(found)[0]
    assert not is_for_all_ears(found)


def test_the_same_evening_gives_the_same_bytes() -> None:
    drawn(8)

    first = ask("evening").content
    pdf_cache.KEPT.clear()

    assert ask("evening").content == first


def test_what_has_changed_is_printed_and_what_has_not_is_not_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = drawn(8).championship
    asked: list[bytes] = []
    run = typesetting._run

    def counted(job: bytes) -> bytes:
        asked.append(job)
        return run(job)

    monkeypatch.setattr(typesetting, "_run", counted)

    pdf("check-in")
    pdf("check-in")
    assert len(asked) == 1

    enter(made, "Zita Zaugg")
    assert "Zaugg" in texts(pdf("check-in"))[0]


def test_everybody_has_one_slip_with_table_partner_and_opponents() -> None:
    round_ = drawn(16)
    tables = seating.list_seats(round_, chips=4)

    pages = texts(pdf("slips"))

    assert len(pages) == 2
    for line in seating.sort_by_name(tables):
        slip = seating.build_slip(tables, line.number, pairs=True)
        assert slip is not None
        told = f"{slip.name} No. {slip.number} with {slip.partner} against {' '.join(slip.opponents)}"
        assert sum(page.count(told) for page in pages) == 1


def test_a_table_on_the_wall_is_never_on_two_pages() -> None:
    tables = seating.list_seats(drawn(120), chips=4)

    pages = texts(pdf("wall"))

    for one in tables:
        names = [chair.name for chair in one.chairs]
        assert any(all(name in page for name in names) for page in pages), one.number


def test_two_hundred_people_are_on_four_pages_of_the_wall() -> None:
    drawn(200)

    assert len(pdf("wall").pages) == 4


def test_partners_stand_beside_each_other_on_the_wall() -> None:
    tables = seating.list_seats(drawn(8), chips=4)

    shown = " ".join(texts(pdf("wall")))

    for seats in tables:
        one, two, three, four = (f"{chair.letter} {chair.name}" for chair in seats.chairs)
        for left, right in ((one, three), (two, four)):  # after each name stands the number of the entry
            assert re.search(rf"{left} \d+ {right}", shown)


def test_who_sits_out_stands_on_top_and_the_numbers_are_explained() -> None:
    round_ = drawn(9)
    out = round_.byes.get().entry

    for page in texts(pdf("wall")):
        assert page.index("Byes in this round:") < page.index(out.name)
        assert "The large number is the table, the small one the chip of the chair." in page


def test_a_standblatt_for_each_person_never_breaks() -> None:
    championship(7)

    pages = texts(pdf("own-sheets", "?paper=a5&language=de"))

    assert len(pages) == 7
    assert {name for name in PEOPLE[:7] if sum(name in page for page in pages) == 1} == set(PEOPLE[:7])
    assert all("Visum Gegner" in page for page in pages)


def test_many_rounds_go_on_on_a_second_sheet() -> None:
    championship(4, count=20)

    assert len(pdf("own-sheets", "?paper=a5").pages) == 8


def test_each_table_has_its_card_on_both_sides_of_the_fold() -> None:
    championship(16)

    pages = texts(pdf("table-cards", "?language=de"))

    assert len(pages) == 4
    assert all(page.count("Tisch") == 2 and page.count(str(n)) >= 2 for n, page in enumerate(pages, 1))


@pytest.mark.parametrize(
    ("preset", "heads"),
    [
        ("santiago", ["Trumpf", "Match", "Stöck", "ergeben zusammen 157"]),
        ("differenzler", ["Ansage", "Gemacht", "Differenz"]),
        ("coiffeur", ["10 ×", "Guschti", "Zählt"]),
        ("bieter", ["Gebot", "Wer"]),
    ],
)
def test_a_jasszettel_has_the_fields_of_its_game(preset: str, heads: list[str]) -> None:
    championship(12, preset=preset)

    page = texts(pdf("table-sheets", "?paper=a5&language=de"))[0]

    for head in heads:
        assert head in page


def test_before_the_draw_a_jasszettel_is_blank_and_after_it_has_names() -> None:
    round_ = drawn(8)

    assert PEOPLE[0] in " ".join(texts(pdf("table-sheets")))
    round_.championship.rounds.update(status="planned")
    pdf_cache.KEPT.clear()
    assert PEOPLE[0] not in " ".join(texts(pdf("table-sheets")))


@pytest.mark.parametrize("key", ["wall", "slips"])
def test_what_cannot_be_printed_yet_says_when(key: str) -> None:
    championship(4)

    answer = client("hanna").get(reverse("print", args=["herbstcup", key]), follow=True)

    assert answer.redirect_chain == [(reverse("prints", args=["herbstcup"]), 302)]
    assert "As soon as a round is drawn." in html(answer)


def test_what_is_no_document_is_not_found() -> None:
    championship(4)

    assert ask("passwords").status_code == 404
    assert ask("wall", "?round=9").status_code == 404


def test_lists_of_the_desk_are_for_desk_and_director_alone() -> None:
    played_unsealed()
    may = {None: 302, "eva": 403, "anna": 403, "gabi": 403, "hanna": 200, "fredi": 200}

    for key in OFFICIAL:
        assert {who: ask(key, who=who).status_code for who in may} == may, key
        assert ask(key)["Cache-Control"] == "no-store"


@pytest.mark.parametrize("key", PUBLIC)
def test_what_hangs_on_the_wall_is_for_everybody_who_sees_the_championship(key: str) -> None:
    made = played_unsealed()

    assert ask(key, who=None).status_code == 200
    Championship.objects.filter(pk=made.pk).update(public=False)
    assert [ask(key, who=who).status_code for who in (None, "eva", "anna")] == [404, 404, 200]


def test_the_whole_evening_holds_only_what_whoever_asks_may_have() -> None:
    played_unsealed()

    everything, for_eva = len(pdf("evening").pages), len(pdf("evening", who="eva").pages)

    assert everything > for_eva
    assert for_eva == sum(len(pdf(key, who="eva").pages) for key in PUBLIC)
    together = [key for key in EVERYWHERE if not DOCUMENTS[key].alone]
    assert everything == sum(len(pdf(key).pages) for key in together)


def test_the_page_offers_each_document_in_the_language_and_on_the_paper_chosen() -> None:
    played_unsealed()

    page = html(client("hanna").get(reverse("prints", args=["herbstcup"]) + "?language=de&paper=a5&round=1"))

    for key in EVERYWHERE:
        assert f"/prints/{key}.pdf?language=de&amp;paper=a5&amp;round=1" in page
    assert "/prints/check-in.pdf" not in html(client("eva").get(reverse("prints", args=["herbstcup"])))


def test_too_much_is_refused_before_anything_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(8)
    monkeypatch.setattr(typesetting, "MAX_BYTES", 100)

    answer = client("hanna").get(reverse("print", args=["herbstcup", "check-in"]), follow=True)

    assert "That is too much for one PDF." in html(answer)


def test_what_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(8)
    monkeypatch.setattr(typesetting, "TYPESETTING_TIMEOUT_SECONDS", 0.001)

    answer = client("hanna").get(reverse("print", args=["herbstcup", "check-in"]), follow=True)

    assert "This PDF takes too long." in html(answer)


def test_only_so_many_print_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(8)
    monkeypatch.setattr(typesetting, "QUEUE_TIMEOUT_SECONDS", 0)
    for _ in range(typesetting.MAX_CONCURRENT_PRINTS):
        assert typesetting._free.acquire(blocking=False)
    try:
        answers = [
            client("hanna").get(reverse(name, args=["herbstcup", "check-in"]))
            for name in ("print", "print_preview")
        ]
    finally:
        for _ in range(typesetting.MAX_CONCURRENT_PRINTS):
            typesetting._free.release()

    assert [(answer.status_code, answer["Retry-After"]) for answer in answers] == [(503, "3")] * 2
    assert ask("check-in").status_code == 200


@pytest.fixture
def key(tmp_path: Path, settings: Settings) -> SealKey:
    settings.SEAL_KEY = tmp_path / "seal_key"
    return make_seal_key(settings.SEAL_KEY)


def played(people: int = 8) -> Championship:
    """A round on sheets, closed, sealed, with a ranking."""
    round_ = opened("sheet", people=people)
    for one in round_.tables.order_by("number"):
        points = [20 + (13 * one.number + 7 * deal) % 110 for deal in range(7)]
        write_sheet(table(round_, one.number), [*points, 151], {})
    rounds.close_round(Round.objects.get(pk=round_.pk), actor=person("fredi"))
    championship_seals.seal_championship(round_.championship)
    return round_.championship


def test_the_ranking_is_one_page_with_championship_round_legend_and_seal(key: SealKey) -> None:
    made = played(60)
    last = find_latest_checkpoint(made.stream_id)
    assert last is not None

    (page,) = texts(pdf("ranking"))

    assert "Herbstcup" in page
    assert "Ranking after round 1" in page
    assert "the sum of all rounds" in page
    assert " ".join(in_words(last.hash)) in page
    assert all(entry.name in page for entry in made.entries.all())


def test_the_checkpoint_is_attached_to_the_ranking(key: SealKey) -> None:
    made = played()
    last = find_latest_checkpoint(made.stream_id)
    assert last is not None

    attachments = pdf("ranking").attachments

    assert list(attachments) == [f"puur-checkpoint-{last.says.number}.json"]
    (content,) = attachments[f"puur-checkpoint-{last.says.number}.json"]
    assert json.loads(content)["body"].encode() == last.body


def test_a_ranking_that_nobody_has_sealed_has_no_seal() -> None:
    made = played_unsealed()

    reader = pdf("ranking")

    assert made.entries.order_by("pk")[0].name in texts(reader)[0]
    assert not reader.attachments


@pytest.mark.slow
def test_two_hundred_people_keep_each_line_of_the_ranking_on_one_page(key: SealKey) -> None:
    played(200)

    pages = texts(pdf("ranking"))

    assert len(pages) <= 4
    assert all("Place Name" in page for page in pages[:-1])
    names = [entry.name for entry in Championship.objects.get().entries.all()]
    assert all(sum(name in page for page in pages) == 1 for name in names)


def test_the_prize_list_says_who_gets_what_for_a_place_and_for_what_is_special() -> None:
    made = played_unsealed()
    winner = made.entries.get(number=newest(made)[0]["key"])
    last = made.entries.get(number=prize_giving.load_giving(made).awards[-1].key)

    (page,) = texts(pdf("prize-list"))

    assert re.search(rf"{winner.name} \d+ CHF 200\.– and Wanderpokal", page)
    assert f"Last place {last.name} Trostpreis" in page
    assert page.count("from the table") == 2


def test_prizes_are_called_on_paper_in_the_order_of_the_projector() -> None:
    made = played_unsealed()
    giving = prize_giving.load_giving(made)
    called = [made.entries.get(number=key).name for step in giving.steps for key in step.keys]

    (page,) = texts(pdf("order-of-giving"))

    rest = page
    for name in called:
        assert name in rest
        rest = rest.split(name, 1)[1]
    assert rest.index("Schinken") < rest.index("Käse")


def test_what_has_been_taken_from_the_table_stands_in_both_lists() -> None:
    made = played_unsealed()
    step, call = next(
        (n, one) for n, one in enumerate(prize_giving.load_giving(made).steps, 1) if one.chooses
    )
    pdf("prize-list")
    prize_giving.call(made, step, version=1, actor=person("fredi"))
    prize_giving.take_gift(made, call.keys[0], 1, version=2, actor=person("fredi"))

    (listed,) = texts(pdf("prize-list"))

    assert re.search(rf"{made.entries.get(number=call.keys[0]).name} \d+ Käse", listed)


def test_slips_of_two_say_against_and_the_regulations_name_no_call_that_the_game_lacks() -> None:
    made = championship(4, preset="lake_constance", changes={"rounds": 1})
    drawing.draw_round(first(made), actor=person("fredi"))
    assert "with" not in (slip := texts(pdf("slips"))[0])
    assert "against" in slip
    assert "Meld or Stöck called late" not in " ".join(texts(pdf("regulations")))


def test_a_special_prize_has_a_certificate_with_what_it_gives() -> None:
    made = played_unsealed()
    last = made.entries.get(number=prize_giving.load_giving(made).awards[-1].key)

    page = texts(pdf("certificates", "?language=de"))[-1]

    assert last.name in page
    assert "Trostpreis" in page


def test_without_prizes_the_order_of_giving_says_what_it_waits_for() -> None:
    made = played_unsealed()
    prize_giving.set_plan(made, PrizePlan(), actor=person("fredi"))

    answer = client("hanna").get(reverse("print", args=["herbstcup", "order-of-giving"]), follow=True)

    assert "As soon as prizes are entered and a round is closed." in html(answer)


def newest(made: Championship) -> list[dict[str, int]]:
    """The rows of the ranking published last."""
    return [dict(row) for row in made.snapshots.latest("version").rows]


def of_pairs(people: int) -> Championship:
    """A Partnerschieber; the first with the second, and so on."""
    made = championship(people, preset="partnerschieber", changes={"rounds": 1, "hand_in": "deals"})
    there = list(made.entries.order_by("number"))
    pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=person("fredi"))
    return made


def test_a_fixed_pair_has_one_standblatt_with_both_names_and_its_number() -> None:
    made = of_pairs(8)
    drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))

    pages = texts(pdf("own-sheets", "?paper=a5"))

    assert len(pages) == 4
    for one, other in zip(PEOPLE[:8:2], PEOPLE[1:8:2], strict=True):
        assert sum(page.startswith(f"Herbstcup {one} {other} No.") for page in pages) == 1


def test_partners_who_sit_out_stand_together_on_top() -> None:
    made = of_pairs(10)
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))
    one, other = (out.entry.name for out in round_.byes.order_by("entry__number"))

    for page in texts(pdf("wall")):
        assert f"{one} / {other}" in page or f"{other} / {one}" in page


def test_a_pair_is_named_with_both_where_it_wins(key: SealKey) -> None:
    made = of_pairs(8)
    round_ = rounds.open_round(
        drawing.draw_round(made.rounds.get(number=1), actor=person("fredi")), actor=person("fredi")
    )
    for one in round_.tables.order_by("number"):
        write_sheet(table(round_, one.number), [100] * 8, {})
    rounds.close_round(Round.objects.get(pk=round_.pk), actor=person("fredi"))
    prize_giving.set_plan(made, PLAN, actor=person("fredi"))
    winner = newest(made)[0]["key"]
    names = [made.entries.get(number=number).name for number in (winner, winner + 1)]

    prize_giving.call(made, len(prize_giving.load_giving(made).steps), version=1, actor=person("fredi"))

    for document in ("ranking", "certificates", "order-of-giving", "receipts"):
        assert " ".join(names) in texts(pdf(document))[0]
    assert " / ".join(names) in texts(pdf("prize-list"))[0]


def test_who_comes_late_gets_a_sheet_without_a_name() -> None:
    championship(0)

    pages = texts(pdf("blank-sheets", "?paper=a5&language=de"))

    assert sum("Visum Gegner" in page for page in pages) == 4
    assert sum("Passe ____" in page for page in pages) == 2


def test_chips_of_a_table_of_three_are_those_that_lie_there() -> None:
    made = championship(11, preset="differenzler", changes={"chairs": "chips", "rounds": 1})
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"), left_over="three")

    tables = seating.list_seats(round_, chips=4)

    assert sorted(len(one.chairs) for one in tables) == [3, 4, 4]
    for one in tables:
        first = 4 * (one.number - 1) + 1
        assert [chair.letter for chair in one.chairs] == [str(first + n) for n in range(len(one.chairs))]


def test_a_table_of_three_has_no_partners_on_paper() -> None:
    championship(11, preset="differenzler", changes={"chairs": "chips", "rounds": 1})
    round_ = drawing.draw_round(first(Championship.objects.get()), actor=person("fredi"), left_over="three")
    three = next(one for one in seating.list_seats(round_, chips=4) if len(one.chairs) == 3)

    for chair in three.chairs:
        slip = seating.build_slip([three], chair.number, pairs=True)
        assert slip is not None
        assert slip.partner == ""
        assert len(slip.opponents) == 2


def test_a_slip_names_an_opponent_with_the_name_of_the_partner() -> None:
    round_ = drawn(8)
    [at, *_rest] = seating.list_seats(round_, chips=0)
    own, opponent, partner, last = at.chairs
    same = Entry.objects.filter(number=partner.number).values("name", "first_name", "family_name").get()
    Entry.objects.filter(number=opponent.number).update(**same)

    slip = seating.build_slip(seating.list_seats(round_, chips=0), own.number, pairs=True)

    assert slip is not None
    assert slip.partner == partner.name
    assert slip.opponents == (partner.name, last.name)


@pytest.mark.parametrize("people", [13, 20])
@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_no_record_is_on_two_pages_or_lost(people: int, paper: str) -> None:
    made = drawn(people).championship
    seated = seating.sort_by_name(seating.list_seats(first(made), chips=4))

    slips = texts(pdf("slips", f"?paper={paper}"))
    sheets = texts(pdf("own-sheets", f"?paper={paper}"))

    for line in seated:
        assert (
            sum(f"{made.entries.get(number=line.number).name} No. {line.number} " in page for page in slips)
            == 1
        )
    assert sum(page.count("Signature of an opponent") for page in sheets) == people


def test_three_places_get_a_certificate(key: SealKey) -> None:
    made = played()
    first = [row["key"] for row in made.snapshots.latest("version").rows if row["place"] <= 3]

    pages = texts(pdf("certificates", "?language=de"))

    assert len(pages) == len(first)
    for number, page in zip(first, pages, strict=True):
        assert "Urkunde" in page
        assert made.entries.get(number=number).name in page


def test_where_wins_are_credited_no_print_calls_them_points(key: SealKey) -> None:
    round_ = opened("sheet", people=4, preset="lake_constance", changes={"rounds": 1})
    for one in round_.tables.select_related("game"):
        write_strokes(one, 5)
    rounds.close_round(round_, actor=person("fredi"))
    work()

    ranking = round_.championship.snapshots.latest("version")
    ranking.rows[0]["total"] = "3/2"  # with an average for a bye
    ranking.save()

    first, second, *_ = texts(pdf("certificates"))
    assert "1.5 wins" in first
    assert "1 win" in second
    assert "Wins" in texts(pdf("own-sheets"))[0]


def test_the_prize_list_has_a_line_for_each_place(key: SealKey) -> None:
    made = played()

    (page,) = texts(pdf("prize-list"))

    assert all(entry.name in page for entry in made.entries.all())


def test_the_reglement_has_numbered_articles_in_the_language_asked_for() -> None:
    championship(4)

    german, english = (" ".join(texts(pdf("regulations", f"?language={code}"))) for code in ("de", "en"))

    assert "Reglement" in german
    assert "Der Anlass" in german
    assert "The evening" in english
    assert " 1 Game " in english


def test_what_is_known_by_now_stands_on_the_standblatt(key: SealKey) -> None:
    made = played()
    row = made.snapshots.latest("version").rows[0]

    page = next(
        page
        for page in texts(pdf("own-sheets", "?paper=a5"))
        if made.entries.get(number=row["key"]).name in page.split("Round")[0]
    )

    assert str(row["total"]) in page


def test_a_table_card_has_the_code_and_an_address_that_phones_reach(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    made = championship(8)
    table_codes.make_codes(made, 2, actor=person("fredi"))
    codes = [card.grouped for card in table_codes.list_cards(made)]
    address = reverse("print", args=["herbstcup", "table-cards"]) + "?paper=a5"

    here = PdfReader(io.BytesIO(client("hanna").get(address, headers={"host": "192.168.1.20:8000"}).content))
    only_here = PdfReader(io.BytesIO(client("hanna").get(address, headers={"host": "127.0.0.1"}).content))

    for page, code in zip(texts(here), codes, strict=True):
        assert code in page
        assert "192.168.1.20:8000" in page
    assert not any(code in page for page in texts(only_here) for code in codes)
    assert "127.0.0.1" not in "".join(texts(only_here))


def ordered(key: str, who: str = "hanna") -> Job:
    """A large print, asked for by the button of its page."""
    answer = client(who).post(reverse("print_order", args=["herbstcup", key]) + "?language=de&paper=a5")
    job = Job.objects.latest("queued_at")
    assert answer.headers["Location"] == reverse("job", args=[job.pk])
    return job


def test_what_is_large_is_made_by_a_worker_and_then_lies_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_jobs, "LARGE", 8)
    drawn(8)
    assert 'form="make-own-sheets"' in html(client("hanna").get(reverse("prints", args=["herbstcup"])))

    job = ordered("own-sheets")
    work()

    job.refresh_from_db()
    assert (job.state, job.done, job.total) == ("done", 1, 1)
    page = html(client("hanna").get(reverse("job", args=[job.pk])))
    address = reverse("print", args=["herbstcup", "own-sheets"]) + "?language=de&paper=a5&round=1"
    assert f'href="{address.replace("&", "&amp;")}"' in page
    monkeypatch.setattr(typesetting, "TYPESETTING_TIMEOUT_SECONDS", 0.001)
    answer = client("hanna").get(address)
    assert len(PdfReader(io.BytesIO(answer.content)).pages) == 8


def test_a_print_asked_for_twice_is_one_job_and_what_changed_is_made_anew() -> None:
    made = drawn(8).championship

    assert ordered("slips") == ordered("slips")
    work()
    enter(made, "Zita Zaugg")

    assert ordered("slips").state == "queued"


def test_a_large_print_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(8)
    monkeypatch.setattr(typesetting, "TYPESETTING_TIMEOUT_SECONDS", 0.001)
    job = ordered("own-sheets")

    work()

    assert "This PDF takes too long." in html(client("hanna").get(reverse("job", args=[job.pk])))


def test_small_prints_and_those_of_spectators_are_links() -> None:
    drawn(8)

    for who in ("hanna", None):
        assert "/make/" not in html(client(who).get(reverse("prints", args=["herbstcup"])))


@pytest.mark.long(4)
@pytest.mark.parametrize("key", EVERYWHERE)
def test_each_document_has_a_small_picture(key: str) -> None:
    played_unsealed()

    answer = client("hanna").get(reverse("print_preview", args=["herbstcup", key]) + "?paper=a4")

    assert answer["Content-Type"] == "image/png"
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert 555 <= max(picture.size) <= 565
    assert len(answer.content) < 30_000


def test_before_anybody_is_entered_the_page_offers_blank_sheets() -> None:
    championship(0)

    page = html(client("hanna").get(reverse("prints", args=["herbstcup"])))

    assert "Nobody is entered yet" in page
    assert "/prints/blank-sheets.pdf" in page


def test_the_reglement_holds_the_rules_of_the_game_with_its_figures() -> None:
    championship(4)

    shown = " ".join(texts(pdf("regulations", "?language=de")))

    assert "Spielregeln: Schieber" in shown
    assert "Puur (Under) 20" in shown
    assert "Jede Partei zählt ihre Karten; beide zusammen müssen 157 ergeben." in shown
    assert "Variationen" not in shown
    assert "<" not in shown


@pytest.mark.parametrize("game", sorted(VARIANTS))
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_rules_of_every_game_can_be_read_as_blocks(game: str, language: str) -> None:
    with translation.override(language):
        blocks = rules_in_blocks(game)

    assert {block["kind"] for block in blocks} >= {"title", "text", "point"}
    assert all(str(block["text"]).strip() for block in blocks if block["kind"] != "row")
    assert len([block for block in blocks if block["kind"] == "title"]) == 7


def test_receipts_say_who_paid_what_to_whom_and_leave_out_what_was_taken_back() -> None:
    made = championship(3)
    enter(made, *MARKUP)
    fees.set_fees(made, [Price("Mitglied", 2050)], actor=person("fredi"))
    for entry in made.entries.all():
        entries.pay(entry, actor=person("hanna"), method="twint")
    bookings.cancel(made.bookings.get(entry__number=1), actor=person("hanna"))
    bookings.book(made, "expense", "Znüni", 1200, actor=person("hanna"))

    shown = texts(pdf("receipts", "?language=de"))

    together = " ".join(shown)
    assert len(shown) == 1, "eight on a page"
    assert together.count("CHF 20.50") == 2 + len(MARKUP)
    assert "Anna Ammann" not in together
    squeezed = re.sub(r"\s", "", together)
    assert all(re.sub(r"\s", "", name) in squeezed for name in MARKUP)
    assert "Bezahlt an" in together
    assert "Znüni CHF 12.–" in together


def test_one_receipt_is_in_the_language_of_who_asks_and_none_is_made_of_what_was_taken_back() -> None:
    made = played_unsealed()
    booking = made.bookings.get()
    browser = client("hanna")
    address = reverse("cash_receipt", args=["herbstcup", booking.pk])

    answer = browser.get(address, headers={"accept-language": "de"})
    shown = " ".join(texts(PdfReader(io.BytesIO(answer.content))))
    assert answer["Cache-Control"] == "no-store"
    assert "Quittung" in shown
    assert "Erhalten von Anna Ammann" in shown
    assert "Hanna" in shown
    bookings.cancel(booking, actor=person("hanna"))
    assert browser.get(address).status_code == 302
    assert "This line is already cancelled." in html(browser.get(reverse("cash", args=["herbstcup"])))


def test_receipts_follow_the_book() -> None:
    made = played_unsealed()
    assert "Lose" not in " ".join(texts(pdf("receipts")))
    bookings.book(made, "income", "Lose", 500, actor=person("hanna"))

    assert "Lose" in " ".join(texts(pdf("receipts"))), "no older one that was kept"
    assert "Lose" not in " ".join(texts(pdf("evening")))


def test_no_letter_is_wider_than_the_sheets_take_it_to_be() -> None:
    """A name that is taken to fit without being measured would break."""
    source = (typesetting.SETTER.parent / "templates" / "page.typ").read_text()
    told = re.findall(r'\(regex\("(.+)"\), ([\d.]+)\)', source)
    classes = [(re.compile(letters.replace('\\"', '"')), float(wide)) for letters, wide in told]
    assert len(classes) == 2
    (widest,) = map(float, re.findall(r"#let widest = ([\d.]+)", source))
    letters = [chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x250), 0x2013)]
    for name, weight in product(("hanken-grotesk", "vollkorn"), ("Regular", "SemiBold", "Bold")):
        font = ImageFont.truetype(typesetting.SETTER.parent / "fonts" / f"{name}.ttf", 1000)
        font.set_variation_by_name(weight)
        for letter in letters:
            most = next((wide for one, wide in classes if one.fullmatch(letter)), widest)
            assert font.getlength(letter) <= most * 1000, (name, weight, letter)


@pytest.mark.slow
def test_pages_are_counted_document_by_document_also_where_the_whole_evening_is_one_pdf() -> None:
    played_unsealed()
    alone = len(texts(pdf("regulations", "?language=en")))

    counted = [
        (found[1], found[2])
        for page in texts(pdf("evening"))
        if "Herbstcup" in page and (found := re.search(r"· (\d+) / (\d+)$", page))
    ]

    assert ("1", str(alone)) in counted
    assert (str(alone), str(alone)) in counted
    assert all(int(page) <= int(pages) for page, pages in counted)


def test_loose_pages_of_a_long_ranking_say_of_what_they_are_and_which_one() -> None:
    made = played_unsealed()
    newest = made.snapshots.latest("version")
    newest.rows = [{**newest.rows[0], "place": n} for n in range(1, 131)]
    newest.save()

    pages = texts(pdf("ranking"))

    assert len(pages) > 1
    for number, page in enumerate(pages, 1):
        assert page.endswith(f"· {number} / {len(pages)}")
        assert page.count("Herbstcup") >= 1


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_nobody_signs_a_page_on_which_nothing_stands(paper: str) -> None:
    championship(4, preset="klubabend", changes={})

    (signed,) = [
        page
        for page in texts(pdf("regulations", f"?language=de&paper={paper}"))
        if "Fredi, Spielleitung" in page
    ]

    assert "Rekurs" in signed
