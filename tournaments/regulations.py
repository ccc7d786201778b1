"""Regulations as data: chosen from a preset, edited, frozen when the first round opens."""

from collections.abc import Mapping
from typing import Any, Final, get_args

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine import IllegalCommand, State, decide, decode_command, variant
from engine.commands import RulingKind
from engine.rules import Variant
from tournaments.errors import TournamentError
from tournaments.standings import Counting, StandingsError

FORMATS: Final = ("pairs", "fixed_pairs", "solo")
CREDITS: Final = ("points", "wins")
DRAWS: Final = ("each_round",)
CHAIRS: Final = ("letters", "chips")
BYES: Final = ("house", "sit_out")
BYE_POINTS: Final = ("average", "fixed")
WRONG_SUM: Final = ("refuse", "split", "scorer")
VISIBILITY: Final = ("private", "played", "after_deal")
MODES: Final = ("dealt", "transcribed", "sheet")
PARTNERS_NEED: Final = 4
"""Seats of a table with partners."""
MOST_PENALTY: Final = 10_000
RULINGS: Final[tuple[str, ...]] = get_args(RulingKind)


class RegulationsPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all parts of the regulations."""


class GameChoice(RegulationsPart, frozen=True, kw_only=True):
    """The game: a variant of the engine, its preset and what differs from that; who scores together.

    format: partners drawn for each round (`pairs`), the same all evening (`fixed_pairs`), or everyone alone
    (`solo`). credit: what a table gives a player: the `points` of his side as the game counts them, or
    `wins`: one for each opponent at the table that his side has beaten.
    mode: how tables are played unless the director says otherwise. turn_seconds: a player's clock at dealt
    tables; deal_pause: seconds between two deals there.
    """

    variant: str
    preset: str | None = None
    options: dict[str, Any] = {}
    seats: int = 4
    format: str = "pairs"
    credit: str = "points"
    mode: str = "dealt"
    turn_seconds: int | None = None
    deal_pause: float = 0


class Byes(RegulationsPart, frozen=True, kw_only=True):
    """When the players do not fill the tables: players of the house help out, or some sit out in turn.

    points: what sitting out is worth: the `average` of the round, or `fixed` points.
    """

    policy: str = "sit_out"
    points: str = "average"
    fixed: int = 0


class Remedy(RegulationsPart, frozen=True, kw_only=True):
    """What an incident costs: the kind of ruling proposed to the referee, and the article that says so.

    points: what a penalty takes off; beside a warning: what whoever has been warned already loses.
    """

    ruling: str
    article: str = ""
    points: int = 0


class Regulations(RegulationsPart, frozen=True, kw_only=True):
    """Everything that varies from one championship to another.

    rounds of `deals` deals each, 0: a round is one game, which ends as its rules say; draw: `each_round`
    anew; chairs: how the seats are called; wrong_sum: what becomes of a sheet that does not add up:
    `refuse` it, `split` the difference, or the side of the `scorer` carries it; remedies by incident
    (`revoke`, …); visibility: what anybody may see of dealt tables;
    hands_wait_deals and hands_wait_minutes: how much later than their deal hands open to them;
    round_minutes and appeal_minutes: 0 is no limit.
    """

    preset: str
    play: GameChoice
    rounds: int = 4
    deals: int = 8
    draw: str = "each_round"
    chairs: str = "letters"
    byes: Byes = Byes()
    counting: Counting = Counting()
    wrong_sum: str = "refuse"
    remedies: dict[str, Remedy] = {}
    visibility: str = "played"
    hands_wait_deals: int = 0
    hands_wait_minutes: int = 0
    round_minutes: int = 0
    appeal_minutes: int = 0

    def options(self) -> dict[str, Any]:
        """The engine's options of every game: what differs from the preset, and the number of deals where
        the game can be told one. Raises IllegalCommand for a game that this engine does not know."""
        if not counts_deals(variant(self.play.variant)):
            return dict(self.play.options)
        return {**self.play.options, "deals": self.deals or None}

    def sides(self) -> int:
        """How many sides play at a table. Raises IllegalCommand for a game that this engine does not know."""
        return variant(self.play.variant).parties.count(self.play.seats)


def counts_deals(game: Variant) -> bool:
    """Whether this game can be told after how many deals it ends."""
    return any(field.encode_name == "deals" for field in msgspec.structs.fields(game.options))


def has_partners(game: Variant, seats: int) -> bool:
    """Whether those opposite each other score together in this game, whoever plays it."""
    return seats == PARTNERS_NEED and game.parties.count(seats) < seats


_CHOICES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("draw", DRAWS),
    ("chairs", CHAIRS),
    ("wrong_sum", WRONG_SUM),
    ("visibility", VISIBILITY),
    ("play.format", FORMATS),
    ("play.credit", CREDITS),
    ("play.mode", MODES),
    ("byes.policy", BYES),
    ("byes.points", BYE_POINTS),
)
_BOUNDS: Final[tuple[tuple[str, int, int], ...]] = (
    ("rounds", 1, 60),
    ("deals", 0, 48),
    ("hands_wait_deals", 0, 48),
    ("hands_wait_minutes", 0, 600),
    ("round_minutes", 0, 600),
    ("appeal_minutes", 0, 10_000),
    ("play.seats", 2, 4),
    ("play.deal_pause", 0, 600),
    ("byes.fixed", -100_000, 100_000),
)


def decode(data: Mapping[str, Any] | bytes) -> Regulations:
    """The regulations of JSON data, checked. Raises TournamentError `regulations/…`."""
    try:
        found = (
            msgspec.json.decode(data, type=Regulations)
            if isinstance(data, bytes)
            else msgspec.convert(dict(data), Regulations)
        )
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise _refused(
            "regulations/unreadable", _("The regulations cannot be read: %(reason)s."), error
        ) from None
    check(found)
    return found


def encode(regulations: Regulations) -> dict[str, Any]:
    """The regulations as JSON data."""
    data: dict[str, Any] = msgspec.to_builtins(regulations)
    return data


def check(regulations: Regulations) -> None:
    """Raise TournamentError unless a championship can be played by these regulations."""
    for path, allowed in _CHOICES:
        value = _at(regulations, path)
        if value not in allowed:
            raise TournamentError(
                "regulations/unknown_value",
                _("“%(value)s” is no possible value of %(field)s (%(allowed)s)."),
                field=path,
                value=str(value),
                allowed=", ".join(allowed),
            )
    bounds = list(_BOUNDS)
    if regulations.play.turn_seconds is not None:
        bounds.append(("play.turn_seconds", 1, 3600))
    for path, least, most in bounds:
        value = _at(regulations, path)
        if not least <= value <= most:
            raise TournamentError(
                "regulations/out_of_bounds",
                _("%(field)s is %(value)s; it goes from %(least)s to %(most)s."),
                field=path,
                value=value,
                least=least,
                most=most,
            )
    for incident, remedy in regulations.remedies.items():
        if remedy.ruling not in RULINGS:
            raise TournamentError(
                "regulations/unknown_ruling",
                _("“%(value)s” is no ruling a referee can make (%(field)s)."),
                field=f"remedies.{incident}",
                value=remedy.ruling,
            )
        if not 0 <= remedy.points <= MOST_PENALTY:
            raise TournamentError(
                "regulations/out_of_bounds",
                _("%(field)s is %(value)s; it goes from %(least)s to %(most)s."),
                field=f"remedies.{incident}.points",
                value=remedy.points,
                least=0,
                most=MOST_PENALTY,
            )
    try:
        regulations.counting.check(regulations.rounds)
    except StandingsError as error:
        sentence = _("This way of counting is not possible: %(reason)s.")
        raise _refused("regulations/counting", sentence, error, field="counting") from None
    _check_game(regulations)


def _check_game(regulations: Regulations) -> None:
    """Let the engine say whether such a game can be started, and whether people can be seated for it."""
    play = regulations.play
    try:
        command = {
            "cmd": "start",
            "variant": play.variant,
            "seats": play.seats,
            "preset": play.preset,
            "options": regulations.options(),
            "mode": play.mode,
        }
        decide(State(), decode_command(command))
    except IllegalCommand as error:
        sentence = _("Such a game cannot be played: %(reason)s.")
        raise _refused("regulations/game", sentence, error, field=_part_of(error)) from None
    game = variant(play.variant)
    if regulations.deals and not counts_deals(game):
        raise TournamentError(
            "regulations/no_deals",
            _("This game ends by its own rules; it has no number of deals."),
            field="deals",
        )
    if regulations.wrong_sum != "refuse" and game.recounted:
        raise TournamentError(
            "regulations/recounted",
            _("A sheet of this game is counted again until it is right; nothing is shared out."),
            field="wrong_sum",
            value=regulations.wrong_sum,
        )
    if (play.format != "solo") != has_partners(game, play.seats):
        raise TournamentError(
            "regulations/format",
            _("With %(seats)s at a table the partners of this game cannot be as you say."),
            field="play.format",
            seats=play.seats,
            value=play.format,
        )


def _at(regulations: Regulations, path: str) -> Any:
    value: Any = regulations
    for name in path.split("."):
        value = getattr(value, name)
    return value


def _part_of(error: IllegalCommand) -> str:
    """Which part of the regulations the engine means, as far as it says so."""
    if error.code in ("start/no_end", "start/wrong_seats"):
        return {"start/no_end": "play.options.target", "start/wrong_seats": "play.seats"}[error.code]
    reason = str(error.params.get("reason", ""))
    return f"play.options.{reason}" if reason.isidentifier() else "play"


def _refused(code: str, sentence: str | Promise, error: Exception, **more: str) -> TournamentError:
    return TournamentError(
        code, sentence, reason=str(error).rstrip("."), reason_code=getattr(error, "code", ""), **more
    )
