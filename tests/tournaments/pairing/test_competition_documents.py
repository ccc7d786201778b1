"""Documents of competitions: the printed example, entrants that have gone, input that cannot be read."""

import json
import subprocess
import sys

import pytest

from deploy.environment import BASE_DIR
from tests.tournaments.pairing.played_rounds import Document, persons
from tournaments.competition import CompetitionError, decode_competition
from tournaments.pairing.systems import draw_next
from tournaments.standings.competition_ranking import rank_competition

EXAMPLE = """{"system": "fixed_pairs", "options": {}, "size": 4, "rounds": 7, "seed": "any text",
 "entrants": [{"ref": "A", "members": ["a1", "a2"], "start_rank": 1, "team": "T1", "from_round": 1,
               "until_round": null}],
 "past": [{"round": 1, "tables": [{"seats": ["a1", "b1", "a2", "b2"], "points": [700, 556, 700, 556]}],
           "byes": ["C"]}],
 "counting": {"what": "sum", "tie_breaks": ["buchholz"]}, "direction": 1,
 "apart": [["A", "B", "hard"]], "absent_rounds": {"C": [3]}, "bye": {"points": "mean_of_round"}}"""


def test_the_past_may_name_entrants_that_are_not_in_the_document() -> None:
    competition = decode_competition(EXAMPLE)
    found = draw_next(competition)
    assert found is not None
    assert found.byes == ("A",)
    (line,) = rank_competition(competition)
    assert (line.place, line.ref, line.total) == (1, "A", 700)


def test_an_entrant_who_has_gone_after_a_bye_keeps_the_plan_of_a_whist() -> None:
    document: Document = {"system": "whist", "seed": "s", "entrants": persons(5)}
    first = draw_next(decode_competition(document))
    assert first is not None
    past = [{"round": 1, "tables": [{"seats": list(first.tables[0])}], "byes": list(first.byes)}]
    staying = [one for one in persons(5) if one["ref"] not in first.byes]
    leaving = [{**one, "until_round": 1} if one["ref"] in first.byes else one for one in document["entrants"]]
    without, marked = (
        draw_next(decode_competition({**document, "entrants": entrants, "past": past}))
        for entrants in (staying, leaving)
    )
    assert without is not None
    assert marked is not None
    assert without.tables == marked.tables


@pytest.mark.parametrize("data", ["", "{", "[" * 100_000, json.dumps({"size": 10**30}), "null"])
def test_input_that_cannot_be_read_is_refused(data: str) -> None:
    with pytest.raises(CompetitionError) as refused:
        decode_competition(data)
    assert refused.value.code == "pairing/unreadable"


def test_the_answer_can_be_written_in_every_locale() -> None:
    document = {"size": 2, "entrants": [{"ref": "Zo\u00eb"}, {"ref": "J\u00fcrg"}]}
    answer = subprocess.run(
        [sys.executable, "-m", "tournaments.pairing", "next"],
        input=json.dumps(document, ensure_ascii=False).encode(),
        cwd=BASE_DIR,
        env={"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        capture_output=True,
        check=True,
    )
    assert set(json.loads(answer.stdout)["tables"][0]) == {"Zo\u00eb", "J\u00fcrg"}
