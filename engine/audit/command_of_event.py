"""Reconstruct commands from events. Commands are not stored: the first event of a command determines it."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, Literal, TypeVar, cast

import msgspec
from msgspec import UNSET

from engine import commands as cm
from engine import events as ev
from engine.cards import INDEX
from engine.errors import IllegalCommand
from engine.ledger.state import State
from engine.melds.stoeck import has_played_stoeck
from engine.phases.dealing import pad_unknown, rebuild_deal
from engine.registry import compile_rules
from engine.rules import GameContext
from engine.ruling import COPIED_FIELDS
from engine.sheets.sheet_checks import OPTIONAL_RESULT_FIELDS
from engine.tricks.modes import get_trump

_Log = Sequence[ev.Event]
E = TypeVar("E", bound=ev.Event)
Reader = Callable[[GameContext, ev.Event, _Log, int], cm.Command]
"""A function of (context, event of the type for which it is registered, log, index of the event in the log).
It returns the command that caused the event.
"""


def _on(
    kind: type[E], reader: Callable[[GameContext, E, _Log, int], cm.Command]
) -> dict[type[ev.Event], Reader]:
    """Return a reader as an entry of `_READERS`, by the type of its events."""
    return {kind: cast("Reader", reader)}  # it is looked up by this type only


def find_command(context: GameContext, log: Sequence[ev.Event], at: int) -> cm.Command:
    """Return the command whose first event is at index `at`. Raises IllegalCommand if no command begins with
    it, or if the log hides a value of the command.
    """
    at += reopens_deal(log, at)
    event = log[at]
    reader = _READERS.get(type(event))
    if reader is None:
        tag = event.__struct_config__.tag
        raise IllegalCommand("log/no_cause", f"no command brings about {tag} here", type=tag)
    return reader(context, event, log, at)


def starts_command(log: Sequence[ev.Event], at: int) -> bool:
    """Return whether the event at index `at` is the first of a command."""
    event, before = log[at], log[at - 1] if at else None
    if at and reopens_deal(log, at - 1):
        return False
    if isinstance(event, ev.ContractSet):
        return event.seat is not None
    if isinstance(event, ev.CardPlayed):
        return not isinstance(before, ev.MeldsDeclared) or before.apart
    if isinstance(event, ev.StoeckDeclared):
        return event.apart
    if isinstance(event, ev.TurnedTaken):
        return not (isinstance(before, ev.ExtraExchanged | ev.ExtraKept) and before.seat == event.seat)
    return type(event) in _READERS


def reopens_deal(log: Sequence[ev.Event], at: int) -> bool:
    """Return whether the event at index `at` takes back the end of a deal so that the next event can be added
    to the deal.
    """
    event = log[at]
    if not isinstance(event, ev.TakenBack) or not event.to < at < len(log) - 1:
        return False
    return isinstance(log[event.to], ev.DealScored)


def _start(context: GameContext, e: ev.GameStarted, log: _Log, at: int) -> cm.Command:
    return cm.Start(
        variant=e.variant,
        seats=e.seats,
        options=e.options,
        mode=e.mode,
        won_before=e.won_before,
        written_scores=e.written_scores,
        hand_in=e.hand_in,
        confirmation=e.confirmation,
        counting=_counting(e),
        sweeps=e.sweeps,
    )


def _counting(e: ev.GameStarted) -> Literal[1, 2]:
    """Return the field `counting` of the command that started a game. Without a sheet and without a target it
    has no effect, and is 2.
    """
    if e.counting != 1:
        return 2
    try:
        play = compile_rules(e.variant, e.seats, e.mode, e.options, e.hand_in).play
    except IllegalCommand:
        return 2
    return 1 if e.mode == "sheet" or play.targets is not None else 2


def _deal(context: GameContext, e: ev.DealStarted, log: _Log, at: int) -> cm.Command:
    end = at + 1
    while end < len(log) and type(log[end]) in _LAID_OUT:
        end += 1
    return rebuild_deal(context, e, log[at + 1 : end])


_LAID_OUT: Final = frozenset({ev.HandDealt, ev.TalonDealt, ev.ExtraDealt, ev.TableDealt, ev.TrumpTurned})


def _takes_turned(seat: int, log: _Log, at: int) -> bool:
    after = log[at + 1] if at + 1 < len(log) else None
    return type(after) is ev.TurnedTaken and after.seat == seat


def _exchange(context: GameContext, e: ev.ExtraExchanged, log: _Log, at: int) -> cm.Command:
    cards = pad_unknown(e.given, e.size)
    return cm.Exchange(seat=e.seat, cards=cards, take_turned=_takes_turned(e.seat, log, at))


def _discard(context: GameContext, e: ev.CardsDiscarded, log: _Log, at: int) -> cm.Command:
    if e.cards is None:
        raise IllegalCommand("log/not_known", "this log does not tell everything")
    return cm.Discard(seat=e.seat, cards=pad_unknown(e.cards, e.size))


def _choose(context: GameContext, e: ev.ContractSet, log: _Log, at: int) -> cm.Command:
    if e.seat is None:
        raise IllegalCommand("log/not_known", "this log does not tell everything")
    return cm.Choose(seat=e.seat, contract=e.contract, slot=e.slot if context.rules.play.slots else UNSET)


def _bid(context: GameContext, e: ev.BidMade, log: _Log, at: int) -> cm.Command:
    """Return the command of a bid. In a transcript the bid may have won the auction although the other seats
    had not passed: their passes were not recorded.
    """
    after = at + 1
    while after < len(log) and type(log[after]) is ev.InfractionFound:
        after += 1
    won = after < len(log) and type(log[after]) is ev.AuctionWon
    return cm.Bid(seat=e.seat, points=e.points, won=won and not _is_last_bidder(context.state, e.seat))


def _is_last_bidder(state: State, seat: int) -> bool:
    """Return whether all seats other than `seat` have passed."""
    return all(other in (seat, *state.variant_state.passed) for other in range(state.seats))


def _concede(context: GameContext, e: ev.DealConceded, log: _Log, at: int) -> cm.Command:
    if context.state.mode != "transcribed":
        return cm.Concede(seat=e.seat)
    return cm.Concede(seat=e.seat, stoeck=e.points > context.rules.play.deal_points)


def _predict(context: GameContext, e: ev.PredictionMade, log: _Log, at: int) -> cm.Command:
    if e.points is None and context.state.mode != "transcribed":
        raise IllegalCommand("log/not_known", "this log does not tell everything")
    return cm.Predict(seat=e.seat, points=e.points)


def _keep(context: GameContext, e: ev.ExtraKept, log: _Log, at: int) -> cm.Command:
    return cm.Keep(seat=e.seat, take_turned=_takes_turned(e.seat, log, at))


def _melds(context: GameContext, e: ev.MeldsDeclared, log: _Log, at: int) -> cm.Command:
    melds, heard = e.melds or None, e.declared[len(e.melds or ()) :] or None
    if e.apart:
        return cm.Declare(seat=e.seat, melds=melds, heard=heard)
    after = log[at + 1] if at + 1 < len(log) else None
    if type(after) is not ev.CardPlayed:
        raise IllegalCommand("log/no_cause", "melds are declared with a card")
    played = _play(context, after, log, at + 1)
    return msgspec.structs.replace(played, seat=e.seat, melds=melds, heard=heard)


def _declared_stoeck(context: GameContext, e: ev.StoeckDeclared, log: _Log, at: int) -> cm.Command:
    if not e.apart:
        raise IllegalCommand("log/no_cause", "the Stöck is declared with a card")
    return cm.Declare(seat=e.seat, stoeck=_signed(e.points) if context.rules.play.stoeck_signed else True)


def _signed(points: int) -> cm.StoeckSaid:
    """Return the Stöck as its holder declared it: 20 if added, -20 if subtracted."""
    return 20 if points > 0 else -20


def _play(context: GameContext, e: ev.CardPlayed, log: _Log, at: int) -> cm.Command:
    if at + 1 < len(log) and type(log[at + 1]) in _AFTER_STOECK_CARD:
        return cm.Play(seat=e.seat, card=e.card, stoeck=_stoeck(context, e, log, at))
    return cm.Play(seat=e.seat, card=e.card)


_AFTER_STOECK_CARD: Final = frozenset({ev.StoeckDeclared, ev.InfractionFound})


_NO_STOECK: Final = frozenset({"stoeck_not_held", "stoeck_late"})


def _stoeck(context: GameContext, played: ev.CardPlayed, log: _Log, at: int) -> cm.StoeckSaid:
    """Return the Stöck declaration that was made with the card at index `at`; None if there was none, or if
    the rules declared the Stöck by themselves.
    """
    state = context.state
    said: ev.Event | None = None
    for said in islice(log, at + 1, None):
        if type(said) is not ev.InfractionFound:
            break
        if said.code in _NO_STOECK and said.at_seq == played.seq:
            return True
    if type(said) is not ev.StoeckDeclared or said.apart or said.seat != played.seat:
        return None
    if context.rules.play.stoeck_signed:
        return _signed(said.points)
    if state.mode == "transcribed" or get_trump(state) is None:
        return True if state.tricks else None  # a seat's first card is never its second Stöck card
    card = INDEX[played.card]
    return True if has_played_stoeck(state, played.seat, 1 << card if card >= 0 else 0) else None


def _rule(context: GameContext, e: ev.RulingMade, log: _Log, at: int) -> cm.Command:
    said = {name: getattr(e, name) for name in COPIED_FIELDS}
    scores = cast("list[int]", e.scores) if e.kind == "score_change" else None
    return cm.Rule(scores=scores, after=e.after or 0, **said)


def _result(context: GameContext, e: ev.ResultEntered, log: _Log, at: int) -> cm.Command:
    kind = cm.CorrectResult if type(e) is ev.ResultCorrected else cm.EnterResult
    written = {name: getattr(e, name) for name in OPTIONAL_RESULT_FIELDS}
    points = None if context.rules.span else e.card_points
    return kind(seat=e.seat, deal=e.deal, card_points=points, scores=e.scores, reason=e.reason, **written)


def _same_fields(command: type[cm.Command], *names: str) -> Reader:
    def read(context: GameContext, event: ev.Event, log: _Log, at: int) -> cm.Command:
        return command(**{name: getattr(event, name) for name in names})

    return read


_READERS: Final[dict[type[ev.Event], Reader]] = {
    **_on(ev.GameStarted, _start),
    **_on(ev.DealStarted, _deal),
    **_on(ev.Pushed, _same_fields(cm.Push, "seat")),
    **_on(ev.ContractSet, _choose),
    **_on(ev.BidMade, _bid),
    **_on(ev.BidDeferred, _same_fields(cm.Defer, "seat")),
    **_on(ev.BidPassed, _same_fields(cm.Pass, "seat")),
    **_on(ev.CardsDiscarded, _discard),
    **_on(ev.DealConceded, _concede),
    **_on(ev.DealAccepted, _same_fields(cm.Accept, "seat")),
    **_on(ev.PredictionMade, _predict),
    **_on(ev.MeldsDeclared, _melds),
    **_on(ev.MeldsShown, _same_fields(cm.Show, "seat", "melds")),
    **_on(ev.StoeckDeclared, _declared_stoeck),
    **_on(ev.CardPlayed, _play),
    **_on(ev.ExtraExchanged, _exchange),
    **_on(ev.ExtraKept, _keep),
    **_on(ev.TurnedTaken, _same_fields(cm.TakeTurned, "seat")),
    **_on(ev.OutClaimed, _same_fields(cm.ClaimOut, "seat")),
    **_on(ev.DealStopped, _same_fields(cm.Stop, "seat")),
    **_on(ev.RulingMade, _rule),
    **_on(ev.GameClosed, _same_fields(cm.Close, "reason")),
    **_on(ev.GameResumed, _same_fields(cm.Resume, "reason")),
    **_on(ev.TakenBack, _same_fields(cm.TakeBack, "to")),
    **_on(ev.ResultEntered, _result),
    **_on(ev.ResultCorrected, _result),
    **_on(ev.ResultConfirmed, _same_fields(cm.ConfirmResult, "seat", "deal", "by", "scores")),
}
