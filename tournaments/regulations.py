"""Regulations as data. They come from a preset, can be edited, and are frozen when the first round opens."""

from typing import Annotated, Any, Final, Literal, cast

import msgspec
from msgspec import Meta
from msgspec.structs import force_setattr

from engine import IllegalCommand, State, decide, decode_command, get_variant
from engine.commands import RulingKind
from engine.registry import VARIANTS, compile_rules
from engine.rules import TrickRules, Variant
from tournaments.pairing.systems import DRAWN, SYSTEMS, Kind
from tournaments.standings import (
    Averages,
    Counting,
    Crediting,
    Directions,
    TeamCounting,
    UnplayedPoints,
)

Format = Literal["pairs", "fixed_pairs", "solo"]
Credit = Literal["points", "wins", "field"]
Mode = Literal["dealt", "transcribed", "sheet"]
HandIn = Literal["deals", "totals"]
Confirmation = Literal["other_side", "second_typing", "paper", "silence"]
Correcting = Literal["officials", "desk"]
Minutes = Annotated[int, Meta(ge=0, le=600)]
Delay = Annotated[int, Meta(ge=0, le=60)]
Deals = Annotated[int, Meta(ge=0, le=48)]
MOST_IN_ENCOUNTER: Final = 16
"""Largest number of people in a team that is drawn against another team."""
Starts = Annotated[int, Meta(ge=1, le=99)]
TeamSize = Annotated[int, Meta(ge=2, le=MOST_IN_ENCOUNTER)]
MOST_STARTS: Final = 99
"""Number of starts of a person if the regulations do not limit it."""
PARTNERS_NEED: Final = 4
"""Number of seats of a table with partners. At smaller tables each person plays alone."""
PARTNERS: Final = 2
SIDES_OF_MATCH: Final = 2
THREE: Final = 3
"""Number of seats of the smaller tables that are used if people do not fill tables of four."""
USUAL_TEAM: Final = 4
"""Default number of people in a team that is drawn."""
DEALS_IN_ROUND: Final = 8
"""Default number of deals for games in which that number is an option."""


class RegulationsPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all parts of the regulations."""


class GameChoice(RegulationsPart, frozen=True, kw_only=True):
    """The game: a variant of the engine, its preset, deviations from it (`options`), and partnerships.

    format: partners drawn for each round (`pairs`), fixed for the championship (`fixed_pairs`), or none
    (`solo`). credit: a player's score at a table: the `points` of their side; `wins`: one for each opponent
    beaten; `field`: the points of their side minus the mean of that side at the other tables, deal by deal.
    mode: default mode of tables. turn_seconds: seconds for a turn at dealt tables; deal_pause: seconds
    between two deals there. If seats and format are left out, they follow from the game: its full table, and
    `pairs` if it has partners.
    """

    variant: str
    preset: str | None = None
    options: dict[str, Any] = {}
    seats: Annotated[int, Meta(ge=2, le=4)] = 0
    format: Format = cast("Format", "")
    credit: Credit = "points"
    mode: Mode = "dealt"
    turn_seconds: Annotated[int, Meta(ge=1, le=3600)] | None = None
    deal_pause: Annotated[float, Meta(ge=0, le=600)] = 0

    def __post_init__(self) -> None:
        """Fill in missing seats and format by the game; four seats and `pairs` for an unknown one, which
        `check_regulations` refuses.
        """
        game = VARIANTS.get(self.variant)
        if not self.seats:
            force_setattr(self, "seats", max(game.seats) if game else PARTNERS_NEED)
        if not self.format:
            alone = game is not None and not has_partners(game, self.seats)
            force_setattr(self, "format", "solo" if alone else "pairs")


class Byes(RegulationsPart, frozen=True, kw_only=True):
    """Handling of players who do not fill the tables.

    policy: players of the house fill a table (`house`), players get byes in turn (`sit_out`), or there are
    tables of three (`three`). The director may choose otherwise for one round. points: the points of a bye:
    the `average` of the round, the average of its winners (`win`), the average of the person's `own` rounds,
    or the number in `fixed`. three: results of a table of three count `as_is`, or are `scaled` to four
    (points by 4/3, wins by 3/2); `fair_three` returns the fair choice for a game.
    """

    policy: Literal["house", "sit_out", "three"] = "sit_out"
    three: Literal["as_is", "scaled"] = "as_is"
    points: Literal["average", "fixed", "win", "own"] = "average"
    fixed: Annotated[int, Meta(ge=-100_000, le=100_000)] = 0


class UnplayedRule(RegulationsPart, frozen=True, kw_only=True):
    """Points of missed rounds, or of rounds whose table was broken off.

    A missed round lies between the entrant's first round and their withdrawal. points: the number in
    `fixed`, the average of the `own` rounds, the `average` of the round, the average of its winners (`win`),
    or the points of the `worst` of the round. most: the number of an entrant's unplayed rounds that get these
    points, the first ones; later ones give nothing.
    """

    points: UnplayedPoints = "fixed"
    fixed: Annotated[int, Meta(ge=-100_000, le=100_000)] = 0
    most: Annotated[int, Meta(ge=1, le=60)] = 1


class Absences(UnplayedRule, frozen=True, kw_only=True):
    """Points of missed rounds.

    excused: whether a round counts only if the desk had noted the absence before the draw; unset: false.
    """

    excused: bool | msgspec.UnsetType = msgspec.UNSET


class PairingChoice(RegulationsPart, frozen=True, kw_only=True):
    """The pairing system of the rounds, and its options (`tournaments.pairing.systems`)."""

    system: str
    options: dict[str, Any] = {}


class Remedy(RegulationsPart, frozen=True, kw_only=True):
    """Remedy of an incident: the ruling proposed to the referee, and the article on which it is based.

    points: the penalty; for a warning, the penalty if the incident is repeated.
    """

    ruling: RulingKind
    article: str = ""
    points: Annotated[int, Meta(ge=0, le=10_000)] = 0


class Regulations(RegulationsPart, frozen=True, kw_only=True):
    """All settings that vary from one championship to another."""

    preset: str
    play: GameChoice
    rounds: Annotated[int, Meta(ge=1, le=60)] = 4
    deals: Deals = -1
    """Number of deals of a round; -1: 8, or 0 if the game has no such option; 0: a round is one game, which
    ends by its rules."""
    draw: Literal["each_round"] = "each_round"
    same_cards: bool | msgspec.UnsetType = msgspec.UNSET
    """All tables of a round play the same deals, and a deal is shown once the last table has played it."""
    pairing: PairingChoice | msgspec.UnsetType = msgspec.UNSET
    """Another pairing system than `drawn`."""
    starts: Starts | msgspec.UnsetType = msgspec.UNSET
    """Largest number of starts of a person in an open heat; unset: MOST_STARTS."""
    chairs: Literal["letters", "chips"] = "letters"
    """Names of the seats."""
    byes: Byes = Byes()
    absences: Absences | msgspec.UnsetType = msgspec.UNSET
    """Points of missed rounds; unset: none."""
    broken_off: UnplayedRule | msgspec.UnsetType = msgspec.UNSET
    """Points of a table that was broken off; unset: its points so far."""
    averages: Literal["exact"] | msgspec.UnsetType = "exact"
    """Of byes, missed rounds and tables broken off; unset, as in regulations of earlier versions: rounded to
    whole points, half a point up."""
    counting: Counting = Counting()
    teams: TeamCounting | msgspec.UnsetType = msgspec.UNSET
    """A ranking of teams beside that of persons or pairs."""
    entrants: Literal["teams"] | msgspec.UnsetType = msgspec.UNSET
    """`teams` of `team_size` people are drawn and ranked, and play at tables side by side."""
    team_size: TeamSize | msgspec.UnsetType = msgspec.UNSET
    hand_in: HandIn = "deals"
    """A sheet takes the result of each deal, or the totals of the round."""
    confirmation: Confirmation = "paper"
    """What confirms a result if the other side does not: nothing, a second typing, signatures on paper, or
    silence for `silence_minutes`."""
    silence_minutes: Minutes = 0
    correcting: Correcting = "officials"
    """Confirmed results are corrected by director and referee, or by the `desk` too."""
    wrong_sum: Literal["refuse", "split", "scorer"] = "refuse"
    """A sheet with a wrong sum is refused, the difference is shared, or charged to the scorer's side."""
    remedies: dict[str, Remedy] = {}
    """By incident (`revoke`, …)."""
    visibility: Literal["private", "played", "after_deal"] = "played"
    """What the public sees of dealt tables."""
    hands_wait_deals: Deals = 0
    hands_wait_minutes: Minutes = 0
    """Further delay of the hands."""
    delay_minutes: Delay = 0
    """Delay of everything for people who have no part in a table."""
    round_minutes: Minutes = 0
    appeal_minutes: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """Limits; 0: no limit."""

    def __post_init__(self) -> None:
        """Fill in the number of deals, and the usual size of a team that is drawn, if they are missing."""
        if self.deals < 0:
            game = VARIANTS.get(self.play.variant)
            force_setattr(self, "deals", DEALS_IN_ROUND if game is None or counts_deals(game) else 0)
        if self.plays_in_teams and self.team_size is msgspec.UNSET:
            force_setattr(self, "team_size", USUAL_TEAM)

    def options(self, seats: int | None = None) -> dict[str, Any]:
        """Return the engine's options of every game: deviations from the preset, and the number of deals if
        the game takes one.

        seats: as for `deals_at`. Raises IllegalCommand for an unknown game.
        """
        if not counts_deals(get_variant(self.play.variant)):
            return dict(self.play.options)
        return {**self.play.options, "deals": self.deals_at(seats) or None}

    def deals_at(self, seats: int | None = None) -> int:
        """Return the number of deals in a round at a table of `seats` seats (None: a full table). It is
        proportional to the seats, rounded down, so that a player deals as often as at a full table.

        0: the game ends by its own rules.
        """
        return self.deals * (self.play.seats if seats is None else seats) // self.play.seats

    @property
    def pairing_system(self) -> str:
        """Key of the pairing system."""
        return DRAWN if self.pairing is msgspec.UNSET else self.pairing.system

    @property
    def plays_same_cards(self) -> bool:
        """Whether all tables of a round play the same deals."""
        return self.same_cards is True

    @property
    def credits_unplayed(self) -> bool:
        """Whether the regulations have points for missed rounds (`absences`) or tables broken off
        (`broken_off`).
        """
        return self.absences is not msgspec.UNSET or self.broken_off is not msgspec.UNSET

    @property
    def kind_of_averages(self) -> Averages:
        """The kind of averages of byes, missed rounds and tables broken off: `exact` or `whole`."""
        return "whole" if self.averages is msgspec.UNSET else self.averages

    @property
    def credits_excused(self) -> bool:
        """Whether missed rounds get points only if the absence was excused."""
        return self.absences is not msgspec.UNSET and self.absences.excused is True

    @property
    def counts_against_field(self) -> bool:
        """Whether a side scores its points minus the mean of the same side at the other tables."""
        return self.play.credit == "field"

    @property
    def pairing_options(self) -> dict[str, Any]:
        """The options that the regulations state for the pairing system."""
        return {} if self.pairing is msgspec.UNSET else self.pairing.options

    @property
    def plays_in_teams(self) -> bool:
        """Whether teams are drawn and ranked as one, instead of their members."""
        return self.entrants == "teams"

    @property
    def members_of_entrant(self) -> int:
        """The number of people who are drawn as one: the size of a team, 2 for fixed pairs, else 1."""
        if self.plays_in_teams and self.team_size is not msgspec.UNSET:
            return self.team_size
        return PARTNERS if self.play.format == "fixed_pairs" else 1

    @property
    def has_teams(self) -> bool:
        """Whether people belong to teams, be they drawn alone or as teams."""
        return self.plays_in_teams or self.teams is not msgspec.UNSET

    @property
    def draws_at_start(self) -> bool:
        """Whether all rounds are drawn before the first card."""
        return bool(self.pairing_options.get("when") == "at_start")

    @property
    def has_queue(self) -> bool:
        """Whether rounds are sessions: tables are added to them from a queue of starts."""
        found = SYSTEMS.get(self.pairing_system)
        return found is not None and "queue" in found.abilities

    @property
    def most_starts(self) -> int:
        """The number of starts that a person may have in an open heat; MOST_STARTS if not limited."""
        return MOST_STARTS if self.starts is msgspec.UNSET else self.starts

    def chips(self) -> int:
        """Return the number of numbered chips of a full table; 0 if letters name the chairs."""
        return self.play.seats if self.chairs == "chips" else 0

    def seats_three(self) -> bool:
        """Return whether tables of three are possible by these regulations; False for an unknown game."""
        if self.play.seats != PARTNERS_NEED or self.members_of_entrant > 1 or self.counts_matches:
            return False
        try:
            decide(State(), decode_command(build_start_command(self, seats=3)))
        except IllegalCommand:
            return False
        return True

    def of_sheet(self) -> dict[str, str]:
        """Return the parameters that a game in mode `sheet` needs besides its options."""
        return {"hand_in": self.hand_in, "confirmation": self.confirmation}

    def records_sweeps(self, *, rewarded: bool = False) -> bool:
        """Return whether sheets record sweeps: if sweeps give points or break ties, or a prize depends on
        them (`rewarded`).
        """
        play = rules_of_play(self)
        bonus = play is not None and play.sweep_bonus > 0
        return bonus or "sweeps" in self.counting.tie_breaks or rewarded

    def makes_sweeps(self) -> bool:
        """Return whether sweeps matter in this game: people play together, or a sweep gives a bonus.

        False for an unknown game.
        """
        play = rules_of_play(self)
        return play is not None and (play.sweep_bonus > 0 or self.sides() < self.play.seats)

    def directions(self) -> Directions:
        """Return the directions of totals and of points at a table, as the game says. More wins and match
        points are always better.

        Raises IllegalCommand for an unknown game.
        """
        table = get_variant(self.play.variant).score_direction
        most = self.play.credit == "wins" or self.counts_matches
        return Directions(total=1 if most else table, table=table)

    @property
    def counts_matches(self) -> bool:
        """Whether the ranking adds match points, converted from the difference at a table, instead of card
        points.
        """
        return self.counting.conversion is not None

    def crediting(self) -> Crediting:
        """Return the rule by which a table credits its seats. Raises IllegalCommand for an unknown game."""
        return Crediting(self.play.credit, self.counting.conversion, self.directions().table)

    def sides(self) -> int:
        """Return the number of sides at a full table. Raises IllegalCommand for an unknown game."""
        return get_variant(self.play.variant).partnership.count(self.play.seats)


def fair_three(regulations: Regulations) -> Literal["as_is", "scaled"]:
    """Return the fair way to count a table of three.

    `scaled` if tables of three are possible, and play fewer deals than a full table or, with wins, have fewer
    opponents; else `as_is`.
    """
    fewer = regulations.deals_at(THREE) != regulations.deals or regulations.play.credit == "wins"
    return "scaled" if fewer and regulations.seats_three() else "as_is"


def favoured_table(regulations: Regulations) -> Literal["", "three", "four"]:
    """Return the table size that has an advantage under these regulations; "" if no size has one."""
    if regulations.byes.three == "scaled" or fair_three(regulations) == "as_is":
        return ""
    return "three" if regulations.directions().total < 0 else "four"


def build_start_command(regulations: Regulations, seats: int | None = None) -> dict[str, Any]:
    """Build the start command of a game. `seats` None: the number of the regulations."""
    play = regulations.play
    return {
        "cmd": "start",
        "variant": play.variant,
        "seats": play.seats if seats is None else seats,
        "preset": play.preset,
        "options": regulations.options(seats),
        "mode": play.mode,
    }


def rules_of_play(regulations: Regulations) -> TrickRules | None:
    """Return the trick rules of the game; None if the engine refuses the game, its seats or its options."""
    play = regulations.play
    try:
        preset = get_variant(play.variant).presets.get(play.preset or "", {})
        return compile_rules(play.variant, play.seats, "sheet", {**preset, **regulations.options()}).play
    except IllegalCommand:
        return None


def counts_deals(game: Variant[Any]) -> bool:
    """Return whether the number of deals is an option of the game."""
    return any(field.encode_name == "deals" for field in msgspec.structs.fields(game.options))


def has_partners(game: Variant[Any], seats: int) -> bool:
    """Return whether opposite seats score together in this game."""
    return seats == PARTNERS_NEED and game.partnership.count(seats) < seats


def entrant_kinds(game: Variant[Any], seats: int) -> tuple[Kind, ...]:
    """Return the kinds of entrants, except teams, that this game allows at tables of `seats` seats."""
    return ("person", "pair") if has_partners(game, seats) else ("person",)


def takes_totals(regulations: Regulations) -> bool:
    """Return whether a round of this game can be entered as totals."""
    try:
        decide(
            State(),
            decode_command({**build_start_command(regulations), "mode": "sheet", "hand_in": "totals"}),
        )
    except IllegalCommand:
        return False
    return True


def encode(regulations: Regulations) -> dict[str, Any]:
    """Encode the regulations as JSON data."""
    data: dict[str, Any] = msgspec.to_builtins(regulations)
    return data
