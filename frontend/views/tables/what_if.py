"""/g/<game>/what-if/: Play other cards from a moment of a game. The URL contains all cards played in this
way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from engine import Refused
from engine.cards import codes
from frontend.preferences import read_preference
from frontend.presenters.names.seat_names import join_side_names
from frontend.presenters.tables.commentary import join_points
from frontend.presenters.tables.moment import load_visible_events
from frontend.presenters.tables.page_observer import restrict_for_page
from frontend.presenters.tables.table_page import TablePage, page_at_table
from frontend.presenters.tables.table_scene import Spot, rotate_seat
from frontend.presenters.words.contract_names import contract_name
from frontend.presenters.words.figures import format_figure
from frontend.presenters.words.refusals import describe_refusal
from frontend.presenters.words.vocabulary import WHY_NOT, word
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from frontend.views.tables.analysis_limits import limit_bot_time
from games.analysis import what_if as trying
from games.analysis.what_if import LineStart, TriedLine
from games.errors import TooMuch

MAX_TEXT_LENGTH = 4 * trying.MAX_CARDS


Leads = dict[str, tuple[int | None, ...]]
"""Card → the score of the deal by side, if that card is played next."""


@dataclass(frozen=True, slots=True)
class Try:
    """A card of a hand. `url`: plays it, empty if illegal; `why`: the rule that forbids it; `as_played`: it
    was played in the game; `leads`: (side, resulting score), if requested.
    """

    code: str
    url: str
    why: str
    as_played: bool
    leads: tuple[tuple[str, str], ...]


@require_safe
def what_if(request: HttpRequest, game_id: str) -> HttpResponse:
    """Render a line: cards played from a moment on. `?at=`: the event where it begins; `?line=S6,H7`: its
    cards; `?finish=played|bots`: how the deal then ends; `?compare=1`: show the score after each possible
    card.
    """
    page = page_at_table(request, game_id)
    start_seq = parse_bounded(request.GET.get("at"), least=0, most=MAX_NUMBER, default=0)
    line_text = request.GET.get("line", "")
    finish = request.GET.get("finish", "")
    context: dict[str, Any] = {
        **page.place(),
        "table": page,
        "at": start_seq,
        "replay_url": f"{reverse('replay', args=[game_id])}#seq={start_seq}",
    }
    try:
        if len(line_text) > MAX_TEXT_LENGTH or finish not in trying.FINISHES:
            raise Refused("that is no line of cards", code="what_if/too_long")
        start = trying.start_line(
            load_visible_events(page.game, restrict_for_page(page.game, page.observer)), start_seq
        )
        line, leads = _play_line(request, start, [code for code in line_text.split(",") if code], finish)
    except Refused as error:
        context["refusal"] = describe_refusal(error)
        context["too_often"] = isinstance(error, TooMuch)
        return render(request, "pages/what_if.html", context, status=429 if context["too_often"] else 400)
    return render(
        request, "pages/what_if.html", context | _line_context(request, page, start, line, leads, start_seq)
    )


def _play_line(
    request: HttpRequest, start: LineStart, chosen: Sequence[str], finish: trying.Finish
) -> tuple[TriedLine, Leads | None]:
    """Return the line; if requested and a card is to be played, also the score after each possible card."""
    if finish == "bots":
        with limit_bot_time(request):
            return trying.play_line(start, chosen, finish), None
    line = trying.play_line(start, chosen, finish)
    if request.GET.get("compare") != "1" or line.seat is None:
        return line, None
    with limit_bot_time(request):
        return line, trying.estimate_scores(start, chosen)


def _line_context(
    request: HttpRequest,
    page: TablePage,
    start: LineStart,
    line: TriedLine,
    leads: Leads | None,
    start_seq: int,
) -> dict[str, Any]:
    own_cards = [step.card for step in line.steps if step.own]
    compare, leads = leads is not None, leads or {}

    def url(cards: list[str], finish: str = "") -> str:
        params = {"at": start_seq, "line": ",".join(cards), "finish": finish}
        if compare and not finish:
            params["compare"] = 1
        return "?" + urlencode({key: value for key, value in params.items() if value != ""}, safe=",")

    trick = line.tricks[-1] if line.tricks else ()
    if line.state.dealing and not line.state.trick:
        trick = ()
    lying = dict(trick)
    really = start.played[len(line.steps)][1] if len(line.steps) < len(start.played) else None
    near = trying.play_line(start, []).seat or 0
    sides = join_side_names(page.names, page.game.sides)
    hands = [codes(hand) if line.state.dealing else [] for hand in line.state.hands]
    places = [
        Spot(
            at=rotate_seat(seat, near, len(page.names)),
            name=name,
            acting=seat == line.seat,
            lies=seat in lying,
            card=lying.get(seat),
            hand=() if seat == line.seat else tuple(hands[seat]),
            side=page.game.sides[seat] if len(page.game.sides) == len(page.names) else seat,
        )
        for seat, name in enumerate(page.names)
    ]
    tries = [
        Try(
            code,
            url([*own_cards, code]) if code in line.legal else "",
            word(WHY_NOT, line.forbidden.get(code)),
            code == really,
            tuple(zip(sides, map(format_figure, leads.get(code) or ()), strict=False)),
        )
        for code in (hands[line.seat] if line.seat is not None else [])
    ]
    finished = line.scores is not None
    return {
        "start": start,
        "line": line,
        "places": places,
        "tries": tries,
        "acting": page.names[line.seat] if line.seat is not None else "",
        "ringed": any(one.as_played for one in tries),
        "forbidden": sorted({one.why for one in tries if one.why}),
        "trick_number": len(line.state.tricks) + 1 if line.state.dealing else len(line.tricks),
        "contract": contract_name(line.state.contract, read_preference(request, "deck")),
        "steps": [(page.names[step.seat], step.card, step.own) for step in line.steps],
        "scores": join_points(line.scores),
        "was": join_points(start.scores),
        "compared": compare,
        "compare_url": "" if compare or finished else url(own_cards) + "&compare=1",
        "sides": sides,
        "so_far": list(zip(sides, _sum_by_side(line.state.taken, page.game.sides), strict=True)),
        "finished": finished,
        "undo_url": url(own_cards[:-1]) if own_cards else "",
        "restart_url": url([]) if own_cards or line.steps else "",
        "played_url": "" if finished else url(own_cards, "played"),
        "bots_url": "" if finished else url(own_cards, "bots"),
    }


def _sum_by_side(points: Sequence[int], sides: Sequence[int]) -> list[int]:
    """Return the sum of points of each side. `sides`: the side of each seat; without it each seat is a
    side.
    """
    if len(sides) != len(points):
        return list(points)
    return [
        sum(taken for taken, of in zip(points, sides, strict=True) if of == side)
        for side in range(max(sides) + 1)
    ]
