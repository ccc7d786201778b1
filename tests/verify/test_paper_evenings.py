"""Evenings on paper for both verifiers and the audit: totals, pairs, threes, substitutes, corrections;
and random forgeries of them, each of which has to be found.
"""

import io
from pathlib import Path
from types import ModuleType

import pytest

from games import sealing
from tests.verify.evening import Evening, export
from tests.verify.mutations import mutations, unzipped
from tests.verify.paper import EVENINGS
from tests.verify.test_browser_verifier import MUTATIONS
from tests.verify.test_honest_evenings import audited, both

TOLD = {
    "pairs": (b"entrant_formed", b"result_corrected", b"substitute_named", b"sweeps", b"totals"),
    "threes": (b"result_corrected", b"substitute_named", b"predictions"),
}


@pytest.mark.long(1)
@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_on_paper_has_no_difference_and_tells_what_happened(
    name: str, puur_verify: ModuleType, db: None, tmp_path: Path
) -> None:
    made = EVENINGS[name]()
    exported = export(made)
    assert both(puur_verify, exported, tmp_path) == []
    assert audited(made) == []
    streams = b"".join(unzipped(exported.public).values())
    assert [word for word in TOLD[name] if word not in streams] == []
    if name == "threes":
        sizes = {table.seatings.count() for round_ in made.rounds.all() for table in round_.tables.all()}
        assert sizes == {3, 4}


@pytest.fixture(params=EVENINGS)
def exported(request: pytest.FixtureRequest, db: None) -> Evening:
    return export(EVENINGS[request.param]())


@pytest.mark.long(1)
@pytest.mark.slow
def test_both_find_every_random_mutation_of_an_evening_on_paper(
    puur_verify: ModuleType, exported: Evening, key_file: Path, tmp_path: Path
) -> None:
    """A third of PUUR_MUTATIONS each; `python -m tests.verify.forge --evening pairs` makes 10,000."""
    missed, names = [], {}
    made = mutations(exported.public, sealing.load_key(key_file), seed=2, count=MUTATIONS // 3)
    for number, mutation in enumerate(made):
        names[f"{number}.zip"] = mutation.name
        (tmp_path / f"{number}.zip").write_bytes(mutation.data)
        try:
            report = puur_verify.verify(io.BytesIO(mutation.data), exported.words[-1])
        except puur_verify.Unusable:
            continue
        if not report.differences:
            missed.append(mutation.name)
    assert missed == []
