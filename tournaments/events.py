"""Events in the streams of championships and rounds; `games.randomness.round_seed` has the events of the
seed.

They contain references of people, no names, so that names can be erased without changing a stream.
"""

from typing import Any

import msgspec


class TournamentEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of all events of this layer."""


# --- in the stream of a championship


class RegulationsSet(TournamentEvent, frozen=True, kw_only=True, tag="regulations_set"):
    """A complete version of the regulations."""

    version: int
    regulations: dict[str, Any]


class RegulationsFrozen(TournamentEvent, frozen=True, kw_only=True, tag="regulations_frozen"):
    """From now on this version applies to every round."""

    version: int


class RoundsPlanned(TournamentEvent, frozen=True, kw_only=True, tag="rounds_planned"):
    """Number of rounds to be played, regardless of the regulations."""

    rounds: int


class EntryAdded(TournamentEvent, frozen=True, kw_only=True, tag="entry_added"):
    """A new entry. start_of: the person's first entry, if this is a further start of theirs."""

    player: str
    number: int
    start_of: str | msgspec.UnsetType = msgspec.UNSET


class EntryWithdrawn(TournamentEvent, frozen=True, kw_only=True, tag="entry_withdrawn"):
    """An entry was withdrawn from this round on."""

    player: str
    from_round: int


class EntryReturned(TournamentEvent, frozen=True, kw_only=True, tag="entry_returned"):
    player: str


class AbsencesExcused(TournamentEvent, frozen=True, kw_only=True, tag="absences_excused"):
    """The numbers of all rounds that an entry misses with notice; the numbers of drawn rounds cannot
    change.
    """

    player: str
    rounds: tuple[int, ...]


class EntrantFormed(TournamentEvent, frozen=True, kw_only=True, tag="entrant_formed"):
    """A pair is drawn and ranked as one from now on. number: the number of the first member's entry."""

    entrant: str
    number: int
    players: tuple[str, ...]


class EntrantJoined(TournamentEvent, frozen=True, kw_only=True, tag="entrant_joined"):
    """A new member of a pair, who replaces a withdrawn one. The pair keeps its results."""

    entrant: str
    player: str


class EntrantParted(TournamentEvent, frozen=True, kw_only=True, tag="entrant_parted"):
    """A pair was parted before it played: its members are free again."""

    entrant: str


class EntriesMerged(TournamentEvent, frozen=True, kw_only=True, tag="entries_merged"):
    """Two entries of one person: results of `other` count for `player`, and `other` is not drawn.

    reason: the referee's reason, required if results are merged.
    """

    player: str
    other: str
    reason: str | msgspec.UnsetType = msgspec.UNSET


class EntriesParted(TournamentEvent, frozen=True, kw_only=True, tag="entries_parted"):
    """A merge was undone: each entry has the results of its own reference."""

    player: str
    other: str


class TeamFormed(TournamentEvent, frozen=True, kw_only=True, tag="team_formed"):
    """A team without members. number: its key in the ranking of teams."""

    team: str
    number: int


class TeamJoined(TournamentEvent, frozen=True, kw_only=True, tag="team_joined"):
    """These people belong to the team from now on, and to no other one.

    reason: the officials' reason, required if one of these people has played.
    """

    team: str
    players: tuple[str, ...]
    reason: str | msgspec.UnsetType = msgspec.UNSET


class TeamLeft(TournamentEvent, frozen=True, kw_only=True, tag="team_left"):
    """These people belong to no team from now on. reason: required if one of them has played."""

    players: tuple[str, ...]
    reason: str | msgspec.UnsetType = msgspec.UNSET


class TeamDissolved(TournamentEvent, frozen=True, kw_only=True, tag="team_dissolved"):
    """A team without members was removed, before a ranking was published."""

    team: str


class SeparatorRecorded(TournamentEvent, frozen=True, kw_only=True, tag="separator_recorded"):
    """Cards cut or lots drawn between level entrants: kind `cut` or `lot`, values by player."""

    kind: str
    values: dict[str, int]


class StandingsPublished(TournamentEvent, frozen=True, kw_only=True, tag="standings_published"):
    """A published ranking, with the SHA-256 of its rows' JSON (compact, keys sorted) to check a printed
    ranking.

    counting_version: the version of `tournaments.standings`; unset: 1. teams_digest: the digest of the
    ranking of teams, if there is one.
    """

    after_round: int
    version: int
    digest: str
    reason: str
    counting_version: int | msgspec.UnsetType = msgspec.UNSET
    teams_digest: str | msgspec.UnsetType = msgspec.UNSET


class TableCodesMade(TournamentEvent, frozen=True, kw_only=True, tag="table_codes_made"):
    """New permanent codes for these tables; older codes become invalid, and the phones that they admitted
    lose access.
    """

    tables: tuple[int, ...]


class PersonalLinksMade(TournamentEvent, frozen=True, kw_only=True, tag="personal_links_made"):
    """New personal links for these people; older links become invalid, and lose the seats that they had
    opened.
    """

    players: tuple[str, ...]


class ChampionshipFinished(TournamentEvent, frozen=True, kw_only=True, tag="championship_finished"):
    pass


class ChampionshipArchived(TournamentEvent, frozen=True, kw_only=True, tag="championship_archived"):
    """The archiving of a championship. It is then unlisted and read-only."""


class ChampionshipUnarchived(TournamentEvent, frozen=True, kw_only=True, tag="championship_unarchived"):
    """The end of an archiving. The championship is listed and writable again."""


class ChampionshipDeleted(TournamentEvent, frozen=True, kw_only=True, tag="championship_deleted"):
    """The championship was deleted before a round was drawn.

    No row belongs to this stream or to those of its rounds any more.
    """


# --- in the stream of a round


class SeatsDrawn(TournamentEvent, frozen=True, kw_only=True, tag="seats_drawn"):
    """Seats of a draw: tables by number, players in the order of play; draws are counted from 1.

    seed: HMAC-SHA-256 of the round's committed seed, public so that anybody can recompute the draw at once;
    problem: all other input of `tournaments.pairing`; players appear in it by their index in `players`.
    cost: counted repeats, and `notes` of the pairing system, if any: codes with their values.
    """

    draw: int
    seed: str
    algorithm: str
    players: tuple[str, ...]
    problem: dict[str, Any]
    tables: tuple[tuple[str, ...], ...]
    sit_out: tuple[str, ...]
    cost: dict[str, Any]


class TablesDrawn(TournamentEvent, frozen=True, kw_only=True, tag="tables_drawn"):
    """Tables added to an open session from its queue; draw: number of such a draw in the round, from 1.

    first: number of the first of these tables. seed, algorithm, problem, tables, cost: as in `SeatsDrawn`,
    with purpose `queue`. players: the starts that waited, by index of the persons in `problem`.
    """

    draw: int
    first: int
    seed: str
    algorithm: str
    players: tuple[str, ...]
    problem: dict[str, Any]
    tables: tuple[tuple[str, ...], ...]
    cost: dict[str, Any]


class TableTakenBack(TournamentEvent, frozen=True, kw_only=True, tag="table_taken_back"):
    """The last table of a session, without a result, is gone; its starts wait again."""

    table: int


class DrawUndone(TournamentEvent, frozen=True, kw_only=True, tag="draw_undone"):
    draw: int
    reason: str


class SeatsExchanged(TournamentEvent, frozen=True, kw_only=True, tag="seats_exchanged"):
    """An exchange of chairs. tables, seats: the chairs; players: the people who sit there from now on.

    reason: the referee's reason, required if one of the tables has a result.
    """

    tables: tuple[int, int]
    seats: tuple[int, int]
    players: tuple[str, str]
    reason: str | msgspec.UnsetType = msgspec.UNSET


class ChairTaken(TournamentEvent, frozen=True, kw_only=True, tag="chair_taken"):
    """A seat change: `player`, who has no seat in this round, takes a chair for the whole round. `instead`:
    the drawn person (empty: an additional chair at a smaller table). `sits_out`: that person gets a bye;
    otherwise they have missed the round.
    """

    table: int
    seat: int
    player: str
    instead: str
    sits_out: bool


class SubstituteNamed(TournamentEvent, frozen=True, kw_only=True, tag="substitute_named"):
    """From this deal on `player` plays for `instead`, to whom the result belongs.

    If both are the same, the substitution ends. Earlier events about later deals are void.
    """

    table: int
    seat: int
    player: str
    instead: str
    deal: int


class SheetPhotoKept(TournamentEvent, frozen=True, kw_only=True, tag="sheet_photo_kept"):
    """A photo of this table's sheet was stored. digest: SHA-256 of the JPEG, in hex."""

    table: int
    digest: str


class SheetPhotoErased(TournamentEvent, frozen=True, kw_only=True, tag="sheet_photo_erased"):
    """The photo with this digest was erased."""

    table: int
    digest: str


class RoundOpened(TournamentEvent, frozen=True, kw_only=True, tag="round_opened"):
    """A round was opened. games: the stream of each table's game, by table; modes: its mode, by table."""

    games: tuple[str, ...]
    modes: tuple[str, ...]


class TableOpened(TournamentEvent, frozen=True, kw_only=True, tag="table_opened"):
    """A game for an additional table of late arrivals in an open round, or a new one for a table with one
    person more."""

    table: int
    game: str
    mode: str


class RoundClosed(TournamentEvent, frozen=True, kw_only=True, tag="round_closed"):
    """A round was closed. unfinished: tables that the director broke off; reason: optional."""

    unfinished: tuple[int, ...] = ()
    reason: str = ""


class RoundReopened(TournamentEvent, frozen=True, kw_only=True, tag="round_reopened"):
    reason: str


class RoundDelayed(TournamentEvent, frozen=True, kw_only=True, tag="round_delayed"):
    """Delay in minutes of the round's tables for the public; 0: none."""

    minutes: int


class SittingOutCounted(TournamentEvent, frozen=True, kw_only=True, tag="sitting_out_counted"):
    """Points of a bye in this closed round after a result changed, a fraction as "n/d"; None: no table has a
    result.
    """

    points: int | str | None


class RefereeCalled(TournamentEvent, frozen=True, kw_only=True, tag="referee_called"):
    """A dispute, or a referee call without a deal. The ruling is in the game's stream.

    incident: a code of `tournaments.incident_kinds`; at_seq: the event of the game concerned.
    """

    dispute: int
    table: int
    deal: int | None = None
    trick: int | None = None
    incident: str = ""
    at_seq: int | None = None


class DisputeSettled(TournamentEvent, frozen=True, kw_only=True, tag="dispute_settled"):
    """A dispute was settled. outcome: `ruled` (`ruling`: its number in the game's stream, if any) or
    `withdrawn`.

    chosen_by: the seat that chose, if the ruling left the choice to the opponents.
    """

    dispute: int
    outcome: str
    ruling: int | None = None
    chosen_by: int | None = None


class RulingAppealed(TournamentEvent, frozen=True, kw_only=True, tag="ruling_appealed"):
    """An appeal against a ruling. ruling: its number in the game's stream; None if the dispute was settled
    orally.
    """

    dispute: int
    ruling: int | None
    reason: str


class AppealDecided(TournamentEvent, frozen=True, kw_only=True, tag="appeal_decided"):
    """An appeal was decided. outcome: `upheld`, `replaced` (by `ruling`) or `withdrawn`."""

    dispute: int
    outcome: str
    ruling: int | None
    reason: str
    chosen_by: int | None = None


class CodesIssued(TournamentEvent, frozen=True, kw_only=True, tag="codes_issued"):
    """New codes for every place of these tables; older codes become invalid, and the phones that they
    admitted lose access.

    games: stream of each table's game.
    """

    tables: tuple[int, ...]
    games: tuple[str, ...]


class CodeRenewed(TournamentEvent, frozen=True, kw_only=True, tag="code_renewed"):
    """A new code for one place of a table; the older code becomes invalid, and the phones that it admitted
    lose access.

    seat: None for the scorer of a whole table; for a sheet the side.
    """

    game: str
    table: int
    role: str
    seat: int | None


class SeatGivenBack(TournamentEvent, frozen=True, kw_only=True, tag="seat_given_back"):
    """The seat belongs to its player again, after a substitute admitted by a code."""

    game: str
    table: int
    seat: int
    player: str


class SeatGiven(TournamentEvent, frozen=True, kw_only=True, tag="seat_given"):
    """An account was linked to a seat's player during the game, or removed: `account`.

    office: reference of the account's official role, if any.
    """

    game: str
    table: int
    seat: int
    player: str
    account: bool
    office: str


class HandsPrinted(TournamentEvent, frozen=True, kw_only=True, tag="hands_printed"):
    """An official printed the hands of all deals of this draw, for tables that deal by hand."""

    draw: int
    deals: int


class HiddenCardsOpened(TournamentEvent, frozen=True, kw_only=True, tag="hidden_cards_opened"):
    """An official opened the hands of this running deal. seq: head of its game."""

    game: str
    table: int
    deal: int
    seq: int
    reason: str
