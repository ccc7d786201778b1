"""Events in the streams of championships and rounds. The events of seeds are in
`games.randomness.round_seed`.

The events contain references of people and no names, so that names can be erased without changing a stream.
`player`, `players`: references of entries.
"""

from typing import Any

import msgspec


class TournamentEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of all events of championships, rounds and series."""


# --- in the stream of a championship


class RegulationsSet(TournamentEvent, frozen=True, kw_only=True, tag="regulations_set"):
    """A complete version of the regulations."""

    version: int
    regulations: dict[str, Any]


class RegulationsFrozen(TournamentEvent, frozen=True, kw_only=True, tag="regulations_frozen"):
    """From now on this version applies to every round."""

    version: int


class RoundsPlanned(TournamentEvent, frozen=True, kw_only=True, tag="rounds_planned"):
    """The number of rounds to be played was set. It replaces the number in the regulations."""

    rounds: int


class EntryAdded(TournamentEvent, frozen=True, kw_only=True, tag="entry_added"):
    """A new entry. number: its number in the championship. start_of: reference of the person's first entry,
    if this is a further start.
    """

    player: str
    number: int
    start_of: str | msgspec.UnsetType = msgspec.UNSET


class EntryWithdrawn(TournamentEvent, frozen=True, kw_only=True, tag="entry_withdrawn"):
    """An entry was withdrawn from `from_round` on."""

    player: str
    from_round: int


class EntryReturned(TournamentEvent, frozen=True, kw_only=True, tag="entry_returned"):
    player: str


class AbsencesExcused(TournamentEvent, frozen=True, kw_only=True, tag="absences_excused"):
    """All rounds that an entry misses with notice.

    rounds: their numbers; a drawn round is neither added nor removed.
    """

    player: str
    rounds: tuple[int, ...]


class EntrantFormed(TournamentEvent, frozen=True, kw_only=True, tag="entrant_formed"):
    """A pair is drawn and ranked as one from now on. number: number of its first member's entry."""

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
    """Two entries of one person were merged: results of `other` count for `player`, and `other` is not drawn.

    reason: the referee's reason, required if results are merged.
    """

    player: str
    other: str
    reason: str | msgspec.UnsetType = msgspec.UNSET


class EntriesParted(TournamentEvent, frozen=True, kw_only=True, tag="entries_parted"):
    """The merge of two entries was undone: each has its own results again."""

    player: str
    other: str


class TeamFormed(TournamentEvent, frozen=True, kw_only=True, tag="team_formed"):
    """A team was formed, still without members. number: identifies it in the ranking of teams."""

    team: str
    number: int


class TeamJoined(TournamentEvent, frozen=True, kw_only=True, tag="team_joined"):
    """`players` belong to the team from now on, and to no other one.

    reason: the officials' reason, required if one of them has played.
    """

    team: str
    players: tuple[str, ...]
    reason: str | msgspec.UnsetType = msgspec.UNSET


class TeamLeft(TournamentEvent, frozen=True, kw_only=True, tag="team_left"):
    """`players` belong to no team from now on. reason: required if one of them has played."""

    players: tuple[str, ...]
    reason: str | msgspec.UnsetType = msgspec.UNSET


class TeamDissolved(TournamentEvent, frozen=True, kw_only=True, tag="team_dissolved"):
    """A team without members was removed, before a ranking was published."""

    team: str


class SeparatorRecorded(TournamentEvent, frozen=True, kw_only=True, tag="separator_recorded"):
    """Level entrants cut cards or drew lots. kind: `cut` or `lot`; values: what each drew, by player."""

    kind: str
    values: dict[str, int]


class StandingsPublished(TournamentEvent, frozen=True, kw_only=True, tag="standings_published"):
    """A ranking was published.

    after_round: number of the last round that counts. digest: SHA-256 of the JSON of its rows (compact, keys
    sorted), to check a printed ranking. teams_digest: digest of the ranking of teams, if there is one.
    counting_version: the version of `tournaments.standings`; unset: 1.
    """

    after_round: int
    version: int
    digest: str
    reason: str
    counting_version: int | msgspec.UnsetType = msgspec.UNSET
    teams_digest: str | msgspec.UnsetType = msgspec.UNSET


class TableCodesMade(TournamentEvent, frozen=True, kw_only=True, tag="table_codes_made"):
    """Tables got new permanent codes. Older codes become invalid, and phones that used them lose access.

    tables: numbers of the tables.
    """

    tables: tuple[int, ...]


class PersonalLinksMade(TournamentEvent, frozen=True, kw_only=True, tag="personal_links_made"):
    """People got new personal links. Older links become invalid, and seats opened with them are lost."""

    players: tuple[str, ...]


class ChampionshipFinished(TournamentEvent, frozen=True, kw_only=True, tag="championship_finished"):
    pass


class ChampionshipArchived(TournamentEvent, frozen=True, kw_only=True, tag="championship_archived"):
    """The championship was archived. It is then unlisted and read-only."""


class ChampionshipUnarchived(TournamentEvent, frozen=True, kw_only=True, tag="championship_unarchived"):
    """The championship was taken out of the archive. It is listed and writable again."""


class ChampionshipDeleted(TournamentEvent, frozen=True, kw_only=True, tag="championship_deleted"):
    """The championship was deleted before a round was drawn.

    Its stream and those of its rounds stay, without rows in the database.
    """


# --- in the stream of a round


class SeatsDrawn(TournamentEvent, frozen=True, kw_only=True, tag="seats_drawn"):
    """The seats of a round were drawn.

    draw: number of the draw in the round, from 1. seed: derived from the round's committed seed, public so
    that anybody can recompute the draw at once. problem: all other input of `tournaments.pairing`; players
    appear in it by their index in `players`. tables: players in order of play, by table number. sit_out:
    players with a bye. cost: numbers of repeats, and `notes` of the pairing system, if any: codes with their
    values.
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
    """Tables were added to an open session from its queue.

    draw: number of such a draw in the round, from 1. first: number of the first added table. players: the
    starts that waited, by index of the persons in `problem`. seed, algorithm, problem, tables, cost: as in
    `SeatsDrawn`, with the seed's purpose `queue`.
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
    """The last table of a session, which had no result, was removed. Its starts wait again."""

    table: int


class DrawUndone(TournamentEvent, frozen=True, kw_only=True, tag="draw_undone"):
    draw: int
    reason: str


class SeatsExchanged(TournamentEvent, frozen=True, kw_only=True, tag="seats_exchanged"):
    """Two people exchanged chairs. tables, seats: the two chairs; players: the people who sit on them from
    now on.

    reason: the referee's reason, required if one of the tables has a result.
    """

    tables: tuple[int, int]
    seats: tuple[int, int]
    players: tuple[str, str]
    reason: str | msgspec.UnsetType = msgspec.UNSET


class ChairTaken(TournamentEvent, frozen=True, kw_only=True, tag="chair_taken"):
    """`player`, who had no seat in this round, takes a chair for the whole round.

    instead: the drawn person (empty: an additional chair at a smaller table). sits_out: the drawn person gets
    a bye; otherwise they have missed the round.
    """

    table: int
    seat: int
    player: str
    instead: str
    sits_out: bool


class SubstituteNamed(TournamentEvent, frozen=True, kw_only=True, tag="substitute_named"):
    """From `deal` on `player` plays for `instead`, to whom the result belongs.

    If both are the same person, the substitution ends. Earlier events for this seat with the same or a later
    deal are void.
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
    """A round was opened. games: id of each table's game, by table; modes: mode of each table, by table."""

    games: tuple[str, ...]
    modes: tuple[str, ...]


class TableOpened(TournamentEvent, frozen=True, kw_only=True, tag="table_opened"):
    """A table of an open round got a game: an additional table of late arrivals, or a table that one more
    person joined.
    """

    table: int
    game: str
    mode: str


class RoundClosed(TournamentEvent, frozen=True, kw_only=True, tag="round_closed"):
    """A round was closed. unfinished: numbers of tables that the director broke off; reason: optional."""

    unfinished: tuple[int, ...] = ()
    reason: str = ""


class RoundReopened(TournamentEvent, frozen=True, kw_only=True, tag="round_reopened"):
    reason: str


class RoundDelayed(TournamentEvent, frozen=True, kw_only=True, tag="round_delayed"):
    """The public display of the round's tables is delayed by `minutes`; 0: not delayed."""

    minutes: int


class ByePointsCounted(TournamentEvent, frozen=True, kw_only=True, tag="sitting_out_counted"):
    """The points of a bye in this closed round, after a result changed.

    points: an int, or a fraction as "n/d"; None if the rules or results give none.
    """

    points: int | str | None


class RefereeCalled(TournamentEvent, frozen=True, kw_only=True, tag="referee_called"):
    """A dispute was opened; without `deal` it is a call of the referee. The ruling is in the game's stream.

    incident: a code of `tournaments.incident_kinds`; at_seq: number of the event concerned in the game's
    stream.
    """

    dispute: int
    table: int
    deal: int | None = None
    trick: int | None = None
    incident: str = ""
    at_seq: int | None = None


class DisputeSettled(TournamentEvent, frozen=True, kw_only=True, tag="dispute_settled"):
    """A dispute was settled. outcome: `ruled` or `withdrawn`.

    ruling: number of the ruling in the game's stream, if there is one. chosen_by: the seat that chose, if the
    ruling left the choice to the opponents.
    """

    dispute: int
    outcome: str
    ruling: int | None = None
    chosen_by: int | None = None


class RulingAppealed(TournamentEvent, frozen=True, kw_only=True, tag="ruling_appealed"):
    """A ruling was appealed. ruling: its number in the game's stream, None if the dispute was
    settled orally.
    """

    dispute: int
    ruling: int | None
    reason: str


class AppealDecided(TournamentEvent, frozen=True, kw_only=True, tag="appeal_decided"):
    """An appeal was decided. outcome: `upheld`, `replaced` or `withdrawn`.

    ruling: number in the game's stream, if there is one. chosen_by: the seat that chose, if the ruling left
    the choice to the opponents.
    """

    dispute: int
    outcome: str
    ruling: int | None
    reason: str
    chosen_by: int | None = None


class CodesIssued(TournamentEvent, frozen=True, kw_only=True, tag="codes_issued"):
    """The places of these tables got new codes. Older codes become invalid, and phones that used them lose
    access.

    games: id of each table's game.
    """

    tables: tuple[int, ...]
    games: tuple[str, ...]


class CodeRenewed(TournamentEvent, frozen=True, kw_only=True, tag="code_renewed"):
    """One place of a table got a new code. The older code becomes invalid, and phones that used it lose
    access.

    seat: None for the scorer of a whole table; for a sheet the side, if sides are fixed.
    """

    game: str
    table: int
    role: str
    seat: int | None


class SeatGivenBack(TournamentEvent, frozen=True, kw_only=True, tag="seat_given_back"):
    """The seat belongs to its player's account again; until now the holder of a code had it."""

    game: str
    table: int
    seat: int
    player: str


class SeatGiven(TournamentEvent, frozen=True, kw_only=True, tag="seat_given"):
    """An account was linked to a seat's player during the game (`account` is true), or removed from it.

    office: reference of the account's official role, if any.
    """

    game: str
    table: int
    seat: int
    player: str
    account: bool
    office: str


class HandsPrinted(TournamentEvent, frozen=True, kw_only=True, tag="hands_printed"):
    """An official printed the hands of all deals of this draw, for tables that deal by hand.

    deals: number of deals.
    """

    draw: int
    deals: int


class HiddenCardsOpened(TournamentEvent, frozen=True, kw_only=True, tag="hidden_cards_opened"):
    """An official opened the hidden hands of a running deal to see them. seq: number of the game's last event
    then.
    """

    game: str
    table: int
    deal: int
    seq: int
    reason: str
