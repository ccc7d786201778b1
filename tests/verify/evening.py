"""A small championship to verify: two rounds at four tables, a dispute, an undone draw, chance from the hall.

Made through the services; exported before its last round is closed, so that something is still secret.
"""

import io
from typing import NamedTuple

from games import sealing
from games.models import User
from games.randomness import round_seed
from tests.tournaments import table_play
from tournaments import demo_record
from tournaments.archive import BACKUP, PUBLIC, export_championship
from tournaments.models import Championship, Entry, Official, Round
from tournaments.services import championship_seals as seals
from tournaments.services.championships import championships, officials
from tournaments.services.draw import draw_undoing, drawing, seat_exchanges, substitutions
from tournaments.services.entries import entries, seat_codes
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds

NAMES = (
    "Anna",
    "Beat",
    "Chiara",
    "Dario",
    "Elsbeth",
    "Fränzi",
    "Görgi",
    "Heidi",
    "Idà",
    "Jürg",
    "Köbi",
    "Luzia",
    "Maja",
    "Noldi",
    "Otto",
    "Päuli",
)


class Evening(NamedTuple):
    """The championship as files, and the words that stood on the sheet after each round and now."""

    public: bytes
    backup: bytes
    words: tuple[str, ...]
    key: str
    checkpoints: tuple[sealing.Checkpoint, ...]


def build(deals: int = 1) -> Championship:
    """Round 1 closed, round 2 open with codes given out and one table done; a draw was undone in between."""
    fredi, gabi = (User.objects.get_or_create(username=name)[0] for name in ("fredi", "gabi"))
    made = championships.create(
        actor=fredi, name="Herbstcup", slug="herbstcup", changes={"rounds": 3, "deals": deals}
    )
    officials.appoint(made, gabi, Official.Role.REFEREE, actor=fredi)
    entries.add_entries(
        made, [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES], actor=fredi
    )
    first, second, _third = made.rounds.order_by("number")
    entries.add_entries(made, [entries.NewEntry("Quirin"), entries.NewEntry("Rosmarie")], actor=fredi)
    round_seed.add_entropy(first.stream_id, "Halle 4, 17, 23", actor="fredi", command_id="hall")
    _open(first, fredi, "dealt", "dealt", "sheet", "sheet")
    seals.seal_championship(made)
    for number in (1, 2):
        demo_record.play_out_with_bots(_game(first, number))
    _sit_elsewhere(first, fredi)
    for number in (3, 4):
        table_play.write_sheet(first.tables.get(number=number), [100] * deals)
    rounds.close_round(first, actor=fredi)
    _open(second, fredi, "dealt", "sheet", "sheet", "sheet")
    draw_undoing.undo_draw(second, actor=fredi, reason="Beat was in the bar")
    _open(second, fredi, "dealt", "sheet", "sheet", "sheet")
    seat_codes.issue_codes(second, actor=fredi)
    seat_codes.renew_code(second.tables.get(number=2), 0, actor=fredi)
    _others_play(second, fredi)
    demo_record.play_out_with_bots(_game(second, 1))
    disputes.raise_dispute(first.tables.get(number=1), actor=fredi, text="Dario hat gewunken")
    return made


def export(made: Championship) -> Evening:
    """Both kinds of export of the same moment."""
    files = []
    for level in (BACKUP, PUBLIC):
        out = io.BytesIO()
        export_championship(made, out, level=level)
        files.append(out.getvalue())
    sealed = tuple(sealing.listed(made.stream_id))
    words = tuple(" ".join(sealing.in_words(one.hash)) for one in sealed)
    return Evening(files[1], files[0], words, sealed[-1].says.key, sealed)


def _open(round_: Round, fredi: User, *modes: str) -> None:
    round_.refresh_from_db()
    drawing.draw_round(round_, actor=fredi)
    for table, mode in zip(round_.tables.order_by("number"), modes, strict=True):
        rounds.set_mode(table, mode, actor=fredi)
    rounds.open_round(round_, actor=fredi)


def _sit_elsewhere(round_: Round, fredi: User) -> None:
    """Somebody of table 3 sits at table 4 and the other way round."""
    one, other = (
        round_.seatings.get(table__number=number, seat=seat).entry for number, seat in ((3, 0), (4, 1))
    )
    seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi)


def _others_play(round_: Round, fredi: User) -> None:
    """One comes late and sits down at table 4 for somebody who then has a bye; one plays for another at 3."""
    away, tired = (round_.seatings.get(table__number=number, seat=2).entry for number in (4, 3))
    substitutions.take_chair(round_, len(NAMES) + 1, away.number, bye=True, actor=fredi)
    substitutions.substitute(round_, len(NAMES) + 2, tired.number, deal=1, actor=fredi)


def _game(round_: Round, number: int) -> str:
    return str(round_.tables.get(number=number).game_id)
