"""Entropy from outside, and revealed rounds dealt and drawn again."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import store
from games.models import Game, User
from games.randomness import round_seed
from games.store import guard, layout
from tests.tournaments import table_play
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Round
from tournaments.services.championships import championships, officials
from tournaments.services.draw import draw_undoing, seating_by_hand, seed_audit, seed_entropy
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

Opened = Callable[..., Round]
People = Callable[[int], list[Entry]]


@pytest.fixture
def championship(fredi: User, gabi: User) -> Championship:
    """Two rounds of one deal."""
    made = championships.create(actor=fredi, name="Clubabend", changes={"rounds": 2, "deals": 1})
    officials.appoint(made, gabi, "referee", actor=fredi)
    return made


@pytest.fixture
def first(championship: Championship) -> Round:
    return championship.rounds.get(number=1)


def refused(round_: Round, text: str, actor: User, code: str) -> None:
    before = seed_entropy.list_contributions(round_)
    with pytest.raises(TournamentError) as refusal:
        seed_entropy.contribute(round_, text, actor=actor)
    assert refusal.value.code == code
    assert seed_entropy.list_contributions(round_) == before


def test_the_hall_and_the_phones_add_chance(first: Round, fredi: User, anna: User, arrived: People) -> None:
    entries.link_account(arrived(8)[0], anna, actor=fredi)
    seed_entropy.contribute(first, " 4, 17, 23 ", actor=fredi)
    seed_entropy.contribute(first, "ab" * 32, actor=anna)
    told = seed_entropy.list_contributions(first)
    assert [(one.text, one.device) for one in told] == [("4, 17, 23", False), ("ab" * 32, True)]
    assert round_seed.source_of(first.stream_id).entropy == (b"4, 17, 23", b"ab" * 32)
    assert told[1].by == first.championship.entries.get(user=anna).player_ref


@pytest.mark.parametrize("text", ["", "Anna", "4, siebzehn", "x" * 64, "AB" * 32, "1" * 201, "ab" * 33])
def test_no_words_come_into_the_log(first: Round, fredi: User, text: str) -> None:
    refused(first, text, fredi, "chance/malformed")


def test_players_add_what_their_phones_draw_and_no_numbers_of_their_own(
    first: Round, fredi: User, anna: User, eva: User, arrived: People
) -> None:
    entries.link_account(arrived(8)[0], anna, actor=fredi)
    refused(first, "17", anna, "tournaments/not_allowed")
    for number in range(3):
        seed_entropy.contribute(first, f"{number:064x}", actor=anna)
    refused(first, "ff" * 32, anna, "chance/enough")
    with pytest.raises(NotAllowed):
        seed_entropy.contribute(first, "ab" * 32, actor=eva)
    assert seed_entropy.may_add(anna, first)
    assert not seed_entropy.may_add(eva, first)
    assert not seed_entropy.may_add(None, first)


def test_a_round_takes_a_bounded_number(first: Round, fredi: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seed_entropy, "MAX_PER_ROUND", 2)
    for text in ("1", "2"):
        seed_entropy.contribute(first, text, actor=fredi)
    refused(first, "3", fredi, "chance/enough")


def test_chance_is_added_until_the_first_table_opens(first: Round, fredi: User, open_round: Opened) -> None:
    round_ = open_round("dealt", "sheet")
    refused(round_, "17", fredi, "chance/too_late")
    assert not seed_entropy.may_add(fredi, round_)
    draw_undoing.undo_draw(
        round_, actor=fredi, reason="anew"
    )  # hands have been seen: the next draw has a new seed
    assert seed_entropy.may_add(fredi, round_)


@pytest.fixture
def closed(first: Round, fredi: User, open_round: Opened) -> Round:
    """A round with chance before and after its draw, played and closed."""
    seed_entropy.contribute(first, "4, 17, 23", actor=fredi)
    playing_ = open_round("dealt", "dealt")
    table_play.play_to_the_end(playing_)
    return rounds.close_round(playing_, actor=fredi)


def test_every_deck_and_every_draw_of_a_revealed_round_is_made_again(closed: Round) -> None:
    assert seed_audit.revealed_rounds(closed.championship) == [closed.stream_id]
    dealt = seed_audit.remake_round(closed.stream_id)
    assert (dealt.deals, dealt.forehands, dealt.draws, dealt.differences) == (2, 2, 1, ())


def test_a_table_of_an_undone_draw_gets_other_cards(open_round: Opened, fredi: User) -> None:
    round_ = open_round("dealt", "dealt")

    def numbers() -> set[int]:
        return set(Game.objects.filter(tournament_table__round=round_).values_list("number", flat=True))

    before = numbers()
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    again = open_round("dealt", "dealt")
    assert before.isdisjoint(numbers())
    table_play.play_to_the_end(again)
    rounds.close_round(again, actor=fredi)
    dealt = seed_audit.remake_round(again.stream_id)
    assert (dealt.forehands, dealt.draws, dealt.differences) == (4, 2, ())


def test_seats_drawn_by_hand_follow_from_nothing(first: Round, fredi: User, arrived: People) -> None:
    arrived(8)
    seating_by_hand.seat_by_hand(first, [[1, 2, 3, 4], [5, 6, 7, 8]], actor=fredi)
    rounds.open_round(first, actor=fredi)
    rounds.close_round(first, actor=fredi, force=True)
    assert seed_audit.remake_round(first.stream_id).differences == ()


def rewrite(stream: str, change: Callable[[str, dict[str, Any]], None]) -> None:
    """Change bodies in a stream, the chain computed anew, as the owner of the database can."""
    head = store.read_head(stream)
    events = store.read(stream)
    with connection.cursor() as cursor:
        for trigger in guard._names(connection):
            if connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        if connection.vendor == "postgresql":
            for table in (*guard.LOG_TABLES, guard.STREAM_TABLE):
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        digest = layout.genesis(stream, "round")
        for event in events:
            letter = layout.decode_envelope(event.envelope)
            change(letter.type, letter.body)
            raw = layout.encode_json(letter)
            digest = layout.chain(stream, event.seq, digest, raw)
            cursor.execute(
                "UPDATE games_event SET envelope = %s, hash = %s WHERE stream_id = %s AND seq = %s",
                [raw, digest, stream, event.seq],
            )
        cursor.execute("UPDATE games_stream SET head_hash = %s WHERE id = %s", [digest, stream])
    assert store.read_head(stream).seq == head.seq


def swap_tables(type_: str, body: dict[str, Any]) -> None:
    if type_ == "seats_drawn":
        body["tables"] = body["tables"][::-1]


def other_seed_of_the_draw(type_: str, body: dict[str, Any]) -> None:
    if type_ == "seats_drawn":
        body["seed"] = "00" * 32


def other_dealer(type_: str, body: dict[str, Any]) -> None:
    if type_ == "forehand_drawn":
        body["dealer"] = (body["dealer"] + 1) % 4


def other_entropy(type_: str, body: dict[str, Any]) -> None:
    if type_ == "entropy_added":
        body["entropy"] = "5"


def other_nonce(type_: str, body: dict[str, Any]) -> None:
    if type_ == "seed_revealed":
        body["nonce"] = "00" * 32


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (swap_tables, "draw 1 does not follow"),
        (other_seed_of_the_draw, "draw 1 does not follow"),
        (other_dealer, "was not drawn from the seed"),
        (other_entropy, "deal 1 is not the seed's"),
        (other_nonce, "not the one that was committed to"),
    ],
)
def test_a_forged_draw_is_named(closed: Round, change: Callable[..., None], told: str) -> None:
    rewrite(closed.stream_id, change)
    differences = seed_audit.remake_round(closed.stream_id).differences
    assert any(told in difference for difference in differences), differences


def write(stream: str, type_: str, **body: Any) -> None:
    """An event that no service would write there."""
    head = store.read_head(stream)
    record = store.Record(type_, body)
    store.append(stream, head, [record], actor="x", command_id=f"x{head.seq}", body_hash=bytes(32))


def test_what_stands_in_the_wrong_place_is_named(closed: Round) -> None:
    write(closed.stream_id, "entropy_added", entropy="5")
    assert (
        "chance was added after cards had been dealt" in seed_audit.remake_round(closed.stream_id).differences
    )
    other = store.create_stream("round").id
    write(other, "round_reopened", reason="before the seed")
    round_seed.commit_seed(other)
    round_seed.reveal_seed(other)
    told = seed_audit.remake_round(other).differences
    assert told[0] == "the seed was not committed to before everything else"


def test_the_command_says_what_it_made_again(closed: Round, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_deals", championship=closed.championship.slug)
    assert "1 rounds are revealed: 2 deals, 2 draws of forehand, 1 draws of seats" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no championship"):
        call_command("verify_deals", championship="nowhere")
    rewrite(closed.stream_id, other_dealer)
    with pytest.raises(SystemExit):
        call_command("verify_deals")
    assert "2 differences" in capsys.readouterr().out


def test_a_broken_chain_is_named_and_the_others_are_still_looked_at(
    closed: Round, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(closed.stream_id, lambda *_: None)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_event SET hash = envelope WHERE stream_id = %s AND seq = 0", [closed.stream_id]
        )
    with pytest.raises(SystemExit):
        call_command("verify_deals")
    assert "its hash is not that of the stored bytes" in capsys.readouterr().out
