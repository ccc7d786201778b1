"""Preset rules of series, as data. If the rules mention the key `final`, the new series gets an event with
that key.
"""

from dataclasses import dataclass
from typing import Final

from tournaments.series.document import QualifyRules, QualifyStep, SeriesRules, TableRules, TeamRules

FINAL: Final = "final"
PLACE_POINTS: Final = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)


@dataclass(frozen=True, slots=True)
class SeriesPreset:
    """Rules to begin with. title: in English; pages translate it by key."""

    key: str
    title: str
    rules: SeriesRules


def _qualify(*steps: QualifyStep, level: str) -> SeriesRules:
    return SeriesRules(qualify=QualifyRules(to=FINAL, steps=steps, level=level))


SERIES_PRESETS: Final = {
    preset.key: preset
    for preset in (
        SeriesPreset(
            "season",
            "Season: points by place, the best 3 evenings, and a final that counts double",
            SeriesRules(
                table=TableRules(kind="places", points=PLACE_POINTS, rest=1),
                best=3,
                always=(FINAL,),
                weights={FINAL: 2},
                ties=("best_event", "last_event"),
            ),
        ),
        SeriesPreset(
            "club_year",
            "Club year: the best 8 evenings; the own average for up to 2 missed evenings",
            SeriesRules(best=8, average_below=3, cancelled="reduce", ties=("best_event",)),
        ),
        SeriesPreset(
            "club_average",
            "Club year: the average of all evenings, from 6 evenings on",
            SeriesRules(total="average", least=6),
        ),
        SeriesPreset(
            "club_final",
            "Club year: the best 8 evenings; the first 16 of the table play the final, which is added",
            SeriesRules(
                best=8,
                always=(FINAL,),
                ties=("best_event",),
                qualify=QualifyRules(to=FINAL, steps=(QualifyStep(kind="table", count=16),), level="chain"),
            ),
        ),
        SeriesPreset(
            "threshold",
            "Open heats: 1,150 points qualify for the final",
            _qualify(QualifyStep(kind="threshold", points=1150), level="all"),
        ),
        SeriesPreset(
            "best_starts",
            "Open heats: the title holder and the 19 with the best single totals go to the final",
            _qualify(
                QualifyStep(kind="holder"), QualifyStep(kind="first", count=19, of="all"), level="chain"
            ),
        ),
        SeriesPreset(
            "preliminary",
            "A preliminary and a final: the 8 persons or pairs with the best single totals advance",
            _qualify(QualifyStep(kind="first", count=8, of="all"), level="chain"),
        ),
        SeriesPreset(
            "share_of_heats",
            "Heats: the best fifth of each heat plays the final",
            _qualify(QualifyStep(kind="share", percent=20, round="up"), level="all"),
        ),
        SeriesPreset(
            "sections",
            "Sections: the title holder, the first 6 of each section and the best others, up to 120",
            _qualify(
                QualifyStep(kind="holder"),
                QualifyStep(kind="first", count=6, of="each"),
                QualifyStep(kind="best_rest", fill_to=120),
                level="chain",
            ),
        ),
        SeriesPreset(
            "two_games",
            "Two games in one day: points by place of both, teams of 4",
            SeriesRules(table=TableRules(kind="places", points=PLACE_POINTS), teams=TeamRules(size=4)),
        ),
    )
}
