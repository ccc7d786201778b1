"""The regulations of a championship, applied to a game."""

from __future__ import annotations


def read_regulations_at(own, moment):
    """Return the regulations at a moment, or the first ones if dates go backwards."""
    told = [event for event in own if event["type"] == "regulations_set"]
    return ([e for e in told if e["at"] <= moment] or told[:1])[-1]["body"]["regulations"]


def plays_same_cards(own):
    """Whether all tables of a round play the same decks, by the last regulations."""
    told = [event["body"]["regulations"] for event in own if event["type"] == "regulations_set"]
    return bool(told) and told[-1].get("same_cards") is True


def count_deals_at_three(started, regulations):
    """Return the number of deals of a game: at a table of three each player deals as often as at four."""
    deals = regulations["deals"]
    return deals * 3 // 4 if is_table_of_three(started, regulations) else deals


def is_table_of_three(started, regulations):
    """Whether a game is a table of three beside tables of four."""
    return (started.get("seats"), regulations["play"]["seats"]) == (3, 4)


def is_by_regulations(started, row, regulations):
    """Whether a game started as the regulations say. The meaning of a preset is the platform's."""
    play, options = regulations["play"], started.get("options", {})
    wanted = dict(play["options"])
    if "deals" in options and regulations["deals"]:
        wanted["deals"] = count_deals_at_three(started, regulations)
    return (
        (started.get("variant"), row["preset"]) == (play["variant"], play["preset"] or "")
        and (started.get("seats") == play["seats"] or is_table_of_three(started, regulations))
        and started.get("won_before") is None
        and not started.get("written_scores")
        and (started.get("mode") != "sheet" or is_sheet_by_regulations(started, regulations))
        and all(options.get(name, ...) == value for name, value in wanted.items())
    )


def is_sheet_by_regulations(started, regulations):
    """Whether a sheet is entered and confirmed as the regulations say.

    A sheet that started before the regulations mentioned it is entered by deals.
    """
    taken, confirmed = started.get("hand_in") or "deals", started.get("confirmation", "paper")
    return (taken, confirmed) == (
        regulations.get("hand_in", "deals"),
        regulations.get("confirmation", "paper"),
    )


def get_pairing(regulations):
    """Return the pairing system of regulations, and its options."""
    chosen = regulations.get("pairing", {})
    return chosen.get("system", "drawn"), chosen.get("options", {})
