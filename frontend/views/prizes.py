"""/c/<slug>/prizes/: Prizes and their winners, and the prize-giving, call by call."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import Refused
from frontend.forms.prizes import PlanForm, PrizesForm, build_prize_plan, parse_prizes, plan_initial
from frontend.presenters import prizes as words
from frontend.presenters.refusals import describe_refusal, refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, projector_view
from frontend.views.numbers import parse_bounded
from tournaments.models import Championship, Round
from tournaments.services import prizes
from tournaments.services.current_regulations import has_sessions
from tournaments.services.money import bookings


@require_safe
@championship_page()
def prize_list(frame: PageContext) -> HttpResponse:
    giving = prizes.load_giving(frame.championship)
    context = {
        "plan": giving.plan,
        "lines": words.prize_lines(giving.plan, giving.awards, words.Names(frame.championship)),
        "money": words.format_francs(sum(prize.amount for prize in giving.plan.prizes)),
        "provisional": bool(giving.awards) and _is_still_played(frame.championship),
        "may_give": frame.roles.may("prizes"),
        "ready": bool(giving.steps),
        "missing_years": words.describe_missing_years(frame.championship, giving.plan),
    }
    return frame.page("pages/prizes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("prizes")
def prize_plan(frame: PageContext) -> HttpResponse:
    """Edit the plan of the prizes."""
    asked = frame.request.POST
    seen = parse_bounded(asked.get("version"), least=0, most=10**9, default=0) if "version" in asked else None
    by_start = has_sessions(frame.championship)
    options = {"sweeps": prizes.may_reward_sweeps(frame.championship), "by_start": by_start}
    whole_plan, rows = plan_initial(prizes.load_plan(frame.championship))
    if frame.request.method != "POST":
        return _plan_page(
            frame,
            PlanForm(initial=whole_plan, by_start=by_start),
            PrizesForm(initial=rows, prefix="prize", form_kwargs=options),
        )
    form, listed = (
        PlanForm(frame.request.POST, by_start=by_start),
        PrizesForm(frame.request.POST, prefix="prize", form_kwargs=options),
    )
    if not (form.is_valid() and listed.is_valid()):
        return _plan_page(frame, form, listed, status=400)
    try:
        plan = build_prize_plan(form, parse_prizes(listed))
        prizes.set_plan(frame.championship, plan, actor=frame.actor, version=seen)
    except Refused as error:
        refusal = describe_refusal(error)
        return _plan_page(frame, form, listed, status=400, refusal=refusal)
    messages.success(frame.request, _("The prizes are saved."))
    return redirect("prizes", frame.championship.slug)


def _plan_page(
    frame: PageContext, form: PlanForm, listed: Any, *, status: int = 200, **more: Any
) -> HttpResponse:
    missing = words.describe_missing_years(frame.championship, prizes.load_plan(frame.championship))
    more["missing_years"] = missing
    context = {"form": form, "listed": listed, "version": prizes.load_version(frame.championship), **more}
    return frame.page("pages/prize_plan.html", context, status=status)


@require_safe
@championship_page("prizes")
def prize_giving(frame: PageContext) -> HttpResponse:
    """Show the director's page of the prize-giving: the winner who is called, their prize, and the next
    winner.
    """
    return _giving_page(frame)


def _giving_page(frame: PageContext, back_to: int | None = None) -> HttpResponse:
    """Render the page of the prize-giving. `back_to`: a step to go back to that takes back paid money; the
    page then asks first.
    """
    giving = prizes.load_giving(frame.championship)
    names = words.Names(frame.championship)
    steps = [words.step_line(giving, step, n, names) for n, step in enumerate(giving.steps, 1)]
    context = {
        "giving": giving,
        "current": steps[giving.step - 1] if giving.current is not None else None,
        "following": steps[giving.step] if giving.step < len(steps) else None,
        "count": len(steps),
        "before": giving.step - 1,
        "next": giving.step + 1,
        "left": giving.left,
        "back_to": back_to,
        "taken_back": words.format_francs(prizes.compute_amount_to_take_back(giving, back_to or 0)),
        "provisional": _is_still_played(frame.championship),
        "money": any(one.amount for one in giving.awards),
        "till": bookings.find_till(frame.championship, frame.actor),
    }
    return frame.page("pages/prize_giving.html", context)


@require_POST
@championship_page("prizes")
def prize_call(frame: PageContext) -> HttpResponse:
    """Do one step of the prize-giving. `step`: the number of calls afterwards; `thing`: the prize that the
    called person `number` chooses; `later`: the called person is absent and is called later. Going back by
    several calls or to the beginning needs `sure` if it takes back money.
    """
    asked = frame.request.POST
    version = parse_bounded(asked.get("version"), least=0, most=10**9, default=0)
    with refusals_as_messages(frame.request):
        if "thing" in asked:
            number = parse_bounded(asked.get("number"), least=0, most=10**9, default=0)
            thing = parse_bounded(asked.get("thing"), least=0, most=10**6, default=10**6)
            prizes.take_gift(frame.championship, number, thing, version=version, actor=frame.actor)
        elif "later" in asked:
            prizes.postpone_current(frame.championship, version=version, actor=frame.actor)
        else:
            step = parse_bounded(asked.get("step"), least=0, most=10**6, default=10**6)
            now = prizes.load_giving(frame.championship)
            far = step < now.step - 1 or (step == 0 and now.step > 0)
            if far and "sure" not in asked and prizes.compute_amount_to_take_back(now, step):
                return _giving_page(frame, back_to=step)
            prizes.call(frame.championship, step, version=version, actor=frame.actor)
    return redirect("prize_giving", frame.championship.slug)


@require_safe
@championship_page()
@projector_view
def prizes_projector(frame: PageContext) -> HttpResponse:
    """Render the called winner for a projector, as large as possible. The page is polled."""
    giving = prizes.load_giving(frame.championship)
    shown = None
    if giving.current is not None:
        shown = words.step_line(giving, giving.current, giving.step, words.Names(frame.championship))
    context = {"shown": shown}
    if frame.is_partial:
        return HttpResponse(frame.rendered("parts/prize_projected.html", context))
    return frame.page("pages/prizes_projector.html", context)


def _is_still_played(championship: Championship) -> bool:
    return championship.rounds.exclude(status=Round.Status.CLOSED).exists()
