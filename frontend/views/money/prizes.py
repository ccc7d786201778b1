"""/c/<slug>/prizes/: Prizes and their winners, and the prize-giving, call by call."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import Refused
from frontend.forms.prizes import PlanForm, PrizesForm, build_prize_plan, parse_prizes, plan_initial
from frontend.presenters.money import prizes as words
from frontend.presenters.words.refusals import describe_refusal, refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.numbers import parse_bounded
from tournaments.models import Championship, Round
from tournaments.services import prize_giving
from tournaments.services.current_regulations import has_sessions
from tournaments.services.money import bookings


@require_safe
@championship_page()
def prize_list(page: PageContext) -> HttpResponse:
    giving = prize_giving.load_giving(page.championship)
    context = {
        "plan": giving.plan,
        "lines": words.prize_lines(giving.plan, giving.awards, words.Names(page.championship)),
        "money": words.format_francs(sum(prize.amount for prize in giving.plan.prizes)),
        "provisional": bool(giving.awards) and _is_still_played(page.championship),
        "may_give": page.roles.may("prizes"),
        "ready": bool(giving.steps),
        "missing_years": words.describe_missing_years(page.championship, giving.plan),
    }
    return page.render("pages/prizes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("prizes")
def prize_plan(page: PageContext) -> HttpResponse:
    """Edit the plan of the prizes."""
    asked = page.request.POST
    seen = parse_bounded(asked.get("version"), least=0, most=10**9, default=0) if "version" in asked else None
    by_start = has_sessions(page.championship)
    options = {"sweeps": prize_giving.may_reward_sweeps(page.championship), "by_start": by_start}
    whole_plan, rows = plan_initial(prize_giving.load_plan(page.championship))
    if page.request.method != "POST":
        return _plan_page(
            page,
            PlanForm(initial=whole_plan, by_start=by_start),
            PrizesForm(initial=rows, prefix="prize", form_kwargs=options),
        )
    form, listed = (
        PlanForm(page.request.POST, by_start=by_start),
        PrizesForm(page.request.POST, prefix="prize", form_kwargs=options),
    )
    if not (form.is_valid() and listed.is_valid()):
        return _plan_page(page, form, listed, status=400)
    try:
        plan = build_prize_plan(form, parse_prizes(listed))
        prize_giving.set_plan(page.championship, plan, actor=page.actor, version=seen)
    except Refused as error:
        refusal = describe_refusal(error)
        return _plan_page(page, form, listed, status=400, refusal=refusal)
    messages.success(page.request, _("The prizes are saved."))
    return redirect("prizes", page.championship.slug)


def _plan_page(
    page: PageContext, form: PlanForm, listed: Any, *, status: int = 200, **more: Any
) -> HttpResponse:
    missing = words.describe_missing_years(page.championship, prize_giving.load_plan(page.championship))
    more["missing_years"] = missing
    version = prize_giving.load_version(page.championship)
    context = {"form": form, "listed": listed, "version": version, **more}
    return page.render("pages/prize_plan.html", context, status=status)


@require_safe
@championship_page("prizes")
def prize_giving_page(page: PageContext) -> HttpResponse:
    """Show the director's page of the prize-giving: the winner who is called, their prize, and the next
    winner.
    """
    return _giving_page(page)


def _giving_page(page: PageContext, back_to: int | None = None) -> HttpResponse:
    """Render the page of the prize-giving. `back_to`: a step to go back to that takes back paid money; the
    page then asks first.
    """
    giving = prize_giving.load_giving(page.championship)
    names = words.Names(page.championship)
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
        "taken_back": words.format_francs(prize_giving.compute_amount_to_take_back(giving, back_to or 0)),
        "provisional": _is_still_played(page.championship),
        "money": any(one.amount for one in giving.awards),
        "till": bookings.find_till(page.championship, page.actor),
    }
    return page.render("pages/prize_giving.html", context)


@require_POST
@championship_page("prizes")
def prize_call(page: PageContext) -> HttpResponse:
    """Do one step of the prize-giving. `step`: the number of calls afterwards; `thing`: the prize that the
    called person `number` chooses; `later`: the called person is absent and is called later. Going back by
    several calls or to the beginning needs `sure` if it takes back money.
    """
    posted = page.request.POST
    version = parse_bounded(posted.get("version"), least=0, most=10**9, default=0)
    with refusals_as_messages(page.request):
        if "thing" in posted:
            number = parse_bounded(posted.get("number"), least=0, most=10**9, default=0)
            thing = parse_bounded(posted.get("thing"), least=0, most=10**6, default=10**6)
            prize_giving.take_gift(page.championship, number, thing, version=version, actor=page.actor)
        elif "later" in posted:
            prize_giving.postpone_current(page.championship, version=version, actor=page.actor)
        else:
            step = parse_bounded(posted.get("step"), least=0, most=10**6, default=10**6)
            now = prize_giving.load_giving(page.championship)
            far = step < now.step - 1 or (step == 0 and now.step > 0)
            if far and "sure" not in posted and prize_giving.compute_amount_to_take_back(now, step):
                return _giving_page(page, back_to=step)
            prize_giving.call(page.championship, step, version=version, actor=page.actor)
    return redirect("prize_giving", page.championship.slug)


def _is_still_played(championship: Championship) -> bool:
    return championship.rounds.exclude(status=Round.Status.CLOSED).exists()
