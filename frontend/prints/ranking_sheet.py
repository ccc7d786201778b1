"""The newest published ranking: up to sixty people on a page of A4, with the seal of the recorded data, and
with the checkpoint as an attached file.
"""

import json
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from frontend.presenters.regulations.regulations import counting_word
from frontend.presenters.standings import loaded_rankings, ranking_lines
from frontend.presenters.standings.loaded_rankings import Ranking
from frontend.presenters.standings.ranking_lines import ScoreCell, StandingsLine
from frontend.presenters.tables.codes import render_qr_code
from frontend.presenters.verification.seals import build_sealed, checkpoint_file, seal_address
from frontend.prints.occasion import Occasion
from frontend.prints.own_sheets import counts_sweeps
from frontend.prints.typesetting import Part
from tournaments.services import championship_seals
from tournaments.services.scores import ruling_marks

UNCOUNTED = "({})"
BYE = "{}°"
RULED = "{}§"


def sealed_ranking(occasion: Occasion) -> Part:
    ranking, lines = load_ranked_lines(occasion)
    short = pgettext("start, short", "S%(n)s") if ranking.by_start else pgettext("round, short", "R%(n)s")
    return ranking_sheet(
        occasion,
        _title(ranking),
        ranking.made_at,
        heads={
            "name": _("Name"),
            "rounds": [short % {"n": number} for number in ranking.rounds],
            "sweeps": _("Sweeps") if counts_sweeps(occasion) else "",
        },
        lines=[
            {
                "place": str(line.place),
                "number": str(line.number),
                "names": _names(line),
                "club": line.club,
                "cells": [_cell(cell) for cell in line.cells],
                "sweeps": str(line.sweeps),
                "total": f"{line.sum}*" if line.provisional else line.sum,
                "reason": line.reason.short if line.reason else "",
            }
            for line in lines
        ],
        legend=_legend(occasion, lines),
    )


def ranking_sheet(
    occasion: Occasion,
    title: str,
    made_at: datetime | None,
    *,
    heads: dict[str, Any],
    lines: list[dict[str, Any]],
    legend: list[str],
) -> Part:
    """Return the sheet of a ranking that was computed at `made_at`. `heads`: headings of the columns that
    differ between rankings.
    """
    when = pgettext("date format", "j M Y, H:i")
    return {
        "kind": "ranking",
        "paper": occasion.paper,
        "over": " · ".join(part for part in (occasion.over, occasion.said) if part),
        "title": title,
        "said": date_format(localtime(made_at), when) if made_at is not None else "",
        "heads": {
            "place": pgettext("ranking", "Place"),
            **heads,
            "total": _("Total"),
            "reason": _("Decided by") if any(line["reason"] for line in lines) else "",
        },
        "lines": lines,
        "legend": " · ".join(legend),
        "seal": describe_seal(occasion, made_at),
    }


def _title(ranking: Ranking) -> str:
    if ranking.final:
        return _("Final ranking")
    after = _("Ranking after session %(n)d") if ranking.by_start else _("Ranking after round %(n)d")
    return after % {"n": ranking.after}


def _names(line: StandingsLine) -> list[str]:
    names = line.name.split(" / ")
    return [*names[:-1], f"{names[-1]} ({pgettext('entry', 'withdrawn')})"] if line.withdrawn else names


def load_ranked_lines(occasion: Occasion) -> tuple[Ranking, list[StandingsLine]]:
    """Return the newest published ranking, and its lines with names."""
    ranking = loaded_rankings.load_published(occasion.championship)
    rows = ranking.rows
    keys = [] if ranking.by_start else [row.key for row in rows]
    marks = ruling_marks.load_entry_marks(occasion.championship, keys) if keys else {}
    people = ranking_lines.load_ranked_people(occasion.championship, rows)
    return ranking, ranking_lines.ranked_lines(rows, people, ranking.rounds, marks=marks)


def _cell(cell: ScoreCell | None) -> str:
    if cell is None:
        return "–"
    shown = cell.text
    if not cell.played:
        shown = BYE.format(shown)
    if cell.marks:
        shown = RULED.format(shown)
    return shown if cell.counts or cell.points is None else UNCOUNTED.format(shown)


def _legend(occasion: Occasion, lines: list[StandingsLine]) -> list[str]:
    """Explain how people are ranked, and the signs on this sheet."""
    cells = [cell for line in lines for cell in line.cells if cell is not None]
    signs = (
        (
            any(not cell.counts and cell.points is not None for cell in cells),
            UNCOUNTED.format("…"),
            _("does not count")
            if not any(cell.unfinished and not cell.counts for cell in cells)
            else _("counts only when all deals of the table are recorded"),
        ),
        (any(cell.points is None for cell in cells), "–", _("no result")),
        (any(not cell.played for cell in cells), BYE.format("…"), _describe_unplayed(cells)),
        (any(cell.marks for cell in cells), RULED.format("…"), _("changed by a ruling")),
        (any(line.provisional for line in lines), "…*", _("under appeal")),
    )
    return [counting_word(occasion.regulations), *(f"{sign} {what}" for there, sign, what in signs if there)]


def _describe_unplayed(cells: list[ScoreCell]) -> str:
    """Return the part of the legend on rounds without a table; empty if none of these cells needs it."""
    kinds = (
        (_("had a bye"), lambda cell: not (cell.played or cell.absent or cell.broken_off)),
        (_("absent"), lambda cell: cell.absent),
        (_("finished early"), lambda cell: cell.broken_off),
    )
    return ", ".join(word for word, is_one in kinds if any(map(is_one, cells)))


def describe_seal(occasion: Occasion, made_at: datetime | None) -> dict[str, Any] | None:
    """Return the first seal after `made_at` (None: the latest one); None if there is no public one."""
    checkpoint = championship_seals.find_covering_checkpoint(occasion.championship, made_at)
    if checkpoint is None:
        return None
    seal = build_sealed(checkpoint)
    address, picture = "", None
    if occasion.address:
        address = seal_address(occasion.address, occasion.championship, seal)
        picture = str(render_qr_code(address, border=0))
    return {
        "title": _("The seal of everything recorded so far"),
        "words": " ".join(seal.words),
        "says": _(
            "Seal %(number)d, %(events)d events. Anybody who has these words can check the record at home."
        )
        % {"number": seal.number, "events": seal.events},
        "address": address.partition("#")[0],
        "qr": picture,
        "qr-says": _("The address of this seal with its words"),
        "file": f"puur-checkpoint-{seal.number}.json",
        "checkpoint": json.dumps(checkpoint_file(checkpoint), sort_keys=True),
    }
