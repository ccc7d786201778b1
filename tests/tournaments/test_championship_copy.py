"""Duplicating an evening: copied parts, omitted parts, and an unchanged original."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import User
from tests.frontend.evening import championship, client, entry, html, opened, person
from tournaments import regulations
from tournaments.archive import contents
from tournaments.clubs import rolls
from tournaments.errors import NotAllowed
from tournaments.models import Championship, Creditor, Entry, SideConstraint
from tournaments.prizes import Prize, PrizePlan
from tournaments.services import prize_giving
from tournaments.services.championships import championship_copy, championships
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entries, pairs
from tournaments.services.money import bills, fees
from tournaments.services.money.fees import Price

pytestmark = pytest.mark.django_db


def repeated(of: Championship, *, people: bool = True, actor: str = "fredi") -> Championship:
    return championship_copy.duplicate_championship(of, actor=person(actor), name="Wintercup", people=people)


def offices(of: Championship) -> list[tuple[str, str]]:
    return sorted(of.officials.values_list("user__username", "role"))


def test_regulations_officials_and_the_language_are_taken_along() -> None:
    old = championship(language="de", changes={"rounds": 3, "deals": 12})
    changed = load_regulations(old)

    made = repeated(old)

    assert load_regulations(made) == changed
    assert made.language == "de"
    assert made.status == Championship.Status.DRAFT
    assert made.rounds.count() == 3
    assert offices(made) == offices(old)
    assert set(made.officials.values_list("ref", flat=True)).isdisjoint(
        old.officials.values_list("ref", flat=True)
    )


def test_people_come_as_registered_and_with_references_of_their_own() -> None:
    old = championship(5, status="arrived")
    entries.pay(entry(old, "Anna Ammann"), actor=person("fredi"))

    made = repeated(old)

    assert [(one.number, one.name) for one in made.entries.order_by("number")] == [
        (one.number, one.name) for one in old.entries.order_by("number")
    ]
    assert set(made.entries.values_list("status", "paid")) == {(Entry.Status.REGISTERED, False)}
    assert entry(made, "Anna Ammann").user == person("anna")
    refs = set(old.entries.values_list("player_ref", flat=True))
    assert refs.isdisjoint(made.entries.values_list("player_ref", flat=True))


def test_it_is_an_evening_of_the_same_club() -> None:
    old = championship(0)
    old.club = rolls.found_club("Jassverein Bern", actor=person("fredi"))
    old.save(update_fields=["club"])
    rolls.found_club("Ein neuerer", actor=person("fredi"))
    assert repeated(old).club == old.club


def test_without_people_nobody_comes() -> None:
    assert not repeated(championship(5), people=False).entries.exists()


def test_pairs_and_who_is_kept_apart_stay_so() -> None:
    old = championship(4, preset="partnerschieber", changes=None)
    anna, beat, chiara, dario = old.entries.order_by("number")
    pairs.pair(anna, chiara, actor=person("fredi"))
    SideConstraint.objects.create(
        championship=old, kind=SideConstraint.Kind.NEVER_MEET, one=beat, other=dario
    )

    made = repeated(old)

    new = {one.name: one for one in made.entries.all()}
    partner = pairs.find_partner(new[anna.name])
    assert partner is not None
    assert partner.name == chiara.name
    wish = made.side_constraints.get(kind=SideConstraint.Kind.NEVER_MEET)
    assert {wish.one.name, wish.other.name} == {beat.name, dario.name}


def test_who_withdrew_before_playing_is_left_out_and_who_went_home_early_is_not() -> None:
    round_ = opened("sheet", people=8)
    old = round_.championship
    entries.withdraw_entry(entry(old, "Beat Bühler"), actor=person("fredi"), after_round=True)
    late = entries.add_entry(old, name="Zora Zwahlen", actor=person("fredi"))
    entries.withdraw_entry(late, actor=person("fredi"))

    names = set(repeated(old).entries.values_list("name", flat=True))

    assert "Beat Bühler" in names
    assert "Zora Zwahlen" not in names


def test_nothing_of_the_old_evening_changes() -> None:
    old = opened("sheet", people=4).championship
    rows = {model: list(contents.archived_rows(model, old).values()) for model in contents.export_paths()}

    repeated(old)

    old.refresh_from_db()
    assert {model: list(contents.archived_rows(model, old).values()) for model in rows} == rows


@pytest.mark.parametrize("who", ["gabi", "hanna", "eva"])
def test_only_who_directs_the_old_one_repeats_it(who: str) -> None:
    old = championship(4)

    with pytest.raises(NotAllowed):
        repeated(old, actor=who)
    assert Championship.objects.count() == 1


def test_who_may_start_none_repeats_none_either() -> None:
    old = championship(4)
    User.objects.filter(username="fredi").update(may_found=False)

    with pytest.raises(NotAllowed) as refused:
        repeated(old)
    assert refused.value.code == "championship/may_not_found"
    assert Championship.objects.count() == 1


def test_the_next_day_is_the_same_weekday_and_hour_and_not_over() -> None:
    zone = timezone.get_current_timezone()
    old = championship(starts_at=datetime(2024, 3, 28, 19, 30, tzinfo=zone))  # before summer time

    found = championship_copy.next_date(old)

    assert found is not None
    assert found > timezone.now() - timedelta(hours=1)
    local = timezone.localtime(found)
    assert (local.weekday(), local.hour, local.minute) == (3, 19, 30)
    assert championship_copy.next_date(Championship(name="ohne Datum")) is None


def test_the_next_day_is_not_over_across_the_change_of_summer_time(monkeypatch: pytest.MonkeyPatch) -> None:
    zone = ZoneInfo("Europe/Zurich")
    old = Championship(starts_at=datetime(2026, 3, 21, 19, 0, tzinfo=zone))
    now = datetime(2026, 4, 4, 19, 30, tzinfo=zone)
    monkeypatch.setattr(timezone, "now", lambda: now.astimezone(UTC))

    with timezone.override(zone):
        found = championship_copy.next_date(old)

    assert found == datetime(2026, 4, 11, 19, 0, tzinfo=zone)


def test_the_page_makes_it_and_both_evenings_name_each_other() -> None:
    old = championship(4, language="de", starts_at=timezone.now())
    browser = client("fredi")
    page = reverse("championship_again", args=[old.slug])
    assert "4 people, if you wish" in html(browser.get(page))

    answer = browser.post(page, {"name": "Herbstcup", "people": "on", "public": "on"}, follow=True)

    made = Championship.objects.exclude(pk=old.pk).get()
    assert made.slug == "herbstcup-2"
    assert made.copied_from == old
    assert made.entries.count() == 4
    assert f'href="{reverse("championship", args=[old.slug])}"' in html(answer)
    assert f'href="{reverse("championship", args=[made.slug])}"' in html(
        browser.get(reverse("championship", args=[old.slug]))
    )


def test_an_evening_that_is_not_public_is_not_named_to_others() -> None:
    old = championship(4)
    made = repeated(old)
    Championship.objects.filter(pk=made.pk).update(public=False)

    assert championships.load_related_championships(old, person("eva")) == []
    assert championships.load_related_championships(old, person("fredi")) == [made]


def test_the_first_page_offers_it_to_who_directed_the_evening() -> None:
    old = championship(4)
    Championship.objects.update(status=Championship.Status.FINISHED)
    link = reverse("championship_again", args=[old.slug])

    assert link in html(client("fredi").get("/"))
    assert link not in html(client("eva").get("/"))
    assert link not in html(client().get("/"))


def test_a_day_that_is_none_is_refused_and_makes_nothing() -> None:
    old = championship(4)

    answer = client("fredi").post(
        reverse("championship_again", args=[old.slug]), {"name": "", "starts_at": "gestern"}
    )

    assert answer.status_code == 400
    assert Championship.objects.count() == 1
    assert regulations.encode(load_regulations(old))["rounds"] == 1


def test_prizes_and_fees_come_along_but_nothing_that_was_given_or_paid() -> None:
    old, fredi = championship(4), person("fredi")
    plan = PrizePlan(prizes=(Prize(kind="place", number=1, amount=10_000),), table=("Käse",))
    prize_giving.set_plan(old, plan, actor=fredi)
    fees.set_fees(old, [Price("Mitglied", 2000), Price("Jugend", 500)], actor=fredi)
    bills.set_creditor(
        old, actor=fredi, name="Jassclub", postcode="6436", town="Muotathal", iban="CH9300762011623852957"
    )
    youth = entry(old, "Anna Ammann")
    fees.set_fee(youth, old.fees.get(label="Jugend"), actor=fredi)
    entries.pay(youth, actor=fredi)

    made = repeated(old)

    assert prize_giving.load_plan(made) == plan
    assert list(made.fees.values_list("label", "amount")) == [("Mitglied", 2000), ("Jugend", 500)]
    assert entry(made, "Anna Ammann").fee == made.fees.get(label="Jugend")
    assert made.creditor.iban == "CH9300762011623852957"
    assert not made.bookings.exists()
    assert old.fees.count() == 2
    assert old.bookings.count() == 1


def test_an_account_whose_number_is_not_known_is_not_taken_along() -> None:
    old = championship()
    Creditor.objects.create(championship=old, name="", postcode="", town="", iban="")

    assert not Creditor.objects.filter(championship=repeated(old)).exists()


@pytest.mark.parametrize("same_club", [True, False])
def test_a_withdrawn_consent_to_be_named_stays_withdrawn(same_club: bool) -> None:
    old = championship(4)
    entries.edit_entry(entry(old, "Anna Ammann"), actor=person("fredi"), consents=True)
    entries.edit_entry(entry(old, "Anna Ammann"), actor=person("fredi"), consents=False)
    if not same_club:
        Championship.objects.filter(pk=old.pk).update(club=None)
        old.refresh_from_db()
        old.entries.update(person=None)

    made = repeated(old)

    copied = entry(made, "Anna Ammann")
    assert (copied.consented_at, copied.unnamed_since is not None) == (None, True)
    made.refresh_from_db()
    assert made.someone_unnamed
    assert made.entries.exclude(unnamed_since=None).count() == 1


def test_a_withdrawn_consent_reaches_the_roll_when_a_club_is_chosen() -> None:
    old = championship(4)
    Championship.objects.filter(pk=old.pk).update(club=None)
    old.entries.update(person=None)
    old.refresh_from_db()
    anna = entry(old, "Anna Ammann")
    entries.edit_entry(anna, actor=person("fredi"), consents=True)
    entries.edit_entry(anna, actor=person("fredi"), consents=False)
    championships.give_to_club(
        old, rolls.found_club("Jassclub", actor=person("fredi")), actor=person("fredi")
    )
    anna.refresh_from_db()
    assert anna.person is not None
    assert anna.person.unnamed_since is not None
