"""/c/<slug>/rounds/<n>/fairness/: The randomness of a round's cards, and a browser check that deals them
again.
"""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from frontend.presenters.disputes.official_acts import act_lines
from frontend.presenters.rounds.table_reasons import load_reasons
from frontend.presenters.verification import fairness
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, refuse
from games import store
from games.rights.observers import build_principal
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import seed_entropy


@require_safe
@championship_page()
def round_fairness(page: PageContext, number: int) -> HttpResponse:
    """Show how the seed of a round was made: commitment, contributions and seed, with a form to contribute
    randomness.
    """
    round_ = page.find_round(number)
    stored = store.read(round_.stream_id, parts=False)
    events = fairness.list_chance_events(stored)
    course = fairness.load_seed_course(events)
    mine = page.roles.entry.pk if page.roles.entry else None
    principal = build_principal(page.request.user, page.request.session)
    context = {
        "round": round_,
        "course": course,
        "acts": act_lines(round_, load_regulations(page.championship)),
        "reasons": load_reasons(page.championship, round_.stream_id, stored),
        "may_add": seed_entropy.may_add(page.actor if page.roles.signed_in else None, round_),
        "page_data": fairness.build_fairness_data(round_, events, principal, mine),
        "words": fairness.list_check_words(),
    }
    return page.render("pages/fairness.html", context)


@require_POST
@championship_page()
def round_chance(page: PageContext, number: int) -> HttpResponse:
    """Mix the POST field `chance` into the seed of a round: numbers drawn in the hall, or 64 random hex
    characters from a phone.
    """
    if not page.roles.signed_in:
        return refuse(page)
    round_ = page.find_round(number)
    with refusals_as_messages(page.request):
        seed_entropy.contribute(round_, page.request.POST.get("chance", ""), actor=page.actor)
        messages.success(page.request, _("Added. The cards now depend on it too."))
    return redirect("round_fairness", page.championship.slug, number)
