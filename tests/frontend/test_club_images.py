"""Logo and sponsors of a club: sent by its keepers, redrawn, shown on pages, projectors and prints."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from frontend.prints import print_jobs
from frontend.prints.club_pictures import pictures_for_print
from frontend.prints.documents import DOCUMENTS
from frontend.prints.occasion import Occasion
from tests.client_responses import Answer
from tests.frontend.evening import client, html, person
from tests.tournaments.series_evenings import club_of, evening
from tests.tournaments.test_pictures import located, photo, png_of
from tournaments.clubs import images, rolls
from tournaments.clubs.images import Emblem
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Club, ClubImage
from tournaments.services.current_regulations import load_regulations

pytestmark = pytest.mark.django_db
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"


def a_club() -> Club:
    return club_of(person("fredi"))


def see_through(width: int = 300, height: int = 200) -> bytes:
    made = io.BytesIO()
    picture = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    picture.paste((20, 90, 60, 255), (10, 10, width - 10, height - 10))
    picture.save(made, "PNG")
    return made.getvalue()


def send(data: bytes | None, who: str = "fredi", **posted: str) -> Answer:
    sent = {} if data is None else {"file": SimpleUploadedFile("logo.png", data, content_type="image/png")}
    return client(who).post(reverse("club_images", args=[a_club().pk]), {**posted, **sent}, follow=True)


def sponsor(name: str = "Metzgerei Muster", **more: str) -> ClubImage:
    emblem = images.reencode_emblem(photo())
    images.add_sponsor(a_club(), emblem, name=name, actor=person("fredi"), **more)
    return ClubImage.objects.get(name=name)


def test_a_logo_is_redrawn_and_keeps_what_is_transparent() -> None:
    assert "The logo is saved." in html(send(see_through(1600, 1200)))
    [kept] = ClubImage.objects.all()
    with Image.open(io.BytesIO(bytes(kept.data))) as seen:
        assert (seen.format, seen.mode, seen.size) == ("PNG", "RGBA", (640, 480))
        assert seen.getpixel((0, 0)) == (0, 0, 0, 0)
    assert "The logo is saved." in html(send(photo()))
    assert ClubImage.objects.get().format == "jpeg", "there is one logo"


def test_the_logo_of_a_club_that_nobody_has_named_has_no_name() -> None:
    club = rolls.default_club(person("fredi"))
    images.set_logo(club, images.reencode_emblem(photo()), actor=person("fredi"))
    assert [each["name"] for each in club.pictures] == [""]


def test_a_logo_has_the_name_of_its_club_after_it_is_renamed() -> None:
    club = rolls.default_club(person("fredi"))
    images.set_logo(club, images.reencode_emblem(photo()), actor=person("fredi"))
    for name in ("Jassklub", "Jassverein"):
        rolls.rename_club(club, name, actor=person("fredi"))
        club.refresh_from_db()
        assert [each["name"] for each in club.pictures] == [name]
        assert ClubImage.objects.get().name == name


def test_a_photo_is_upright_and_says_no_longer_where_it_was_taken() -> None:
    kept = images.reencode_emblem(located())
    assert (kept.width, kept.height, kept.format) == (200, 300, "jpeg")
    assert b"Exif" not in kept.data
    assert b"Anna" not in kept.data


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_usual_kind_of_png_is_taken(mode: str) -> None:
    made = io.BytesIO()
    Image.new(mode, (40, 20)).save(made, "PNG")
    kept = images.reencode_emblem(made.getvalue())
    assert (kept.width, kept.height) == (40, 20)


def test_a_picture_as_rich_as_a_photo_stays_small() -> None:
    noise = Image.effect_noise((1200, 900), 90)
    for rich in (noise, Image.merge("RGBA", (noise, noise.rotate(90), noise.rotate(180), noise))):
        made = io.BytesIO()
        rich.save(made, "PNG")
        assert len(images.reencode_emblem(made.getvalue()).data) < 320 * 1024


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (SVG, "club_image/no_picture"),
        (b"GIF89a" + bytes(20), "club_image/no_picture"),
        (photo(kind="WEBP"), "club_image/no_picture"),
        (see_through()[:200], "club_image/no_picture"),
        (b"<!doctype html><script>alert(1)</script>", "club_image/no_picture"),
        (png_of(60_000, 60_000), "club_image/too_many_pixels"),
        (bytes(images.MAX_BYTES + 1), "club_image/too_large"),
        (None, "club_image/none"),
    ],
)
def test_what_is_no_picture_or_too_large_is_refused_with_a_code(data: bytes | None, code: str) -> None:
    answer = send(data)
    assert answer.status_code == 400
    assert code in html(answer)
    assert code in html(send(data, kind="sponsor", name="Bombe"))
    assert not ClubImage.objects.exists()
    assert a_club().pictures == []


def test_everybody_gets_the_picture_and_may_keep_it_for_ever() -> None:
    send(see_through())
    [kept] = ClubImage.objects.all()
    answer = client().get(reverse("club_image", args=[a_club().slug, kept.digest]))
    assert answer.content == bytes(kept.data)
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer["Cache-Control"]
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert client().get(reverse("club_image", args=[a_club().slug, "0" * 64])).status_code == 404
    other = rolls.found_club("Andere", actor=person("fredi"))
    assert client().get(reverse("club_image", args=[other.slug, kept.digest])).status_code == 404
    ClubImage.objects.update(data=b"something else")
    assert client().get(reverse("club_image", args=[a_club().slug, kept.digest])).status_code == 404


def test_it_is_shown_on_pages_and_projectors() -> None:
    made = evening(person("fredi"), "Sommer", {"Anna Ammann": 9, "Beat Bühler": 8})
    send(see_through())
    sponsor(link="https://metzgerei.example/?a=1&b=2")
    logo, shown = (
        reverse("club_image", args=[a_club().slug, one.digest]) for one in images.list_images(a_club())
    )
    address = [made.slug]
    for page in (
        reverse("club", args=[a_club().slug]),
        reverse("championship", args=address),
        reverse("projector", args=address),
        reverse("tables_projector", args=address),
        reverse("seating_projector", args=address),
        reverse("prizes_projector", args=address),
    ):
        text = html(client().get(page))
        assert f'src="{logo}"' in text, page
        assert f'src="{shown}"' in text, page
    text = html(client().get(reverse("club", args=[a_club().slug])))
    link = text[text.index("https://metzgerei.example/?a=1&amp;b=2") :]
    assert link.startswith('https://metzgerei.example/?a=1&amp;b=2" rel="sponsored noopener')
    assert logo not in html(client().get(reverse("projector", args=address), headers={"HX-Request": "true"}))


def test_prints_show_it_and_change_with_it() -> None:
    made = evening(person("fredi"), "Sommer", {"Anna Ammann": 9, "Beat Bühler": 8})
    address = reverse("print", args=[made.slug, "regulations"])
    before = client().get(address).content
    send(see_through())
    sponsor()
    after = client().get(address).content
    assert after.count(b"/Subtype/Image") > before.count(b"/Subtype/Image")

    found = pictures_for_print(made.club_id)
    assert found["logo"]["name"] == "Jassklub"
    assert [one["name"] for one in found["sponsors"]] == ["Metzgerei Muster"]
    for key in ("check-in", "certificates", "ranking", "wall"):
        occasion = Occasion(made, load_regulations(made), made.rounds.first(), "de", "a5", "")
        assert print_jobs.render_pdf(occasion, key, [DOCUMENTS[key]]).startswith(b"%PDF")


def test_sponsors_are_put_in_order_changed_and_removed() -> None:
    one, two = sponsor("Eins"), sponsor("Zwei", link="https://zwei.example")
    assert [each["name"] for each in a_club().pictures] == ["Eins", "Zwei"]

    def act(image: ClubImage, what: str, **posted: str) -> Answer:
        address = reverse("club_image_change", args=[a_club().pk, image.pk, what])
        return client("fredi").post(address, posted, follow=True)

    act(two, "earlier")
    act(two, "earlier")
    assert [each["name"] for each in a_club().pictures] == ["Zwei", "Eins"]
    act(two, "later")
    assert [each["name"] for each in a_club().pictures] == ["Eins", "Zwei"]
    act(one, "save", name="Erste", link="")
    assert a_club().pictures[0]["name"] == "Erste"
    wrong = act(one, "save", name="Erste", link="javascript:alert(1)")
    assert wrong.status_code == 400
    assert "begins with https://" in html(wrong)
    assert "javascript:alert(1)" in html(wrong), "what was typed stays"
    act(one, "remove")
    assert len(a_club().pictures) == 2, "nobody has confirmed it"
    act(one, "remove", sure="on")
    assert [each["name"] for each in a_club().pictures] == ["Zwei"]
    assert act(two, "burn").status_code == 404
    assert act(one, "save", name="Weg").status_code == 404


def test_the_order_and_name_of_a_removed_sponsor_and_of_a_logo_are_left_alone() -> None:
    send(photo())
    logo, one, two = ClubImage.objects.get(kind=images.LOGO), sponsor("Eins"), sponsor("Zwei")
    for what in ("earlier", "later", "save"):
        address = reverse("club_image_change", args=[a_club().pk, logo.pk, what])
        answer = client("fredi").post(address, {"name": "Wappen", "link": "https://eins.example"})
        assert answer.status_code == 302
    removed = ClubImage.objects.get(pk=one.pk)
    images.remove_image(one, actor=person("fredi"))
    before = a_club().pictures

    images.move_sponsor(removed, earlier=False, actor=person("fredi"))
    images.edit_sponsor(removed, name="Erste", link="", actor=person("fredi"))

    assert a_club().pictures == before
    assert [each["name"] for each in before] == [logo.name, two.name]


@pytest.mark.parametrize(
    "link",
    [
        "http://example.org/",
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "//example.org/",
        "https://",
        "https://localhost/",
        "https://anna:geheim@example.org/",
        'https://example.org/"onmouseover="alert(1)',
        "https://example.org/ a",
        "https://exämple.org/",
        "https://[::1/",
        "https://example.org:99999999/",
        "https://example.org/" + "a" * 200,
    ],
)
def test_other_addresses_than_of_a_page_are_refused(link: str) -> None:
    with pytest.raises(TournamentError) as refused:
        sponsor(link=link)
    assert refused.value.code == "club_image/link"
    assert not ClubImage.objects.exists()


def test_there_are_so_many_sponsors_and_no_more() -> None:
    for n in range(images.MAX_SPONSORS):
        images.add_sponsor(
            a_club(), Emblem(b"x%d" % n, "png", 1, 1), name=f"Nummer {n}", actor=person("fredi")
        )
    assert "Add a sponsor" not in html(client("fredi").get(reverse("club_images", args=[a_club().pk])))
    assert "club_image/too_many" in html(send(photo(), kind="sponsor", name="Einer mehr"))
    assert len(a_club().pictures) == images.MAX_SPONSORS


def test_nobody_else_touches_the_pictures_of_a_club() -> None:
    kept = sponsor()
    eva = person("eva")
    with pytest.raises(NotAllowed):
        images.set_logo(a_club(), images.reencode_emblem(photo()), actor=eva)
    with pytest.raises(NotAllowed):
        images.add_sponsor(a_club(), images.reencode_emblem(photo()), name="Eva", actor=eva)
    with pytest.raises(NotAllowed):
        images.edit_sponsor(kept, name="Eva", link="", actor=eva)
    with pytest.raises(NotAllowed):
        images.move_sponsor(kept, earlier=True, actor=eva)
    with pytest.raises(NotAllowed):
        images.remove_image(kept, actor=eva)
    assert send(photo(), "eva").status_code == 404
    other = rolls.found_club("Evas", actor=eva)
    address = reverse("club_image_change", args=[other.pk, kept.pk, "remove"])
    assert client("eva").post(address, {"sure": "on"}).status_code == 404
    assert [one["name"] for one in a_club().pictures] == ["Metzgerei Muster"]


def test_a_club_without_pictures_shows_none() -> None:
    made = evening(person("fredi"), "Sommer", {"Anna Ammann": 9, "Beat Bühler": 8})
    Championship.objects.update(club=None)
    for page in ("championship", "projector"):
        text = html(client().get(reverse(page, args=[made.slug])))
        assert "club-logo" not in text
        assert "wall-images" not in text
    assert pictures_for_print(made.club_id) is not None
    assert "There is no logo yet." in html(client("fredi").get(reverse("club_images", args=[a_club().pk])))
