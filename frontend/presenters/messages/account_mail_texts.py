"""The texts of mails about accounts. The name of the account is the only text in them that people have
typed.
"""

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.mails.sending import MailWords
from tournaments.models import AccountMail


def render_account_mail(mail: AccountMail, token: str) -> MailWords:
    """Write the text of a mail in the language of the page on which it was requested."""
    with translation.override(mail.language):
        named = {"name": "" if mail.user is None else mail.user.get_username(), "site": settings.ORIGIN}
        if mail.kind == AccountMail.Kind.RESET:
            subject = _("A new password for Puur")
            lines = [
                _("With this link you set a new password for the account %(name)s on %(site)s:") % named,
                _link("password_reset", token),
                "",
                _("It works once, for an hour. A second step of the sign-in stays."),
                _("If you did not ask for it, do nothing: the password stays as it is."),
            ]
        elif mail.kind == AccountMail.Kind.CONFIRM:
            subject = _("Confirm your address for Puur")
            lines = [
                _("With this link you confirm this address for the account %(name)s on %(site)s:") % named,
                _link("address_confirm", token),
                "",
                _("It works for a day. If it was not you, do nothing."),
            ]
        else:
            subject = _("Your address for Puur has changed")
            lines = [
                _("The account %(name)s on %(site)s no longer has this address.") % named,
                _("If it was not you, tell the owner of the installation."),
            ]
    return MailWords(subject, "\n".join(lines) + "\n")


def _link(name: str, token: str) -> str:
    return f"{settings.ORIGIN}{reverse(name, args=[token])}"
