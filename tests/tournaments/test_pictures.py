"""A picture from a phone is redrawn: only its pixels are kept."""

import io
import struct
import zlib
from typing import Any

import pytest
from PIL import Image

from tournaments.errors import TournamentError
from tournaments.pictures import MAX_SIDE_PIXELS, reencode_picture

GPS = 0x8825
ORIENTATION = 0x0112


def photo(width: int = 300, height: int = 200, kind: str = "JPEG", **more: Any) -> bytes:
    made = io.BytesIO()
    picture = Image.new("RGB", (width, height), "white")
    picture.putpixel((0, 0), (0, 0, 0))
    picture.save(made, kind, **more)
    return made.getvalue()


def located() -> bytes:
    """Taken lying on its side in front of the Federal Palace."""
    tags = Image.Exif()
    tags[ORIENTATION] = 6
    tags.get_ifd(GPS).update({1: "N", 2: (46.0, 56.0, 47.4), 3: "E", 4: (7.0, 26.0, 39.5)})
    tags[0x010F] = "Maker of Anna's phone"
    return photo(exif=tags.tobytes(), comment=b"Anna's kitchen")


def png_of(width: int, height: int) -> bytes:
    """A file that says how large it is and holds next to nothing."""

    def chunk(name: bytes, data: bytes) -> bytes:
        whole = name + data
        return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    )


def test_where_it_was_taken_and_by_what_is_gone_and_it_stands_upright() -> None:
    sent = located()
    assert Image.open(io.BytesIO(sent)).getexif().get_ifd(GPS), "the photo that is sent has a location"
    kept = reencode_picture(sent)
    with Image.open(io.BytesIO(kept.data)) as seen:
        assert seen.format == "JPEG"
        assert not seen.getexif()
        assert set(seen.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
        assert seen.size == (200, 300) == (kept.width, kept.height)
    assert b"Anna" not in kept.data
    assert b"Exif" not in kept.data


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_large_one_is_made_smaller_and_every_usual_kind_is_taken(kind: str) -> None:
    kept = reencode_picture(photo(4000, 3000, kind))
    assert (kept.width, kept.height) == (MAX_SIDE_PIXELS, MAX_SIDE_PIXELS * 3 // 4)


def test_the_same_file_gives_the_same_picture() -> None:
    assert reencode_picture(located()) == reencode_picture(located())


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><script>alert(1)</script>",
        b"%PDF-1.7",
        b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04",
        photo()[:300],
        photo(kind="PNG")[:80],
        png_of(100, 100),
    ],
    ids=["nothing", "svg", "html", "pdf", "gif", "half a jpeg", "half a png", "png without pixels"],
)
def test_what_is_no_photo_is_refused(sent: bytes) -> None:
    with pytest.raises(TournamentError) as refused:
        reencode_picture(sent)
    assert refused.value.code == "photo/no_picture"


@pytest.mark.parametrize("size", [(7_100, 7_100), (9_000, 9_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_a_bomb_is_refused_by_what_it_says_of_itself(size: tuple[int, int]) -> None:
    with pytest.raises(TournamentError) as refused:
        reencode_picture(png_of(*size))
    assert refused.value.code in ("photo/too_many_pixels", "photo/no_picture")


def test_a_page_hidden_behind_a_picture_is_not_kept() -> None:
    kept = reencode_picture(photo() + b"<script>alert(1)</script>")
    assert b"script" not in kept.data


def test_fifty_megabytes_are_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PIL.Image.open", lambda *_, **__: pytest.fail("it was opened"))
    with pytest.raises(TournamentError) as refused:
        reencode_picture(b"\xff\xd8" + bytes(50 * 2**20))
    assert refused.value.code == "photo/too_large"
    assert "50" in refused.value.params.values() or 51 in refused.value.params.values()
