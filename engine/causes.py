"""Which command a recorded fact came from: commands are not stored, their first event tells them."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from . import commands as cm
from . import events as ev
from .cards import INDEX
from .contracts import STOECK
from .declaring import trump_of
from .errors import IllegalCommand
from .phases.dealing import deal_of
from .state import State

Reader = Callable[[State, Sequence[Any], int], cm.Command]


def cause_of(state: State, log: Sequence[ev.Event], at: int) -> cm.Command:
    """The command whose first event stands at `at`, in that state; IllegalCommand where nothing causes it."""
    event = log[at]
    reader = _READERS.get(type(event))
    if reader is None:
        tag = event.__struct_config__.tag
        raise IllegalCommand("log/no_cause", f"no command brings about {tag} here", type=tag)
    return reader(state, log, at)


def _start(state: State, log: Sequence[Any], at: int) -> cm.Command:
    e: ev.GameStarted = log[at]
    return cm.Start(variant=e.variant, seats=e.seats, options=e.options, mode=e.mode, won_before=e.won_before)


def _deal(state: State, log: Sequence[Any], at: int) -> cm.Command:
    end = at + 1
    while end < len(log) and type(log[end]) in _LAID_OUT:
        end += 1
    return deal_of(state, log[at:end])


_LAID_OUT: Final = frozenset({ev.HandDealt, ev.TalonDealt, ev.ExtraDealt, ev.TableDealt, ev.TrumpTurned})


def _takes_turned(log: Sequence[Any], at: int) -> bool:
    after = log[at + 1] if at + 1 < len(log) else None
    return type(after) is ev.TurnedTaken and after.seat == log[at].seat


def _exchange(state: State, log: Sequence[Any], at: int) -> cm.Command:
    e: ev.ExtraExchanged = log[at]
    return cm.Exchange(seat=e.seat, cards=e.given or [], take_turned=_takes_turned(log, at))


def _keep(state: State, log: Sequence[Any], at: int) -> cm.Command:
    return cm.Keep(seat=log[at].seat, take_turned=_takes_turned(log, at))


def _melds(state: State, log: Sequence[Any], at: int) -> cm.Command:
    e: ev.MeldsDeclared = log[at]
    if at + 1 == len(log) or type(log[at + 1]) is not ev.CardPlayed:
        raise IllegalCommand("log/no_cause", "melds are declared with a card")
    played = _play(state, log, at + 1)
    return msgspec.structs.replace(played, seat=e.seat, melds=e.melds)


def _play(state: State, log: Sequence[Any], at: int) -> cm.Command:
    e: ev.CardPlayed = log[at]
    if at + 1 < len(log) and type(log[at + 1]) in _SAID_WITH_A_CARD:
        return cm.Play(seat=e.seat, card=e.card, stoeck=_stoeck(state, log, at))  # type: ignore[arg-type]
    return cm.Play(seat=e.seat, card=e.card)


_SAID_WITH_A_CARD: Final = frozenset({ev.StoeckDeclared, ev.InfractionFound})


def _stoeck(state: State, log: Sequence[Any], at: int) -> bool | int | None:
    """Whether the Stöck was declared with the card, and not by rule with melds or before a trick."""
    played: ev.CardPlayed = log[at]
    after = at + 1
    while after < len(log) and type(log[after]) is ev.InfractionFound:
        if log[after].code == "stoeck_not_held":
            return True
        after += 1
    if after == len(log) or type(log[after]) is not ev.StoeckDeclared or log[after].seat != played.seat:
        return None
    trump = trump_of(state)
    if state.rules.play.stoeck_signed:
        return int(log[after].points)
    if state.mode == "transcribed" or trump is None:
        return True
    card = INDEX[played.card]
    both = state.played_by(played.seat) | (1 << card if card >= 0 else 0)
    return True if both & STOECK[trump] == STOECK[trump] else None


def _rule(state: State, log: Sequence[Any], at: int) -> cm.Command:
    e: ev.RulingMade = log[at]
    return cm.Rule(
        kind=e.kind,
        reason=e.reason,
        deal=e.deal,
        trick=e.trick,
        against=e.against,
        replaces=e.replaces,
        article=e.article,
        scores=e.scores if e.kind == "score_change" else None,  # type: ignore[arg-type]
        points=e.points,
        choice=e.choice,
        suit=e.suit,
    )


def _result(state: State, log: Sequence[Any], at: int) -> cm.Command:
    e: ev.ResultEntered = log[at]
    kind = cm.CorrectResult if type(e) is ev.ResultCorrected else cm.EnterResult
    return kind(
        seat=e.seat,
        deal=e.deal,
        card_points=e.card_points,
        contract=e.contract,
        sweep=e.sweep,
        stoeck=e.stoeck,
        melds=e.melds,
        scores=e.scores,
    )


def _same_fields(command: type[cm.Command], *names: str) -> Reader:
    def read(state: State, log: Sequence[Any], at: int) -> cm.Command:
        event = log[at]
        fields = {}
        for name in names:
            value = fields[name] = getattr(event, name)
            if value is None and name != "slot":
                raise IllegalCommand("log/not_known", "this log does not tell everything")
        return command(**fields)

    return read


_READERS: Final[dict[type[ev.Event], Reader]] = {
    ev.GameStarted: _start,
    ev.DealStarted: _deal,
    ev.Pushed: _same_fields(cm.Push, "seat"),
    ev.ContractSet: _same_fields(cm.Choose, "seat", "contract", "slot"),
    ev.BidMade: _same_fields(cm.Bid, "seat", "points"),
    ev.BidDeferred: _same_fields(cm.Defer, "seat"),
    ev.BidPassed: _same_fields(cm.Pass, "seat"),
    ev.CardsDiscarded: _same_fields(cm.Discard, "seat", "cards"),
    ev.DealConceded: _same_fields(cm.Concede, "seat"),
    ev.DealAccepted: _same_fields(cm.Accept, "seat"),
    ev.PredictionMade: _same_fields(cm.Predict, "seat", "points"),
    ev.MeldsDeclared: _melds,
    ev.CardPlayed: _play,
    ev.ExtraExchanged: _exchange,
    ev.ExtraKept: _keep,
    ev.TurnedTaken: _same_fields(cm.TakeTurned, "seat"),
    ev.OutClaimed: _same_fields(cm.ClaimOut, "seat"),
    ev.DealStopped: _same_fields(cm.Stop, "seat"),
    ev.RulingMade: _rule,
    ev.GameClosed: _same_fields(cm.Close, "reason"),
    ev.ResultEntered: _result,
    ev.ResultCorrected: _result,
    ev.ResultConfirmed: _same_fields(cm.ConfirmResult, "seat", "deal"),
}
