"""Forgeries of the list of an exported file, of its tables outside the log, and of what is not sealed."""

from tests.verify.cheats.forging import cheat, lose, swap
from tests.verify.record import Record

# --- the list


cheat(
    "L1",
    "it is signed with",
    lambda record: another_key_signs_the_list(record),
    forgery="the list signed with a stranger's key",
    browser="list_key",
    hand="stranger",
)


def another_key_signs_the_list(record: Record) -> None:
    """The test signs with a key of its own; checkpoints stay as they are."""


cheat(
    "L2",
    "it is signed with no key",
    lambda record: nobody_signs_the_list(record),
    forgery="a list without a key and signature",
    browser="list_unsigned",
    hand="unsigned",
)


def nobody_signs_the_list(record: Record) -> None:
    record.manifest["key"] = ""


cheat(
    "L3",
    "there is no such level",
    lambda r: r.manifest.update(level="official"),
    forgery="a level other than public and backup",
    browser="level",
)
cheat(
    "L4",
    "the championship is not the one of the log",
    lambda r: r.manifest.update(slug="other-cup"),
    forgery="another address of the championship",
)
cheat(
    "L5",
    "the championship's own stream",
    lambda r: lose(r, r.manifest["championship"]),
    forgery="no stream of the championship",
    browser="no_championship",
    found="unusable",
)
cheat(
    "L6",
    "is not what was exported",
    lambda r: r.tables["entry"][0].update(house=True),
    forgery="a changed file, the list unchanged",
    browser="file_changed",
    hand="outsider",
)


# --- the tables beside the log


cheat(
    "R1",
    "the entries are not those of the log",
    lambda r: swap(r.tables["entry"], "number"),
    forgery="two people swap numbers",
)
cheat(
    "R2",
    "the entries are not those of the log",
    lambda r: swap(r.tables["entry"], "player_ref"),
    forgery="two people swap references",
)
cheat(
    "R3",
    "the regulations are not those of the log",
    lambda r: r.tables["regulations"][0]["data"].update(deals=12),
    forgery="regulations other than the frozen ones",
)
cheat(
    "R4",
    "it lacks seating, sitout",
    lambda r: [r.tables.pop(name) for name in ("seating", "sitout")],
)
cheat(
    "R5",
    "its tables are not those that were drawn",
    lambda r: r.tables.update(table=[]),
    forgery="an emptied table",
)
cheat(
    "R6",
    "the championship is not the one of the log",
    lambda r: r.tables["championship"][0].update(status="finished"),
    forgery="a wrong status of the championship",
)
cheat(
    "R7",
    "not as the log says",
    lambda r: r.tables["round"][0].update(status="open"),
    forgery="a wrong status of a round",
)
cheat(
    "R8",
    "its tables have other games than the log says",
    lambda r: swap(list(r.rows("table", round=r.tables["round"][0]["pk"])), "game"),
    forgery="two tables swap games",
)
cheat(
    "R9",
    "the seats are not those of the draw",
    lambda r: swap(r.tables["seating"], "entry"),
    forgery="two people swap seats",
)
cheat(
    "R10",
    "the byes are not those of the draw",
    lambda r: r.tables["sitout"].append(
        {
            "pk": 1,
            "round": r.tables["round"][0]["pk"],
            "entry": r.tables["entry"][0]["pk"],
            "points": 500,
        }
    ),
    forgery="a bye for a person with a seat",
)
cheat(
    "R11",
    "its players are not those of the draw",
    lambda r: swap(list(r.rows("seat", game=r.games(1)[0])), "player_ref"),
    forgery="two people swap seats at a game",
)
cheat(
    "R12",
    "it is another game than the log says",
    lambda r: next(r.rows("game", id=r.games(1)[0])).update(mode="sheet"),
    forgery="a game of another mode",
)
cheat(
    "R13",
    "it plays the cards of another table",
    lambda r: next(r.rows("game", id=r.games(1)[0])).update(number=2),
    forgery="a table with the decks of another one",
)
cheat(
    "R14",
    "it contains a row twice",
    lambda r: r.tables["entry"].append(dict(r.tables["entry"][0])),
)
cheat(
    "R15",
    "it does not list the rounds that exist",
    lambda r: r.tables["round"].pop(0),
    forgery="an unlisted round",
)
cheat(
    "R16",
    "its rounds are in another order than their seeds",
    lambda r: swap(r.tables["round"], "number"),
    forgery="two rounds swap numbers",
)
cheat(
    "R17", "its games are not those of the log", lambda r: r.tables["game"].pop(), forgery="an unlisted game"
)
cheat(
    "R18",
    "refers to a round that does not exist",
    lambda r: r.tables["table"].append({**r.tables["table"][0], "pk": 10**9, "round": 10**9}),
)
cheat(
    "R19",
    "a seat refers to a game that does not exist",
    lambda r: r.tables["seat"].append({**r.tables["seat"][0], "pk": 10**9, "game": "ab" * 16}),
)
cheat(
    "R20",
    "the pairs are not those of the log",
    lambda r: r.tables.update(entrant=[{"pk": 1, "ref": "ab" * 16, "number": 1}]),
    forgery="an invented pair",
)

# --- names, and what else is not sealed


cheat(
    "N1",
    "not sealed",
    lambda r: swap(list(r.names["entry"].values()), "name"),
    forgery="two people swap names",
    found="unproven",
)
cheat(
    "N2",
    "it names a person who was never entered",
    lambda r: r.names["entry"].update({str(10**9): {"name": "X", "club": ""}}),
)
cheat(
    "N3",
    "not sealed",
    lambda r: r.tables["championship"][0].update(name="Another Cup", place="Elsewhere"),
    forgery="another title or place",
    found="unproven",
)
cheat(
    "N4",
    "players of the house",
    lambda r: of_the_house(r),
    forgery="a helper of the house, who is not ranked",
    found="unproven",
)
cheat(
    "N5",
    "seats were played by programs",
    lambda r: r.tables["seat"][0].update(bot="medium"),
    forgery="a program listed as a person, or the reverse",
    found="unproven",
)
cheat(
    "N6",
    "names can be erased",
    lambda r: r.files.pop("names.json"),
    forgery="no file of names, which is allowed",
    browser="names_gone",
    found="note",
    hand="outsider",
)


def of_the_house(record: Record) -> None:
    """Mark the people in the last place as players of the house, and remove them from the ranking."""
    rows = record.tables["standingssnapshot"][0]["rows"]
    last = [row["key"] for row in rows if row["place"] == rows[-1]["place"]]
    del rows[-len(last) :]
    for entry in record.tables["entry"]:
        entry["house"] = entry["number"] in last
    record.publish()
