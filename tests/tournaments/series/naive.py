"""A naive reference of series tables and qualifications, and random documents."""

import hmac
import random
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any

from hypothesis import strategies as st

Document = dict[str, Any]
Row = dict[str, Any]
PERSONS = [f"p{n}" for n in range(9)]


def random_documents(build: Callable[[random.Random], Document]) -> st.SearchStrategy[Document]:
    """Documents built from one number each, since hypothesis is slow at drawing many small parts."""
    return st.integers(0, 2**64).map(lambda number: build(random.Random(number)))


def random_ranking(rng: random.Random, direction: int, refs: list[str]) -> list[Row]:
    """A ranking with level totals, of which some are separated by a chain and some share their place."""
    totals = [(Fraction(rng.randint(2, 14), 2), ref) for ref in refs]
    rows: list[Row] = []
    for total, ref in sorted(totals, key=lambda pair: -direction * pair[0]):
        level = bool(rows) and Fraction(rows[-1]["total"]) == total
        place = rows[-1]["place"] if level and rng.random() < 0.5 else len(rows) + 1
        rows.append({"place": place, "ref": ref, "total": written(total)})
    return rows


def random_events(rng: random.Random, directions: tuple[int, ...] = (1,)) -> list[Row]:
    """Events in any order and state, some of them empty."""
    found = []
    for key in rng.sample(["a", "b", "c", "d"], rng.randint(1, 4)):
        direction = rng.choice(directions)
        state = rng.choice(["held"] * 5 + ["planned", "cancelled", "void"])
        refs = rng.sample(PERSONS, rng.randint(0, len(PERSONS)))
        ranking = random_ranking(rng, direction, refs)
        found.append({"key": key, "direction": direction, "state": state, "ranking": ranking})
    return found


def exact(number: Any) -> Fraction:
    return Fraction(str(number))


def written(number: Fraction) -> int | str:
    return int(number) if number.denominator == 1 else f"{number.numerator}/{number.denominator}"


def value(rules: Row, ranking: list[Row], row: Row) -> Fraction:
    """Return the value of an event for the person of a row."""
    if rules["kind"] == "points":
        return exact(row["total"])
    if rules["kind"] == "percent":
        mean = sum((exact(one["total"]) for one in ranking), Fraction(0)) / len(ranking)
        return exact(row["total"]) / mean * 100
    by_place = [Fraction(n) for n in rules["points"]] + [Fraction(rules["rest"])] * 100
    sharing = [one for one in ranking if one["place"] == row["place"]]
    occupied = by_place[row["place"] - 1 : row["place"] - 1 + len(sharing)]
    return max(occupied) if rules["shared"] == "better" else sum(occupied, Fraction(0)) / len(occupied)


def table(document: Document) -> list[Row]:
    """Recount a season table of persons."""
    rules = document["rules"]
    held = [event for event in document["events"] if event["state"] == "held"]
    cancelled = [event for event in document["events"] if event["state"] == "cancelled"]
    direction = held[0]["direction"] if held and rules["table"]["kind"] != "places" else 1
    best = rules.get("best") or 99
    if rules.get("cancelled") == "reduce":
        best = max(1, best - len(cancelled))
    weights = {event["key"]: exact(rules["weights"].get(event["key"], 1)) for event in held}
    lines = []
    for ref in PERSONS:
        plain = {
            event["key"]: value(rules["table"], event["ranking"], row)
            for event in held
            for row in event["ranking"]
            if row["ref"] == ref
        }
        if not plain or len(plain) < rules["least"]:
            continue
        missed = [event["key"] for event in held if event["key"] not in plain]
        if len(missed) < rules.get("average_below", 0):
            mean = sum(plain.values()) / len(plain)
            plain |= dict.fromkeys(missed, mean)
        weighted = {key: plain[key] * weights[key] for key in sorted(plain)}
        order = sorted(weighted, key=lambda key: weighted[key], reverse=direction > 0)
        counted = [key for key in order if key not in rules.get("always", ())][:best]
        counted += [key for key in order if key in rules.get("always", ())]
        total = sum(weighted[key] for key in counted)
        if rules.get("total") == "average":
            weight = sum(weights[key] for key in counted)
            total = total / weight if weight else Fraction(0)
        dropped = sorted(set(order) - set(counted))
        stands = [direction * Fraction(total), *separate(rules, ref, weighted, held, direction)]
        lines.append((ref, Fraction(total), weighted, dropped, stands))
    rows = []
    for ref, total, weighted, dropped, stands in lines:
        place = 1 + sum(1 for line in lines if line[4] > stands)
        worth = {key: written(number) for key, number in weighted.items()}
        row = {"place": place, "ref": ref, "total": written(total), "events": worth, "dropped": dropped}
        rows.append(row)
    return sorted(rows, key=lambda row: (row["place"], row["ref"]))


def separate(rules: Row, ref: str, weighted: Row, held: list[Row], direction: int) -> list[Any]:
    """Return what the tie rules compare, in turn: the higher is better."""
    own = [row for event in held for row in event["ranking"] if row["ref"] == ref]
    of_last = [
        (event["key"] in weighted, direction * weighted.get(event["key"], 0)) for event in reversed(held)
    ]
    compared = {
        "best_event": sorted((direction * number for number in weighted.values()), reverse=True),
        "most_events": len(own),
        "wins": sum(row["place"] == 1 for row in own),
        "last_event": of_last,
    }
    return [compared[name] for name in rules.get("ties", ())]


def lot(seed: str, ref: str) -> int:
    """The lot of a person, from the published description of the stream."""
    return int.from_bytes(
        hmac.digest(seed.encode(), b"series/lot/" + ref.encode() + bytes(9), "sha256")[:4], "big"
    )


def season(document: Document) -> list[Row]:
    """Return the ranked persons of the table of the events of `from`, as results of no event."""
    rules = document["rules"]
    limited = [event for event in document["events"] if event["key"] in rules["qualify"]["from"]]
    held = [event for event in limited if event["state"] == "held"]
    direction = held[0]["direction"] if held and rules["table"]["kind"] != "places" else 1
    found = [
        {**row, "event": None, "worth": direction * exact(row["total"])}
        for row in table({**document, "events": limited})
    ]

    def key(one: Row) -> tuple[Any, ...]:
        chain = () if rules["qualify"]["level"] == "lot" else (one["place"],)
        return (-one["worth"], *chain, lot(document["seed"], one["ref"]))

    return sorted(found, key=key)


def qualify(document: Document) -> Document:
    """Recount a qualification of events of one direction."""
    rules = document["rules"]["qualify"]
    by_key = {event["key"]: event for event in document["events"]}
    held = [by_key[key] for key in rules["from"] if by_key[key]["state"] == "held"]
    level, seed = rules["level"], document["seed"]
    starts = [
        {**row, "event": event["key"], "worth": event["direction"] * exact(row["total"])}
        for event in held
        for row in event["ranking"]
    ]

    def rank_overall(one: Row) -> tuple[Any, ...]:
        chain = () if level == "lot" else (one["place"],)
        return (-one["worth"], *chain, lot(seed, one["ref"]))

    best: dict[str, Row] = {}
    for one in starts:  # a better total, then a better place, then an earlier event of `from`
        known = best.get(one["ref"])
        if known is None or (-one["worth"], one["place"]) < (-known["worth"], known["place"]):
            best[one["ref"]] = one
    overall = sorted(best.values(), key=rank_overall)
    tickets: list[Row] = []

    def has_ticket(ref: str) -> bool:
        return any(ticket["ref"] == ref for ticket in tickets)

    def give(ref: str, event: str | None, place: int | None, why: str) -> None:
        if not has_ticket(ref):
            tickets.append({"ref": ref, "from": event, "place": place, "why": why})

    def take(candidates: list[Row], count: int, step: Row) -> None:
        """`candidates` stand in the order of the chain, with lots among those who share a place."""
        pool = [one for one in candidates if step.get("lapse") or not has_ticket(one["ref"])]
        count = max(0, min(count, len(pool)))
        chosen = pool[:count]
        if count and level == "all":
            chosen = [one for one in pool if one["worth"] >= pool[count - 1]["worth"]]
        if count and level == "lot":
            last = pool[count - 1]["worth"]
            sure = [one for one in pool if one["worth"] > last]
            drawn = sorted((one for one in pool if one["worth"] == last), key=lambda o: lot(seed, o["ref"]))
            drawn = drawn[: count - len(sure)]
            chosen = [one for one in pool if one in sure or one in drawn]
        for one in chosen:
            give(one["ref"], one["event"], one["place"], step["kind"])

    for step in rules["steps"]:
        kind = step["kind"]
        if kind == "holder":
            for ref in document["holders"]:
                give(ref, None, None, kind)
        elif kind == "wild_card":
            for ref in document["wild_cards"]:
                give(ref, None, None, kind)
        elif kind == "share" or (kind == "first" and step["of"] == "each"):
            for event in held:
                candidates = [one for one in starts if one["event"] == event["key"]]
                candidates.sort(key=lambda one: (one["place"], lot(seed, one["ref"])))
                count = step.get("count", 0)
                if kind == "share":
                    share = Fraction(step["percent"] * len(candidates), 100)
                    count = ceil(share) if step["round"] == "up" else floor(share)
                take(candidates, count, step)
        elif kind == "first":
            take(overall, step["count"], step)
        elif kind == "threshold":
            for one in overall:
                direction = by_key[one["event"]]["direction"]
                if direction * exact(one["total"]) >= direction * step["points"]:
                    give(one["ref"], one["event"], one["place"], kind)
        elif kind == "best_rest":
            take(overall, step["fill_to"] - len(tickets), step)
        elif kind == "table":
            take(season(document), step["count"], step)
    by_table = any(step["kind"] == "table" for step in rules["steps"])
    order = season(document) if by_table else overall
    waiting = [one for one in order if not has_ticket(one["ref"]) and one["ref"] not in document["declined"]]
    declined = [ticket for ticket in tickets if ticket["ref"] in document["declined"]]
    tickets = [ticket for ticket in tickets if ticket not in declined]
    for _ in declined[: len(waiting)]:
        one = waiting.pop(0)
        give(one["ref"], one["event"], one["place"], "replacement")
    return {"qualified": tickets, "waiting": [one["ref"] for one in waiting]}
