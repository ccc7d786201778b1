"""/c/<slug>/rounds/<n>/results/: The desk's grid of results, with a line for each table."""

from typing import Any

import msgspec
from django.http import HttpResponse, JsonResponse, RawPostDataException
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine import Refused, get_variant
from engine.card_points import STOECK_POINTS
from frontend.presenters.regulations.regulations import complete_options
from frontend.presenters.tables.table_rules import build_rules
from frontend.presenters.words.refusals import refusal_sentence
from frontend.presenters.words.writing_words import RESULTS
from frontend.views.championship_context import PageContext, championship_page, is_partial_request
from games.error_responses import answer_to
from games.models import Game
from tournaments.errors import TournamentError
from tournaments.services import prize_giving
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores import desk_results


@require_safe
@championship_page("enter")
def round_results(page: PageContext, number: int) -> HttpResponse:
    """List every table of the round that plays with a score sheet, with its current result."""
    round_, regulations = page.find_round(number), load_regulations(page.championship)
    tables = desk_results.desk_rows(round_)
    rows = [row for row in tables if row.mode == Game.Mode.SHEET]
    if is_partial_request(page.request):
        return HttpResponse(escape(msgspec.json.encode(rows).decode()))
    totals = regulations.hand_in == "totals"
    options = complete_options(regulations)
    game = get_variant(regulations.play.variant)
    apart = game.apart(msgspec.convert(options, game.options))
    context: dict[str, Any] = {
        "round": round_,
        "rows": rows,
        "corrects": page.roles.may("correct") and not page.roles.read_only,
        "other_tables": len(rows) < len(tables),
        "done": sum(row.is_done for row in rows),
        "totals": totals,
        "begin_at": next((row.table for row in rows if row.lacks_deals), None),
        "confirmation": regulations.confirmation,
        "sweeps": totals and prize_giving.records_sweeps(page.championship),
        "stoecks": totals and apart is None and bool(options.get("stoeck")),
        "melds": totals and bool(options.get("melds")),
        "apart": totals and apart is not None,
        "only_cards": not (options.get("sweep_bonus") or options.get("stoeck") or options.get("melds")),
        "page_data": {
            "whole": build_rules(regulations.play.variant, regulations.play.seats, options)["points"]
            * regulations.deals,
            "deals": regulations.deals,
            "sweep": options.get("sweep_bonus") or 0,
            "stoeck": STOECK_POINTS if options.get("stoeck") else 0,
            "melds": bool(options.get("melds")),
            "bounds": None if apart is None else [apart[0] * regulations.deals, apart[1] * regulations.deals],
            "save": reverse("round_result", args=[page.championship.slug, round_.number, 0]),
        },
        "words": {key: str(text) for key, text in RESULTS.items()},
    }
    return page.render("pages/round_results.html", context)


@require_POST
@championship_page("enter")
def round_result(page: PageContext, number: int, table: int) -> HttpResponse:
    """Save one line. Returns `{row}`; a refusal `{code, message}` and, for a readable line, `params`, the
    stored `row`, and `shares`.
    """
    round_ = page.find_round(number)
    try:
        typed = msgspec.json.decode(page.request.body, type=desk_results.Typed)
    except (msgspec.ValidationError, msgspec.DecodeError, RawPostDataException):
        refusal = TournamentError("results/unreadable", _("This line cannot be read."))
        body = {"code": refusal.code, "message": refusal_sentence(refusal)}
        return JsonResponse(body, status=answer_to(refusal).status)
    try:
        row = desk_results.save_line(round_, table, typed, actor=page.actor)
    except Refused as error:
        now = desk_results.desk_rows(round_, table)
        stands = {
            "code": error.code,
            "message": refusal_sentence(error),
            "params": msgspec.to_builtins(error.params, str_keys=True, enc_hook=str),
            "row": msgspec.to_builtins(now[0]) if now else None,
            "shares": msgspec.to_builtins(desk_results.list_shared_sums(round_, table, typed))
            if error.code == "sheet/wrong_total"
            else [],
        }
        return JsonResponse(stands, status=answer_to(error).status)
    return JsonResponse({"row": msgspec.to_builtins(row)})
