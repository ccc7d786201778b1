"""Forgeries of how a game was played, with the platform's own key and seal: events that do not come in a
game, hands, bids, predictions, slots, regulations and pairs. The Python program has to name each."""

import io
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from games import sealing
from tests.verify.evening import Evening
from tests.verify.record import Event, Record
from tests.verify.test_forgeries import Bend, kept_evenings, last, made_evening

__all__ = ["kept_evenings"]

FACTORS = {
    name: factor
    for factor, name in enumerate(
        [
            *("diamonds", "hearts", "spades", "clubs", "obenabe"),
            *("undenufe", "joker7", "joker8", "slalom", "guschti"),
        ],
        1,
    )
}


def added_up(game: list[Event]) -> None:
    """Totals and winners by the scores that are told, so that the rest of the record agrees."""
    totals: list[int] | None = None
    for event in game:
        if event.type in ("deal_scored", "result_entered"):
            scores = event.body["scores"]
            totals = list(scores) if totals is None else [a + b for a, b in zip(totals, scores, strict=True)]
            event.body["totals"] = list(totals)
        elif event.type == "game_ended" and totals is not None:
            event.body["totals"] = list(totals)
            event.body["winners"] = [side for side, own in enumerate(totals) if own == max(totals)]


def last_deal(game: list[Event]) -> tuple[int, int]:
    """Where the last deal begins, and where it is scored."""
    begins = max(at for at, event in enumerate(game) if event.type == "deal_started")
    return begins, game.index(last(game, "deal_scored"))


def closed(record: Record, game: list[Event], at: int, type_: str, body: dict[str, Any], cards: Any) -> None:
    record.insert(game, at, type_, body).hide("cards", cards)


# --- events that do not come in this game


def written_again_after_the_end(record: Record) -> None:
    game = record.game(1, 2)
    before = [event.copy() for event in game[1:]]
    record.insert(game, len(game), "taken_back", {"to": 1})
    for event in before:
        if event.type == "result_entered":
            event.body.update(card_points=[150, 7], scores=[150, 7])
    added_up(before)
    game.extend(before)


def ruling_taken_back(record: Record) -> None:
    game = record.game(1)
    at = record.place(game, "ruling_made")
    record.insert(game, at + 1, "taken_back", {"to": at})


def given_away_in_schieber(record: Record) -> None:
    game = record.game(1)
    begins, scored = last_deal(game)
    first = next(at for at in range(begins, scored) if game[at].type == "card_played")
    del game[first:scored]
    record.insert(game, first, "deal_conceded", {"seat": 0, "points": 177})
    last(game, "deal_scored").body.update(card_points=[0, 157], scores=[0, 177])
    added_up(game)


def typed_at_a_dealt_table(record: Record) -> None:
    game = record.game(1)
    begins, scored = last_deal(game)
    typed = {"seat": 0, "side": 0, "deal": 4, "card_points": [150, 7], "scores": [150, 7], "totals": [0, 0]}
    del game[begins : scored + 1]
    record.insert(game, begins, "result_entered", typed)
    added_up(game)


def played_on_a_sheet(record: Record) -> None:
    """The last deal was never written down nor signed."""
    game = record.game(1, 2)
    at = max(at for at, event in enumerate(game) if event.type == "result_entered")
    del game[at : at + 2]
    record.insert(game, at, "deal_started", {"deal": 3, "dealer": 0})
    record.insert(game, at + 1, "trick_taken", {"seat": 0, "points": 157})
    scored = {"deal": 3, "card_points": [157, 0], "scores": [157, 0], "totals": [0, 0]}
    record.insert(game, at + 2, "deal_scored", scored)
    added_up(game)


def claimed_in_a_game_of_deals(record: Record) -> None:
    game = record.game(1)
    ended = last(game, "game_ended").body
    side = 1 - ended["winners"][0]
    record.insert(game, last_deal(game)[1], "out_claimed", {"seat": side, "right": True})
    ended["winners"] = [side]


def four_sides(record: Record) -> None:
    game = record.game(1, 2)
    game[0].body["sides"] = 4
    for event in game:
        for name in ("card_points", "scores", "totals"):
            if name in event.body:
                event.body[name] = [*event.body[name], 0, 0]


def counted_in_another_way(record: Record) -> None:
    record.game(1, 2)[0].body.pop("counting")


# --- cards


def last_trick_left_out(record: Record) -> None:
    game = record.game(1)
    at = max(at for at, event in enumerate(game) if event.type == "trick_taken")
    taken, scored = game[at].body, last(game, "deal_scored").body
    for name in ("card_points", "scores"):
        scored[name][taken["seat"] % 2] -= taken["points"]
    del game[at - 4 : at + 1]
    added_up(game)


def swap_cards(game: list[Event], since: int) -> None:
    """Two of a trick, played by others than held them."""
    one, other = [event.body for event in game[since:] if event.type == "card_played"][1:3]
    one["card"], other["card"] = other["card"], one["card"]


def hands_freed_by_an_exchange(record: Record) -> None:
    game = record.game(1)
    at = record.place(game, "card_played")
    closed(record, game, at, "cards_discarded", {"seat": 0, "size": 0}, [])
    swap_cards(game, at)


def other_hand_after_an_exchange(record: Record) -> None:
    game = record.game(1)
    swap_cards(game, record.place(game, "extra_exchanged"))


def took_what_did_not_lie_there(record: Record) -> None:
    event = record.first(record.game(1), "extra_exchanged")
    taken, other = event.secret("taken"), record.first(record.game(1), "hand_dealt").secret("cards")
    event.hide("taken", [*other[: len(taken)]])


def talon_of_other_cards(record: Record) -> None:
    game = record.game(1)
    event = record.first(game, "talon_taken")
    event.hide("cards", [*event.secret("cards")[1:], record.first(game, "hand_dealt").secret("cards")[0]])


def put_away_more(record: Record) -> None:
    game = record.game(1)
    at = record.place(game, "discards_counted")
    game[at].body["points"] += 20
    scored = next(event for event in game[at:] if event.type == "deal_scored").body
    for name in ("card_points", "scores"):
        scored[name][0] += 20
    added_up(game)


def stoeck_never_held(record: Record) -> None:
    game = record.game(1)
    record.insert(game, record.place(game, "deal_scored"), "stoeck_declared", {"seat": 0, "points": 20})
    record.first(game, "deal_scored").body["scores"][0] += 20
    added_up(game)


def stopped_too_early(record: Record) -> None:
    """A deal ends before its declarer reaches the bid, and so loses it."""
    game = record.game(1)
    scored = next(e for e in game if e.type == "deal_scored" and e.body["scores"][0] != e.body["scores"][1])
    at = game.index(scored)
    begins = max(n for n in range(at) if game[n].type == "contract_set")
    won = max(n for n in range(at) if game[n].type == "auction_won")
    declarer = game[won].body["seat"]
    kept = next(n for n in range(begins, at) if game[n].type == "trick_taken")
    del game[kept + 1 : at]
    record.insert(game, kept + 1, "deal_stopped", {"seat": 1 - declarer})
    taken = [0, 0]
    taken[game[kept].body["seat"]] = game[kept].body["points"]
    scored.body.update(card_points=taken, scores=[int(side != declarer) for side in (0, 1)])


def written_trick_for_another(record: Record) -> None:
    taken = record.first(record.game(1), "trick_taken").body
    taken["seat"] = (taken["seat"] + 1) % 4


def melds_of_more_points(record: Record) -> None:
    game = record.game(1)
    at = record.place(game, "melds_scored")
    game[at].body["points"] += 200
    next(e for e in game[at:] if e.type == "deal_scored").body["scores"][game[at].body["side"]] += 200
    added_up(game)


def meld_of_other_cards(record: Record) -> None:
    shown = record.first(record.game(1), "melds_scored").body["shown"][0]
    shown["seat"] = (shown["seat"] + 1) % 3


# --- what was said


def predicted_after_the_cards(record: Record) -> None:
    game = record.game(1)
    said = game.pop(record.place(game, "prediction_made"))
    at = record.place(game, "deal_scored")
    said.hide("points", game[at].body["card_points"][said.body["seat"]])
    game.insert(at, said)
    game[at + 1].body["scores"][said.body["seat"]] = 0


def predicted_twice(record: Record) -> None:
    game = record.game(1)
    at = record.place(game, "prediction_made")
    game.insert(at + 1, game[at].copy())


def named_twice(record: Record) -> None:
    game = record.game(1)
    at = record.place(game, "contract_set")
    game.insert(at + 1, game[at].copy())


def other_predictions(record: Record) -> None:
    game = record.game(1)
    at = record.place(game, "deal_scored")
    points = [0] * 4
    for event in game[:at]:
        if event.type == "prediction_made":
            points[event.body["seat"]] = event.secret("points")
    points[0] = game[at].body["card_points"][0]
    record.insert(game, at, "predictions_revealed", {"points": points})
    game[at + 1].body["scores"][0] = 0


def won_by_a_lower_bid(record: Record) -> None:
    record.first(record.game(1), "auction_won").body["points"] -= 50


def slot_of_ten(record: Record) -> None:
    game = record.game(1)
    at = next(n for n, e in enumerate(game) if e.type == "contract_set" and FACTORS[e.body["slot"]] == 1)
    game[at].body["slot"] = "guschti"
    scored = next(event for event in game[at:] if event.type == "deal_scored").body
    scored["scores"] = [10 * points for points in scored["scores"]]
    added_up(game)


def chosen_by_the_other_side(record: Record) -> None:
    game = record.game(1)
    chosen, scored = record.first(game, "contract_set").body, record.first(game, "deal_scored").body
    chosen["seat"] = (chosen["seat"] + 1) % 4
    side, factor = chosen["seat"] % 2, FACTORS[chosen["slot"]]
    scored["scores"] = [factor * scored["card_points"][side] if one == side else 0 for one in (0, 1)]
    added_up(game)


def stoeck_of_300(record: Record) -> None:
    game = record.game(1, 2)
    written = last(game, "result_entered").body
    written.update(stoeck=0, stoeck_points=300)
    written["scores"][0] += 300
    added_up(game)


# --- around the games


def regulations_after_results(record: Record) -> None:
    own = record.own
    frozen, new = last(own, "regulations_frozen"), last(own, "regulations_set").copy()
    new.body["version"] = frozen.body["version"] = new.body["version"] + 1
    new.body["regulations"]["counting"].update(what="best", number=1)
    own.remove(frozen)
    at = own.index(last(own, "standings_published"))
    for event in (new, frozen):
        event.envelope["recorded_at"] = own[at].envelope["recorded_at"]
    own[at:at] = [new, frozen]
    rows = record.tables["regulations"]
    held = {**rows[-1], "pk": 10**6, "version": new.body["version"], "data": new.body["regulations"]}
    rows[-1]["frozen_at"] = None
    rows.append(held)
    record.tables["championship"][0]["regulations_version"] = held["version"]


def finished_before_the_last_round(record: Record) -> None:
    record.insert(record.own, len(record.own), "championship_finished", {})
    record.tables["championship"][0]["status"] = "finished"


def pair_of_two_others(record: Record) -> None:
    """Who has won withdraws, one after the other, and two friends have their points."""
    own = record.own
    formed = record.first(own, "entrant_formed").body
    paired = {player for e in own if e.type == "entrant_formed" for player in e.body["players"]}
    friends = [e.body["player"] for e in own if e.type == "entry_added" and e.body["player"] not in paired]
    friends.append("f" * 32)
    record.insert(own, len(own), "entry_added", {"player": friends[-1], "number": 99})
    for gone, comes in zip(formed["players"], friends, strict=True):
        record.insert(own, len(own), "entry_withdrawn", {"player": gone, "from_round": 3})
        joined = {"entrant": formed["entrant"], "player": comes}
        record.insert(own, len(own), "entrant_joined", joined)


FORGERIES: list[tuple[str, Bend, str]] = [
    ("ruled", written_again_after_the_end, "taken_back does not come in this game"),
    ("ruled", ruling_taken_back, "taken_back does not come in this game"),
    ("disputed", ruling_taken_back, "an event was taken back that cannot be taken back"),
    ("klubabend", given_away_in_schieber, "deal_conceded does not come in this game"),
    ("klubabend", typed_at_a_dealt_table, "result_entered does not come in this game"),
    ("ruled", played_on_a_sheet, "deal_started does not come in this game"),
    ("partnerschieber", claimed_in_a_game_of_deals, "the end was claimed in a game that ends automatically"),
    ("ruled", four_sides, "it has 4 sides instead of 2"),
    ("ruled", counted_in_another_way, "its sheets are counted in several ways"),
    ("klubabend", last_trick_left_out, "it was scored after 8 tricks of 9"),
    ("klubabend", hands_freed_by_an_exchange, "which it did not have"),
    ("klubabend", hands_freed_by_an_exchange, "cards_discarded does not come in this game"),
    ("la_pomme", other_hand_after_an_exchange, "which it did not have"),
    ("la_pomme", took_what_did_not_lie_there, "took cards that were not there"),
    ("bieter", talon_of_other_cards, "took cards that were not there"),
    ("bieter", put_away_more, "the discards count"),
    ("santiago", stoeck_never_held, "declared a Stöck that it did not have"),
    ("bieter", melds_of_more_points, "melds count other points than were shown"),
    ("bieter", meld_of_other_cards, "showed a meld that it did not have"),
    ("differenzler", predicted_after_the_cards, "prediction_made came after the first card"),
    ("differenzler", predicted_twice, "prediction_made came twice"),
    ("klubabend", named_twice, "contract_set came twice"),
    ("lake_constance", stopped_too_early, "was stopped before the bid was decided"),
    ("disputed", written_trick_for_another, "took a trick of seat"),
    ("differenzler", other_predictions, "other predictions are revealed than were made"),
    ("bieter", won_by_a_lower_bid, "an auction was won by another bid than the last"),
    ("coiffeur", slot_of_ten, "is not played in the slot 'guschti'"),
    ("coiffeur", slot_of_ten, "was played twice"),
    ("coiffeur", chosen_by_the_other_side, "chose out of turn"),
    ("ruled", stoeck_of_300, "a Stöck of 300 points"),
    ("klubabend", regulations_after_results, "were changed after a round was opened"),
    ("ruled", finished_before_the_last_round, "it was finished though round 2 was not closed"),
    ("pairs", pair_of_two_others, "a pair continued although no member has played for it"),
]


@pytest.mark.parametrize(
    ("name", "bend", "told"), FORGERIES, ids=[f"{n}-{b.__name__}-{t[:12]}" for n, b, t in FORGERIES]
)
def test_a_forged_game_sealed_with_the_platforms_key_is_named(
    puur_verify: ModuleType,
    kept_evenings: dict[str, Evening],
    db: None,
    key_file: Path,
    name: str,
    bend: Bend,
    told: str,
) -> None:
    record = Record(made_evening(kept_evenings, name).public)
    bend(record)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(told in line for line in found), found


def test_lots_written_down_anew_and_partners_who_come_into_a_pair_are_noted(
    puur_verify: ModuleType, kept_evenings: dict[str, Evening], db: None, key_file: Path
) -> None:
    record = Record(made_evening(kept_evenings, "pairs").public)
    own = record.own
    player = record.first(own, "entry_added").body["player"]
    for value in (1, 2):
        record.insert(own, len(own), "separator_recorded", {"kind": "lot", "values": {player: value}})
    formed = record.first(own, "entrant_formed").body["players"]
    record.insert(own, len(own), "entry_withdrawn", {"player": formed[0], "from_round": 3})
    paired = {p for e in own if e.type == "entrant_formed" for p in e.body["players"]}
    free = next(e.body["player"] for e in own if e.type == "entry_added" and e.body["player"] not in paired)
    joined = {"entrant": record.first(own, "entrant_formed").body["entrant"], "player": free}
    record.insert(own, len(own), "entrant_joined", joined)
    notes = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).notes
    for told in ("the lot of numbers that had one was recorded again", "which had played"):
        assert any(told in line for line in notes), (told, notes)
