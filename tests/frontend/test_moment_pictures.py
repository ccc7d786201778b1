"""The picture of a link to a moment: the cards on the table then, and no fact that was not public then."""

import io
from typing import Any

import pytest
from django.urls import reverse
from PIL import Image, PngImagePlugin

from engine import VARIANTS
from engine.events import CardPlayed
from frontend.card_names import CODES
from frontend.decks.raster import ACROSS, CARD, OF, SHEETS, fingerprint
from frontend.sharing.preview_contents import describe_moment
from frontend.sharing.strangers import NotShared
from games import game_state
from games.models import Game
from games.play import submit
from tests.client_responses import Answer
from tests.frontend.evening import client, html, opened, table
from tests.games.cast import PLAYERS, next_command, play
from tests.games.cast import table as dealt

pytestmark = pytest.mark.django_db
MAX_BYTES = 40_000


def picture(game_id: str, at: int, known: str = "") -> Answer:
    address = reverse("table_preview", args=[game_id])
    return client().get(address, {"at": at}, headers={"If-None-Match": known})


def cards_of(game: Game) -> list[CardPlayed]:
    return [event for event in game_state.load_snapshot(game.id).events if isinstance(event, CardPlayed)]


@pytest.mark.parametrize("deck", ["fr", "ch"])
def test_the_sheet_of_faces_is_that_of_the_sprite_and_holds_every_card(deck: str) -> None:
    with Image.open(SHEETS / f"{deck}.png") as sheet:
        assert isinstance(sheet, PngImagePlugin.PngImageFile)
        assert sheet.text[OF] == fingerprint(deck), "python -m frontend.decks writes it anew"
        assert sheet.size == (ACROSS * CARD[0], len(CODES) // ACROSS * CARD[1])
        faces = {sheet.convert("RGBA").crop(_box(at)).tobytes() for at in range(len(CODES))}
    assert len(faces) == len(CODES)


def _box(at: int) -> tuple[int, int, int, int]:
    left, top = CARD[0] * (at % ACROSS), CARD[1] * (at // ACROSS)
    return left, top, left + CARD[0], top + CARD[1]


def test_a_moment_has_a_small_picture_that_is_made_once() -> None:
    game = play(dealt(), 20)
    card = cards_of(game)[5]

    answer = picture(game.pk, card.seq)

    with Image.open(io.BytesIO(answer.content)) as drawn:
        assert drawn.size == (1200, 630)
    assert len(answer.content) <= MAX_BYTES
    assert picture(game.pk, card.seq, answer["ETag"]).status_code == 304
    assert picture(game.pk, cards_of(game)[6].seq, answer["ETag"]).status_code == 200


@pytest.mark.long(2)
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_of_a_moment_is_drawn_what_everybody_knew_then(variant: str) -> None:
    """Drawn while the game stands there and drawn when it is over must be the same; no card is on it that
    had not fallen."""
    seats = min(VARIANTS[variant].seats)
    game = dealt(variant=variant, preset=None, options={}, players=PLAYERS[:seats])
    drawn: dict[int, Any] = {}
    for _ in range(60):
        command = next_command(game)
        if command is None:
            break
        seq = game_state.load_snapshot(game.id).head.seq
        submit.submit(game.id, command, actor=PLAYERS[command.seat], command_id=f"m{seq}")
        game.refresh_from_db()
        drawn[game.head_seq] = describe_moment(game, None, game.head_seq)
    play(game, 200)

    assert len(drawn) > 20
    fell = {event.seq: event.card for event in cards_of(game)}
    for at, then in drawn.items():
        now = describe_moment(game, None, at)
        assert (then.title, then.said, list(then.lying)) == (now.title, now.said, list(now.lying))
        lying = {spot.card for spot in then.lying if spot.lies}
        assert lying <= {card for seq, card in fell.items() if seq <= at}


def test_of_what_has_not_happened_yet_there_is_no_picture() -> None:
    game = play(dealt(), 12)

    answer = picture(game.pk, game.head_seq + 1)

    assert (answer.status_code, answer.json()["code"]) == (404, "sharing/not_yet")


def test_a_score_sheet_has_no_moments() -> None:
    one = table(opened("sheet"), 1)
    assert one.game is not None

    with pytest.raises(NotShared):
        describe_moment(one.game, one, 0)


def test_of_a_private_table_there_is_none() -> None:
    game = play(dealt(), 12)
    Game.objects.filter(pk=game.pk).update(visibility="private")

    assert picture(game.pk, 3).json()["code"] == "sharing/not_public"


def test_the_page_of_a_moment_names_its_picture_and_its_address() -> None:
    game = play(dealt(), 12)
    address = reverse("replay", args=[game.pk])

    shown, whole = (html(client().get(address, asked)) for asked in ({"at": "7"}, {}))

    assert f'property="og:image" content="http://testserver/g/{game.pk}/preview.png?at=7"' in shown
    assert f'property="og:url" content="http://testserver{address}?at=7"' in shown
    assert "?at=7" not in whole
    assert "preview.png?at" not in html(client().get(address, {"at": game.head_seq + 1})), "not shown yet"
