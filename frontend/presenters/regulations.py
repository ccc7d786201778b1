"""The regulations in the words of the people who play by them: one line a choice."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine import variant
from frontend.presenters.vocabulary import INCIDENTS, MODES, RULINGS, TIE_BREAKS, word
from tournaments.regulations import Regulations


@dataclass(frozen=True, slots=True)
class Article:
    term: str
    text: str


def title(preset: str) -> str:
    """Presets are called by the name of their club or of the way of playing: the same in every language."""
    return preset.replace("_", " ").capitalize()


def game_name(key: str) -> str:
    return key.replace("_", " ").title()


def complete_options(regulations: Regulations) -> dict[str, Any]:
    """The engine's options as every table gets them, defaults and preset included."""
    game = variant(regulations.play.variant)
    chosen = {**game.presets.get(regulations.play.preset or "", {}), **regulations.options()}
    complete: dict[str, Any] = msgspec.to_builtins(msgspec.convert(chosen, game.options))
    return complete


def articles(regulations: Regulations) -> list[Article]:
    """All of it, in the order people ask."""
    return list(_articles(regulations))


def highlights(regulations: Regulations) -> list[str]:
    """The few lines that tell one preset from another."""
    return [article.text for article in articles(regulations)[1:5]]


def _articles(regulations: Regulations) -> Iterator[Article]:
    options = complete_options(regulations)
    yield Article(_("Game"), game_name(regulations.play.variant))
    rounds = ngettext("%(n)d round", "%(n)d rounds", regulations.rounds) % {"n": regulations.rounds}
    deals = ngettext("of %(n)d deal", "of %(n)d deals", regulations.deals) % {"n": regulations.deals}
    yield Article(_("Length"), f"{rounds} {deals}")
    yield Article(_("Points"), _points(options))
    yield Article(_("Counts"), _counting(regulations))
    yield Article(_("Partners"), _partners(regulations))
    yield Article(
        _("When level"),
        ", ".join(word(TIE_BREAKS, name) for name in regulations.counting.tie_breaks)
        or _("places are shared"),
    )
    yield Article(_("Not divisible by %(n)d") % {"n": regulations.play.seats}, _byes(regulations))
    yield Article(_("Tables"), word(MODES, regulations.play.mode))
    if regulations.play.turn_seconds:
        clock = regulations.play.turn_seconds
        yield Article(_("Clock"), _("%(n)d seconds for each card at online tables") % {"n": clock})
    if options.get("partner_waits"):
        yield Article(_("Partner"), _("leaves the cards face down until forehand has chosen or pushed"))
    yield Article(_("Score sheet"), _("a sum that is not right is not accepted"))
    yield Article(_("Spectators"), _visibility(regulations.visibility))
    if regulations.round_minutes:
        yield Article(_("Time"), _("%(n)d minutes a round") % {"n": regulations.round_minutes})
    for incident, remedy in regulations.remedies.items():
        ruling = word(RULINGS, remedy.ruling)
        yield Article(word(INCIDENTS, incident), f"{ruling} ({remedy.article})" if remedy.article else ruling)


def _points(options: dict[str, Any]) -> str:
    parts = []
    multipliers = set((options.get("multipliers") or {}).values())
    if multipliers:
        parts.append(
            _("every contract counts once") if multipliers == {1} else _("contracts count several times")
        )
    if "sweep_bonus" in options:
        bonus = options["sweep_bonus"]
        parts.append(_("%(n)d for a sweep") % {"n": bonus} if bonus else _("nothing extra for a sweep"))
    if "stoeck" in options:
        parts.append(_("with Stöck") if options["stoeck"] else _("without Stöck"))
    if "melds" in options:
        parts.append(_("with melds") if options["melds"] else _("without melds"))
    return ", ".join(parts)


def _counting(regulations: Regulations) -> str:
    counting, number = regulations.counting, regulations.counting.number
    if counting.what == "drop_worst":
        text = ngettext(
            "the sum without the worst round", "the sum without the %(n)d worst rounds", number
        ) % {"n": number}
    elif counting.what == "best":
        text = ngettext("the best round", "the best %(n)d rounds", number) % {"n": number}
    else:
        text = _("the sum of all rounds")
    return _("%(counting)s, the lowest wins") % {"counting": text} if counting.lowest_wins else text


def _partners(regulations: Regulations) -> str:
    if regulations.play.format == "solo":
        return _("everyone plays alone; tables are drawn")
    when = _("drawn anew for each round, nobody twice with the same")
    return (
        _("%(when)s; numbered chips, even against odd") % {"when": when}
        if regulations.chairs == "chips"
        else when
    )


def _byes(regulations: Regulations) -> str:
    if regulations.byes.policy == "house":
        return _("players of the house help out")
    if regulations.byes.points == "fixed":
        return _("some sit out in turn, for %(n)d points") % {"n": regulations.byes.fixed}
    return _("some sit out in turn, for the average of the round")


def _visibility(visibility: str) -> str:
    return {
        "private": _("see no cards"),
        "played": _("see the cards that have been played"),
        "after_deal": _("see all hands once a deal is over"),
    }.get(visibility, visibility)
