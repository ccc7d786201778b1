"""A dispute from a call at the table to a public ruling: moment, remedies with both scores, record."""

import re

import pytest
from django.urls import reverse

from engine import Event, next_play
from engine.cards import DECK, Card, codes
from engine.events import CardPlayed, ContractSet, StoeckDeclared
from engine.scoring.ruling_effects import is_final_by_ruling
from frontend.presenters.disputes.record_of_deal import describe_stoeck
from games import game_state
from games.ids import new_id
from games.models import DealResult, Game
from games.play.submit import submit
from tests.client_responses import Answer
from tests.frontend.evening import client, html, opened, person, table
from tests.games.cast import next_command
from tests.tournaments.table_play import enter, game_of, refs, write_revoke
from tournaments.models import Dispute, Entry, Official, Seating, Table
from tournaments.services.referee import disputes, rulings

pytestmark = pytest.mark.django_db


@pytest.fixture
def revoke() -> Dispute:
    """A transcribed table with a proven revoke, and the dispute about it."""
    where = table(opened("transcribed", "sheet"), 1)
    write_revoke(where)
    game_of(where).refresh_from_db()
    return disputes.raise_dispute(where, actor=person("gabi"), deal=2, trick=3, text="Nicht angegeben")


def page(dispute: Dispute, name: str | None = "gabi", query: str = "") -> str:
    return html(client(name).get(reverse("dispute", args=[dispute.pk]) + query))


def rule(dispute: Dispute, name: str = "gabi", **fields: str) -> Answer:
    dispute.refresh_from_db()
    sent = {"deal": "2", "trick": "3", "token": new_id(), "answer": "Farbe nicht angegeben"}
    sent |= {"version": str(dispute.version), **fields}
    return client(name).post(reverse("dispute_rule", args=[dispute.pk]), sent, follow=True)


def revoker(dispute: Dispute) -> int:
    return game_state.load_snapshot(str(dispute.table.game_id)).state.infractions[0].seat


def test_the_moment_shows_the_card_the_hand_and_what_was_legal(revoke: Dispute) -> None:
    shown = page(revoke)

    infraction = game_state.load_snapshot(str(revoke.table.game_id)).state.infractions[0]
    assert f"#seq={infraction.at_seq}" in shown
    assert "Revoke" in shown
    assert shown.count('class="barred chosen"') == 1
    assert shown.count('<li class="legal') >= 1


def test_another_card_of_the_trick_can_be_looked_at(revoke: Dispute) -> None:
    steps = re.findall(r'class="pill[^>]*href="\?seq=(\d+)"', page(revoke))

    assert len(steps) == 4
    assert f"#seq={steps[0]}" in page(revoke, query=f"?seq={steps[0]}")


@pytest.mark.parametrize("query", ["?seq=0", "?seq=999999", "?seq=x"])
def test_a_moment_without_a_card_is_no_error(revoke: Dispute, query: str) -> None:
    assert client("gabi").get(reverse("dispute", args=[revoke.pk]) + query).status_code == 200


def test_the_remedy_of_the_regulations_comes_first_and_is_chosen(revoke: Dispute) -> None:
    remedies = page(revoke).split('id="remedies"')[1]

    first = remedies.split("</label>")[0]
    assert 'value="award_from_trick"' in first
    assert "set by the regulations" in first
    assert " checked" in first


def test_every_remedy_shows_the_scores_before_and_after(revoke: Dispute) -> None:
    outcome = rulings.preview(revoke, {"kind": "annul_deal", "deal": 2})
    before = " : ".join(map(str, outcome.scores_before or ()))

    shown = page(revoke)

    annul = shown.split('value="annul_deal"')[1].split("</label>")[0]
    assert f"<del>{before}</del> → 0 : 0" in annul


def test_facts_that_are_changed_bring_new_figures(revoke: Dispute) -> None:
    address = reverse("dispute_remedies", args=[revoke.pk])
    facts = {"deal": "2", "against": "0", "points": "50"}

    shown = html(client("gabi").get(address, facts, headers={"HX-Request": "true"}))

    penalty = shown.split('value="penalty"')[1].split("</label>")[0]
    assert "disabled" not in penalty
    assert "→" in penalty
    assert "Choose the first trick concerned." in shown


def test_a_ruling_is_published_with_article_reason_and_both_scores(revoke: Dispute) -> None:
    answer = rule(revoke, remedy="annul_deal", article="Art. 7")

    shown = html(answer)
    revoke.refresh_from_db()
    assert (revoke.status, revoke.ruling_number) == ("ruled", 1)
    assert "Art. 7" in shown
    assert "Farbe nicht angegeben" in shown
    assert "→ 0 : 0" in shown
    assert reverse("standings", args=["herbstcup"]) in shown
    assert "Ruling 1" in page(revoke, None), "everybody may read it"


def test_the_score_is_set_by_hand(revoke: Dispute) -> None:
    rule(revoke, remedy="score_change", score_0="100", score_1="57")

    assert Dispute.objects.get(pk=revoke.pk).ruling_number == 1
    assert game_state.load_snapshot(str(revoke.table.game_id)).state.rulings[-1].scores == (100, 57)


def test_a_score_by_hand_that_no_deal_counts_is_questioned_and_can_be_meant(revoke: Dispute) -> None:
    asked = rule(revoke, remedy="score_change", score_0="100", score_1="75")

    assert asked.status_code == 400
    assert "add up to 175. A deal counts 157" in html(asked)
    assert Dispute.objects.get(pk=revoke.pk).ruling_number is None

    rule(revoke, remedy="score_change", score_0="100", score_1="75", odd_sum="on")
    assert game_state.load_snapshot(str(revoke.table.game_id)).state.rulings[-1].scores == (100, 75)


@pytest.mark.parametrize("scores", [("0", "177"), ("257", "0"), ("277", "0")])
def test_stoeck_and_a_sweep_are_no_question(revoke: Dispute, scores: tuple[str, str]) -> None:
    rule(revoke, remedy="score_change", score_0=scores[0], score_1=scores[1])

    assert Dispute.objects.get(pk=revoke.pk).ruling_number == 1


def test_without_a_referee_the_director_decides_or_appoints_one(revoke: Dispute) -> None:
    Official.objects.filter(role=Official.Role.REFEREE).delete()

    shown = page(revoke, "fredi")
    assert "you decide yourself, or appoint one" in shown
    assert reverse("officials", args=[revoke.table.round.championship.slug]) in shown
    rule(revoke, name="fredi", remedy="annul_deal")
    assert Dispute.objects.get(pk=revoke.pk).ruling_number == 1
    assert rule(revoke, name="anna", remedy="annul_deal").status_code == 403


def test_a_referee_who_plays_at_the_table_leaves_it_to_the_director(revoke: Dispute) -> None:
    seated = Seating.objects.filter(table=revoke.table).earliest("seat")
    Entry.objects.filter(pk=seated.entry_id).update(user=person("gabi"))

    assert rule(revoke, name="fredi", remedy="annul_deal").status_code == 200
    assert Dispute.objects.get(pk=revoke.pk).ruling_number == 1


def test_after_a_call_there_is_a_way_back_to_the_sheet() -> None:
    round_ = opened("sheet")
    mine = Seating.objects.get(round=round_, entry__user=person("anna")).table

    answer = client("anna").post(reverse("dispute_raise", args=[mine.game_id]), {"text": "x"}, follow=True)

    assert f'href="{reverse("table_sheet", args=[mine.game_id])}"' in html(answer)


def test_a_ruling_on_a_sheet_stands_in_the_place_of_signatures() -> None:
    where = table(opened("sheet"), 1)
    enter(where, 1, 112)
    game_of(where).refresh_from_db()
    dispute = disputes.raise_dispute(where, actor=person("gabi"), deal=1)

    rule(dispute, deal="1", remedy="score_change", score_0="102", score_1="55")

    state = game_state.load_snapshot(str(where.game_id)).state
    assert is_final_by_ruling(state, 1)
    row = DealResult.objects.get(game=where.game_id, deal=1)
    assert (row.confirmed, row.counted) == (True, [102, 55])


def test_a_later_ruling_replaces_the_first_and_both_stay(revoke: Dispute) -> None:
    rule(revoke, remedy="annul_deal")
    rule(revoke, remedy="warning")

    shown = page(revoke)

    assert "Ruling 1" in shown
    assert "(replaced)" in shown
    assert "Ruling 2" in shown


def test_a_form_sent_twice_rules_once(revoke: Dispute) -> None:
    token = new_id()
    rule(revoke, remedy="annul_deal", token=token)

    again = rule(revoke, remedy="annul_deal", token=token)

    assert len(game_state.load_snapshot(str(revoke.table.game_id)).state.rulings) == 1
    assert again.status_code == 200


def test_a_matter_is_settled_by_word_without_a_ruling(revoke: Dispute) -> None:
    rule(revoke, remedy="word", answer="Alles in Ordnung")

    assert "Alles in Ordnung" in page(revoke, None)
    assert not game_state.load_snapshot(str(revoke.table.game_id)).state.rulings


@pytest.mark.parametrize(
    "fields",
    [
        {"remedy": "annul_deal", "answer": ""},
        {"remedy": "hang_him"},
        {"remedy": ""},
        {"remedy": "annul_deal", "deal": "9"},
        {"remedy": "score_change"},
        {"remedy": "penalty", "against": "77", "points": "5"},
        {"remedy": "annul_deal", "token": "x"},
    ],
)
def test_an_incomplete_or_impossible_ruling_changes_nothing(revoke: Dispute, fields: dict[str, str]) -> None:
    answer = rule(revoke, **fields)

    assert answer.status_code == 400
    revoke.refresh_from_db()
    assert revoke.status == "open"
    assert not game_state.load_snapshot(str(revoke.table.game_id)).state.rulings


@pytest.fixture
def alone() -> Dispute:
    """A transcribed table at which everyone plays alone, its first deal played and disputed."""
    where = table(opened("transcribed", people=4, preset="differenzler"), 1)
    game, players = Game.objects.get(pk=where.game_id), refs(where)
    predictions = [{"cmd": "predict", "seat": seat, "points": 40} for seat in range(4)]
    for command in ({"cmd": "deal", "deck": list(DECK), "dealer": 3}, *predictions):
        submit(
            game.pk, command, actor=players[0], command_id=f"m{game_state.load_snapshot(game.pk).head.seq}"
        )
    while not (state := game_state.load_snapshot(game.pk).state).records:
        seat, legal = next_play(state)
        card = {"cmd": "play", "seat": seat, "card": codes(legal)[0]}
        submit(game.pk, card, actor=players[0], command_id=f"m{state.seq}")
    return disputes.raise_dispute(
        table(where.round, 1), actor=person("gabi"), deal=1, trick=1, incident="revoke"
    )


def test_where_everyone_plays_alone_a_deal_with_a_revoke_is_annulled_unless_the_referee_says_who_gains(
    alone: Dispute,
) -> None:
    names = [seating.entry.name for seating in alone.table.seatings.order_by("seat")]
    shown = page(alone)
    first = shown.split('id="remedies"')[1].split("</label>")[0]
    assert 'value="annul_deal"' in first
    assert " checked" in first
    assert 'name="to"' in shown
    facts = {"deal": "1", "trick": "1", "against": "0"}
    given = {**facts, "to": "2"}
    shared = rulings.preview(alone, {"kind": "award_from_trick", **_numbers(facts)})
    named = rulings.preview(alone, {"kind": "award_from_trick", **_numbers(given)})
    assert shared.scores_after != named.scores_after
    asked = html(client("gabi").get(reverse("dispute_remedies", args=[alone.pk]), given))
    award = asked.split('value="award_from_trick"')[1].split("</label>")[0]
    assert f"→ {' : '.join(map(str, named.scores_after or ()))}" in award
    own = html(client("gabi").get(reverse("dispute_remedies", args=[alone.pk]), {**given, "to": "0"}))
    assert "Choose the other side" in own.split('value="award_from_trick"')[1].split("</label>")[0]

    ruled = html(rule(alone, remedy="award_from_trick", **given))

    assert game_state.load_snapshot(str(alone.table.game_id)).state.rulings[-1].to == 2
    assert f"The points go to</dt><dd>{names[2]}" in ruled


def _numbers(facts: dict[str, str]) -> dict[str, int]:
    return {name: int(value) for name, value in facts.items()}


def test_between_two_sides_it_is_not_asked_who_gains(revoke: Dispute) -> None:
    assert 'name="to"' not in page(revoke)


def test_only_a_referee_rules(revoke: Dispute) -> None:
    assert rule(revoke, name="anna", remedy="annul_deal").status_code == 403
    assert rule(revoke, name="fredi", remedy="annul_deal").status_code == 403
    assert 'name="remedy"' not in page(revoke, "fredi")


def test_a_call_from_the_own_table_reaches_the_referee() -> None:
    round_ = opened("sheet")
    mine = Seating.objects.get(round=round_, entry__user=person("anna")).table

    answer = client("anna").post(
        reverse("dispute_raise", args=[mine.game_id]), {"text": "bitte"}, follow=True
    )

    made = Dispute.objects.get()
    assert made.is_call
    assert "Call from table" in html(answer)
    assert "raised by Anna Ammann" in html(answer)


def test_a_call_from_another_table_is_refused_with_its_code() -> None:
    round_ = opened("sheet")
    other = Table.objects.filter(round=round_).exclude(seatings__entry__user=person("anna")).get()

    answer = client("anna").post(reverse("dispute_raise", args=[other.game_id]), {"text": "he"})

    assert answer.status_code == 400
    assert "disputes/not_at_table" in html(answer)
    assert not Dispute.objects.exists()


def test_a_deal_that_was_not_played_cannot_be_disputed() -> None:
    where = table(opened("sheet"), 1)

    answer = client("gabi").post(reverse("dispute_raise", args=[where.game_id]), {"deal": "5"})

    assert "disputes/no_such_deal" in html(answer)


def test_a_call_is_settled_without_a_ruling() -> None:
    where = table(opened("sheet"), 1)
    call = disputes.raise_dispute(where, actor=person("gabi"))

    client("gabi").post(reverse("dispute_withdraw", args=[call.pk]))

    call.refresh_from_db()
    assert call.status == "withdrawn"
    for address in (reverse("dispute", args=[call.pk]), reverse("disputes", args=["herbstcup"])):
        shown = html(client("gabi").get(address))
        assert '<span class="pill done">settled</span>' in shown
        assert "withdrawn" not in shown.partition("<main")[2]


def test_a_settled_dispute_cannot_be_withdrawn(revoke: Dispute) -> None:
    rule(revoke, remedy="warning")

    answer = client("gabi").post(reverse("dispute_withdraw", args=[revoke.pk]), follow=True)

    assert "disputes/settled" in html(answer)


def test_a_sheet_knows_no_cards_and_the_page_says_so() -> None:
    where = table(opened("sheet"), 1)
    enter(where, 1, 100)
    game_of(where).refresh_from_db()
    dispute = disputes.raise_dispute(where, actor=person("gabi"), deal=1)

    facts = {"deal": "1", "trick": "3", "against": "0"}
    remedies = html(client("gabi").get(reverse("dispute_remedies", args=[dispute.pk]), facts))

    assert "No cards of this deal are recorded" in page(dispute)
    award = remedies.split('value="award_from_trick"')[1].split("</label>")[0]
    assert "A score sheet has no tricks" in award


def test_a_stoeck_called_late_is_taken_off_the_score_that_is_proposed() -> None:
    where = table(opened("sheet"), 1)
    command = {"cmd": "enter_result", "seat": 0, "deal": 1, "card_points": [90, 67], "stoeck": 0}
    submit(str(where.game_id), command, actor=refs(where)[0], command_id="enter")
    game_of(where).refresh_from_db()
    dispute = disputes.raise_dispute(where, actor=person("gabi"), deal=1, incident="late_call")

    shown = page(dispute)

    first = shown.split('id="remedies"')[1].split("</label>")[0]
    assert 'value="score_change"' in first
    assert "<del>110 : 67</del> → 90 : 67" in first
    assert "How the deal was entered" in shown
    assert "enters deal 1: 110–67" in shown
    assert "(written by" not in shown


def test_a_sheet_says_which_official_has_written_on_it() -> None:
    where = table(opened("sheet"), 1)
    hanna = where.round.championship.officials.get(user=person("hanna"))
    command = {"cmd": "enter_result", "seat": 0, "deal": 1, "card_points": [90, 67]}
    submit(str(where.game_id), command, actor=hanna.ref, command_id="enter")
    game_of(where).refresh_from_db()

    assert "(written by Hanna)" in page(disputes.raise_dispute(where, actor=person("gabi"), deal=1))


def test_a_hand_the_server_dealt_stands_in_no_page_while_its_deal_is_played() -> None:
    where = table(opened("dealt", "sheet"), 1)
    game = where.game
    assert game is not None
    for _ in range(12):
        command = next_command(game)
        seq = game_state.load_snapshot(game.id).head.seq
        submit(game.id, command, actor=refs(where)[command.seat], command_id=f"m{seq}")
    state = game_state.load_snapshot(game.id).state
    dispute = disputes.raise_dispute(table(where.round, 1), actor=person("gabi"), deal=1, trick=1)

    shown = set(re.findall(r"#ch-(\w+)\"", page(dispute)))

    held = {code for hand in state.hands for code in codes(hand)}
    assert shown, "the trick is shown"
    assert not shown & held


@pytest.mark.parametrize(
    ("plays", "declared", "said"),
    [
        (((0, "HK"), (0, "HQ")), False, "Anna had king and ober of trumps, and did not declare the Stöck."),
        (((0, "HK"), (0, "HQ")), True, "Anna had king and ober of trumps, and declared the Stöck."),
        (((0, "HK"), (1, "HQ")), False, "Nobody had the Stöck: king and ober of trumps were in two hands."),
        (((0, "HK"),), False, "The record does not show yet who had king and ober of trumps."),
    ],
)
def test_the_record_says_what_it_knows_of_the_stoeck(
    plays: tuple[tuple[int, Card], ...], declared: bool, said: str
) -> None:
    events: list[Event] = [ContractSet(seq=1, contract="hearts", seat=0)]
    events += [CardPlayed(seq=2 + at, seat=seat, card=card) for at, (seat, card) in enumerate(plays)]
    if declared:
        events.append(StoeckDeclared(seq=9, seat=0, points=20))
    names = ["Anna", "Beat", "Chiara", "Dario"]

    assert describe_stoeck(events, names, {"stoeck": True}, "ch") == said
    assert describe_stoeck(events, names, {"stoeck": True}, "fr") == said.replace("ober", "queen")
    assert describe_stoeck(events, names, {"stoeck": False}, "ch") == ""


def test_the_list_has_the_open_ones_first(revoke: Dispute) -> None:
    rule(revoke, remedy="warning")
    disputes.raise_dispute(table(revoke.table.round, 2), actor=person("gabi"), text="neu")

    shown = html(client().get(reverse("disputes", args=["herbstcup"])))

    assert shown.index("neu") < shown.index("Nicht angegeben")


def test_an_empty_list_says_how_a_dispute_comes_about() -> None:
    opened("sheet")

    assert "No disputes" in html(client().get(reverse("disputes", args=["herbstcup"])))


def test_a_dispute_that_is_not_there_is_not_found() -> None:
    assert client("gabi").get(reverse("dispute", args=[4711])).status_code == 404
