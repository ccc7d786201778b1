"""Results typed at the desk: one line of totals for each table. Each line is saved singly.

The desk is the author of the result. The regulations say what confirms it, such as signatures on paper
(`signed`) or the same figures typed a second time.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from engine import State
from engine.commands import ConfirmResult, CorrectResult, EnterResult
from engine.errors import IllegalCommand
from engine.registry import compile_rules, get_rules
from engine.rules import Rules
from engine.sheets.totals import bonus_points, complete_totals
from games import game_state, store
from games.models import DealResult, Game
from games.play.submit import submit
from games.projections import delayed_broadcast
from tournaments.errors import TournamentError
from tournaments.models import Round, Seating, Table
from tournaments.permissions import Actor
from tournaments.regulations import Regulations
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations, round_or_session
from tournaments.services.scores import wrong_sums


class Typed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A typed line of totals. Lists are by side; in `scores` None is a side left empty.

    `id`: of this typing, by which it is stored only once. `people`, `seen`: `DeskRow.people` and head of the
    game when the line was shown. `signed`: both sides have signed the slip. `share`: correct a wrong sum by
    the regulations; `scorer`: the side that wrote the slip, if that side carries the difference.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"\A[!-~]{1,50}\Z")]
    people: str
    seen: int
    scores: list[int | None]
    sweeps: list[int] | None = None
    stoecks: list[int] | None = None
    melds: list[int] | None = None
    signed: bool = False
    share: bool = False
    scorer: int | None = None


class SharedSum(msgspec.Struct, frozen=True):
    """Totals by side after the correction of a wrong sum. `scorer`: the side that carries the difference,
    None if all do.
    """

    scores: tuple[int, ...]
    scorer: int | None = None


class DeskRow(msgspec.Struct, frozen=True):
    """A table of the round with its current result. Tuples are by side.

    `people`: game and entry numbers by seat as one text, which changes with another draw or an exchange of
    chairs. `head`: of the game; `sides`: names of the people; `scores`: empty before anything is typed.
    `by_desk`: the desk is the author; `witness`: the confirmation for a side that has not confirmed the
    result itself. `deals`: number of deals written, without annulled ones; `of_deals`: number of deals to
    play, None if it is open.
    """

    table: int
    game: str
    people: str
    mode: str
    status: str
    head: int
    sides: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...] = ()
    sweeps: tuple[int, ...] = ()
    stoecks: tuple[int, ...] = ()
    by_desk: bool = False
    confirmed: bool = False
    witness: str = ""
    deals: int = 0
    of_deals: int | None = None

    @property
    def is_done(self) -> bool:
        """Whether the game is over."""
        return self.status in Game.OVER

    @property
    def lacks_deals(self) -> bool:
        """Whether the game is not over, and deals are missing or their number is open. Unconfirmed deals are
        not missing.
        """
        return not self.is_done and (self.of_deals is None or self.deals < self.of_deals)


def desk_rows(round_: Round, table: int | None = None) -> list[DeskRow]:
    """List the tables of a round that have a game, by number. `table`: list only the table with this number.

    Three queries, regardless of the number of tables.
    """
    tables = Table.objects.filter(round=round_, game__isnull=False).select_related("game").order_by("number")
    if table is not None:
        tables = tables.filter(number=table)
    people: dict[int, list[tuple[int, str]]] = {}
    seatings = Seating.objects.filter(table__in=tables).order_by("table_id", "seat")
    for key, number, name in seatings.values_list("table_id", "entry__number", "entry__name"):
        people.setdefault(key, []).append((number, name))
    results: dict[str, list[DealResult]] = {}
    for result in DealResult.objects.filter(game__tournament_table__in=tables).order_by("deal"):
        results.setdefault(str(result.game_id), []).append(result)
    for one in tables:
        if one.game is not None and one.game.ahead is not None:
            results[one.game.pk] = delayed_broadcast.load_visible_results(
                delayed_broadcast.current_game(one.game)
            )
    return [_build_row(one, people.get(one.pk, []), results.get(str(one.game_id), [])) for one in tables]


def _build_row(table: Table, people: Sequence[tuple[int, str]], results: Sequence[DealResult]) -> DeskRow:
    if table.game is None:
        raise ValueError(f"table {table.pk} has no game")
    game = delayed_broadcast.current_game(table.game)
    count = max(game.sides, default=-1) + 1
    sides = tuple(
        tuple(name for (_number, name), of in zip(people, game.sides, strict=False) if of == side)
        for side in range(count)
    )
    of_totals = (bool(results) and results[0].sweeps is not None) or len(results) == 1
    last = results[0] if results and of_totals else None
    standing = [result for result in results if not result.annulled]
    return DeskRow(
        table=table.number,
        game=game.pk,
        people=f"{game.pk}:{','.join(str(number) for number, _name in people)}",
        mode=game.mode,
        status=game.status,
        head=game.head_seq,
        sides=sides,
        scores=tuple(game.totals) if results else (),
        sweeps=tuple(last.sweeps or ()) if last else (),
        stoecks=tuple(last.stoecks or ()) if last else (),
        by_desk=any(result.by_desk for result in results),
        confirmed=bool(standing) and all(result.confirmed for result in standing),
        witness=results[-1].witness if results else "",
        deals=len(standing),
        of_deals=_deals_of(game),
    )


def _deals_of(game: Game) -> int | None:
    """Return the number of deals. None if it is open, or if this version of the engine cannot play the game
    any more.
    """
    try:
        return compile_rules(game.variant, game.seat_count, Game.Mode.SHEET, game.options).deals
    except IllegalCommand:
        return None


def next_sheet(round_: Round, table: int) -> DeskRow | None:
    """Return the next sheet of another table that lacks a deal, None if there is none.

    Tables after `table` are searched first, by number, then those before it. Three queries.
    """
    lacking = [row for row in desk_rows(round_) if row.mode == Game.Mode.SHEET and row.lacks_deals]
    others = [row for row in lacking if row.table != table]
    return next((row for row in others if row.table > table), others[0] if others else None)


def save_line(round_: Round, table: int, typed: Typed, *, actor: Actor) -> DeskRow:
    """Write a line of totals, and confirm it as the regulations say. Return the table's row.

    Idempotent by the id of the typing. Raises NotAllowed, TournamentError `results/…`, IllegalCommand
    `sheet/…`.
    """
    championship = round_.championship
    with locks.for_official(championship, actor, "enter") as (_locked, ref):
        locked_round = locks.lock_round(round_.pk)
        if locked_round.status != Round.Status.OPEN:
            raise TournamentError(
                "results/round_not_open",
                round_or_session(
                    championship,
                    _("Round %(round)s is not open: correct an older result with a reason."),
                    _("Session %(round)s is not open: correct an older result with a reason."),
                ),
                round=locked_round.number,
            )
        found = Table.objects.filter(round=locked_round, number=table).select_related("game").first()
        if found is None or found.game is None:
            raise TournamentError("results/no_table", _("There is no table %(table)s."), table=table)
        if found.game.mode != Game.Mode.SHEET:
            raise TournamentError("results/not_a_sheet", _("Table %(table)s is played online."), table=table)
        game = found.game.pk
        if store.find_receipt(game, typed.id) is None:
            if typed.people != desk_rows(locked_round, table)[0].people:
                raise TournamentError(
                    "results/other_people",
                    _("Other people are now seated at table %(table)s. Load the page again before you type."),
                    table=table,
                )
            _submit_line(game, table, typed, load_regulations(championship), ref, championship.language)
    return desk_rows(round_, table)[0]


def list_shared_sums(round_: Round, table: int, typed: Typed) -> list[SharedSum]:
    """List the corrections of a wrong sum that the regulations allow.

    Empty if the sum is right, the slip is not signed, or the sum cannot be corrected. If the sides share the
    difference there is one correction, otherwise one for each side that may have written the slip.
    """
    game = Game.objects.filter(tournament_table__in=round_.tables.filter(number=table)).first()
    if game is None or game.mode != Game.Mode.SHEET:
        return []
    regulations = load_regulations(round_.championship)
    rules, policy = get_rules(game_state.load_snapshot(game.pk).state), regulations.wrong_sum
    scorers: Sequence[int | None] = [None] if policy == "split" else []
    if policy == "scorer":
        scorers = range(rules.sides)
    found = [(_correct_sum(rules, regulations, typed, scorer), scorer) for scorer in scorers]
    return [SharedSum(scores, scorer) for scores, scorer in found if scores is not None]


def _correct_sum(
    rules: Rules, regulations: Regulations, typed: Typed, scorer: int | None
) -> tuple[int, ...] | None:
    """Return the totals with corrected card points; sweeps, Stöck and melds stay.

    None if the sum is right, or cannot be corrected. The corrected result is written with a reason, and
    therefore needs no confirmation. So this requires both signatures on paper; otherwise the referee settles
    the sum.
    """
    signed = typed.signed and regulations.confirmation == "paper"
    written = [points for points in typed.scores if points is not None]
    if not rules.span or rules.bounds() or not signed or len(written) != rules.sides:
        return None
    command = EnterResult(deal=1, sweeps=typed.sweeps, stoecks=typed.stoecks, melds=typed.melds)
    beside = bonus_points(rules, command)
    cards = [points - more for points, more in zip(written, beside, strict=True)]
    whole = rules.span * rules.play.deal_points
    if sum(cards) == whole or (scorer is not None and scorer not in range(rules.sides)):
        return None
    settled = wrong_sums.settle_points(cards, whole, regulations.wrong_sum, scorer)
    if settled is None:
        return None
    return tuple(points + more for points, more in zip(settled, beside, strict=True))


def _totals_to_write(
    state: State, typed: Typed, regulations: Regulations, language: str
) -> tuple[list[int], str | None]:
    """Return the totals to write, and the note of what the slip said if its sum was corrected (else None)."""
    if not typed.share:
        return complete_totals(get_rules(state), typed.scores), None
    scores = _correct_sum(get_rules(state), regulations, typed, typed.scorer)
    if scores is None:
        raise TournamentError(
            "results/nothing_to_share",
            _("By the regulations the difference is not shared: recount this slip, or ask the referee."),
        )
    totals = " : ".join(map(str, typed.scores))
    with override(language):
        why = (
            gettext("On the slip: %(told)s. The sides share the difference.")
            if regulations.wrong_sum == "split"
            else gettext("On the slip: %(told)s. The scorer's side bears the difference.")
        )
    return list(scores), why % {"told": totals}


def _submit_line(
    game: str, table: int, typed: Typed, regulations: Regulations, ref: str, language: str
) -> None:
    head, confirmation = store.read_head(game, lock=True), regulations.confirmation
    state = game_state.load_snapshot(game, head).state
    if state.closed:
        raise TournamentError(
            "results/broken_off",
            _("Table %(table)s was finished early: resume it, or enter its result with a reason."),
            table=table,
        )
    if typed.seen != head.seq:
        raise TournamentError(
            "results/changed_since",
            _(
                "Somebody else has entered a result for table %(table)s in the meantime. Its line "
                "shows the present result."
            ),
            table=table,
        )
    scores, why = _totals_to_write(state, typed, regulations, language)
    before = state.results[0] if state.results else None
    again = before is not None and not before.confirmed and confirmation == "second_typing"
    if again:
        confirm = ConfirmResult(deal=1, by="second_typing", scores=scores)
        submit(game, confirm, actor=ref, command_id=typed.id)
        return
    kind = EnterResult if before is None else CorrectResult
    command = kind(
        deal=1,
        scores=scores,
        sweeps=typed.sweeps,
        stoecks=typed.stoecks,
        melds=typed.melds,
        reason=why,
    )
    submit(game, command, actor=ref, command_id=typed.id)
    if typed.signed and confirmation == "paper" and why is None:
        submit(game, ConfirmResult(deal=1, by="paper"), actor=ref, command_id=f"{typed.id}:paper")
