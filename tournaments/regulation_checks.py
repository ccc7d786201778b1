"""Decoding and checking regulations: whether a championship can be played by them."""

from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from engine import IllegalCommand, State, decide, decode_command, get_variant
from engine.registry import VARIANTS
from tournaments.competition import CompetitionError
from tournaments.constraints import derive_constraints, find_violations
from tournaments.errors import TournamentError
from tournaments.pairing.systems import SYSTEMS, Kind, check_choice
from tournaments.regulations import (
    PARTNERS,
    SIDES_OF_MATCH,
    Regulations,
    UnplayedRule,
    build_start_command,
    counts_deals,
    encode,
    has_partners,
)
from tournaments.standings import (
    StandingsError,
)

ALLOWED_VALUES: Final = derive_constraints(Regulations)
"""Allowed values of each part of the regulations, by path."""


def decode(data: Mapping[str, Any] | bytes) -> Regulations:
    """Decode and check regulations from JSON data. Raises TournamentError `regulations/…`."""
    plain: object = data
    try:
        plain = msgspec.json.decode(data) if isinstance(data, bytes) else dict(data)
        found = msgspec.convert(plain, Regulations)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        _check_values(plain)
        raise _build_error(
            "regulations/unreadable", _("The regulations cannot be read: %(reason)s."), error
        ) from None
    check_regulations(found)
    return found


def decode_stored(data: Mapping[str, Any]) -> Regulations:
    """Decode stored regulations. Raises TournamentError `regulations/…`.

    Regulations of earlier versions contain a direction of the ranking, which is ignored, and no `averages`,
    which stays unset.
    """
    counting = {name: value for name, value in data.get("counting", {}).items() if name != "lowest_wins"}
    found = decode({**data, "counting": counting})
    return found if "averages" in data else replace(found, averages=msgspec.UNSET)


def check_regulations(regulations: Regulations) -> None:
    """Raise TournamentError `regulations/…` unless a championship can be played by these regulations."""
    _check_values(encode(regulations))
    _check_direction(regulations)
    try:
        regulations.counting.check(regulations.most_starts if regulations.has_queue else regulations.rounds)
        _check_matches(regulations)
    except StandingsError as error:
        sentence = _("This way of scoring is not possible: %(reason)s.")
        raise _build_error("regulations/counting", sentence, error, field="counting") from None
    _check_teams(regulations)
    _check_game(regulations)
    _check_field(regulations)
    _check_entrants(regulations)
    _check_pairing(regulations)
    _check_byes(regulations)
    _check_unplayed(regulations)
    _check_starts(regulations)


def _check_field(regulations: Regulations) -> None:
    """Raise TournamentError unless deals can be compared across tables, if the regulations count against the
    field.
    """
    if not regulations.counts_against_field:
        return
    refused = (
        ("play.credit", not regulations.plays_same_cards, _("all tables must play the same cards")),
        ("deals", not regulations.deals, _("a round needs a number of deals")),
        ("hand_in", regulations.hand_in == "totals", _("a sheet must state each deal")),
        ("byes.policy", regulations.byes.policy == "three", _("a table of three plays other hands")),
        ("counting", regulations.counting.what == "nearest", _("a sealed number compares whole sums")),
    )
    for field, wrong, reason in refused:
        if wrong:
            raise TournamentError(
                "regulations/field",
                _("Results cannot be compared with other tables like this: %(reason)s."),
                field=field,
                reason=reason,
            )


def _check_teams(regulations: Regulations) -> None:
    if regulations.teams is msgspec.UNSET:
        return
    try:
        regulations.teams.check()
    except StandingsError:
        raise TournamentError(
            "regulations/team_best",
            _("The best %(best)s of a team of %(size)s cannot count."),
            field="teams.best",
            best=regulations.teams.best,
            size=regulations.teams.size,
        ) from None


def _check_entrants(regulations: Regulations) -> None:
    """Raise TournamentError unless teams can be drawn and fill whole tables, if the regulations
    draw teams.
    """
    if not regulations.plays_in_teams:
        if regulations.team_size is not msgspec.UNSET:
            raise TournamentError(
                "regulations/entrants",
                _("Teams cannot be drawn like this: %(reason)s."),
                field="team_size",
                reason=_("a number of people is for teams that are drawn"),
            )
        return
    play, alone = regulations.play, regulations.play.seats == SIDES_OF_MATCH
    system = SYSTEMS.get(regulations.pairing_system)
    refused = (
        (
            "pairing.system",
            system is not None and "team" not in system.kinds,
            _("this way of drawing takes no teams"),
        ),
        (
            "teams.size",
            regulations.teams is not msgspec.UNSET,
            _("members cannot also be drawn individually"),
        ),
        (
            "play.format",
            play.format != ("solo" if alone else "pairs"),
            _("two of a team play together at each table, as the team lines up"),
        ),
        ("play.credit", play.credit != "points", _("the ranking must count the tables' points")),
        (
            "team_size",
            not alone and regulations.members_of_entrant % PARTNERS > 0,
            _("a team fills one side of whole tables: an even number of people"),
        ),
    )
    for field, wrong, reason in refused:
        if wrong:
            raise TournamentError(
                "regulations/entrants",
                _("Teams cannot be drawn like this: %(reason)s."),
                field=field,
                reason=reason,
            )


def _check_pairing(regulations: Regulations) -> None:
    """Raise TournamentError unless the pairing system accepts these tables and entrants."""
    if regulations.pairing is msgspec.UNSET:
        return
    kind: Kind = "pair" if regulations.play.format == "fixed_pairs" else "person"
    if regulations.plays_in_teams:
        kind = "team"
    try:
        check_choice(regulations.pairing.system, regulations.pairing.options, regulations.play.seats, kind)
    except CompetitionError as error:
        sentence = _("Rounds cannot be drawn in this way: %(reason)s.")
        raise _build_error("regulations/pairing", sentence, error, field="pairing") from None


def _check_byes(regulations: Regulations) -> None:
    """Refuse the average of own rounds for byes if rounds are drawn by results, since it changes with each
    round.
    """
    system = SYSTEMS.get(regulations.pairing_system)
    if regulations.byes.points == "own" and system is not None and "needs_results" in system.abilities:
        raise TournamentError(
            "regulations/bye_points",
            _(
                "Here the draw follows the results, and the average of the person's own rounds "
                "changes with each round."
            ),
            field="byes.points",
            value="own",
        )


def _check_unplayed(regulations: Regulations) -> None:
    """Refuse points of unplayed rounds that make no sense under these regulations."""
    absences, broken_off = regulations.absences, regulations.broken_off
    reason = _find_obstacle_to_credit(regulations, absences)
    if regulations.plays_in_teams:
        reason = _("teams are drawn")
    if absences is not msgspec.UNSET and reason is not None:
        raise TournamentError(
            "regulations/absences",
            _("An unplayed round cannot count like this: %(reason)s."),
            reason=reason,
            field="absences",
        )
    reason = _find_obstacle_to_credit(regulations, broken_off)
    if broken_off is not msgspec.UNSET and reason is not None:
        raise TournamentError(
            "regulations/broken_off",
            _("An unplayed round cannot count like this: %(reason)s."),
            reason=reason,
            field="broken_off",
        )


def _find_obstacle_to_credit(
    regulations: Regulations, rule: UnplayedRule | msgspec.UnsetType
) -> Promise | str | None:
    """Return why an unplayed round cannot have these points, as a translatable text; None if it can.

    For example, the average of own rounds changes with each round, so that no draw could be based on it.
    """
    system = SYSTEMS.get(regulations.pairing_system)
    abilities: Collection[str] = () if system is None else system.abilities
    if "queue" in abilities or "bracket" in abilities:
        return _("rounds follow from a queue or a bracket")
    if regulations.counting.what == "last_round":
        return _("the last round counts")
    if rule is not msgspec.UNSET and rule.points == "own" and "needs_results" in abilities:
        return _(
            "the draw follows the results, and the average of the person's own rounds changes with each round"
        )
    return None


def _check_matches(regulations: Regulations) -> None:
    """Raise StandingsError if matches count although a table has not two sides, or does not give points."""
    if not regulations.counts_matches or regulations.play.variant not in VARIANTS:
        return
    if regulations.sides() != SIDES_OF_MATCH:
        raise StandingsError("standings/sides", "a match needs two sides at a table")
    if regulations.play.credit != "points":
        raise StandingsError("standings/wins", "a match is won by points, so a table gives its points")


def _check_starts(regulations: Regulations) -> None:
    """Check the settings of an open heat, and refuse its settings in other championships."""
    if not regulations.has_queue:
        if regulations.starts is not msgspec.UNSET:
            raise TournamentError(
                "regulations/starts",
                _("Several starts for a person exist only in an open heat."),
                field="starts",
                value=regulations.starts,
            )
        return
    if regulations.counting.what != "best":
        raise TournamentError(
            "regulations/starts",
            _("In an open heat the best starts of a person count: enter how many."),
            field="counting.what",
            value=regulations.counting.what,
        )
    if regulations.play.format == "fixed_pairs" and regulations.teams is not msgspec.UNSET:
        raise TournamentError(
            "regulations/starts",
            _("In an open heat of pairs there is no ranking of teams."),
            field="teams",
        )


def _check_direction(regulations: Regulations) -> None:
    stated = regulations.counting.lowest_wins
    try:
        lowest = regulations.directions().total < 0
    except IllegalCommand:
        return  # `_check_game` refuses the game
    if stated is not msgspec.UNSET and stated != lowest:
        raise TournamentError(
            "regulations/direction",
            _("In this game the fewest points win.") if lowest else _("Here the most points win."),
            field="counting.lowest_wins",
            value=stated,
        )


def _check_values(data: object) -> None:
    for path, value, stated in find_violations(ALLOWED_VALUES, data):
        incident, _dot, of_remedy = path.rpartition(".")
        if path.startswith("remedies.") and of_remedy == "ruling":
            raise TournamentError(
                "regulations/unknown_ruling",
                _("“%(value)s” is not a possible ruling (%(field)s)."),
                field=incident,
                value=value,
            )
        if stated.choices:
            raise TournamentError(
                "regulations/unknown_value",
                _("“%(value)s” is not a possible value of %(field)s (%(allowed)s)."),
                field=path,
                value=value,
                allowed=", ".join(stated.choices),
            )
        raise TournamentError(
            "regulations/out_of_bounds",
            _("%(field)s is %(value)s; it must be between %(least)s and %(most)s."),
            field=path,
            value=value,
            least=stated.least,
            most=stated.most,
        )


def _check_game(regulations: Regulations) -> None:
    """Check with the engine that the game can be started, and that people can be seated for it.

    Raises TournamentError `regulations/…`.
    """
    play = regulations.play
    try:
        command = build_start_command(regulations)
        decide(State(), decode_command(command))
        if regulations.hand_in == "totals":
            decide(State(), decode_command({**command, "mode": "sheet", "hand_in": "totals"}))
    except IllegalCommand as error:
        sentence = _("Such a game cannot be played: %(reason)s.")
        raise _build_error("regulations/game", sentence, error, field=_find_part(error)) from None
    game = get_variant(play.variant)
    if regulations.deals and not counts_deals(game):
        raise TournamentError(
            "regulations/no_deals",
            _("This game ends by its own rules; it has no number of deals."),
            field="deals",
        )
    if regulations.wrong_sum != "refuse" and game.recounted:
        raise TournamentError(
            "regulations/recounted",
            _("A sheet of this game is recounted until it is right; missing points are not shared."),
            field="wrong_sum",
            value=regulations.wrong_sum,
        )
    if regulations.byes.policy == "three" and not regulations.seats_three():
        raise TournamentError(
            "regulations/no_threes",
            _("With these options, this game cannot be played by three at a table of four."),
            field="byes.policy",
            value="three",
        )
    if (regulations.confirmation == "silence") != (regulations.silence_minutes > 0):
        raise TournamentError(
            "regulations/silence",
            _("Minutes are set only if silence confirms results."),
            field="silence_minutes",
        )
    if (play.format != "solo") != has_partners(game, play.seats):
        raise TournamentError(
            "regulations/format",
            _("This kind of partnership is not possible with %(seats)s at a table."),
            field="play.format",
            seats=play.seats,
            value=play.format,
        )


def _find_part(error: IllegalCommand) -> str:
    """Return the path of the regulations' part that the engine's error concerns; `play` if unknown."""
    known = {
        "start/no_end": "play.options.target",
        "start/wrong_seats": "play.seats",
        "start/no_totals": "hand_in",
    }
    if error.code in known:
        return known[error.code]
    reason = str(error.params.get("reason", ""))
    return f"play.options.{reason}" if reason.isidentifier() else "play"


def _build_error(code: str, sentence: str | Promise, error: Exception, **more: str) -> TournamentError:
    return TournamentError(
        code,
        sentence,
        reason=str(getattr(error, "detail", error)).rstrip("."),
        reason_code=getattr(error, "code", ""),
        reason_params=getattr(error, "params", {}),
        **more,
    )
