"""The regulations in words: one article for each choice, in chapters for pages and prints."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine import get_variant
from frontend.presenters.regulations.options import DEFAULT_DECK, list_differing_options, merge_options
from frontend.presenters.regulations.pairing_words import SYSTEMS
from frontend.presenters.standings.teams import describe_drawn_teams, describe_rules
from frontend.presenters.words.vocabulary import (
    CONFIRMATIONS,
    CORRECTING,
    CREDITS,
    FAVOURED,
    HAND_INS,
    INCIDENTS,
    MODES,
    PARTNERS,
    REMEDIES,
    RULING_NOTES,
    START_HAND_INS,
    START_PARTNERS,
    START_TIE_BREAKS,
    THREES,
    TIE_BREAKS,
    UNPLAYED_WORTHS,
    WRONG_SUMS,
    word,
)
from frontend.presenters.words.writing_words import Words
from frontend.rules.game_names import game_name, preset_name, preset_summary
from tournaments import incident_kinds
from tournaments.pairing.systems import DRAWN
from tournaments.regulations import (
    THREE,
    Regulations,
    Remedy,
    UnplayedRule,
    favoured_table,
    has_partners,
)
from tournaments.standings.counting_rules import BUCHHOLZ
from tournaments.standings.match_points import Scale
from tournaments.standings.unplayed_points import UnplayedPoints

title = preset_name
TOLD_ELSEWHERE: Final = frozenset(
    {"deals", "target", "multipliers", "sweep_bonus", "stoeck", "melds", "partner_waits"}
)
"""Options of games that articles of the regulations describe already, and that are therefore not listed
again.
"""
TELLS_UNPLAYED: Final = frozenset({"average", "victory_points", "matches", "last_round"})
"""Rules of counting for which the articles say what a round without a full table is worth."""
MATCH_WORDS: Final[Words] = {
    "victory_points": gettext_lazy("the sum of the victory points"),
    "matches": gettext_lazy("2 points for each table won, 1 for each drawn"),
}


@dataclass(frozen=True, slots=True)
class Article:
    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the regulations. The numbers of articles run across chapters."""

    title: str
    articles: tuple[Article, ...]


def complete_options(regulations: Regulations) -> dict[str, Any]:
    """Return the options with which a full table plays: the regulations', completed by the preset and by
    defaults.
    """
    play = regulations.play
    return merge_options(play.variant, play.preset, regulations.options())


def list_articles(regulations: Regulations, deck: str = DEFAULT_DECK) -> list[Article]:
    """Return all articles of the regulations, chapter by chapter. `deck`: key of the deck whose words name
    cards.
    """
    return [article for chapter in list_chapters(regulations, deck) for article in chapter.articles]


def list_highlights(regulations: Regulations) -> list[str]:
    """Return a few lines that sum up regulations: length, counting, ranking."""
    game = game_name(regulations.play.variant)
    lines = [article.text for article in _length_articles(regulations)]
    if regulations.play.credit != "points":
        lines.append(word(CREDITS, regulations.play.credit))
    elif regulations.plays_same_cards:
        lines.append(_("all tables of a round play the same deals"))
    if regulations.hand_in == "totals":
        lines.append(_("each table reports its totals"))
    lines += [counting_word(regulations), _ranked_text(regulations)]
    if summary := preset_summary(regulations.preset):
        lines.insert(0, summary)
    return lines if game == title(regulations.preset) else [game, *lines]


def list_chapters(regulations: Regulations, deck: str = DEFAULT_DECK) -> list[Chapter]:
    """Return all chapters of the regulations. `deck`: key of the deck whose words name cards."""
    return [
        Chapter(name, tuple(found))
        for name, found in (
            (_("The game"), _game_articles(regulations, deck)),
            (_("The evening"), _evening_articles(regulations)),
            (_("Points and places"), _points_articles(regulations)),
            (_("Tables and sheets"), _tables_articles(regulations)),
            (_("Penalties for incidents"), _incidents_articles(regulations)),
            (_("Objections"), _objections_articles(regulations)),
        )
    ]


def _game_articles(regulations: Regulations, deck: str) -> Iterator[Article]:
    options = complete_options(regulations)
    yield Article(_("Game"), game_name(regulations.play.variant))
    if extras := _extras_text(options):
        yield Article(_("In a deal"), extras)
    if options.get("target"):
        target = options["target"]
        yield Article(_("Target"), ngettext("%(n)d point", "%(n)d points", target) % {"n": target})
    if options.get("partner_waits"):
        yield Article(
            _("Forehand's partner"), _("leaves the cards face down until forehand has chosen or pushed")
        )
    for option, value in list_differing_options(regulations.play.variant, options, deck):
        if option.name not in TOLD_ELSEWHERE:
            yield Article(option.label, value)


def _extras_text(options: dict[str, Any]) -> str:
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


def _length_articles(regulations: Regulations) -> Iterator[Article]:
    if regulations.has_queue:
        yield Article(_("Length"), _session_text(regulations))
        return
    rounds = ngettext("%(n)d round", "%(n)d rounds", regulations.rounds) % {"n": regulations.rounds}
    if regulations.deals:
        deals = ngettext("of %(n)d deal", "of %(n)d deals", regulations.deals) % {"n": regulations.deals}
    else:
        deals = _("of one whole game")
    yield Article(_("Length"), f"{rounds} {deals}")


def _session_text(regulations: Regulations) -> str:
    """Describe sessions and starts: "4 sessions; a start is a table of 8 deals; at most 1 start a person"."""
    sentence = ngettext("%(n)d session", "%(n)d sessions", regulations.rounds) % {"n": regulations.rounds}
    one = (
        ngettext("a start is a table of %(n)d deal", "a start is a table of %(n)d deals", regulations.deals)
        % {"n": regulations.deals}
        if regulations.deals
        else _("a start is a table of one whole game")
    )
    most = (
        ngettext("at most %(n)d start per person", "at most %(n)d starts per person", regulations.most_starts)
        % {"n": regulations.most_starts}
        if regulations.starts
        else _("any number of starts")
    )
    return f"{sentence}; {one}; {most}"


def _evening_articles(regulations: Regulations) -> Iterator[Article]:
    yield from _length_articles(regulations)
    solo = regulations.play.format == "solo"
    yield Article(_("Seats") if solo else _("Partners"), _partners_text(regulations))
    on_paper = regulations.play.mode == "sheet"
    if regulations.pairing_system != DRAWN:
        term = _("Starts") if regulations.has_queue else _("Rounds")
        yield Article(term, word(SYSTEMS, regulations.pairing_system))
    if regulations.has_queue:
        yield Article(
            _("Draw"),
            _(
                "for each table, by lot among the waiting people; the same four do not meet again if "
                "avoidable"
            ),
        )
        if regulations.round_minutes:
            yield Article(_("Time"), _("%(n)d minutes per start") % {"n": regulations.round_minutes})
        return
    yield Article(_("Draw"), _draw_text(regulations, on_paper=on_paper))
    if regulations.plays_same_cards:
        yield Article(
            _("Cards"),
            _("all tables of a round play the same deals; a deal is shown when the last table has played it"),
        )
    yield Article(_("Players left over"), _byes_text(regulations))
    if regulations.byes.policy != "three" and regulations.seats_three():
        counts = _("if there are any, their results count %(how)s") % {
            "how": word(THREES, regulations.byes.three)
        }
        yield Article(_("Tables of three"), "; ".join(filter(None, [counts, table_of_three(regulations)])))
    if regulations.round_minutes:
        yield Article(_("Time"), _("%(n)d minutes per round") % {"n": regulations.round_minutes})


def _draw_text(regulations: Regulations, *, on_paper: bool) -> str:
    if regulations.draws_at_start:
        return _(
            "all rounds at the start, by lot; anybody can recompute it. An empty chair is filled "
            "first; only the director draws the coming rounds again, with a reason, and older sheets "
            "are replaced"
        )
    if on_paper:
        return _("before each round, by lot; anybody can recompute it")
    return _("before each round, from a seed fixed in advance")


def _points_articles(regulations: Regulations) -> Iterator[Article]:
    if regulations.play.credit != "points":
        yield Article(_("A table's result"), word(CREDITS, regulations.play.credit))
    if regulations.counts_against_field:
        yield Article(
            _("A deal that a table misses"),
            _("counts the mean of its other deals; a replacement for an annulled deal is not compared"),
        )
    yield Article(_("Counts"), counting_word(regulations))
    if regulations.counting.scale is not msgspec.UNSET:
        yield Article(_("Victory points"), scale_text(regulations.counting.scale))
    if regulations.absences is not msgspec.UNSET:
        yield Article(_("Absences"), _describe_absences(regulations, regulations.absences))
    if regulations.broken_off is not msgspec.UNSET:
        yield Article(
            _("Tables finished early"), _describe_unplayed_rule(regulations, regulations.broken_off)
        )
    if regulations.counting.what in TELLS_UNPLAYED or BUCHHOLZ in regulations.counting.tie_breaks:
        yield Article(_("Rounds without a full table"), _unplayed_text(regulations))
    rounding = _rounding_text(regulations)
    if rounding:
        yield Article(_("Rounding"), rounding)
    if regulations.teams is not msgspec.UNSET:
        yield Article(_("Teams"), describe_rules(regulations.teams))
    elif regulations.plays_in_teams:
        yield Article(
            _("Teams"),
            _("%(teams)s; these tables count together; a team may have any number of reserves")
            % {"teams": describe_drawn_teams(regulations)},
        )
    yield Article(
        _("Ties"),
        ", ".join(
            word(START_TIE_BREAKS if regulations.has_queue else TIE_BREAKS, name)
            for name in regulations.counting.tie_breaks
        )
        or _("places are shared"),
    )


def scale_text(scale: Scale) -> str:
    """Describe a scale of victory points: "difference 0: 10–10, from 10: 11–9"."""
    steps = [
        (_("difference %(n)d: %(points)s") if not least else _("from %(n)d: %(points)s"))
        % {"n": least, "points": f"{better}–{other}"}
        for least, better, other in scale
    ]
    return ", ".join(steps)


def _unplayed_text(regulations: Regulations) -> str:
    """Describe what byes, absences and unfinished tables are worth, also for the opponents of the people
    concerned.
    """
    sentences = []
    if regulations.absences is msgspec.UNSET:
        sentences.append(_("an absence gives nothing"))
    if regulations.broken_off is msgspec.UNSET:
        sentences.append(
            _("a table finished early counts with its present points")
            if regulations.counts_matches
            else _("a table finished early gives its present points")
        )
    counting = regulations.counting
    if BUCHHOLZ in counting.tie_breaks:
        sentences.append(_("in Buchholz a bye counts like an opponent with one’s own total"))
        if regulations.credits_unplayed:
            sentences.append(_("for oneself, any other round without a full table adds nothing to Buchholz"))
        sentences.append(
            _("a round that an opponent did not play adds the points that it gave them to their total")
            if counting.buchholz_unplayed is msgspec.UNSET
            else _describe_buchholz_unplayed(regulations, counting.buchholz_unplayed)
        )
    return "; ".join(sentences)


def _describe_buchholz_unplayed(regulations: Regulations, worth: int) -> str:
    """Describe what Buchholz counts for a round that an opponent did not play. `worth`: in points, wins or
    match points.
    """
    if regulations.counting.what == "matches" and worth in (1, 2):
        return (
            _("a round that an opponent did not play adds a drawn match to their total")
            if worth == 1
            else _("a round that an opponent did not play adds a won match to their total")
        )
    if not worth:
        return _("a round that an opponent did not play adds nothing to their total")
    if regulations.play.credit == "wins":
        sentence = ngettext(
            "a round that an opponent did not play adds %(n)d win to their total",
            "a round that an opponent did not play adds %(n)d wins to their total",
            worth,
        )
    else:
        sentence = ngettext(
            "a round that an opponent did not play adds %(n)d point to their total",
            "a round that an opponent did not play adds %(n)d points to their total",
            worth,
        )
    return sentence % {"n": worth}


def _rounding_text(regulations: Regulations) -> str:
    """Describe how averages for byes, missed rounds and unfinished tables, and points of tables of three, are
    rounded; empty if the regulations use neither.
    """
    byes = regulations.byes
    averages, exact = _has_averages(regulations), regulations.kind_of_averages == "exact"
    scales = byes.three == "scaled" and (byes.policy == "three" or regulations.seats_three())
    if not exact and (averages or scales):
        return _("averages and scaled points are whole numbers: half a point is rounded up")
    sentences = [
        _("averages count exactly; pages round them to two decimals") if averages else "",
        _("scaled points are whole numbers: half a point is rounded up") if scales else "",
    ]
    return "; ".join(filter(None, sentences))


def _has_averages(regulations: Regulations) -> bool:
    """Return whether byes, missed rounds or unfinished tables are worth an average."""
    byes, matches = regulations.byes, regulations.counting.what == "matches"
    kinds: list[UnplayedPoints] = [] if regulations.has_queue or byes.policy != "sit_out" else [byes.points]
    kinds += [
        one.points for one in (regulations.absences, regulations.broken_off) if one is not msgspec.UNSET
    ]
    averages = ("own", "average") if matches else ("own", "average", "win")
    return any(points in averages for points in kinds)


def _describe_absences(regulations: Regulations, absences: UnplayedRule) -> str:
    """Describe what a missed round is worth: "the average of the own rounds; at most 1 time; …"."""
    late = _("rounds before the first one and after leaving give nothing")
    sentences = [_describe_unplayed_rule(regulations, absences)]
    if regulations.credits_excused:
        sentences.append(_("only for people excused before the round was drawn"))
    return "; ".join([*sentences, late])


def _describe_unplayed_rule(regulations: Regulations, rule: UnplayedRule) -> str:
    """Describe what a round that is not played is worth, and how often that counts."""
    what = str(UNPLAYED_WORTHS[rule.points])
    if rule.points == "fixed":
        what = ngettext("%(n)d point for such a round", "%(n)d points for such a round", rule.fixed)
        if regulations.play.credit == "wins":
            what = ngettext("%(n)d win for such a round", "%(n)d wins for such a round", rule.fixed)
        what %= {"n": rule.fixed}
    often = ngettext("at most %(n)d time", "at most %(n)d times", rule.most) % {"n": rule.most}
    return f"{what}; {often}"


def counting_word(regulations: Regulations) -> str:
    """Describe by what people are ranked: "the sum without the worst round"."""
    counting, number = regulations.counting, regulations.counting.number
    if counting.what == "nearest":
        return _("the person nearest to a sealed number from %(least)d to %(most)d") % {
            "least": counting.least,
            "most": counting.most,
        }
    if counting.what in MATCH_WORDS:
        return str(MATCH_WORDS[counting.what])
    if counting.what == "average":
        text = _("the average of the rounds played")
        if number > 1:
            fewer = ngettext(
                "people with fewer than %(n)d round rank below",
                "people with fewer than %(n)d rounds rank below",
                number,
            )
            text += ", " + fewer % {"n": number}
    elif counting.what == "last_round":
        text = _("the place in the last round: by table, then by the points there")
    elif counting.what == "drop_worst":
        text = ngettext(
            "the sum without the worst round", "the sum without the %(n)d worst rounds", number
        ) % {"n": number}
    elif counting.what == "best" and regulations.has_queue:
        text = ngettext("the best start", "the best %(n)d starts", number) % {"n": number}
    elif counting.what == "best":
        text = ngettext("the best round", "the best %(n)d rounds", number) % {"n": number}
    else:
        text = _("the sum of all rounds")
    return (
        _("%(counting)s, the lowest wins") % {"counting": text}
        if regulations.directions().total < 0
        else text
    )


def _ranked_text(regulations: Regulations) -> str:
    play = regulations.play
    if regulations.plays_in_teams:
        return describe_drawn_teams(regulations)
    if play.format != "solo":
        words = START_PARTNERS if regulations.has_queue else PARTNERS
        return _("partners %(when)s") % {"when": word(words, play.format)}
    return _("%(n)d at a table, each for themselves") % {"n": play.seats}


def _partners_text(regulations: Regulations) -> str:
    play = regulations.play
    if regulations.plays_in_teams:
        return _("as the team chooses, two at each table")
    if play.format == "solo":
        game = get_variant(play.variant)
        if game.partnership.count(play.seats) < play.seats:
            return _("tables are drawn for each round; the game decides who plays with whom")
        if regulations.has_queue:
            return _("everyone plays alone")
        return _("everyone plays alone; tables are drawn for each round")
    when = (
        word(START_PARTNERS, play.format)
        if regulations.has_queue
        else _("the same all evening; tables are drawn for each round")
        if play.format == "fixed_pairs"
        else _("drawn for each round, nobody twice with the same partner")
    )
    return (
        _("%(when)s; numbered chips, even against odd") % {"when": when}
        if regulations.chairs == "chips" and has_partners(get_variant(play.variant), play.seats)
        else when
    )


def _byes_text(regulations: Regulations) -> str:
    if regulations.byes.policy == "house":
        return _("players of the house help out")
    if regulations.byes.policy == "three":
        counts = word(THREES, regulations.byes.three)
        sentence = _("some tables have three people; their results count %(how)s") % {"how": counts}
        return "; ".join(filter(None, [sentence, table_of_three(regulations)]))
    if regulations.byes.points == "win":
        return _("some have a bye in turn, for the average of the round's winners")
    if regulations.byes.points == "own":
        return _("some have a bye in turn, for the average of their own rounds")
    if regulations.byes.points == "fixed":
        fixed = regulations.byes.fixed
        if regulations.play.credit == "wins":
            return ngettext(
                "some have a bye in turn, for %(n)d win", "some have a bye in turn, for %(n)d wins", fixed
            ) % {"n": fixed}
        sentence = ngettext(
            "some have a bye in turn, for %(n)d point", "some have a bye in turn, for %(n)d points", fixed
        )
        return sentence % {"n": fixed}
    return _("some have a bye in turn, for the average of the round")


def table_of_three(regulations: Regulations) -> str:
    """Describe how many deals tables of three play, and which tables that favours; empty if they play as many
    as full tables, or if a round is a whole game.
    """
    few = regulations.deals_at(THREE)
    if not regulations.deals or few == regulations.deals:
        return ""
    sentence = ngettext(
        "a table of three plays %(n)d deal, one of four %(full)d",
        "a table of three plays %(n)d deals, one of four %(full)d",
        few,
    ) % {"n": few, "full": regulations.deals}
    lean = favoured_table(regulations)
    return f"{sentence}; {FAVOURED[lean]}" if lean else sentence


def _tables_articles(regulations: Regulations) -> Iterator[Article]:
    yield Article(_("Tables"), word(MODES, regulations.play.mode))
    if regulations.play.turn_seconds:
        clock = regulations.play.turn_seconds
        yield Article(_("Clock"), _("%(n)d seconds for each card at online tables") % {"n": clock})
    hand_ins = START_HAND_INS if regulations.has_queue else HAND_INS
    yield Article(_("Handed in"), word(hand_ins, regulations.hand_in))
    yield Article(_("Score sheet"), _confirmation_text(regulations))
    yield Article(_("A confirmed result is corrected by"), word(CORRECTING, regulations.correcting))
    yield Article(_("A sheet that does not add up"), word(WRONG_SUMS, regulations.wrong_sum))
    if regulations.play.mode != "sheet":
        yield Article(_("Spectators"), _spectators_text(regulations))
    if minutes := regulations.delay_minutes:
        late = ngettext(
            "everything is shown %(n)d minute late to people without a part in it, until the round closes",
            "everything is shown %(n)d minutes late to people without a part in it, until the round closes",
            minutes,
        )
        yield Article(_("Shown late"), late % {"n": minutes})


def _confirmation_text(regulations: Regulations) -> str:
    if regulations.confirmation == "silence":
        minutes = regulations.silence_minutes
        return ngettext(
            "the other side confirms; without an objection it is confirmed after %(n)d minute",
            "the other side confirms; without an objection it is confirmed after %(n)d minutes",
            minutes,
        ) % {"n": minutes}
    if regulations.confirmation == "other_side" and regulations.play.format == "solo":
        return _("somebody else at the table, on a phone or with the table's code")
    return word(CONFIRMATIONS, regulations.confirmation)


def _spectators_text(regulations: Regulations) -> str:
    if regulations.visibility == "private":
        return _("see no cards")
    if regulations.visibility == "played":
        return _("see the played cards")
    sentences = [_("see all hands once a deal is over")]
    if regulations.hands_wait_deals:
        deals = regulations.hands_wait_deals
        sentences.append(ngettext("and %(n)d deal later", "and %(n)d deals later", deals) % {"n": deals})
    if regulations.hands_wait_minutes:
        minutes = regulations.hands_wait_minutes
        sentences.append(
            ngettext("and %(n)d minute later", "and %(n)d minutes later", minutes) % {"n": minutes}
        )
    return " ".join(sentences)


def _incidents_articles(regulations: Regulations) -> Iterator[Article]:
    possible = {incident.code for incident in incident_kinds.regulations_incidents(regulations)}
    for incident, remedy in regulations.remedies.items():
        if incident in incident_kinds.CODES and incident not in possible:
            continue
        note = str(RULING_NOTES.get(remedy.ruling, ""))
        text = f"{word(REMEDIES, remedy.ruling)}. {note}".strip()
        if remedy.points:
            text += f" {_penalty_text(remedy)}"
        yield Article(word(INCIDENTS, incident), f"{text} ({remedy.article})" if remedy.article else text)
    yield Article(_("Anything else"), _("the referee decides; every ruling is recorded with its reason"))


def _penalty_text(remedy: Remedy) -> str:
    if remedy.ruling == "warning":
        sentence = ngettext(
            "A person already warned for it loses %(n)d point.",
            "A person already warned for it loses %(n)d points.",
            remedy.points,
        )
    else:
        sentence = ngettext("It is %(n)d point.", "It is %(n)d points.", remedy.points)
    return sentence % {"n": remedy.points}


def _objections_articles(regulations: Regulations) -> Iterator[Article]:
    minutes = regulations.appeal_minutes
    if not minutes:
        yield Article(_("Time for objections"), _("until the championship is closed"))
        yield Article(_("Appeal"), _("until the championship is closed"))
        return
    closed = (
        ngettext("%(n)d minute after the session closes", "%(n)d minutes after the session closes", minutes)
        if regulations.has_queue
        else ngettext(
            "%(n)d minute after the round is closed", "%(n)d minutes after the round is closed", minutes
        )
    )
    yield Article(_("Time for objections"), closed % {"n": minutes})
    yield Article(
        _("Appeal"),
        ngettext("%(n)d minute after a ruling", "%(n)d minutes after a ruling", minutes) % {"n": minutes},
    )
