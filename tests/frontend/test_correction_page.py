"""The correction page of a paper result: reached from the ranking, with a preview."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from frontend.presenters.names.seat_names import seat_names
from frontend.presenters.standings import loaded_rankings
from games import game_state
from games.play.submit import submit
from tests.frontend.evening import championship, client, first, html, opened, person, table
from tests.tournaments.table_play import confirm, enter, game_of, refs, write_sheet
from tournaments.models import Official, Round, Table
from tournaments.presets import PRESETS
from tournaments.regulations import encode
from tournaments.services.championships import officials
from tournaments.services.draw import drawing
from tournaments.services.entries import pairs
from tournaments.services.referee import corrections, disputes, rulings
from tournaments.services.rounds import breaking_off, rounds
from tournaments.services.scores import ranking_basis

pytestmark = pytest.mark.django_db
OTHER = {"card_points-0": "57", "card_points-1": "100", "reason": "Seiten verwechselt"}


def closed() -> Round:
    round_ = opened("sheet", people=9, count=2)
    for number in (1, 2):
        write_sheet(table(round_, number), [100] * 8)
    return rounds.close_round(round_, actor=person("fredi"))


def page_of(round_: Round, number: int = 1, deal: int | None = None) -> str:
    address = reverse("correct", args=["herbstcup", round_.number, number])
    return f"{address}?deal={deal}" if deal else address


def seen(who: Client, address: str) -> dict[str, str]:
    """The hidden fields of the form as the page has them."""
    body = html(who.get(address))
    found = dict(re.findall(r'name="(seen|token)" value="([^"]+)"', body))
    assert set(found) == {"seen", "token"}
    return found


def totals(round_: Round, number: int = 1) -> tuple[int, ...]:
    return game_state.load_snapshot(str(table(round_, number).game_id)).state.totals


def test_a_figure_of_the_ranking_leads_officials_to_the_sheet_and_nobody_else() -> None:
    closed()
    ranking = reverse("standings", args=["herbstcup"])
    way = reverse("correct_of", args=["herbstcup", 1])
    assert html(client("gabi").get(ranking)).count(f'href="{way}?entry=') == 8, "who has a bye has no sheet"
    for other in (None, "anna", "eva"):
        assert way not in html(client(other).get(ranking))
    first = table(Round.objects.get(championship__slug="herbstcup", number=1), 1).seatings.first()
    assert first is not None
    answer = client("gabi").get(way, {"entry": first.entry.number})
    assert answer.headers["Location"] == reverse("correct", args=["herbstcup", 1, 1])


def test_the_page_shows_the_sheet_and_for_a_deal_what_would_come_of_it() -> None:
    round_ = closed()
    shown = html(client("gabi").get(page_of(round_)))
    assert client("gabi").head(page_of(round_, deal=3)).status_code == 200
    assert shown.count("?deal=") == 8
    assert "800 : 456" in re.sub(r"\s+", " ", shown)
    preview = reverse("correct_preview", args=["herbstcup", 1, 1])
    outlook = html(client("gabi").get(preview, {"deal": 3, "card_points-0": 57, "card_points-1": 100}))
    assert "<del>100 : 57</del> → <b>57 : 100</b>" in outlook
    assert "<del>800 : 456</del> → <b>757 : 499</b>" in outlook
    assert outlook.count("→") >= 6, "four people at the table besides"
    wrong = html(client("gabi").get(preview, {"deal": 3, "card_points-0": 57, "card_points-1": 90}))
    assert "The sum of deal 3 is 147, it must be 157." in wrong


def test_one_field_a_reason_and_one_press() -> None:
    round_ = closed()
    gabi, address = client("gabi"), page_of(round_, deal=3)
    answer = gabi.post(address, {**seen(gabi, address), **OTHER}, follow=True)
    assert totals(round_) == (757, 499)
    shown = html(answer)
    assert "Deal 3 of table 1 is corrected. The ranking is published again." in shown
    assert "Seiten verwechselt" in shown
    assert "Gabi" in shown
    assert Round.objects.get(pk=round_.pk).championship.snapshots.count() == 2


def test_what_was_there_before_is_one_press_away() -> None:
    round_ = closed()
    gabi, address = client("gabi"), page_of(round_, deal=3)
    gabi.post(address, {**seen(gabi, address), **OTHER})
    back = re.search(r'href="(\?deal=3&amp;back=\d+)#', html(gabi.get(page_of(round_))))
    assert back is not None
    filled = html(gabi.get(page_of(round_) + back[1].replace("&amp;", "&")))
    assert re.search(r'name="card_points-0" value="100"', filled)


def test_the_totals_of_a_round_are_put_right_in_the_same_way() -> None:
    round_ = opened("sheet", people=4, changes={"rounds": 1, "hand_in": "totals"})
    fredi, address = client("fredi"), page_of(round_, deal=1)
    assert "?deal=1#" in html(fredi.get(page_of(round_)))
    first = {"scores-0": "712", "scores-1": "544", "reason": "vom Zettel"}
    fredi.post(address, {**seen(fredi, address), **first})
    assert totals(round_) == (712, 544)
    rounds.close_round(round_, actor=person("fredi"))
    assert 'name="scores-0" value="712"' in html(fredi.get(address))
    second = {"scores-0": "544", "scores-1": "712", "reason": "Seiten verwechselt"}
    answer = fredi.post(address, {**seen(fredi, address), **second}, follow=True)
    assert "The totals of table 1 are corrected. The ranking is published again." in html(answer)
    assert totals(round_) == (544, 712)


def test_from_the_ranking_to_totals_nobody_chooses_the_only_line_and_a_reason_is_there() -> None:
    round_ = opened("sheet", people=4, changes={"rounds": 1, "hand_in": "totals"})
    fredi, address = client("fredi"), page_of(round_, deal=1)
    assert 'value="entered later"' in html(fredi.get(address))
    fredi.post(address, {**seen(fredi, address), "scores-0": "712", "scores-1": "544", "reason": "x"})
    way = reverse("correct_of", args=["herbstcup", 1])
    assert fredi.get(way, {"table": "1"}).headers["Location"] == f"{address}#correction"
    shown = html(fredi.get(address))
    assert 'name="reason" value="entered wrongly"' in shown
    assert "Deal 1" not in shown.partition("<main")[2]
    assert "Totals of the round" in shown


def test_another_side_first_at_its_target_shows_who_wins_by_it_and_the_places() -> None:
    play = encode(PRESETS["bieter"])["play"] | {"options": {"minimum_bid": 50, "opponents_target": 100}}
    round_ = opened("sheet", people=3, preset="bieter", changes={"rounds": 1, "play": play})
    where = table(round_, 1)
    corrections.correct_result(
        where,
        1,
        {"chooser": 0, "bid": 50, "card_points": [50, 107], "first": 0},
        actor=person("fredi"),
        reason="vom Papier",
    )
    preview = reverse("correct_preview", args=["herbstcup", 1, 1])
    typed: dict[str, str | int] = {
        "deal": 1,
        "chooser": 0,
        "bid": 50,
        "card_points-0": 50,
        "card_points-1": 107,
        "reason": "x",
    }
    same = html(client("fredi").get(preview, typed | {"first": 0}))
    assert "Won by" not in same
    assert "outlook-places" not in same
    assert where.game is not None
    bidder, *others = seat_names(where.game)
    outlook = html(client("fredi").get(preview, typed | {"first": 1}))
    assert f"<del>{bidder}</del> → <b>{' + '.join(others)}</b>" in outlook
    places = re.findall(r'<th scope="row">(.*?)</th>', outlook)
    assert set(places) == {bidder, *others}
    rounds.close_round(round_, actor=person("fredi"))
    assert f"<del>{bidder}</del>" in html(client("fredi").get(preview, typed | {"first": 1}))
    corrections.correct_result(
        where,
        1,
        {"chooser": 0, "bid": 50, "card_points": [50, 107], "first": 1},
        actor=person("fredi"),
        reason="verlesen",
    )
    past = html(client("fredi").get(page_of(round_)))
    assert f"50 : 107, {bidder} first to reach the target" in past
    assert f"50 : 107, {' + '.join(others)} first to reach the target" in past


def test_places_after_an_older_round_follow_its_correction_and_the_page_says_so() -> None:
    round_ = closed()
    fredi = person("fredi")
    second = drawing.draw_round(Round.objects.get(championship=round_.championship, number=2), actor=fredi)
    Table.objects.filter(round=second).update(mode="sheet")
    rounds.open_round(second, actor=fredi)
    for number in (1, 2):
        write_sheet(table(second, number), [100] * 8)
    rounds.close_round(second, actor=fredi)
    made = round_.championship
    first_round = reverse("standings", args=["herbstcup"]) + "?after=1"
    sentence = "As it was published then."
    before = loaded_rankings.places_by_round(made, 2)
    assert sentence not in html(client().get(first_round))

    corrections.correct_result(
        table(round_, 1), 1, {"card_points": [0, 157], "sweep": 1}, actor=fredi, reason="verschrieben"
    )
    now = loaded_rankings.places_by_round(made, 2)
    rows = ranking_basis.rank_basis(ranking_basis.load_basis(made, (Round.Status.CLOSED,), upto=1))
    assert now[1] == loaded_rankings.places_after(made, 1) == {row.key: row.place for row in rows}
    assert now[1] != before[1]
    assert sentence in html(client().get(first_round))
    assert sentence not in html(client().get(reverse("standings", args=["herbstcup"])))


def test_what_would_come_of_it_names_both_of_a_pair_in_one_line() -> None:
    made = championship(8, preset="partnerschieber", changes={"rounds": 1, "deals": 1, "hand_in": "totals"})
    pairs.pair_up(made, zip(*[iter(made.entries.order_by("number"))] * 2, strict=True), actor=person("fredi"))
    round_ = drawing.draw_round(first(made), actor=person("fredi"))
    Table.objects.filter(round=round_).update(mode="sheet")
    rounds.open_round(round_, actor=person("fredi"))
    fredi, address = client("fredi"), page_of(round_, deal=1)
    fredi.post(address, {**seen(fredi, address), "scores-0": "100", "scores-1": "57", "reason": "x"})
    preview = reverse("correct_preview", args=["herbstcup", 1, 1])
    outlook = html(fredi.get(preview, {"deal": 1, "scores-0": 57, "scores-1": 100}))
    assert sorted(re.findall(r'<th scope="row">(.*?)</th>', outlook)) == sorted(
        " / ".join(e.name for e in pair.members.order_by("number"))
        for pair in made.entrants.filter(members__seatings__table__number=1).distinct()
    )


def test_the_same_press_twice_corrects_once() -> None:
    round_ = closed()
    gabi, address = client("gabi"), page_of(round_, deal=3)
    given = {**seen(gabi, address), **OTHER}
    gabi.post(address, given)
    gabi.post(address, given)
    assert round_.championship.snapshots.count() == 2


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"reason": " "}, "corrections/no_reason"),
        ({"seen": "3"}, "corrections/changed_since"),
        ({"card_points-0": "60"}, "sheet/wrong_sum"),
        ({"card_points-0": "157", "card_points-1": "0", "sweep": "1"}, "sheet/sweep_needs_all_points"),
    ],
)
def test_what_cannot_be_is_said_on_the_page_and_what_was_typed_stays(
    change: dict[str, str], code: str
) -> None:
    round_ = closed()
    gabi, address = client("gabi"), page_of(round_, deal=3)
    given = {**seen(gabi, address), **OTHER, **change}
    answer = gabi.post(address, given)
    assert answer.status_code == 400
    assert code in html(answer)
    assert f'name="card_points-0" value="{given["card_points-0"]}"' in html(answer)
    assert totals(round_) == (800, 456)


def test_a_number_that_is_none_is_a_mistake_of_the_form() -> None:
    round_ = closed()
    gabi, address = client("gabi"), page_of(round_, deal=3)
    answer = gabi.post(address, {**seen(gabi, address), **OTHER, "card_points-0": "viel"})
    assert answer.status_code == 400
    assert totals(round_) == (800, 456)


def test_the_desk_is_told_who_corrects_what_is_confirmed() -> None:
    round_ = opened("sheet")
    enter(table(round_, 1), 1, 100)
    hanna, address = client("hanna"), page_of(round_, deal=1)
    hanna.post(address, {**seen(hanna, address), **OTHER})
    assert totals(round_) == (57, 100)
    confirm(table(round_, 1), 1)
    assert "corrections/confirmed" in html(hanna.get(address))
    answer = hanna.post(address, {**OTHER, "token": "0" * 32})
    assert "corrections/confirmed" in html(answer)
    assert totals(round_) == (57, 100)


def test_where_the_regulations_say_so_the_desk_puts_right_what_is_confirmed_too() -> None:
    round_ = opened("sheet", changes={"rounds": 1, "correcting": "desk"})
    for number in (1, 2):
        write_sheet(table(round_, number), [100] * 8)
    rounds.close_round(round_, actor=person("fredi"))
    hanna, address = client("hanna"), page_of(round_, deal=1)
    hanna.post(address, {**seen(hanna, address), **OTHER})
    assert totals(round_) == (757, 499)


def test_cards_lead_to_the_referee() -> None:
    round_ = opened("dealt")
    shown = html(client("fredi").get(page_of(round_, deal=1)))
    assert reverse("dispute_raise", args=[table(round_, 1).game_id]) in shown
    assert "<form" not in shown.partition("<main")[2].partition("</main")[0]


def test_a_ruling_on_the_deal_goes_before() -> None:
    round_ = closed()
    raised = disputes.raise_dispute(table(round_, 1), actor=person("gabi"), deal=3)
    rulings.rule(raised, actor=person("gabi"), ruling={"kind": "score_change", "scores": [1, 2]}, answer="x")
    assert "A ruling fixes the score of this deal" in html(client("gabi").get(page_of(round_, deal=3)))


def test_an_older_round_answers_where_to_correct_and_the_page_offers_nothing_else() -> None:
    round_ = closed()
    second = round_.championship.rounds.get(number=2)
    fredi = client("fredi")
    assert "Open round 1 again" in html(fredi.get(reverse("round", args=["herbstcup", 1])))
    drawing.draw_round(second, actor=person("fredi"))
    rounds.open_round(second, actor=person("fredi"))
    assert "Open round 1 again" not in html(fredi.get(reverse("round", args=["herbstcup", 1])))
    answer = fredi.post(reverse("round_act", args=["herbstcup", 1, "reopen"]), {"reason": "x"}, follow=True)
    assert "Round 1 has been fixed since round 2 was opened" in html(answer)
    assert f'<a href="{reverse("round", args=["herbstcup", 1])}#put-right">' in html(answer)


def test_the_number_of_a_table_leads_to_its_sheet() -> None:
    closed()
    way = reverse("correct_of", args=["herbstcup", 1])
    assert client("hanna").get(way, {"table": "2"}).headers["Location"].endswith("/tables/2/correct/")
    for nowhere in ("9", "", "x", "99999999999"):
        answer = client("hanna").get(way, {"table": nowhere}, follow=True)
        assert "There is no such table." in html(answer)


def test_a_table_finished_early_plays_on_and_its_sheet_is_written_down_later() -> None:
    round_ = opened("sheet")
    one, fredi = table(round_, 1), client("fredi")
    write_sheet(one, [100] * 7)
    fredi.post(reverse("table_close", args=["herbstcup", one.pk]), {"sure": "yes"})
    resume = reverse("table_resume", args=["herbstcup", one.pk])
    assert resume in html(fredi.get(reverse("round", args=["herbstcup", 1])))
    assert resume in html(fredi.get(reverse("board", args=["herbstcup"]), headers={"HX-Request": "true"}))
    assert "Play on at table 1?" in html(fredi.get(resume))
    fredi.post(resume, {"sure": "yes"})
    assert game_of(table(round_, 1)).status == "running"
    breaking_off.break_off(one, actor=person("fredi"), reason="x")
    rounds.close_round(round_, actor=person("fredi"), force=True)
    assert "Deal 8: enter it" in html(fredi.get(page_of(round_)))
    address = page_of(round_, deal=8)
    fredi.post(address, {**seen(fredi, address), **OTHER})
    assert totals(round_) == (757, 499)
    assert game_of(table(round_, 1)).status == "ended"


def test_the_board_has_no_word_at_every_table_that_ends_its_game() -> None:
    round_ = opened("sheet", people=16)
    shown = html(client("fredi").get(reverse("board", args=["herbstcup"])))
    assert shown.count("Finish a table early") == 1
    assert reverse("table_close", args=["herbstcup", table(round_, 1).pk]) not in shown
    found = client("fredi").get(reverse("table_close_of", args=["herbstcup", 1]), {"table": "3"})
    assert found.headers["Location"] == reverse("table_close", args=["herbstcup", table(round_, 3).pk])
    lost = client("fredi").get(reverse("table_close_of", args=["herbstcup", 1]), {"table": "77"}, follow=True)
    assert "There is no such table." in html(lost)


def test_who_sees_a_call_is_who_is_there() -> None:
    round_ = opened("sheet")
    raise_ = reverse("dispute_raise", args=[table(round_, 1).game_id])
    assert "The referee sees it now" in html(client("anna").post(raise_, {"text": "x"}, follow=True))
    officials.dismiss(round_.championship, person("gabi"), Official.Role.REFEREE, actor=person("fredi"))
    answer = html(client("anna").post(raise_, {"text": "y"}, follow=True))
    assert "The referee sees it now" not in answer
    assert "The directors see it now" in answer


LABELS = re.compile(r"<(?:button|a)\b[^>]*class=\"button[^>]*>(.*?)</(?:button|a)>", re.DOTALL)


def test_no_two_buttons_of_one_form_carry_one_word() -> None:
    """In either language, in every template: who is asked can tell yes from no."""
    german = catalogue()
    found = 0
    for path in sorted(Path(settings.BASE_DIR, "frontend", "templates").rglob("*.html")):
        for form in re.findall(r"<form\b.*?</form>", path.read_text(), re.DOTALL):
            labels = [re.sub(r"\s+", " ", label).strip() for label in LABELS.findall(form)]
            said = [m[1] for label in labels if (m := re.search(r'{% translate "([^"]+)"', label))]
            found += len(said) > 1
            for words in (said, [german.get(word, word) for word in said]):
                assert len(set(words)) == len(words), (path.name, words)
    assert found > 4, "forms with two buttons were found"


def catalogue() -> dict[str, str]:
    text = Path(settings.BASE_DIR, "frontend/locale/de/LC_MESSAGES/django.po").read_text()
    return dict(re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', text, re.MULTILINE))


def test_a_sheet_of_coiffeur_of_three_is_put_right_by_the_one_number_that_counts() -> None:
    play = {"variant": "coiffeur", "seats": 3, "format": "solo"}
    round_ = opened("sheet", people=3, preset="coiffeur", changes={"rounds": 1, "play": play})
    where = table(round_, 1)
    written = {"cmd": "enter_result", "seat": 0, "deal": 1, "chooser": 1, "slot": "hearts", "own_points": 61}
    submit(str(where.game_id), written, actor=refs(where)[0], command_id="e1")
    confirm(where, 1)

    page = html(client("fredi").get(page_of(round_, deal=1)))
    assert 'name="own_points" value="61"' in page
    assert "card_points-0" not in page
    given = {"chooser": "1", "slot": "hearts", "own_points": "16", "reason": "verlesen"}
    told = {**given, **seen(client("fredi"), page_of(round_, deal=1))}
    assert client("fredi").post(page_of(round_, deal=1), told).status_code == 302
    assert totals(round_) == (0, 32, 0)
