"""Pairs entered one line each, made of who is alone, and taken from a column: all of them, or none."""

import pytest

from games.models import User
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.services.desk import entries, pair_lines, pairs

TWELVE = "\n".join(f"Anna {n} Ammann / Beat {n} Bühler" for n in range(1, 13))


def entered(championship: Championship, text: str, fredi: User) -> int:
    return pair_lines.enter_lines(championship, text, status="arrived", actor=fredi)


def together(championship: Championship) -> list[str]:
    return [pairs.pair_name(members) for members in pairs.pairs_of(championship).values()]


def test_twelve_pairs_are_twelve_lines(championship: Championship, fredi: User) -> None:
    assert entered(championship, TWELVE, fredi) == 12
    assert championship.entries.filter(status=Entry.Status.ARRIVED).count() == 24
    assert together(championship)[0] == "Anna 1 Ammann / Beat 1 Bühler"
    assert pairs.without_partner(championship) == []


def test_a_line_takes_numbers_and_people_who_are_entered_and_a_name_alone(
    championship: Championship, fredi: User
) -> None:
    entries.add(championship, actor=fredi, name="Fredi Müller", status="arrived")
    entries.add(championship, actor=fredi, name="Rosa Roth", status="arrived")
    entered(championship, "1 / Meier Heidi\n\nrosa roth/ Otto Ott\nErna Egli", fredi)
    assert championship.entries.count() == 5
    assert together(championship) == ["Fredi Müller / Heidi Meier", "Rosa Roth / Otto Ott"]
    assert [entry.name for entry in pairs.without_partner(championship)] == ["Erna Egli"]


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
    assert pair_lines.pair_the_rest(championship, by_lot=False, actor=fredi) == 4
    assert together(championship)[0] == "Person 1 Muster / Person 2 Muster"
    assert len(pairs.without_partner(championship)) == 1
    for members in list(pairs.pairs_of(championship).values()):
        pairs.pair(members[0], None, actor=fredi)
    assert pair_lines.pair_the_rest(championship, by_lot=True, actor=fredi) == 4


def test_a_column_of_partners_makes_pairs_or_none_of_them(championship: Championship, fredi: User) -> None:
    entered(championship, "Anna Ammann\nBeat Bühler\nCarla Caduff\nDora Dörig", fredi)
    anna, beat, carla, dora = championship.entries.order_by("number")
    with pytest.raises(pair_lines.RowsRefused) as refused:
        pair_lines.pair_rows(
            championship,
            [(2, anna, "Beat"), (3, beat, "Anna"), (4, carla, "Beat"), (5, dora, "Zita")],
            actor=fredi,
        )
    assert [(row, error.code) for row, error in refused.value.rows] == [
        (4, "pairs/taken"),
        (5, "entries/unknown"),
    ]
    assert together(championship) == []
    pair_lines.pair_rows(
        championship, [(2, anna, "Beat"), (3, beat, "1"), (4, carla, "dörig dora")], actor=fredi
    )
    assert together(championship) == ["Anna Ammann / Beat Bühler", "Carla Caduff / Dora Dörig"]
