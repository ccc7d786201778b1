"""Pairs entered one line each, formed of single people, or read from a column: all of them, or none."""

import pytest

from games.models import User
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.services.entries import entries, pair_lines, pairs

TWELVE = "\n".join(f"Anna {n} Ammann / Beat {n} Bühler" for n in range(1, 13))


def entered(championship: Championship, text: str, fredi: User) -> int:
    return pair_lines.enter_lines(championship, text, status="arrived", actor=fredi)


def together(championship: Championship) -> list[str]:
    return [pairs.pair_name(members) for members in pairs.load_pairs(championship).values()]


def test_twelve_pairs_are_twelve_lines(championship: Championship, fredi: User) -> None:
    assert entered(championship, TWELVE, fredi) == 12
    assert championship.entries.filter(status=Entry.Status.ARRIVED).count() == 24
    assert together(championship)[0] == "Anna 1 Ammann / Beat 1 Bühler"
    assert pairs.list_unpaired(championship) == []


def test_a_line_takes_numbers_and_people_who_are_entered_and_a_name_alone(
    championship: Championship, fredi: User
) -> None:
    entries.add_entry(championship, actor=fredi, name="Fredi Müller", status="arrived")
    entries.add_entry(championship, actor=fredi, name="Rosa Roth", status="arrived")
    entered(championship, "1 / Meier Heidi\n\nrosa roth/ Otto Ott\nErna Egli", fredi)
    assert championship.entries.count() == 5
    assert together(championship) == ["Fredi Müller / Heidi Meier", "Rosa Roth / Otto Ott"]
    assert [entry.name for entry in pairs.list_unpaired(championship)] == ["Erna Egli"]


def test_a_list_is_written_in_one_order(championship: Championship, fredi: User) -> None:
    entered(championship, "Schönenberger Xanthippe / Ammann Anna\nBühler Beat / Xund Zenobia", fredi)

    assert together(championship) == [
        "Xanthippe Schönenberger / Anna Ammann",
        "Beat Bühler / Zenobia Xund",
    ]


def test_lines_that_cannot_be_are_all_named_and_nothing_is_entered(
    championship: Championship, fredi: User
) -> None:
    text = "Anna Ammann / Beat Bühler\nBeat Bühler / Carla Caduff\nA / B / C\n"
    text += "Dora Dörig / Dora Dörig\n77 / Eva Egli"
    with pytest.raises(pair_lines.RowsRefused) as refused:
        entered(championship, text, fredi)
    assert [(row, error.code) for row, error in refused.value.rows] == [
        (2, "pairs/taken"),
        (3, "pairs/line"),
        (4, "pairs/oneself"),
        (5, "entries/unknown"),
    ]
    assert not championship.entries.exists()


@pytest.mark.parametrize("text", ["", " \n "])
def test_no_lines_are_said_to_be_none(championship: Championship, fredi: User, text: str) -> None:
    with pytest.raises(TournamentError) as refused:
        entered(championship, text, fredi)
    assert refused.value.code == "pairs/no_lines"


def test_who_has_no_partner_is_paired_in_order_or_by_lot_and_an_odd_one_stays(
    championship: Championship, fredi: User
) -> None:
    entered(championship, "\n".join(f"Person {n} Muster" for n in range(1, 10)), fredi)
    assert pair_lines.pair_remaining(championship, by_lot=False, actor=fredi) == 4
    assert together(championship)[0] == "Person 1 Muster / Person 2 Muster"
    assert len(pairs.list_unpaired(championship)) == 1
    for members in list(pairs.load_pairs(championship).values()):
        pairs.pair(members[0], None, actor=fredi)
    assert pair_lines.pair_remaining(championship, by_lot=True, actor=fredi) == 4


def test_two_names_are_parted_as_people_write_them() -> None:
    ways = ("/", "&", "+", " und ", " – ", " - ", " et ", " e ", " y ", "\t", " mit ", ";")
    lines = [f"Anna Ammann{way if way.strip() != way else f' {way} '}Beat Bühler" for way in ways]
    lines += [
        "1. Anna Ammann / Beat Bühler",
        "Paar 3: Anna Ammann & Beat Bühler",
        "Anna\tAmmann\tBeat\tBühler",
    ]
    offenders = [line for line in lines if pair_lines.split_pair(line) != ["Anna Ammann", "Beat Bühler"]]
    assert offenders == []
    assert pair_lines.split_pair("Anna und Beat Bühler") == ["Anna Bühler", "Beat Bühler"]
    assert pair_lines.split_pair("Bühler Anna & Beat") == ["Bühler Anna", "Bühler Beat"]
    assert pair_lines.split_pair("Anna-Lena Meier-Kunz") == ["Anna-Lena Meier-Kunz"]
    assert pair_lines.split_pair("1 / Beat Bühler") == ["1", "Beat Bühler"]
