"""/c/<slug>/rounds/<n>/tables/<t>/correct/: Correct a result on a score sheet in any round, with a preview of
the effect.
"""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from engine import Refused, State, list_sheet_fields
from frontend.forms.correction import CorrectionForm
from frontend.preferences import read_preference
from frontend.presenters.disputes.corrections import (
    describe_consequences,
    list_past_corrections,
    list_sheet_rows,
    load_sheet_values,
)
from frontend.presenters.names.seat_names import join_side_names, seat_names
from frontend.presenters.words.refusals import describe_refusal, refusal_sentence
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from games import game_state
from games.error_responses import answer_to
from games.ids import new_id
from games.models import Game
from tournaments.models import Round, Table
from tournaments.services.referee import corrections
from tournaments.services.scores import photos
from tournaments.services.scores.tables_of_starts import find_table_of_start


@dataclass(frozen=True)
class Sheet:
    """The score sheet of a table. `seq`: sequence number up to which the game was read; `deal`: the selected
    deal, 0 for none.
    """

    page: PageContext
    table: Table
    game: Game
    state: State
    seq: int
    deal: int

    @property
    def names(self) -> list[str]:
        return seat_names(self.game)

    @property
    def is_totals(self) -> bool:
        """Whether the sheet has a single line with the totals of the round."""
        return self.state.hand_in == "totals"

    @property
    def sides(self) -> list[str]:
        return join_side_names(self.names, self.game.sides)

    def form(self, data: Any = None, back_to: int | None = None) -> CorrectionForm:
        fields = list_sheet_fields(self.state, self.deal)
        return CorrectionForm(
            data,
            sheet=fields,
            names=self.names,
            sides=self.sides,
            deck=read_preference(self.page.request, "deck"),
            now=load_sheet_values(self.table, self.state, self.deal, fields, back_to),
            missing=self.deal > len(self.state.results),
            initial={"seen": self.seq, "token": new_id()},
        )


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("correct")
def correct(page: PageContext, number: int, table: int) -> HttpResponse:
    """Show the sheet, or save a correction (POST). `?deal=3`: show the form for deal 3; with `&back=17` it
    contains the result that event 17 recorded.
    """
    sheet = _load_sheet(page, number, table)
    if page.request.method != "POST" or sheet.deal == 0:
        back = page.request.GET.get("back")
        return _correct_page(
            sheet, back_to=parse_bounded(back, least=0, most=MAX_NUMBER, default=0) if back else None
        )
    form = sheet.form(page.request.POST)
    if not form.is_valid():
        return _correct_page(sheet, form, status=400)
    given = form.cleaned_data
    try:
        corrections.correct_result(
            sheet.table,
            sheet.deal,
            form.given(),
            actor=page.actor,
            reason=given["reason"],
            seen=given["seen"],
            command_id=f"correction:{given['token'] or new_id()}",
        )
    except Refused as error:
        refusal = describe_refusal(error)
        return _correct_page(
            _load_sheet(page, number, table), form, refusal=refusal, status=answer_to(error).page
        )
    sentence = (
        _("The totals of table %(table)d are corrected.")
        if sheet.is_totals
        else _("Deal %(deal)d of table %(table)d is corrected.")
    )
    said = [sentence % {"deal": sheet.deal, "table": table}]
    if sheet.table.round.status == Round.Status.CLOSED:
        said.append(_("The ranking is published again."))
    messages.success(page.request, " ".join(said))
    return redirect("correct", page.championship.slug, number, table)


@require_safe
@championship_page("correct")
def correct_preview(page: PageContext, number: int, table: int) -> HttpResponse:
    """Render the effect of the submitted form. The page requests it after each change of a field."""
    sheet = _load_sheet(page, number, table)
    if sheet.deal == 0:
        raise Http404
    form = sheet.form(page.request.GET)
    return page.render(
        "parts/correction_outlook.html", _preview_context(sheet, form) | {"is_totals": sheet.is_totals}
    )


@require_safe
@championship_page("correct")
def correct_of(page: PageContext, number: int) -> HttpResponse:
    """Redirect to the correction of a table of the round: of table `?table=3`, or of the table where the
    entry with the number `?entry=12` sat.
    """
    round_ = page.find_round(number)
    entry = parse_bounded(page.request.GET.get("entry"), least=0, most=MAX_NUMBER, default=0)
    table = parse_bounded(page.request.GET.get("table"), least=0, most=MAX_NUMBER, default=0)
    if entry:
        his = Q(entry__number=entry) | Q(entry__merged_into__number=entry)
        seating = round_.seatings.filter(his).select_related("table").first()
        table = seating.table.number if seating is not None else 0
    sits = round_.tables.filter(number=table).first()
    if sits is None:
        messages.error(page.request, _("There is no such table."))
        return redirect("round", page.championship.slug, number)
    return _redirect_to_sheet(page, number, sits)


@require_safe
@championship_page("correct")
def correct_start(page: PageContext, number: int, start: int) -> HttpResponse:
    """Redirect to the correction of the table on which a start was played. `number`: of the row in the
    ranking of an open heat; `start`: its column. `?live=1`: columns of the live ranking; `?after=2`: of the
    ranking after session 2.
    """
    begun = page.championship.rounds.exclude(status=Round.Status.PLANNED)
    if page.request.GET.get("live") != "1":
        after = parse_bounded(page.request.GET.get("after"), least=0, most=MAX_NUMBER, default=MAX_NUMBER)
        begun = begun.filter(status=Round.Status.CLOSED, number__lte=after)
    sits = find_table_of_start(page.championship, list(begun), number, start)
    if sits is None:
        messages.error(page.request, _("There is no such table."))
        return redirect("standings", page.championship.slug)
    return _redirect_to_sheet(page, sits.round.number, sits)


def _redirect_to_sheet(page: PageContext, number: int, sits: Table) -> HttpResponse:
    address = reverse("correct", args=[page.championship.slug, number, sits.number])
    # With one line there is nothing to choose.
    totals = sits.game_id is not None and game_state.load_snapshot(sits.game_id).state.hand_in == "totals"
    return redirect(f"{address}?deal=1#correction" if totals else address)


def _load_sheet(page: PageContext, number: int, table: int) -> Sheet:
    table_row = page.find_round(number).tables.filter(number=table).select_related("game").first()
    if table_row is None or table_row.game is None:
        raise Http404(_("There is no such table."))
    table_row.round.championship = page.championship
    now = game_state.load_snapshot(table_row.game.pk)
    asked = parse_bounded(page.request.GET.get("deal"), least=0, most=1000, default=0)
    sheets = table_row.game.mode == Game.Mode.SHEET
    known = asked if sheets and asked <= len(now.state.results) + (not now.state.over) else 0
    return Sheet(page, table_row, table_row.game, now.state, now.head.seq, known)


def _correct_page(
    sheet: Sheet,
    form: CorrectionForm | None = None,
    *,
    back_to: int | None = None,
    refusal: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    page, state = sheet.page, sheet.state
    context: dict[str, Any] = {
        "round": sheet.table.round,
        "table": sheet.table,
        "game": sheet.game,
        "sides": sheet.sides,
        "is_sheet": sheet.game.mode == Game.Mode.SHEET,
        "is_totals": sheet.is_totals,
        "deal": sheet.deal,
        "refusal": refusal,
    }
    if context["is_sheet"]:
        context |= {
            "rows": list_sheet_rows(state, read_preference(page.request, "deck")),
            "totals": list(state.totals),
            "past": list_past_corrections(sheet.table, sheet.sides),
            "broken_off": state.closed,
            "photos": photos.count_photos(sheet.table),
        }
    if sheet.deal:
        why = corrections.find_correction_refusal(sheet.table, page.actor, sheet.deal)
        context["may_not"] = why
        if why is None:
            context["form"] = form or sheet.form(back_to=back_to)
            context |= _preview_context(sheet, _as_submitted(sheet, context["form"]))
    return page.render("pages/correct.html", context, status=status)


def _as_submitted(sheet: Sheet, form: CorrectionForm) -> CorrectionForm:
    """Return the form as if it had been submitted unchanged, so that the page shows the effect from the
    beginning.
    """
    if form.is_bound:
        return form
    return sheet.form({name: value for name, value in form.initial.items() if value is not None})


def _preview_context(sheet: Sheet, form: CorrectionForm) -> dict[str, Any]:
    if not form.is_valid():
        return {}
    try:
        consequences = corrections.preview(sheet.table, sheet.deal, form.given())
    except Refused as error:
        return {"impossible": refusal_sentence(error)}
    return {"outlook": describe_consequences(sheet.table, consequences, sheet.sides)}
