"""Events of the streams of championships and rounds; `games.randomness.round_seed` has those of the seed.

People appear by their references only; names can be erased and every stream stays as it is.
"""

from typing import Any

import msgspec


class TournamentEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """The base of all events of this layer."""


# --- in the stream of a championship


class RegulationsSet(TournamentEvent, frozen=True, kw_only=True, tag="regulations_set"):
    """A version of the regulations, complete."""

    version: int
    regulations: dict[str, Any]


class RegulationsFrozen(TournamentEvent, frozen=True, kw_only=True, tag="regulations_frozen"):
    """From here on this version holds for every round."""

    version: int


class RoundsPlanned(TournamentEvent, frozen=True, kw_only=True, tag="rounds_planned"):
    """So many rounds are played, whatever the regulations foresee."""

    rounds: int


class EntryAdded(TournamentEvent, frozen=True, kw_only=True, tag="entry_added"):
    player: str
    number: int


class EntryWithdrawn(TournamentEvent, frozen=True, kw_only=True, tag="entry_withdrawn"):
    """Out from this round on."""

    player: str
    from_round: int


class EntryReturned(TournamentEvent, frozen=True, kw_only=True, tag="entry_returned"):
    player: str


class EntrantFormed(TournamentEvent, frozen=True, kw_only=True, tag="entrant_formed"):
    """These are drawn and ranked as one from here on. number: that of the first one's entry."""

    entrant: str
    number: int
    players: tuple[str, ...]


class EntrantJoined(TournamentEvent, frozen=True, kw_only=True, tag="entrant_joined"):
    """One more, in the place of a member who has withdrawn; what that one has won stays with the entrant."""

    entrant: str
    player: str


class EntrantParted(TournamentEvent, frozen=True, kw_only=True, tag="entrant_parted"):
    """Before it has played: its members are free again."""

    entrant: str


class EntriesMerged(TournamentEvent, frozen=True, kw_only=True, tag="entries_merged"):
    """Both are one person, entered twice: what `other` has played counts for `player`, and is not drawn.
    reason: of the referee, where results are merged.
    """

    player: str
    other: str
    reason: str | msgspec.UnsetType = msgspec.UNSET


class EntriesParted(TournamentEvent, frozen=True, kw_only=True, tag="entries_parted"):
    """They were two after all: each has what was played under its own reference."""

    player: str
    other: str


class SeparatorRecorded(TournamentEvent, frozen=True, kw_only=True, tag="separator_recorded"):
    """A card cut or a lot drawn between level entrants: kind `cut` or `lot`, values by player."""

    kind: str
    values: dict[str, int]


class StandingsPublished(TournamentEvent, frozen=True, kw_only=True, tag="standings_published"):
    """SHA-256 of the rows' JSON (compact, keys sorted), so that a ranking on paper can be checked against the
    log. counting_version: of `tournaments.standings`; unset: 1."""

    after_round: int
    version: int
    digest: str
    reason: str
    counting_version: int | msgspec.UnsetType = msgspec.UNSET


class TableCodesMade(TournamentEvent, frozen=True, kw_only=True, tag="table_codes_made"):
    """New permanent codes for the tables of these numbers; those before ended, with the phones they had let
    in."""

    tables: tuple[int, ...]


class PersonalLinksMade(TournamentEvent, frozen=True, kw_only=True, tag="personal_links_made"):
    """New links for these people's evening; those before ended, with the seats they had opened."""

    players: tuple[str, ...]


class ChampionshipFinished(TournamentEvent, frozen=True, kw_only=True, tag="championship_finished"):
    pass


class ChampionshipArchived(TournamentEvent, frozen=True, kw_only=True, tag="championship_archived"):
    """Out of the lists and read-only from here on."""


class ChampionshipUnarchived(TournamentEvent, frozen=True, kw_only=True, tag="championship_unarchived"):
    """Back among the others."""


class ChampionshipDeleted(TournamentEvent, frozen=True, kw_only=True, tag="championship_deleted"):
    """Before a round was drawn. No row belongs to this stream any more, nor to those of its rounds."""


# --- in the stream of a round


class SeatsDrawn(TournamentEvent, frozen=True, kw_only=True, tag="seats_drawn"):
    """Tables in the order of their numbers, players in the order of play; draws are counted from 1.

    seed: HMAC-SHA-256 of the round's committed seed, in the open, so that anybody can draw again at once;
    problem: everything else `tournaments.pairing` was given; players stand in it by their place in `players`.
    """

    draw: int
    seed: str
    algorithm: str
    players: tuple[str, ...]
    problem: dict[str, Any]
    tables: tuple[tuple[str, ...], ...]
    sit_out: tuple[str, ...]
    cost: dict[str, int]


class DrawUndone(TournamentEvent, frozen=True, kw_only=True, tag="draw_undone"):
    draw: int
    reason: str


class SeatsExchanged(TournamentEvent, frozen=True, kw_only=True, tag="seats_exchanged"):
    """Two who have changed chairs: table and seat of each, and who sits there from now on. reason: of the
    referee, where a result is written at one of the tables.
    """

    tables: tuple[int, int]
    seats: tuple[int, int]
    players: tuple[str, str]
    reason: str | msgspec.UnsetType = msgspec.UNSET


class ChairTaken(TournamentEvent, frozen=True, kw_only=True, tag="chair_taken"):
    """`player`, who has no seat in this round, sits on a chair for the whole round, `instead` of who was
    drawn to it (empty: one chair more at a table that has fewer than others).

    sits_out: who has left it counts as sitting out; else that one has missed the round.
    """

    table: int
    seat: int
    player: str
    instead: str
    sits_out: bool


class SubstituteNamed(TournamentEvent, frozen=True, kw_only=True, tag="substitute_named"):
    """From this deal on `player` plays on the chair of `instead`, whose result it stays; where both are the
    same that one plays himself again. What was said of later deals is void.
    """

    table: int
    seat: int
    player: str
    instead: str
    deal: int


class SheetPhotoKept(TournamentEvent, frozen=True, kw_only=True, tag="sheet_photo_kept"):
    """A photo of this table's sheet is kept. digest: SHA-256 of the JPEG, in hex."""

    table: int
    digest: str


class SheetPhotoErased(TournamentEvent, frozen=True, kw_only=True, tag="sheet_photo_erased"):
    """That photo is gone for good."""

    table: int
    digest: str


class RoundOpened(TournamentEvent, frozen=True, kw_only=True, tag="round_opened"):
    """games: the stream of each table's game, in the order of the tables; modes likewise."""

    games: tuple[str, ...]
    modes: tuple[str, ...]


class TableOpened(TournamentEvent, frozen=True, kw_only=True, tag="table_opened"):
    """While the round is open people who came late make a table more, or sit down at one where nothing had
    been entered: its game from here on."""

    table: int
    game: str
    mode: str


class RoundClosed(TournamentEvent, frozen=True, kw_only=True, tag="round_closed"):
    """unfinished: tables that the director broke off; reason: why, empty where nobody gave one."""

    unfinished: tuple[int, ...] = ()
    reason: str = ""


class RoundReopened(TournamentEvent, frozen=True, kw_only=True, tag="round_reopened"):
    reason: str


class RoundDelayed(TournamentEvent, frozen=True, kw_only=True, tag="round_delayed"):
    """The tables of this round are shown so much later to whoever has no part in them; 0: at once."""

    minutes: int


class SittingOutCounted(TournamentEvent, frozen=True, kw_only=True, tag="sitting_out_counted"):
    """The points of a bye in this closed round after a result changed; None: no table has a result."""

    points: int | None


class RefereeCalled(TournamentEvent, frozen=True, kw_only=True, tag="referee_called"):
    """A dispute, or without a deal only a call. The ruling stands in the game's own stream.

    incident: a code of `tournaments.incidents`; at_seq: the event of the game it is about.
    """

    dispute: int
    table: int
    deal: int | None = None
    trick: int | None = None
    incident: str = ""
    at_seq: int | None = None


class DisputeSettled(TournamentEvent, frozen=True, kw_only=True, tag="dispute_settled"):
    """outcome: `ruled` (`ruling`: its number in the stream of the game, if there is one) or `withdrawn`.

    chosen_by: the seat that chose, where the ruling left it to the opponents.
    """

    dispute: int
    outcome: str
    ruling: int | None = None
    chosen_by: int | None = None


class RulingAppealed(TournamentEvent, frozen=True, kw_only=True, tag="ruling_appealed"):
    """ruling: its number in the stream of the game; None where the matter was settled by word."""

    dispute: int
    ruling: int | None
    reason: str


class AppealDecided(TournamentEvent, frozen=True, kw_only=True, tag="appeal_decided"):
    """outcome: `upheld`, `replaced` (by `ruling`) or `withdrawn`."""

    dispute: int
    outcome: str
    ruling: int | None
    reason: str
    chosen_by: int | None = None


class CodesIssued(TournamentEvent, frozen=True, kw_only=True, tag="codes_issued"):
    """New codes for every place of these tables; those before ended, with the phones they had let in. games:
    the stream of each table's game."""

    tables: tuple[int, ...]
    games: tuple[str, ...]


class CodeRenewed(TournamentEvent, frozen=True, kw_only=True, tag="code_renewed"):
    """A new code for one place of a table; the one before ended, with the phones it had let in.

    seat: None for the scorer of a whole table, the side for a sheet's.
    """

    game: str
    table: int
    role: str
    seat: int | None


class SeatGivenBack(TournamentEvent, frozen=True, kw_only=True, tag="seat_given_back"):
    """After a substitute who came by a code the seat is its player's own again."""

    game: str
    table: int
    seat: int
    player: str


class SeatGiven(TournamentEvent, frozen=True, kw_only=True, tag="seat_given"):
    """While its game was played here, an account was linked to a seat's player, or taken away: `account`.

    office: how the streams call whose account it is, where he is an official.
    """

    game: str
    table: int
    seat: int
    player: str
    account: bool
    office: str


class HiddenCardsOpened(TournamentEvent, frozen=True, kw_only=True, tag="hidden_cards_opened"):
    """An official sees the hands of this deal while it is played. seq: where its game stood."""

    game: str
    table: int
    deal: int
    seq: int
    reason: str
