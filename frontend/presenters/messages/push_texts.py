"""The texts of push messages."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from frontend.presenters.rounds.seating import Seats, list_seats
from tournaments.models import Entry, Round, Seating, Subscription
from tournaments.names.readers import reading_for
from tournaments.notices.occasions import PlaceInRound
from tournaments.notices.rendering import NoticeWords, Words
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import load_regulations
from tournaments.services.people.name_visibility import outsider


def render_round_push(round_: Round) -> Words:
    """Return a function that writes the push messages of a round. In a public championship, names are shown
    as the public may read them; in a private one, as participants may. More phones cost no more queries.
    """
    championship = round_.championship
    regulations = load_regulations(championship)
    with reading_for(outsider(championship) if championship.public else None):
        tables = {one.number: one for one in list_seats(round_, chips=regulations.chips())}
        entries = {entry.pk: entry for entry in Entry.objects.filter(championship=championship)}
    drawn = set(Seating.objects.filter(round=round_).values_list("entry", flat=True))

    def words(subscription: Subscription, place: PlaceInRound, moved: bool) -> NoticeWords:
        entry = entries[subscription.entry_id]
        with translation.override(subscription.language):
            lines = _lines(round_, entry, tables.get(place.table), place, regulations)
            slip = entry.pk in drawn and round_.status == Round.Status.DRAWN
            path = (
                reverse("round_slip", args=[championship.slug, round_.number, entry.number])
                if slip
                else reverse("persons_evening", args=[championship.slug, entry.number])
            )
            title = _title(
                round_, tables.get(place.table), place, moved=moved, sessions=regulations.has_queue
            )
            return NoticeWords(title, " ".join([*lines, championship.name]), path)

    return words


def _title(round_: Round, table: Seats | None, place: PlaceInRound, *, moved: bool, sessions: bool) -> str:
    if table is None:
        return _("Round %(n)d is drawn") % {"n": round_.number}
    named = {"n": round_.number, "table": table.number, "mark": table.chairs[place.seat].letter}
    if sessions:
        return _("Session %(n)d: table %(table)d, seat %(mark)s") % named
    if moved:
        return _("Round %(n)d: now table %(table)d, seat %(mark)s") % named
    if round_.status == Round.Status.OPEN:
        return _("Round %(n)d begins: table %(table)d, seat %(mark)s") % named
    return _("Round %(n)d: table %(table)d, seat %(mark)s") % named


def _lines(
    round_: Round, entry: Entry, table: Seats | None, place: PlaceInRound, regulations: Regulations
) -> Sequence[str]:
    """Return the text as whole sentences, because a screen reader reads them one after the other."""
    if table is None:
        return [_("%(name)s has a bye.") % {"name": entry.name}]
    pairs = regulations.play.format != "solo" and table.has_partners
    others = [(seat, chair.substitute or chair.name) for seat, chair in enumerate(table.chairs)]
    others = [(seat, name) for seat, name in others if seat != place.seat]
    partner = ", ".join(name for seat, name in others if pairs and seat % 2 == place.seat % 2)
    against = ", ".join(name for seat, name in others if not (pairs and seat % 2 == place.seat % 2))
    named = {"name": entry.name, "partner": partner, "names": against}
    lines = [
        _("%(name)s with %(partner)s, against %(names)s.") % named
        if partner
        else _("%(name)s against %(names)s.") % named
    ]
    if round_.status == Round.Status.DRAWN and round_.opens_at is not None:
        opens = time_format(timezone.localtime(round_.opens_at), "H:i")
        lines.append(_("It begins at %(time)s.") % {"time": opens})
    return lines
