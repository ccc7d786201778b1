"""The panel to subscribe to push messages."""

from dataclasses import dataclass

from django.urls import reverse

from tournaments.models import Championship
from tournaments.notices.keys import public_push_key


@dataclass(frozen=True, slots=True)
class NoticePanel:
    """The panel to subscribe to push messages. `url`: where the browser sends its subscription; `key`: the
    server's public key.
    """

    url: str
    key: str


def notice_panel(championship: Championship, number: int, *, gone: bool = False) -> NoticePanel | None:
    """Return the panel for the person with this number; None if the server has no key, the championship is
    over, or the person has left (`gone`).
    """
    key = public_push_key()
    if not key or championship.is_over or gone:
        return None
    return NoticePanel(reverse("notices", args=[championship.slug, number]), key)
