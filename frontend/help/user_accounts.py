"""Help panels of user accounts: sign-in, password, invitations and the list of accounts."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

USER_ACCOUNTS: Final[dict[str, Panel]] = {
    "sign_in": Panel(
        (
            _("Only who organises, rules or plays online needs an account; watching needs none."),
            _("An account begins with an invitation: a link, or a printed code."),
            _("You have forgotten the password? Ask the owner of this installation for a link."),
            _("Without the phone a recovery code is the second step."),
        ),
        manual="players",
    ),
    "password": Panel(
        (
            _("Here you change your own password."),
            _("Wherever else you are signed in you are out then."),
            _("Long is better than complicated: four words are good."),
        ),
        manual="players",
    ),
    "account": Panel(
        (
            _("Password, second step of the sign-in, and the browsers in which you are signed in."),
            _("A second step protects an office: *Set up an app*, then print the recovery codes."),
            _("You see a browser that is not yours? Sign it out, then *Change the password*."),
        ),
        manual="players",
    ),
    "own_data": Panel(
        (
            _("What this installation has stored of you. *Download the file (JSON)* gives you all of it."),
            _("Passwords and secrets of the second step are not in the file."),
            _("*Erase for ever* takes your name out of everything here; games and rankings stay."),
        ),
        manual="players",
    ),
    "invitation": Panel(
        (
            _("A link of yours: it works once, so pass it on to nobody."),
            _("Long is better than complicated: four words are good."),
            _("A link that has ended is replaced by the person who gave it to you."),
        ),
        manual="players",
    ),
    "account_list": Panel(
        (
            _("All accounts of this installation, the last used first."),
            _("Somebody has forgotten the password? *Link for a new password*, and pass it on."),
            _("*Lock* ends all sessions of an account at once, and nothing is lost."),
            _("*Delete* erases the person, and cannot be undone."),
        ),
    ),
}
