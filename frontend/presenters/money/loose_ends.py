"""Sentences on money that is not settled when a championship closes."""

from django.utils.translation import ngettext

from frontend.presenters.money.prizes import format_francs
from tournaments.models import Championship
from tournaments.services.money.evening_accounts import compute_evening_accounts


def list_loose_ends(championship: Championship) -> tuple[str, ...]:
    """Return a sentence for unpaid fees and one for tills that are still open; empty if there are neither."""
    sentences = []
    accounts = compute_evening_accounts(championship)
    if accounts.owing:
        sentence = ngettext(
            "%(n)d person who is or was here has not paid: CHF %(amount)s.",
            "%(n)d people who are or were here have not paid: CHF %(amount)s.",
            accounts.owing,
        )
        sentences.append(sentence % {"n": accounts.owing, "amount": format_francs(accounts.owed)})
    tills = championship.cash_shifts.filter(closed_at=None).select_related("held_by").order_by("number")
    holders = [till.held_by.display_name if till.held_by else "–" for till in tills]
    if holders:
        sentence = ngettext(
            "A till is still open: %(names)s.", "%(n)d tills are still open: %(names)s.", len(holders)
        )
        sentences.append(sentence % {"n": len(holders), "names": ", ".join(holders)})
    return tuple(sentences)
