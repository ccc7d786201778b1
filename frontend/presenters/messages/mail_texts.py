"""The texts of mails to people who have entered.

A mail contains fixed words, the championship's name, place and time, numbers, and the person's link. It
contains no text that the person typed when entering.
"""

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from frontend.presenters.words.dates import format_occasion
from tournaments.mails.sending import MailWords
from tournaments.models import Championship, Entry, EntryMail
from tournaments.services.entries import own_pages, waiting_list


def render_mail(mail: EntryMail) -> MailWords:
    """Return the texts of a mail in the person's language, with the data as it is now."""
    entry, championship = mail.entry, mail.entry.championship
    with translation.override(entry.own_page.language):
        named = {"championship": championship.name, "n": entry.number}
        if mail.kind == EntryMail.Kind.MOVED_UP:
            subject = _("You have a place: %(championship)s") % named
            lines = [_("You have moved up from the waiting list and have a place, number %(n)d.") % named]
        elif entry.waits:
            place = waiting_list.place_on_list(waiting_list.list_groups(championship), entry)
            subject = _("On the waiting list: %(championship)s") % named
            lines = [_("You are number %(n)d on the waiting list.") % {"n": place or 0}]
        elif entry.status == Entry.Status.WITHDRAWN:
            subject = _("Withdrawn: %(championship)s") % named
            lines = [_("You have withdrawn.")]
        else:
            subject = _("You are entered: %(championship)s") % named
            lines = [_("You are entered, number %(n)d.") % named]
        body = [
            championship.name,
            _describe_time_and_place(championship),
            "",
            *lines,
            *_link(entry),
            "",
            _sender(),
        ]
    return MailWords(subject, "\n".join(body) + "\n")


def _describe_time_and_place(championship: Championship) -> str:
    return ", ".join(filter(None, [format_occasion(championship.starts_at), championship.place]))


def _link(entry: Entry) -> list[str]:
    token = own_pages.token_of(entry.own_page)
    if not token:
        return ["", _("With your link you see your place, and can withdraw.")]
    page = reverse("own_entry", args=[entry.championship.slug, token])
    sentence = _("With this link you see your place, pay, and can withdraw. It is yours alone; keep it:")
    return ["", sentence, f"{settings.ORIGIN}{page}"]


def _sender() -> str:
    return _("Somebody gave this address when they entered. If it was not you, do nothing.")
