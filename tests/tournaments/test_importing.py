"""Entry files as clubs have them."""

import time
from typing import Any

import pytest

from games import store
from games.models import User
from tournaments import regulations
from tournaments.demo import FILE
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entries, importing, pairs
from tournaments.services.entries.importing import Reading
from tournaments.services.money import fees, till_shifts
from tournaments.spreadsheets.reading import read_list

pytestmark = pytest.mark.both

TEXT = "Name;Verein\r\nJürg Zürcher;Bärn\r\nFrançoise Aebi;Genève\r\n"


def names(championship: Championship, data: bytes) -> list[str]:
    return [line.name for line in importing.preview(championship, data).lines]


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8-sig"),
        (TEXT.encode("utf-8-sig"), "utf-8-sig"),
        (TEXT.encode("cp1252"), "cp1252"),
        (TEXT.encode("latin-1"), "cp1252"),
        (TEXT.encode("utf-16"), "utf-16"),
    ],
)
def test_umlauts_survive_every_usual_encoding(championship: Championship, data: bytes, encoding: str) -> None:
    preview = importing.preview(championship, data)
    assert preview.encoding == encoding
    assert [(line.name, line.club) for line in preview.lines] == [
        ("Jürg Zürcher", "Bärn"),
        ("Françoise Aebi", "Genève"),
    ]


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_every_usual_delimiter_is_found(championship: Championship, delimiter: str) -> None:
    preview = importing.preview(championship, TEXT.replace(";", delimiter).encode())
    assert preview.delimiter == delimiter
    assert preview.lines[0].club == "Bärn"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Anna Ammann\nBeat Bächler\n", ["Anna Ammann", "Beat Bächler"]),
        ("Vorname,Nachname\nAnna,Ammann\n", ["Anna Ammann"]),
        ("Name;Vorname;Verein\nAmmann;Anna;Bärn\n", ["Anna Ammann"]),
        ("Verein;Surname\nBärn;Ammann\n", ["Ammann"]),
        ('Name,Verein\n"Ammann, Anna",Bärn\n', ["Anna Ammann"]),
        ("Name\nUnbekannt Xanthippe\nAmmann Anna\n", ["Xanthippe Unbekannt", "Anna Ammann"]),
        ("Name\nMartin Thomas\nAmmann Anna\n", ["Thomas Martin", "Anna Ammann"]),
        ("Name\nMartin Thomas\nAnna Ammann\n", ["Martin Thomas", "Anna Ammann"]),
        ("Name\nUnbekannt Xanthippe\nAnna Ammann\n", ["Unbekannt Xanthippe", "Anna Ammann"]),
        ("\n\nName\n\nAnna\n;;\nBeat\n", ["Anna", "Beat"]),
    ],
)
def test_names_are_found_in_every_usual_column(
    championship: Championship, text: str, found: list[str]
) -> None:
    assert names(championship, text.encode()) == found


def test_what_is_wrong_with_a_line_is_said_with_its_number(championship: Championship, fredi: User) -> None:
    entries.add_entry(championship, actor=fredi, name="Köbi Müller")
    text = "Name;Verein\nAnna;\n;Bärn\nkoebi MUELLER;\nANNA;Genf\n" + "x" * 91 + ";\nDario;a;b;c\nElla;\n"
    preview = importing.preview(championship, text.encode())
    said = [(line.line, [p.code for p in line.problems], line.good) for line in preview.lines]
    assert said == [
        (2, [], True),
        (3, ["names/missing"], False),
        (4, ["entries/double"], False),
        (5, ["import/double_line"], False),
        (6, ["names/too_long"], False),
        (7, ["import/more_columns"], True),
        (8, [], True),
    ]
    assert (preview.good, preview.faulty) == (3, 4)
    assert preview.lines[3].problems[0].sentence == "is the same as line 2"


def test_a_line_break_within_quotes_keeps_the_numbers_right(championship: Championship) -> None:
    text = 'Name;Bemerkung\nAnna;"zwei\nZeilen"\n;x\n'
    lines = importing.preview(championship, text.encode()).lines
    assert [(line.line, line.note) for line in lines] == [(2, "zwei Zeilen"), (4, "x")]


def test_a_preview_changes_nothing(championship: Championship) -> None:
    head = store.read_head(championship.stream_id)
    importing.preview(championship, TEXT.encode())
    assert not championship.entries.exists()
    assert store.read_head(championship.stream_id) == head


def test_good_lines_are_entered_and_faulty_ones_left_out(championship: Championship, fredi: User) -> None:
    made = importing.import_entries(championship, b"Name;Verein\nAnna;Bern\n;Genf\nBeat;\n", actor=fredi)
    assert [(entry.number, entry.name, entry.club) for entry in made] == [
        (1, "Anna", "Bern"),
        (2, "Beat", ""),
    ]


def test_the_same_file_twice_enters_nobody_twice(championship: Championship, fredi: User) -> None:
    importing.import_entries(championship, TEXT.encode(), actor=fredi)
    with pytest.raises(TournamentError) as refused:
        importing.import_entries(championship, TEXT.encode(), actor=fredi)
    assert refused.value.code == "import/nothing"
    assert championship.entries.count() == 2


def test_the_file_of_the_demo_is_good(championship: Championship) -> None:
    preview = importing.preview(championship, FILE.read_bytes())
    assert (preview.good, preview.faulty) == (16, 0)
    assert "Françoise Aebischer" in [line.name for line in preview.lines]


MEGABYTES = 50 * 1024 * 1024


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "import/empty"),
        (b"\n;;\n\n", "import/empty"),
        (b"x" * MEGABYTES, "import/too_large"),
        (b"Name\n" + b"A\n" * 10_002, "import/too_many_rows"),
        (b"Name\nAn\x00na\n", "import/nul_bytes"),
        (b"Name\nJ\x81\x8d\x98\x01rg\n", "import/undecodable"),
        (b"\xff\xfeN\x00a", "import/undecodable"),
        ("Name\nAn\0na".encode("utf-16"), "import/undecodable"),
        (b"Name;Verein\n" + b"A" * 200_000 + b";", "import/broken_csv"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_cannot_be_read_is_refused_whole(
    championship: Championship, fredi: User, data: bytes, code: str
) -> None:
    for step in (
        lambda: importing.preview(championship, data),
        lambda: importing.import_entries(championship, data, actor=fredi),
    ):
        with pytest.raises(TournamentError) as refused:
            step()
        assert refused.value.code == code
    assert not championship.entries.exists()


def test_ten_thousand_lines_are_not_too_many(championship: Championship) -> None:
    data = b"Name\n" + b"".join(b"Person %d\n" % n for n in range(10_000))
    assert importing.preview(championship, data).good == 10_000


def test_only_the_desk_imports(championship: Championship, eva: User) -> None:
    with pytest.raises(NotAllowed):
        importing.import_entries(championship, TEXT.encode(), actor=eva)
    assert not championship.entries.exists()


def test_a_list_with_endless_columns_is_refused_before_it_is_read_through(
    championship: Championship,
) -> None:
    endless = b";" * 200_000
    # What comes after the line cannot be read: whoever reads on says that.
    for data in (b"Name" + endless, b"Name\nAnna" + endless + b"\n", b"Name" + endless + b'\nAnna;"'):
        with pytest.raises(TournamentError) as refused:
            importing.preview(championship, data)
        assert refused.value.code == "import/too_many_columns"
    assert names(championship, b"Name" + b";" * 99 + b"\nAnna\n") == ["Anna"]


def test_marks_without_end_on_one_letter_cost_no_more_than_as_many_letters(
    championship: Championship,
) -> None:
    def cost(text: str) -> float:
        began = time.process_time()
        [line] = importing.preview(championship, f"Name\n{text}\n".encode()).lines
        assert [problem.code for problem in line.problems] == ["names/too_long"]
        return time.process_time() - began

    plain = max(cost("a" * 40_000), 0.005)
    assert cost("a" + "\u0301\u0323" * 20_000) < 20 * plain


def test_a_name_that_is_short_once_its_marks_are_put_on_is_taken(championship: Championship) -> None:
    assert names(championship, ("Name\n" + "e\u0301" * 90 + "\n").encode()) == ["é" * 90]


FULL = """Nr.;Name;Vorname;Verein;Ort;E-Mail;Bezahlt;Kategorie;Jahrgang;Setzung;Einverstanden;Natel
7;Müller;Fredi;JC Uri;Altdorf;fredi@example.ch;x;Senior;1961;2;ja;079
;Meier;Heidi;;Chur;;nein;;;;;
"""


def test_every_column_is_imported_or_said_to_be_left_out(championship: Championship, fredi: User) -> None:
    looked = importing.preview(championship, FULL.encode())
    assert [column.heading for column in looked.described if not column.kind] == ["Natel"]
    assert looked.described[-1].values == ("079",)
    one, other = importing.import_entries(championship, FULL.encode(), actor=fredi)
    fields = ("number", "family_name", "first_name", "club", "note", "email", "paid", "category")
    assert [getattr(one, field) for field in fields] == [
        *(7, "Müller", "Fredi", "JC Uri", "Altdorf", "fredi@example.ch", True, "Senior"),
    ]
    assert (one.birth_year, one.start_rank, one.status) == (1961, 2, "paid")
    assert one.consented_at is not None
    assert (other.number, other.club, other.note, other.paid) == (8, "", "Chur", False)
    assert other.consented_at is None


def test_what_cannot_be_in_a_column_is_said_of_its_line(championship: Championship, fredi: User) -> None:
    entries.add_entry(championship, actor=fredi, name="Köbi Kunz", number=3)
    text = "Name;Nr.;E-Mail;Bezahlt;Jahrgang\n"
    text += "Anna;5;;;\nBeat;5;;;\nCarla;3;;;\nDora;zwei;;;\nEva;;eva;;\nFritz;;;vielleicht;\nGabi;;;;61\n"
    looked = importing.preview(championship, text.encode())
    assert [[problem.code for problem in line.problems] for line in looked.lines] == [
        [],
        ["import/double_number"],
        ["entries/number_taken"],
        ["import/no_number"],
        ["people/bad_email"],
        ["import/neither_yes_nor_no"],
        [],
    ]
    assert looked.good == 7, "what is wrong in one field costs nobody a place"
    assert looked.lines[1].problems[0].sentence == "Number left empty: has the same number as line 2"
    assert looked.lines[6].birth_year == 1961


def test_a_team_that_cannot_be_read_costs_nobody_a_place(championship: Championship, fredi: User) -> None:
    data = {**regulations.encode(load_regulations(championship)), "teams": {"size": 2, "best": 2}}
    regulations_change.change_regulations(championship, data, actor=fredi)
    looked = importing.preview(championship, f"Name;Mannschaft\nAnna;{'x' * 200}\nBeat;#REF!\n".encode())
    assert [[problem.code for problem in line.problems] for line in looked.lines] == [
        ["names/too_long"],
        ["import/faulty_cell"],
    ]
    assert looked.good == 2


def test_columns_can_be_chosen_otherwise_than_guessed(championship: Championship, fredi: User) -> None:
    data = b"Anna Ammann;Chur;JC Uri\nBeat B\xc3\xbchler;Bern;\n"
    chosen = Reading(("name", "", "club"), headed=False)
    made = importing.import_entries(championship, data, chosen, actor=fredi)
    assert [(entry.name, entry.club, entry.licence) for entry in made] == [
        ("Anna Ammann", "JC Uri", ""),
        ("Beat Bühler", "", ""),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"Name;Verein\n", "import/only_headings"), (b"\xef\xbb\xbf", "import/empty")],
)
def test_a_list_without_people_is_said_to_be_one(championship: Championship, data: bytes, code: str) -> None:
    with pytest.raises(TournamentError) as refused:
        importing.preview(championship, data)
    assert refused.value.code == code


def test_what_begins_like_a_formula_is_a_name_like_any_other(championship: Championship, fredi: User) -> None:
    made = importing.import_entries(championship, b"Name;Verein\n=cmd|calc;+1\n@Anna;-2\n", actor=fredi)
    assert [(entry.name, entry.club) for entry in made] == [("=cmd|calc", "+1"), ("@Anna", "-2")]


def test_paid_before_is_booked_where_a_fee_is_asked(championship: Championship, fredi: User) -> None:
    fees.set_fees(championship, [fees.Price("Startgeld", 2000)], actor=fredi)
    importing.import_entries(championship, b"Name;Bezahlt\nAnna;x\nBeat;\n", actor=fredi)
    assert [booking.amount for booking in championship.bookings.all()] == [2000]


def test_what_was_paid_before_is_booked_the_way_it_was_paid_and_lies_in_no_till(
    championship: Championship, fredi: User
) -> None:
    fees.set_fees(championship, [fees.Price("Startgeld", 2000)], actor=fredi)
    till_shifts.open_till(championship, actor=fredi, float_amount=10_000)
    text = "Name;Bezahlt mit\nAnna;Twint 12.11.\nBeat;bar\nCarla;x\nDora;bar, Rest folgt\n"
    looked = importing.preview(championship, text.encode())
    assert [line.paid_by for line in looked.lines] == ["twint", "cash", "", ""]
    assert [[problem.code for problem in line.problems] for line in looked.lines] == [
        *([], [], [], ["import/neither_yes_nor_no"]),
    ]
    importing.import_entries(championship, text.encode(), actor=fredi)
    columns = ("entry__name", "method", "shift")
    booked: list[Any] = list(championship.bookings.order_by("entry__number").values_list(*columns))
    assert booked == [("Anna", "twint", None), ("Beat", "cash", None), ("Carla", "transfer", None)]


@pytest.fixture
def partnered(fredi: User) -> Championship:
    return championships.create(actor=fredi, name="Paare", slug="paare", preset="partnerschieber")


def together(championship: Championship) -> list[str]:
    return [pairs.pair_name(members) for members in pairs.load_pairs(championship).values()]


def test_pairs_come_of_the_column_of_partners(partnered: Championship, fredi: User) -> None:
    entries.add_entry(partnered, actor=fredi, name="Otto Ott")
    text = "Name;Vorname;Partner\nAmmann;Anna;Bühler Beat\nBühler;Beat;Anna Ammann\n"
    text += "Caduff;Carla;Dora Dörig\nEgli;Eva;1\nFrei;Fritz;\n"
    looked = importing.preview(partnered, text.encode())
    assert [[problem.code for problem in line.problems] for line in looked.lines] == [
        *([], [], ["import/partner_too"], [], []),
    ]
    importing.import_entries(partnered, text.encode(), actor=fredi)
    assert sorted(together(partnered)) == [
        "Anna Ammann / Beat Bühler",
        "Carla Caduff / Dora Dörig",
        "Otto Ott / Eva Egli",
    ]


def test_nobody_becomes_the_partner_of_two(partnered: Championship, fredi: User) -> None:
    text = "Name;Partner\nAnna Ammann;Beat Bühler\nCarla Caduff;Beat Bühler\nEva Egli;Eva Egli\n"
    looked = importing.preview(partnered, text.encode())
    assert [[problem.code for problem in line.problems] for line in looked.lines] == [
        *(["import/partner_too"], ["pairs/taken"], ["pairs/oneself"]),
    ]
    importing.import_entries(partnered, text.encode(), actor=fredi)
    assert together(partnered) == ["Anna Ammann / Beat Bühler"]
    assert partnered.entries.count() == 4


def test_the_preview_names_the_pairs_that_are_made(partnered: Championship, fredi: User) -> None:
    text = "Name;Partner\nAnna Ammann;Carla Caduff\nCarla Caduff;Dora Dörig\n"
    looked = importing.preview(partnered, text.encode())
    assert [[problem.code for problem in line.problems] for line in looked.lines] == [
        *([], ["import/partner_too", "pairs/taken"]),
    ]
    assert [one.partner for one in looked.people] == ["Carla Caduff", "", ""]
    importing.import_entries(partnered, text.encode(), actor=fredi)
    assert together(partnered) == ["Anna Ammann / Carla Caduff"]
    assert partnered.entries.count() == 3


def test_a_partner_who_is_taken_at_the_desk_is_said_to_be_and_costs_nobody_a_place(
    partnered: Championship, fredi: User
) -> None:
    one, other = (entries.add_entry(partnered, actor=fredi, name=name) for name in ("Anna", "Beat"))
    pairs.pair(one, other, actor=fredi)
    data = b"Name;Partner\nCarla;Anna\nDora;\n"
    looked = importing.preview(partnered, data)
    assert [[problem.code for problem in line.problems] for line in looked.lines] == [["pairs/taken"], []]
    importing.import_entries(partnered, data, actor=fredi, digest=looked.digest)
    assert together(partnered) == ["Anna / Beat"]
    assert partnered.entries.count() == 4


def test_the_press_does_what_was_shown_or_nothing(championship: Championship, fredi: User) -> None:
    data = b"Name\nAnna Ammann\nBeat Bachmann\n"
    looked = importing.preview(championship, data)
    entries.add_entry(championship, actor=fredi, name="Anna Ammann")
    with pytest.raises(TournamentError) as refused:
        importing.import_entries(championship, data, actor=fredi, digest=looked.digest)
    assert refused.value.code == "import/changed"
    assert championship.entries.count() == 1


def test_the_order_of_names_and_doubles_are_chosen(championship: Championship, fredi: User) -> None:
    data = b"Name\nUnbekannt Xanthippe\nUnbekannt Xanthippe\n"
    guessed = importing.guess_reading(read_list(data))
    assert not guessed.family_first
    looked = importing.preview(championship, data, guessed._replace(family_first=True, doubles=True))
    assert [(one.first_name, one.family_name) for one in looked.people] == [("Xanthippe", "Unbekannt")] * 2
    assert importing.preview(championship, data, guessed).good == 1


def test_who_is_entered_with_another_year_of_birth_is_somebody_else(
    championship: Championship, fredi: User
) -> None:
    entries.add_entry(championship, actor=fredi, name="Hans Meier", birth_year=1948)
    looked = importing.preview(championship, b"Name;Jahrgang\nHans Meier;75\nHans Meier;48\n")
    assert [[problem.code for problem in line.problems] for line in looked.lines] == [
        ["import/namesake"],
        ["entries/double"],
    ]
    assert len(importing.import_entries(championship, b"Name;Jahrgang\nHans Meier;75\n", actor=fredi)) == 1


def test_where_partners_change_the_column_is_said_to_count_for_nothing(
    championship: Championship, fredi: User
) -> None:
    data = b"Name;Partner\nAnna;Beat\nBeat;\n"
    looked = importing.preview(championship, data)
    assert [[problem.code for problem in line.problems] for line in looked.lines] == [["import/no_pairs"], []]
    assert len(importing.import_entries(championship, data, actor=fredi)) == 2
    assert not championship.entrants.exists()
