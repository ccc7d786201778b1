"""Remedies that the desk proposes: by a record's proofs, by a sheet's figures, after a warning."""

import re
from typing import Any

import pytest
from django.urls import reverse

from games import game_state
from games.ids import new_id
from games.play.submit import submit
from tests.frontend.evening import championship, client, first, html, opened, person, table
from tests.tournaments.table_play import refs
from tournaments.models import Championship, Dispute, Regulations, Table
from tournaments.presets import PRESETS
from tournaments.regulations import encode
from tournaments.services.draw import drawing
from tournaments.services.referee import disputes, rulings
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def write(where: Table, *commands: dict[str, Any]) -> None:
    for command in commands:
        seq = game_state.load_snapshot(str(where.game_id)).head.seq
        submit(str(where.game_id), command, actor=refs(where)[0], command_id=f"w{seq}")
    assert where.game is not None
    where.game.refresh_from_db()


def cards(*played: tuple[int, str]) -> list[dict[str, Any]]:
    return [{"cmd": "play", "seat": seat, "card": card} for seat, card in played]


STOECK = {"cmd": "declare", "seat": 0, "stoeck": True}
LATE_STOECK = [*cards((0, "HQ"), (1, "H6"), (2, "H7"), (3, "H8"), (0, "HK"), (1, "H9")), STOECK]
RUN = {"melds": [["S6", "S7", "S8"]]}
FIRST = cards((0, "S6"), (1, "S9"), (2, "S10"), (3, "SJ"))
PROVEN: dict[str, list[dict[str, Any]]] = {
    "out_of_turn": cards((1, "S6")),
    "stoeck_late": LATE_STOECK,
    "stoeck_not_held": [
        *cards((0, "S6"), (1, "S7"), (2, "S8"), (3, "S9"), (3, "D6"), (0, "D7"), (1, "D8"), (2, "D9")),
        {"cmd": "play", "seat": 2, "card": "HK", "stoeck": True},
        *cards((3, "HQ")),
    ],
    "meld_late": [*FIRST, {"cmd": "play", "seat": 3, "card": "SA", "heard": [{"points": 50}]}],
    "meld_not_held": [
        {"cmd": "play", "seat": 0, "card": "S6", **RUN},
        *cards((1, "S9"), (2, "S10"), (3, "S8")),
    ],
}
INCIDENT = {"out_of_turn": "card_shown"}


def transcript(code: str) -> Table:
    """A deal in hearts in which the record proves this."""
    play = encode(PRESETS["santiago"])["play"]
    melds = {"play": play | {"options": {"melds": True}}}
    where = table(opened("transcribed", people=4, changes={"rounds": 1, **melds}), 1)
    write(where, {"cmd": "deal", "dealer": 3}, {"cmd": "choose", "seat": 0, "contract": "hearts"})
    write(where, *PROVEN[code])
    found = [infraction.code for infraction in game_state.load_snapshot(str(where.game_id)).state.infractions]
    assert code in found, found
    return where


def first_remedy(page: str) -> str:
    return page.split('id="remedies"')[1].split("</label>")[0]


def page(dispute: Dispute) -> str:
    return html(client("gabi").get(reverse("dispute", args=[dispute.pk])))


def selected(shown: str, name: str) -> str:
    field = shown.split(f'name="{name}"')[1].split("</select>")[0]
    found = re.search(r'<option value="(\w*)" selected', field)
    return found.group(1) if found else ""


@pytest.mark.parametrize("code", PROVEN)
def test_what_a_transcript_proves_is_the_incident_that_the_regulations_know(code: str) -> None:
    where = transcript(code)
    infraction = next(
        i for i in game_state.load_snapshot(str(where.game_id)).state.infractions if i.code == code
    )
    shown = page(disputes.raise_dispute(where, actor=person("gabi"), deal=1))
    assert selected(shown, "incident") == INCIDENT.get(code, "late_call")
    assert selected(shown, "against") == str(infraction.seat)
    assert "set by the regulations" in first_remedy(shown)
    wanted = "bar_suit" if code == "out_of_turn" else "score_change"
    assert f'value="{wanted}"' in first_remedy(shown)


def test_what_was_raised_is_not_replaced_by_something_else_that_is_proven() -> None:
    where = transcript("stoeck_late")
    shown = page(disputes.raise_dispute(where, actor=person("gabi"), deal=1, incident="hint"))
    assert selected(shown, "incident") == "hint"


def regulate(of: Championship, **changes: Any) -> None:
    """What is fixed by the first opening, as if it had been set before."""
    row = Regulations.objects.get(championship=of)
    row.data |= changes
    row.save()


@pytest.fixture
def sheet() -> Table:
    where = table(opened("sheet", people=4, changes={"rounds": 1}), 1)
    write(where, {"cmd": "enter_result", "seat": 1, "deal": 1, "card_points": [97, 60]})
    return where


def ask(dispute: Dispute, **facts: str | int) -> str:
    """The remedies on other facts."""
    address = reverse("dispute_remedies", args=[dispute.pk])
    return html(client("gabi").get(address, {"deal": 1, **facts}, headers={"HX-Request": "true"}))


def rule(dispute: Dispute, **fields: object) -> str:
    sent = {"deal": 1, "token": new_id(), "answer": "Nachgezählt.", "version": dispute.version, **fields}
    return html(client("gabi").post(reverse("dispute_rule", args=[dispute.pk]), sent, follow=True))


def test_a_difference_is_shared_before_it_is_chosen_and_by_the_ruling(sheet: Table) -> None:
    regulate(sheet.round.championship, wrong_sum="split")
    dispute = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, incident="wrong_sum")
    shown = page(dispute)
    assert "A sheet that does not add up: the sides share the difference." in shown
    assert "Enter the card points as they are on the sheet." in shown
    written: dict[str, str | int] = {"incident": "wrong_sum", "written_0": 97, "written_1": 70}
    first = first_remedy(ask(dispute, **written))
    assert 'value="score_change"' in first
    assert "<del>97 : 60</del> → 92 : 65" in first
    assert "set by the regulations" in first
    assert "92 : 65" in rule(dispute, remedy="score_change", article="Art. 12", **written)
    ruling = game_state.load_snapshot(str(sheet.game_id)).state.rulings[-1]
    assert (ruling.kind, ruling.scores) == ("score_change", (92, 65))


def test_the_scorer_is_filled_in_and_carries_the_difference(sheet: Table) -> None:
    regulate(sheet.round.championship, wrong_sum="scorer")
    dispute = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, incident="wrong_sum")
    assert selected(page(dispute), "against") == "1"
    written: dict[str, str | int] = {
        "incident": "wrong_sum",
        "written_0": 97,
        "written_1": 55,
        "against": 1,
    }
    assert "<del>97 : 60</del> → 102 : 55" in first_remedy(ask(dispute, **written))
    assert "set the score by hand" in ask(dispute, **written | {"against": ""})
    by_hand = ask(dispute, **written, score_0=100, score_1=57)
    assert "→ 100 : 57" in first_remedy(by_hand), "what is typed in goes first"


def test_where_a_wrong_sum_is_refused_no_figures_are_asked_for(sheet: Table) -> None:
    dispute = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, incident="wrong_sum")
    shown = page(dispute)
    assert "it is not accepted, and is recounted" in shown
    assert "written_0" not in shown


def test_after_a_warning_the_penalty_of_the_regulations_is_proposed(sheet: Table) -> None:
    regulate(sheet.round.championship, remedies={"hint": {"ruling": "warning", "points": 50}})
    earlier = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, incident="hint")
    assert "Choose the person concerned" in page(earlier)
    assert 'value="warning"' in first_remedy(page(earlier))
    rule(earlier, remedy="warning", incident="hint", against=0)
    dispute = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, trick=2, incident="hint")
    again = ask(dispute, incident="hint", against=0)
    assert 'value="penalty"' in first_remedy(again)
    assert "<del>97 : 60</del> → 47 : 60" in first_remedy(again)
    assert "was already warned for the same: 50 points off" in again
    assert 'value="warning"' in first_remedy(ask(dispute, incident="hint", against=1))
    left_alone = ask(dispute, incident="hint", against=0, remedy="warning", offered="warning")
    assert " checked" in first_remedy(left_alone), "what the page had chosen follows the facts"
    chosen = ask(dispute, incident="hint", against=0, remedy="annul_deal", offered="warning")
    assert " checked" in chosen.split('value="annul_deal"')[1].split(">")[0], "what a person has chosen stays"
    rule(dispute, remedy="penalty", incident="hint", against=0)
    assert game_state.load_snapshot(str(sheet.game_id)).state.rulings[-1].points == 50


def test_further_details_stand_open_if_the_proposed_remedy_needs_one(sheet: Table) -> None:
    remedies = {"card_shown": {"ruling": "warning"}, "hint": {"ruling": "bar_suit"}}
    regulate(sheet.round.championship, remedies=remedies)
    dispute = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1)
    found = {}
    for incident in ("short_hand", "late_call", "hint", "card_shown", "misdeal"):
        Dispute.objects.filter(pk=dispute.pk).update(incident=incident)
        found[incident] = '<details class="more" open><summary>Points, scores' in page(dispute)
    needy = {incident for incident, stands_open in found.items() if stands_open}
    assert needy == {"short_hand", "late_call", "hint"}


def test_a_ruling_tells_what_it_was_for_a_table_that_had_only_called(sheet: Table) -> None:
    call = disputes.raise_dispute(sheet, actor=person("gabi"))
    rule(call, remedy="warning", incident="hint", against=0)
    call.refresh_from_db()
    assert call.incident == "hint"
    rulings.rule(call, actor=person("gabi"), ruling={"kind": "warning"}, answer="so")
    call.refresh_from_db()
    assert call.incident == "hint"


def differenzler(*, whole: bool) -> Table:
    """A sheet of Differenzler on which Beat has the most; whole: its last deal is written too."""
    held = encode(PRESETS["differenzler"])
    sheets = {"rounds": 1, "deals": 4, "play": held["play"] | {"mode": "sheet"}}
    of = championship(4, preset="differenzler", changes=sheets)
    where = table(
        rounds.open_round(drawing.draw_round(first(of), actor=person("fredi")), actor=person("fredi")), 1
    )
    for deal in range(1, 5 if whole else 2):
        said = {"card_points": [100, 57, 0, 0], "predictions": [90, 20, 0, 5]}
        write(where, {"cmd": "enter_result", "seat": 0, "deal": deal, **said})
        write(where, {"cmd": "confirm_result", "seat": 1, "deal": deal})
    return where


def test_an_annulment_that_rewards_the_table_is_warned_of_and_a_penalty_comes_first() -> None:
    dispute = disputes.raise_dispute(
        differenzler(whole=True), actor=person("gabi"), deal=1, incident="revoke"
    )
    shown = ask(dispute, incident="revoke", against=1)
    assert 'value="penalty"' in first_remedy(shown)
    assert "proposed instead" in first_remedy(shown)
    annulled = shown.split('value="annul_deal"')[1].split("</label>")[0]
    assert "cannot be played again: the game is over" in annulled
    assert "It improves the total of the whole table" in annulled
    assert " checked" not in annulled.split(">")[0]
    assert "The ruling is recorded" in rule(dispute, remedy="annul_deal", incident="revoke", against=1)


def test_an_annulment_is_proposed_where_the_deal_is_played_again() -> None:
    dispute = disputes.raise_dispute(
        differenzler(whole=False), actor=person("gabi"), deal=1, incident="revoke"
    )
    shown = first_remedy(ask(dispute, incident="revoke", against=1))
    assert 'value="annul_deal"' in shown
    assert "remedy-warning" not in shown


def test_what_a_sheet_cannot_know_is_replaced_by_a_score_set_by_hand(sheet: Table) -> None:
    dispute = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, incident="revoke")
    shown = ask(dispute, incident="revoke", against=1, trick=3, score_0=157, score_1=0)
    assert 'value="score_change"' in first_remedy(shown)
    assert "proposed instead" in first_remedy(shown)


def test_a_second_dispute_begins_from_what_the_first_ruling_left(sheet: Table) -> None:
    revoke = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, incident="revoke")
    rulings.rule(
        revoke,
        actor=person("gabi"),
        ruling={"kind": "score_change", "deal": 1, "scores": [0, 157]},
        answer="so",
    )
    late = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, trick=2, incident="late_call")
    shown = page(late)
    assert re.search(r'name="score_0" value="0"', shown)
    assert re.search(r'name="score_1" value="157"', shown)
    assert 'name="counted" value="0:157"' in shown
    claim = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, trick=3, incident="wrong_claim")
    assert re.search(r'name="score_1" value="157"', page(claim))


def test_a_score_written_before_another_ruling_is_not_taken_unseen(sheet: Table) -> None:
    late = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, trick=2, incident="late_call")
    assert 'name="counted" value="97:60"' in page(late)
    revoke = disputes.raise_dispute(sheet, actor=person("gabi"), deal=1, incident="revoke")
    ruling = {"kind": "score_change", "deal": 1, "scores": [0, 157]}
    rulings.rule(revoke, actor=person("gabi"), ruling=ruling, answer="so")
    fields = {
        "remedy": "score_change",
        "incident": "late_call",
        "score_0": 77,
        "score_1": 60,
        "odd_sum": "on",
    }
    refused = rule(late, counted="97:60", **fields)
    assert "disputes/counts_changed" in refused
    assert "now counts 0 : 157, not 97 : 60" in refused
    assert len(game_state.load_snapshot(str(sheet.game_id)).state.rulings) == 1
    rule(late, counted="0:157", **fields)
    assert game_state.load_snapshot(str(sheet.game_id)).state.rulings[-1].scores == (77, 60)


@pytest.fixture
def bieter() -> Table:
    """A deal of Bieter: the bid is 100, the others need 150."""
    options = {"minimum_bid": 100, "opponents_target": 150}
    play = encode(PRESETS["bieter"])["play"] | {"options": options}
    where = table(opened("sheet", people=3, preset="bieter", changes={"rounds": 1, "play": play}), 1)
    deal = {"cmd": "enter_result", "deal": 1, "chooser": 0, "bid": 100, "card_points": [50, 107]}
    write(where, {**deal, "seat": 0})
    return where


def test_a_ruling_that_takes_both_sides_to_their_targets_asks_which_was_there_first(bieter: Table) -> None:
    dispute = disputes.raise_dispute(bieter, actor=person("gabi"), deal=1)
    both: dict[str, Any] = {"score_0": 110, "score_1": 160}
    assert 'name="first"' not in ask(dispute, score_0=90, score_1=67), "one side, or none, is there"
    shown = ask(dispute, **both)
    assert "takes both to their targets: who reached theirs first?" in shown
    assert 'name="first"' in shown
    assert re.search(r'value="score_change" required disabled', shown)

    named = ask(dispute, **both, first=1)
    assert re.search(r'value="score_change" required(?! disabled)', named)
    assert 'name="first"' in named, "another side can be chosen"
    refused = rule(dispute, **both, remedy="score_change", odd_sum="on")
    assert "rule/first_missing" in refused
    assert 'name="first"' in refused

    rule(dispute, **both, remedy="score_change", odd_sum="on", first=1)
    state = game_state.load_snapshot(str(bieter.game_id)).state
    assert (state.first, state.totals) == ((1, 1), (110, 160))


def test_a_side_that_was_named_first_is_left_out_of_rulings_that_ask_for_none(bieter: Table) -> None:
    dispute = disputes.raise_dispute(bieter, actor=person("gabi"), deal=1)
    rule(dispute, score_0=90, score_1=67, remedy="score_change", first=1)
    assert game_state.load_snapshot(str(bieter.game_id)).state.totals == (90, 67)


def test_a_sheet_can_be_put_right_to_where_both_sides_are_at_their_targets() -> None:
    options = {"minimum_bid": 50, "opponents_target": 100}
    play = encode(PRESETS["bieter"])["play"] | {"options": options}
    where = table(opened("sheet", people=3, preset="bieter", changes={"rounds": 1, "play": play}), 1)
    write(
        where,
        {"cmd": "enter_result", "seat": 0, "deal": 1, "chooser": 0, "bid": 50, "card_points": [30, 127]},
    )
    gabi, address = client("gabi"), reverse("correct", args=["herbstcup", 1, 1]) + "?deal=1"
    shown = html(gabi.get(address))
    token = re.findall(r'name="(seen|token)" value="([^"]+)"', shown)
    sent = {
        **dict(token),
        "reason": "verlesen",
        "chooser": 0,
        "bid": 50,
        "card_points-0": 55,
        "card_points-1": 102,
    }
    refused = html(gabi.post(address, sent))
    assert "Deal 1 takes both to their targets: who reached theirs first?" in refused
    assert 'name="first"' in refused
    gabi.post(address, {**sent, "first": 1})
    state = game_state.load_snapshot(str(where.game_id)).state
    assert (state.first, state.totals) == ((1, 1), (55, 102))
