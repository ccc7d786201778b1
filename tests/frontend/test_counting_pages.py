"""Averages, victory points, matches, the last round and Buchholz: form, articles, ranking page and files."""

import csv
import io
import json
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from django.urls import reverse
from msgspec.structs import replace

from frontend.forms.regulations import RegulationsForm
from frontend.presenters.regulations.regulations import list_articles, list_highlights
from frontend.prints.occasion import Occasion
from frontend.prints.ranking_sheet import sealed_ranking
from tests.frontend.evening import championship, client, html, person
from tests.tournaments.table_play import write_sheet
from tournaments.models import Championship, Entry, Round
from tournaments.presets import PRESETS
from tournaments.regulation_checks import decode
from tournaments.regulations import Regulations, encode
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.prize_giving import load_candidates
from tournaments.services.rounds import rounds
from tournaments.services.scores import exports, published_ranking, ranking_basis
from tournaments.standings.match_points import DEFAULT_SCALE

pytestmark = pytest.mark.django_db
ADDRESS = "/c/herbstcup/regulations/"


def sent(**changes: object) -> dict[str, object]:
    """The form as it stands, with changes."""
    form = RegulationsForm(regulations=held_now())
    data = {name: form[name].value() for name in form.fields} | changes
    return {
        name: "on" if value is True else value
        for name, value in data.items()
        if value is not None and value is not False
    }


def held_now() -> Regulations:
    return load_regulations(Championship.objects.get())


def save(**changes: object) -> Any:
    return client("fredi").post(ADDRESS, sent(**changes), follow=True)


def written(preset: str, **counting: Any) -> dict[str, str]:
    """The articles of a preset that counts so."""
    data = encode(PRESETS[preset])
    data["counting"] = {**data["counting"], **counting}
    return {article.term: article.text for article in list_articles(decode(data))}


def test_old_regulations_keep_their_bytes() -> None:
    for key, held in PRESETS.items():
        told = encode(held)["counting"]
        expected = {"scale"} if key in ("swiss_pairs", "team_league") else set()
        assert told.keys() & {"scale", "buchholz_unplayed"} == expected


def test_victory_points_are_saved_with_the_usual_scale() -> None:
    championship(0, preset="partnerschieber")

    save(counting="victory_points", buchholz=True, buchholz_unplayed="10", byes="sit_out/win")

    held = held_now()
    assert held.counting.what == "victory_points"
    assert held.counting.scale == tuple(DEFAULT_SCALE)
    assert held.counting.tie_breaks[0] == "buchholz"
    assert (held.counting.buchholz_unplayed, held.byes.points) == (10, "win")
    assert held.directions() == (1, 1)
    save(buchholz=False, counting="sum")
    assert "buchholz" not in held_now().counting.tie_breaks
    assert encode(held_now())["counting"].keys().isdisjoint({"scale"})


def test_a_typed_scale_is_kept_line_by_line() -> None:
    championship(0, preset="partnerschieber")

    save(counting="victory_points", scale="0 5 5\n\n100: 7–3\n300; 10; 0")

    assert held_now().counting.scale == ((0, 5, 5), (100, 7, 3), (300, 10, 0))
    assert "100: 7–3" in html(client("fredi").get(ADDRESS))


@pytest.mark.parametrize(
    ("preset", "changes", "said"),
    [
        ("partnerschieber", {"counting": "victory_points", "scale": "0 5"}, "three numbers on each line"),
        ("partnerschieber", {"counting": "victory_points", "scale": "0 5 4"}, "scale of victory points"),
        ("partnerschieber", {"counting": "average", "counting_number": "9"}, "scoring is not possible"),
        ("differenzler", {"counting": "matches"}, "two sides at a table"),
        ("partnerschieber", {"counting": "matches", "credit": "wins"}, "A match is won by points"),
    ],
)
def test_what_cannot_be_counted_is_refused_beside_its_field(
    preset: str, changes: dict[str, object], said: str
) -> None:
    championship(0, preset=preset)
    before = encode(held_now())

    answer = save(**changes)

    assert answer.status_code == 400
    assert said in html(answer)
    assert encode(held_now()) == before


def test_the_articles_say_how_it_counts() -> None:
    swiss = written("swiss_pairs")
    assert swiss["Counts"] == "the sum of the victory points"
    assert swiss["Victory points"].startswith("difference 0: 10–10, from 10: 11–9")
    assert "for 12 points" in swiss["Players left over"]
    assert "one’s own total" in swiss["Rounds without a full table"]
    assert swiss["Ties"].startswith("strength of the opponents (Buchholz)")
    average = written("klubabend", what="average", number=3)
    assert average["Counts"] == "the average of the rounds played, people with fewer than 3 rounds rank below"
    ladder = written("ladder")
    assert ladder["Counts"].startswith("the place in the last round")
    assert ladder["Counts"].endswith("the lowest wins")
    assert any("victory points" in line for line in list_highlights(PRESETS["swiss_pairs"]))


@pytest.mark.parametrize(
    ("what", "worth", "said"),
    [
        ("matches", 0, "adds nothing to their total"),
        ("matches", 1, "adds a drawn match to their total"),
        ("matches", 2, "adds a won match to their total"),
        ("sum", 1, "adds 1 point to their total"),
        ("victory_points", 10, "adds 10 points to their total"),
    ],
)
def test_the_articles_say_in_words_what_buchholz_counts_of_an_unplayed_round(
    what: str, worth: int, said: str
) -> None:
    scale = {"scale": [[0, 10, 10], [10, 11, 9]]} if what == "victory_points" else {}
    told = {"buchholz_unplayed": worth, "tie_breaks": ["buchholz", "lot"], **scale}
    held = written("partnerschieber", what=what, **told)
    assert said in held["Rounds without a full table"]


def test_the_articles_say_how_averages_are_rounded_and_only_where_there_are_any() -> None:
    assert (
        written("partnerschieber")["Rounding"] == "averages count exactly; pages round them to two decimals"
    )
    assert "; scaled points are whole numbers: half a point" in written("differenzler")["Rounding"]
    assert "Rounding" not in written("swiss_pairs")
    former = replace(PRESETS["partnerschieber"], averages=msgspec.UNSET)
    told = {one.term: one.text for one in list_articles(former)}
    assert told["Rounding"] == "averages and scaled points are whole numbers: half a point is rounded up"


def played(**counting: Any) -> Championship:
    """Three rounds of nine people of which one differs each time: somebody has a mean in thirds."""
    made = championship(
        0,
        preset="klubabend",
        changes={
            "rounds": 3,
            "deals": 1,
            "hand_in": "deals",
            "counting": {"what": "average", "tie_breaks": ["buchholz", "lot"], **counting},
        },
    )
    people = [entries.NewEntry(f"Person{n} Muster", status=Entry.Status.ARRIVED) for n in range(1, 10)]
    entries.add_entries(made, people, actor=person("fredi"))
    for round_ in made.rounds.order_by("number"):
        play(round_)
    return made


def play(round_: Round) -> None:
    drawing.draw_round(round_, actor=person("fredi"))
    for table in round_.tables.select_related("round__championship"):
        rounds.set_mode(table, "sheet", actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    for table in round_.tables.order_by("number"):
        write_sheet(table, [80 + 7 * table.number + 3 * round_.number])
    rounds.close_round(Round.objects.get(pk=round_.pk), actor=person("fredi"))


def test_a_mean_is_exact_in_files_of_programs_and_rounded_on_pages_and_in_spreadsheets() -> None:
    made = played()
    rows = published_ranking.decode_rows(made.snapshots.latest("version"))
    row = next(row for row in rows if isinstance(row.total, Fraction))

    shown = html(client().get(reverse("standings", args=["herbstcup"])))
    file = exports.export(made, "standings", "csv", actor=person("fredi"))
    told = exports.export(made, "standings", "json", actor=person("fredi"))

    assert f"{float(row.total):.2f}".rstrip("0").rstrip(".") in shown
    assert str(row.total) not in shown
    lines = list(csv.reader(io.StringIO(file.data.decode("utf-8-sig")), delimiter=";"))
    assert str(round(float(row.total), 4)) in {line[lines[0].index("total")] for line in lines}
    assert str(row.total) in {str(one["total"]) for one in json.loads(told.data)["rows"]}


def test_the_live_ranking_is_the_published_one() -> None:
    made = played(number=2, buchholz_unplayed=50)
    assert published_ranking.decode_rows(made.snapshots.latest("version")) == ranking_basis.live_ranking(made)


def test_pairs_of_a_swiss_evening_rank_by_victory_points_and_opponents() -> None:
    """Buchholz is added up by hand from the tables."""
    made = championship(0, preset="swiss_pairs", changes={"rounds": 3, "deals": 1, "hand_in": "deals"})
    people = [entries.NewEntry(f"Person{n} Muster", status=Entry.Status.ARRIVED) for n in range(1, 13)]
    there = entries.add_entries(made, people, actor=person("fredi"))
    pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=person("fredi"))
    for round_ in made.rounds.order_by("number"):
        play(round_)
    rows = published_ranking.decode_rows(made.snapshots.latest("version"))
    total = {number: int(row.total) for row in rows for number in row.numbers}
    met: dict[int, int] = dict.fromkeys(total, 0)
    for round_ in made.rounds.all():
        for table in round_.tables.all():
            seats = list(table.seatings.order_by("seat").values_list("entry__number", flat=True))
            for at, number in enumerate(seats):
                met[number] += total[seats[(at + 1) % 4]]
    keys = [(total[row.numbers[0]], met[row.numbers[0]]) for row in rows]
    assert keys == sorted(keys, reverse=True)
    assert sum(total[row.numbers[0]] for row in rows) == 3 * 3 * 20
    assert "strength of the opponents (Buchholz)" in html(
        client().get(reverse("standings", args=["herbstcup"]))
    ) or len(set(keys)) == len({key[0] for key in keys})


def test_the_worth_of_missed_rounds_is_chosen_told_and_shown() -> None:
    championship(0, preset="klubabend", changes={"rounds": 2, "deals": 1})
    assert save(absences="own", absences_most="2").status_code == 200
    held = held_now()
    assert encode(held)["absences"] == {"points": "own", "fixed": 0, "most": 2}
    assert "broken_off" not in encode(held)
    told = {article.term: article.text for article in list_articles(held)}
    assert told["Absences"].startswith("the average of one's own rounds; at most 2 times")
    assert save(absences="fixed", absence_points="40").status_code == 200
    assert encode(held_now())["absences"] == {"points": "fixed", "fixed": 40, "most": 2}
    assert save(absences="").status_code == 200
    assert "absences" not in encode(held_now())


def test_a_missed_round_that_counts_is_named_on_the_page_and_is_no_taking_part() -> None:
    made = championship(
        9,
        preset="klubabend",
        changes={"rounds": 2, "deals": 1, "hand_in": "deals", "absences": {"fixed": 33}},
    )
    play(made.rounds.get(number=1))
    gone = made.entries.get(number=made.rounds.get(number=1).seatings.order_by("pk")[0].entry.number)
    entries.leave(gone, actor=person("fredi"))
    play(made.rounds.get(number=2))

    shown = html(client().get(reverse("standings", args=["herbstcup"])))
    candidates = {one.key: one for one in load_candidates(made)}

    assert '<td class="num given" title="absent">33</td>' in shown
    assert "a bye or a missed round" in shown
    assert not candidates[gone.number].complete
    assert sum(one.complete for one in candidates.values()) == 8


def test_the_worth_of_tables_broken_off_is_chosen_told_and_shown() -> None:
    made = championship(8, preset="klubabend", changes={"rounds": 2, "deals": 2, "hand_in": "deals"})
    assert save(broken_off="win", absences="win").status_code == 200
    held = held_now()
    assert encode(held)["broken_off"] == {"points": "win", "fixed": 0, "most": 1}
    told = {article.term: article.text for article in list_articles(held)}
    assert told["Tables finished early"] == "the average of the round's winners; at most 1 time"
    assert told["Absences"].startswith("the average of the round's winners; at most 1 time")
    assert save(broken_off="fixed", broken_off_points="70", broken_off_most="2").status_code == 200
    told = {article.term: article.text for article in list_articles(held_now())}
    assert told["Tables finished early"] == "70 points for such a round; at most 2 times"

    round_ = drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))
    for table in round_.tables.all():
        rounds.set_mode(table, "sheet", actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    write_sheet(round_.tables.get(number=1), [100, 90])
    write_sheet(round_.tables.get(number=2), [120])
    rounds.close_round(round_, actor=person("fredi"), force=True)

    shown = html(client("fredi").get(reverse("standings", args=["herbstcup"])))
    assert shown.count('<td class="num given" title="finished early">') == 4
    assert "a bye, or a round missed or finished early" in shown
    sheet = f"{reverse('correct_of', args=['herbstcup', 1])}?entry="
    assert shown.count(sheet) == 8
    printed = sealed_ranking(Occasion(made, held_now(), round_, "en", "a4", ""))
    assert [line["cells"] for line in printed["lines"]].count(["70°"]) == 4
    assert "…° finished early" in printed["legend"]


def test_who_is_excused_is_noted_at_the_desk_before_the_draw() -> None:
    made = championship(8, preset="klubabend", changes={"rounds": 3, "deals": 1, "hand_in": "deals"})
    address = reverse("entry_edit", args=["herbstcup", 2])
    assert "Excused in rounds" not in html(client("fredi").get(address))
    assert save(absences="average", absences_excused="on").status_code == 200
    assert encode(held_now())["absences"] == {"points": "average", "fixed": 0, "most": 1, "excused": True}
    told = {article.term: article.text for article in list_articles(held_now())}
    assert "only for people excused before the round was drawn" in told["Absences"]
    entry = made.entries.get(number=2)
    sent_entry = {"family_name": entry.family_name, "first_name": entry.first_name, "excused_rounds": "3, 2"}
    assert client("fredi").post(address, sent_entry).status_code == 302
    assert made.entries.get(number=2).excused_rounds == [2, 3]
    assert 'value="2, 3"' in html(client("fredi").get(address))
    for wrong in ("4", "0", "zwei"):
        assert client("fredi").post(address, {**sent_entry, "excused_rounds": wrong}).status_code == 400
    play(made.rounds.get(number=1))
    drawing.draw_round(made.rounds.get(number=2), actor=person("fredi"))
    answer = client("fredi").post(address, {**sent_entry, "excused_rounds": "3"})
    assert answer.status_code == 400
    assert "entries/excused_late" in html(answer)


def test_absences_are_refused_beside_their_field() -> None:
    championship(0, preset="swiss_pairs", changes={"rounds": 2, "deals": 1})
    for field in ("absences", "broken_off"):
        answer = save(**{field: "own"})
        assert answer.status_code == 400
        assert "own rounds changes with each" in html(answer)
    assert save(absences="win", broken_off="average").status_code == 200
