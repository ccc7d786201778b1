"""The logo and the sponsors of a club as prints show them."""

import base64
from typing import Any
from xml.sax.saxutils import quoteattr

from frontend.prints.typesetting import Part
from tournaments.clubs.images import LOGO, load_for_print
from tournaments.models import ClubImage


def pictures_for_print(club: int | None) -> Part:
    """Return `logo` (None without one) and `sponsors` of the club with this primary key."""
    found = load_for_print(club)
    return {
        "logo": next((_wrap(one) for one in found if one.kind == LOGO), None),
        "sponsors": [_wrap(one) for one in found if one.kind != LOGO],
    }


def _wrap(image: ClubImage) -> dict[str, Any]:
    """Return a picture as an SVG that contains its bytes, because a template gets texts only."""
    size = f'width="{image.width}" height="{image.height}"'
    data = base64.b64encode(bytes(image.data)).decode()
    href = quoteattr(f"data:image/{image.format};base64,{data}")
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><image {size} href={href}/></svg>'
    return {"name": image.name, "svg": svg}
