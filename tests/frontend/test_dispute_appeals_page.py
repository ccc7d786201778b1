"""A dispute from the table to its final decision: appeals, two referees, opened hands, what-if."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from engine import to_act
from engine.cards import DECK
from engine.events import CardPlayed
from frontend.presenters.names.seat_names import seat_names
from games import game_state
from games.ids import new_id
from games.play.submit import submit
from tests.client_responses import Answer
from tests.frontend.evening import client, html, opened, person, table
from tests.games.cast import next_command
from tests.tournaments.table_play import game_of, play_to_the_end, refs, write_revoke
from tournaments.models import Dispute, Official, OpenedHands, Round, Seating, Table
from tournaments.services.championships import championships, officials
from tournaments.services.entries import seat_codes
from tournaments.services.referee import appeals, disputes, rulings
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def written() -> Table:
    """A transcribed table with a proven revoke."""
    where = table(opened("transcribed", "sheet"), 1)
    write_revoke(where)
    game_of(where).refresh_from_db()
    return where


@pytest.fixture
def ruled(written: Table) -> Dispute:
    """Ruled on by Gabi; Heidi is a second referee."""
    fredi = person("fredi")
    officials.appoint(written.round.championship, person("heidi"), Official.Role.REFEREE, actor=fredi)
    raised = disputes.raise_dispute(written, actor=person("gabi"), deal=2, trick=3, incident="revoke")
    return rulings.rule(raised, actor=person("gabi"), ruling={"kind": "annul_deal", "deal": 2}, answer="so")


def phone(where: Table) -> Client:
    """The phone of the table's scorer, opened by its code."""
    issued = seat_codes.issue_codes(where.round, actor=person("fredi"))
    token = next(code.token for code in issued if code.table == where.number)
    made = client()
    answer = made.post("/api/v1/table-session/", {"token": token}, content_type="application/json")
    assert answer.status_code == 201
    return made


def shown(browser: Client, name: str, pk: object, query: str = "") -> str:
    return html(browser.get(reverse(name, args=[pk]) + query))


def decide(dispute: Dispute, name: str, **fields: str) -> Answer:
    dispute.refresh_from_db()
    sent = {"token": new_id(), "answer": "geprüft", "version": str(dispute.version), **fields}
    return client(name).post(reverse("dispute_rule", args=[dispute.pk]), sent, follow=True)


def test_the_form_knows_the_card_of_the_moment(written: Table) -> None:
    infraction = game_state.load_snapshot(str(written.game_id)).state.infractions[0]

    form = shown(client("gabi"), "dispute_raise", written.game_id, f"?seq={infraction.at_seq}")

    assert f'name="at_seq" value="{infraction.at_seq}"' in form
    assert 'name="deal" value="2"' in form
    assert f'name="trick" value="{infraction.trick}"' in form
    assert "About this card, played by" in form
    assert form.count('name="incident"') == 10, "nobody has to claim here, and the platform counts"


def test_without_a_moment_it_is_what_is_played_now(written: Table) -> None:
    form = shown(client("gabi"), "dispute_raise", written.game_id)

    assert 'name="deal" value="3"' in form
    assert 'name="deal" value="1"' in shown(client("gabi"), "dispute_raise", written.game_id, "?deal=1")
    assert "at_seq" in shown(client("gabi"), "dispute_raise", written.game_id, "?seq=0")


def test_without_a_deal_it_is_only_a_call_whatever_was_filled_in_for_it(written: Table) -> None:
    fields = {"deal": "", "trick": "3", "at_seq": "5", "text": "bitte"}
    client("gabi").post(reverse("dispute_raise", args=[written.game_id]), fields)
    call = Dispute.objects.get()
    assert (call.is_call, call.trick, call.at_seq) == (True, None, None)


def test_a_phone_opened_by_a_code_raises_appeals_and_takes_it_back(written: Table) -> None:
    browser = phone(written)
    assert "Dispute a deal or a card" in shown(browser, "table_transcribe", written.game_id)
    seq = str(game_state.load_snapshot(str(written.game_id)).state.infractions[0].at_seq)
    fields = {"deal": "2", "trick": "3", "incident": "revoke", "at_seq": seq}
    browser.post(reverse("dispute_raise", args=[written.game_id]), fields)
    raised = Dispute.objects.get()
    assert (raised.incident, raised.at_seq, raised.trick) == ("revoke", int(seq), 3)
    rulings.rule(raised, actor=person("gabi"), ruling=None, answer="nein")

    address = reverse("dispute_appeal", args=[raised.pk])
    assert "Appeal this ruling" in shown(browser, "dispute", raised.pk)
    assert browser.post(address, {"reason": ""}).status_code == 400
    stale = browser.post(address, {"reason": "doch", "version": raised.version - 1}, follow=True)
    assert "disputes/decided_since" in html(stale), "an unread ruling cannot be appealed"
    browser.post(address, {"reason": "doch", "version": raised.version})
    raised.refresh_from_db()
    assert raised.status == "appealed"
    assert "Take the appeal back" in shown(browser, "dispute", raised.pk)
    browser.post(address, {"act": "withdraw"})
    raised.refresh_from_db()
    assert raised.status == "ruled"


def test_a_private_championship_lets_the_phone_of_a_table_in(written: Table) -> None:
    browser = phone(written)
    written.round.championship.public = False
    written.round.championship.save(update_fields=["public"])
    assert browser.get(reverse("dispute_raise", args=[written.game_id])).status_code == 200
    assert client().get(reverse("dispute_raise", args=[written.game_id])).status_code == 404


def test_an_appeal_is_decided_by_the_other_referee(ruled: Dispute) -> None:
    appeals.make_appeal(ruled, actor=None, by_ref=refs(ruled.table)[0], reason="Ich war blank.")

    assert "another referee decides" in shown(client("gabi"), "dispute", ruled.pk)
    page = shown(client("heidi"), "dispute", ruled.pk)
    assert "Decide on the appeal" in page
    assert "Ich war blank." in page
    refused = decide(ruled, "gabi", remedy="uphold")
    assert refused.status_code == 400
    assert "disputes/own_ruling" in html(refused)

    done = html(decide(ruled, "heidi", remedy="uphold"))
    assert "Appealed, and upheld" in done
    assert 'name="remedy"' not in done


def test_an_appeal_that_replaces_leaves_both_rulings_in_sight(ruled: Dispute) -> None:
    appeals.make_appeal(ruled, actor=None, by_ref=refs(ruled.table)[0], reason="zu hart")

    done = html(decide(ruled, "heidi", remedy="warning"))

    assert "Appealed, and replaced" in done
    assert "(replaced)" in done


def test_of_two_referees_the_second_gets_a_conflict_and_the_page_as_it_is(ruled: Dispute) -> None:
    answer = decide(ruled, "heidi", remedy="warning", version="0")

    assert answer.status_code == 409
    assert "Somebody else was quicker" in html(answer)
    assert len(game_state.load_snapshot(str(ruled.table.game_id)).state.rulings) == 1


def test_after_the_time_of_the_regulations_a_dispute_is_refused_in_words(written: Table) -> None:
    row = written.round.championship.regulations.get()
    row.data["appeal_minutes"] = 30
    row.save(update_fields=["data"])
    rounds.close_round(written.round, actor=person("fredi"), force=True)
    Round.objects.filter(pk=written.round_id).update(closed_at=timezone.now() - timedelta(hours=1))

    answer = client("gabi").post(reverse("dispute_raise", args=[written.game_id]), {"deal": "1"})

    assert answer.status_code == 400
    assert "disputes/too_late" in html(answer)
    assert "30 minutes" in html(answer)


def test_in_a_championship_that_is_closed_the_form_says_so_before_it_is_filled_in(written: Table) -> None:
    championship = written.round.championship
    rounds.close_round(written.round, actor=person("fredi"), force=True)
    championships.finish(championship, actor=person("fredi"))
    for answer in (
        client("gabi").get(reverse("dispute_raise", args=[written.game_id])),
        client("gabi").post(reverse("dispute_raise", args=[written.game_id]), {"deal": "1"}),
    ):
        assert "disputes/closed" in html(answer)
        assert "to reopen play" in html(answer)
    assert not Dispute.objects.exists()
    client("fredi").post(reverse("round_act", args=["herbstcup", 1, "reopen"]), {"reason": "ein Fehler"})
    client("gabi").post(reverse("dispute_raise", args=[written.game_id]), {"deal": "1"})
    assert Dispute.objects.exists()


def test_the_record_says_who_said_what_when_and_what_is_proven(ruled: Dispute) -> None:
    page = shown(client(), "dispute", ruled.pk)

    assert "Who said what, and when" in page
    assert re.search(r"<time[^>]*>\d\d:\d\d:\d\d</time> <a[^>]*>[^<]* names ", page)
    assert "Proven against the rules" in page
    assert "Proof:" in page
    assert "What the transcript proves" in page
    assert "status-proven" in page
    assert "Previous trick" in page
    assert "Time for the card:" in page


def test_a_ranking_and_a_table_say_what_a_ruling_has_touched(ruled: Dispute) -> None:
    standings = reverse("standings", args=["herbstcup"]) + "?live=1"
    assert html(client().get(standings)).count("ruling-mark") == 4
    assert "provisional" not in html(client().get(standings))

    appeals.make_appeal(ruled, actor=None, by_ref=refs(ruled.table)[0], reason="zu hart")

    assert html(client().get(standings)).count(">provisional<") == 4
    for name in ("table_live", "replay"):
        assert "Ruling on deal 2" in shown(client(), name, ruled.table.game_id)
        assert "under appeal, provisional" in shown(client(), name, ruled.table.game_id)


def award(where: Table) -> tuple[Dispute, str]:
    """A ruling on the trick of the revoke, and the name of who revoked."""
    [found] = game_state.load_snapshot(str(where.game_id)).state.infractions
    raised = disputes.raise_dispute(where, actor=person("gabi"), deal=2, trick=3, at_seq=found.at_seq)
    return raised, seat_names(game_of(where))[found.seat]


def test_a_ruling_names_trick_and_player_at_the_table_in_the_list_on_its_page_and_on_paper(
    written: Table,
) -> None:
    raised, name = award(written)
    queue = reverse("disputes", args=["herbstcup"])
    assert f"concerns {name}" in html(client("gabi").get(queue)), "before it is ruled on: whose card it is"
    seat = seat_names(game_of(written)).index(name)
    ruling = {"kind": "award_from_trick", "deal": 2, "trick": 3, "against": seat}
    rulings.rule(raised, actor=person("gabi"), ruling=ruling, answer="Farbe verleugnet")

    listed = html(client("gabi").get(queue))
    assert "Deal 2, trick 3" in listed
    assert f"concerns {name}" in listed
    for page in ("table_live", "replay"):
        box = shown(client(), page, written.game_id).split("ruling-strip")[1].split("</div>")[0]
        assert "Ruling on deal 2, trick 3" in box
        assert f"concerns {name}" in box
    assert f"<dt>Concerns</dt><dd>{name}</dd>" in shown(client(), "dispute", raised.pk)
    assert f"(deal 2, trick 3, {name}): Farbe verleugnet" in shown(client(), "game_print", written.game_id)


def test_a_call_that_is_ruled_on_a_deal_is_listed_under_that_deal(written: Table) -> None:
    call = disputes.raise_dispute(written, actor=person("gabi"), text="Kommt bitte")
    rulings.rule(call, actor=person("gabi"), ruling={"kind": "annul_deal", "deal": 1}, answer="vergeben")
    assert "Ruling on deal 1" in shown(client(), "table_live", written.game_id)
    assert ">Deal 1</a>" in html(client("gabi").get(reverse("disputes", args=["herbstcup"])))


def test_an_appeal_starts_from_the_ruling_so_that_only_the_reason_is_written(written: Table) -> None:
    raised, name = award(written)
    seat = seat_names(game_of(written)).index(name)
    ruling = {"kind": "award_from_trick", "deal": 2, "trick": 3, "against": seat}
    rulings.rule(raised, actor=person("gabi"), ruling=ruling, answer="Farbe verleugnet")

    form = shown(phone(written), "dispute", raised.pk).split("Appeal this ruling")[1].split("</form>")[0]

    assert f"Ruling 1, deal 2, trick 3, {name}" in form
    assert "The points from that trick on go to the other side" in form
    assert " → " in form
    assert "Farbe verleugnet" in form
    assert person("gabi").get_username() in form or person("gabi").get_full_name() in form
    assert re.search(r"<textarea[^>]*>\s*</textarea>", form), "the reason is the only thing to write"


def test_an_appeal_against_a_word_of_the_referee_says_which(written: Table) -> None:
    raised = disputes.raise_dispute(written, actor=person("gabi"), deal=2, trick=3)
    rulings.rule(raised, actor=person("gabi"), ruling=None, answer="Alles recht so")

    form = shown(phone(written), "dispute", raised.pk).split("Appeal this ruling")[1].split("</form>")[0]

    assert "Settled verbally, deal 2, trick 3" in form
    assert "Alles recht so" in form


def test_the_list_of_disputes_asks_as_often_for_many_as_for_one(written: Table) -> None:
    counts = []
    for trick in (1, 2, 3):
        disputes.raise_dispute(written, actor=person("gabi"), deal=2, trick=trick)
        browser = client("gabi")
        with CaptureQueriesContext(connection) as context:
            browser.get(reverse("disputes", args=["herbstcup"]))
        counts.append(len(context))
    assert counts[1] == counts[-1]  # before the first, Django may ask what the database can do


def test_a_record_that_contradicts_itself_says_where(written: Table) -> None:
    """Deal 3 is half written; a meld is declared of cards that somebody else plays."""
    state = game_state.load_snapshot(str(written.game_id)).state
    turn = to_act(state)
    assert turn is not None
    assert turn.seat is not None
    where = str(written.game_id)
    played = [card for trick in state.tricks for card in trick.cards]
    free = next(card for card in range(36) if card not in played and card not in state.trick)
    command = {"cmd": "play", "seat": (turn.seat + 1) % 4, "card": DECK[free]}
    submit(where, command, actor="s" * 32, command_id="out-of-turn")
    raised = disputes.raise_dispute(table(written.round, 1), actor=person("gabi"), deal=3)

    page = shown(client("gabi"), "dispute", raised.pk)

    assert "acted out of turn" in page
    assert "status-unknown" in page
    assert re.search(r"Card points of [^<]*</th><td>\d+ to \d+</td>", page)


def test_the_desk_costs_as_many_queries_in_a_large_championship() -> None:
    counts = []
    for people in (8, 40):
        where = table(opened("transcribed", "sheet", people=people, slug=f"cup-{people}"), 1)
        write_revoke(where)
        game_of(where).refresh_from_db()
        raised = disputes.raise_dispute(where, actor=person("gabi"), deal=2, trick=3)
        browser = client("gabi")
        with CaptureQueriesContext(connection) as context:
            assert browser.get(reverse("dispute", args=[raised.pk])).status_code == 200
        counts.append(len(context))
    assert counts[1] <= counts[0] <= 45


def test_hidden_cards_of_a_table_that_is_over_or_unknown_are_not_asked_for() -> None:
    where = table(opened("dealt", people=4), 1)
    play_to_the_end(where.round)
    address = reverse("open_hands", args=[where.game_id])

    answer = client("gabi").post(address, {"deal": 1, "reason": "zu spät"}, follow=True)

    assert "hands/nothing_hidden" in html(answer)
    assert client("gabi").get(reverse("open_hands", args=["0" * 32])).status_code == 404
    assert client("gabi").get(reverse("dispute_raise", args=["0" * 32])).status_code == 404


def test_what_if_plays_another_card_and_counts_the_deal(written: Table) -> None:
    infraction = game_state.load_snapshot(str(written.game_id)).state.infractions[0]
    page = shown(client("gabi"), "what_if", written.game_id, f"?at={infraction.at_seq - 1}")
    assert "must follow suit" in page
    first = re.search(r'<a class="hand-card[^>]*href="(\?[^"]*)"', page)
    assert first is not None

    other = shown(client("gabi"), "what_if", written.game_id, first.group(1).replace("&amp;", "&"))
    finish = re.search(r'href="(\?[^"]*finish=played)"', other)
    assert finish is not None
    done = shown(client("gabi"), "what_if", written.game_id, finish.group(1).replace("&amp;", "&"))

    assert "The deal would have counted" in done
    assert game_state.load_snapshot(str(written.game_id)).state.infractions[0] == infraction, (
        "nothing is stored"
    )


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("?at=99999", "what_if/hands_unknown"),
        ("?at=5&line=X9", "command/malformed"),
        ("?at=5&line=" + ",".join(["S6"] * 60), "what_if/too_long"),
        ("?at=5&finish=magic", "what_if/too_long"),
    ],
)
def test_a_line_that_cannot_be_is_refused_with_its_code(written: Table, query: str, code: str) -> None:
    answer = client("gabi").get(reverse("what_if", args=[written.game_id]) + query)

    assert answer.status_code == 400
    assert code in html(answer)


def dealt(moves: int) -> Table:
    where = table(opened("dealt", "sheet"), 1)
    for _ in range(moves):
        command = next_command(game_of(where))
        seq = game_state.load_snapshot(str(where.game_id)).head.seq
        submit(str(where.game_id), command, actor=refs(where)[command.seat], command_id=f"m{seq}")
    return table(where.round, 1)


def test_hidden_cards_are_opened_after_the_page_has_asked_and_everybody_sees_that() -> None:
    where = dealt(6)
    events = f"/api/v1/games/{where.game_id}/events/"
    address = reverse("open_hands", args=[where.game_id])

    def hands() -> list[object]:
        told = client("gabi").get(events).json()["events"]
        return [event["cards"] for event in told if event["type"] == "hand_dealt"]

    assert hands() == [None] * 4
    assert "the players see it" in html(client("gabi").get(address))
    assert client("gabi").post(address, {"deal": 1, "reason": ""}).status_code == 400
    stale = client("gabi").post(address, {"deal": 2, "reason": "zu früh"}, follow=True)
    assert "hands/deal_over" in html(stale)
    assert hands() == [None] * 4
    client("gabi").post(address, {"deal": 1, "reason": "Streit um eine Karte"})

    assert all(hands())
    assert OpenedHands.objects.get().reason == "Streit um eine Karte"
    for name in ("anna", None):
        page = shown(client(name), "table_live", where.game_id)
        assert "Gabi opened the hidden cards in deal 1:" in page
        assert "Streit um eine Karte" in page
    assert "Nothing is hidden from you" in html(client("gabi").get(address))
    assert client("anna").get(address).status_code == 403


def test_a_deal_that_is_played_cannot_be_tried_until_the_seed_is_revealed() -> None:
    where = dealt(10)
    seq = next(
        e.seq for e in game_state.load_snapshot(str(where.game_id)).events if isinstance(e, CardPlayed)
    )
    seat = Seating.objects.filter(table=where, entry__user=person("anna")).first()
    who = "anna" if seat is not None else "gabi"
    address = reverse("what_if", args=[where.game_id]) + f"?at={seq}"
    for name in ("gabi", who, None):
        answer = client(name).get(address)
        assert answer.status_code == 400
        assert "what_if/hands_unknown" in html(answer)

    play_to_the_end(where.round)
    rounds.close_round(where.round, actor=person("fredi"))

    for name in ("gabi", who, None):
        assert "is to play: tap a card" in html(client(name).get(address))


def test_a_finished_deal_of_an_online_table_lies_open_on_the_desk_without_a_look() -> None:
    where = dealt(0)
    while not game_state.load_snapshot(str(where.game_id)).state.records:
        command = next_command(game_of(where))
        seq = game_state.load_snapshot(str(where.game_id)).head.seq
        submit(str(where.game_id), command, actor=refs(where)[command.seat], command_id=f"m{seq}")
    raised = disputes.raise_dispute(
        table(where.round, 1), actor=person("gabi"), deal=1, trick=2, incident="hint"
    )

    page = shown(client("gabi"), "dispute", raised.pk)

    assert "not known" not in page
    assert page.count('class="spot-cards"') == 4, "every hand lies open on the cloth"
    assert "fr-back" not in page
    assert "ch-back" not in page
    assert "Open the hidden cards" not in page, "the next deal is played already, but nobody asks about it"
    assert not OpenedHands.objects.exists()
    assert 'value="warning" required checked' in page
    form = shown(client("anna"), "dispute_raise", where.game_id)
    assert form.count('name="incident"') == 2, "the server sees to the rest"
