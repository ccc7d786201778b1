"""Photos of a sheet: sent by the table's players, visible to them and the officials, erased for good."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games import store
from tests.frontend.evening import client, html, opened, person, table
from tests.frontend.test_table_codes_page import cards, phone_at
from tests.tournaments.test_pictures import located, photo
from tournaments import personal_data
from tournaments.models import Round, SheetPhoto
from tournaments.pictures import reencode_picture
from tournaments.services.rounds import rounds
from tournaments.services.scores import photos

pytestmark = pytest.mark.django_db


def address(round_: Round, name: str = "table_photos", *more: str) -> str:
    return reverse(name, args=[table(round_, 1).game_id, *more])


def send(who: Client, round_: Round, data: bytes, name: str = "blatt.jpg") -> str:
    sent = SimpleUploadedFile(name, data, content_type="image/jpeg")
    return html(who.post(address(round_), {"photo": sent}, follow=True))


def noted(round_: Round) -> list[tuple[str, int, str]]:
    events = [event for event in store.read(round_.stream_id) if event.type.startswith("sheet_photo")]
    return [(event.type, event.body["table"], event.body["digest"]) for event in events]


def test_who_sits_there_sends_it_and_the_officials_see_it_and_nobody_else() -> None:
    round_ = opened("sheet", people=4)
    assert "The photo is saved with the table." in send(client("anna"), round_, located())
    [kept] = SheetPhoto.objects.all()
    assert noted(round_) == [("sheet_photo_kept", 1, kept.digest)]
    picture = address(round_, "table_photo", kept.digest)
    for who in ("anna", "gabi", "hanna", "fredi"):
        answer = client(who).get(picture)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
        assert answer["Cache-Control"] == "no-store"
        assert answer.content == bytes(kept.data)
        assert picture in html(client(who).get(address(round_)))
    for other in (None, "eva"):
        assert client(other).get(picture).status_code == 404
        assert client(other).get(address(round_)).status_code == 404
        assert client(other).post(address(round_)).status_code == 404


def test_it_is_found_at_its_table_alone() -> None:
    round_ = opened("sheet", people=8)
    with_photo, other = table(round_, 1), table(round_, 2)
    kept = photos.store_photo(with_photo, reencode_picture(photo()), by_ref="somebody")
    for one, status in ((with_photo, 200), (other, 404)):
        there = reverse("table_photo", args=[one.game_id, kept.digest])
        assert client("gabi").get(there).status_code == status


def test_the_sheet_and_its_correction_lead_there() -> None:
    round_ = opened("sheet", people=4)
    sheet = reverse("table_sheet", args=[table(round_, 1).game_id])
    assert address(round_) in html(client("anna").get(sheet))
    assert address(round_) not in html(client("eva").get(sheet))
    send(client("anna"), round_, photo())
    shown = html(client("gabi").get(reverse("correct", args=["herbstcup", 1, 1])))
    assert f'href="{address(round_)}">Photo of the sheet (1)' in shown


def test_an_official_erases_it_and_the_log_keeps_that_it_was_there() -> None:
    round_ = opened("sheet", people=4)
    send(client("anna"), round_, photo())
    [kept] = SheetPhoto.objects.all()
    erase = address(round_, "table_photo_erase", kept.digest)
    assert "You may not do that" in html(client("anna").post(erase, follow=True))
    assert "The photo is erased." in html(client("gabi").post(erase, follow=True))
    client("gabi").post(erase)
    kept.refresh_from_db()
    assert bytes(kept.data) == b""
    assert client("gabi").get(address(round_, "table_photo", kept.digest)).status_code == 404
    assert [kind for kind, _, _ in noted(round_)] == ["sheet_photo_kept", "sheet_photo_erased"]
    assert "erased" in html(client("anna").get(address(round_)))
    send(client("anna"), round_, photo())
    kept.refresh_from_db()
    assert bytes(kept.data), "the same photo once more, after it was erased by mistake"


def test_a_phone_that_came_in_by_code_sends_and_sees_but_erases_nothing() -> None:
    round_ = opened("sheet", people=4)
    phone = phone_at(cards(round_)[0])
    send(phone, round_, photo())
    [kept] = SheetPhoto.objects.all()
    assert phone.get(address(round_, "table_photo", kept.digest)).status_code == 200
    assert phone.post(address(round_, "table_photo_erase", kept.digest)).status_code == 404
    kept.refresh_from_db()
    assert bytes(kept.data)
    assert [kind for kind, _, _ in noted(round_)] == ["sheet_photo_kept"]


def test_the_same_photo_twice_is_one_and_of_a_table_four_are_kept() -> None:
    round_ = opened("sheet", people=4)
    for width in (30, 30, 31, 32, 33):
        send(client("anna"), round_, photo(width))
    assert SheetPhoto.objects.count() == photos.MAX_PHOTOS == len(noted(round_))
    assert "already" in html(client("anna").get(address(round_)))
    told = send(client("anna"), round_, photo(99))
    assert "Erase one that is not needed." in told
    assert SheetPhoto.objects.count() == photos.MAX_PHOTOS


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"<svg/>", "This photo cannot be read."),
        (photo()[:200], "This photo cannot be read."),
        (bytes(50 * 2**20), "a photo may have at most 20 MB"),
    ],
    ids=["svg", "cut off", "50 MB"],
)
def test_what_is_no_photo_changes_nothing(data: bytes, told: str) -> None:
    round_ = opened("sheet", people=4)
    assert told in send(client("anna"), round_, data)
    assert not SheetPhoto.objects.exists()
    assert noted(round_) == []


def test_nothing_chosen_is_said() -> None:
    round_ = opened("sheet", people=4)
    assert "Choose a photo first." in html(client("anna").post(address(round_), follow=True))


def test_where_cards_are_recorded_there_is_no_photo() -> None:
    round_ = opened("dealt", people=4)
    assert client("anna").get(address(round_)).status_code == 404


def test_bytes_that_are_not_those_of_the_log_are_not_handed_out() -> None:
    round_ = opened("sheet", people=4)
    send(client("anna"), round_, photo())
    [kept] = SheetPhoto.objects.all()
    SheetPhoto.objects.update(data=photo(77))
    assert client("gabi").get(address(round_, "table_photo", kept.digest)).status_code == 404


def test_whose_names_are_erased_takes_the_photos_of_his_tables_along() -> None:
    round_ = opened("sheet", people=4)
    send(client("anna"), round_, photo())
    rounds.close_round(round_, actor=person("fredi"), force=True)
    personal_data.erase_data(personal_data.load_user_subject(person("anna")))
    [kept] = SheetPhoto.objects.all()
    assert bytes(kept.data) == b""
    assert [kind for kind, _, _ in noted(round_)] == ["sheet_photo_kept", "sheet_photo_erased"]
