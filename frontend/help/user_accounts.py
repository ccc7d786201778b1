"""Help panels of user accounts: sign-in, password, invitations and the list of accounts."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

USER_ACCOUNTS: Final[dict[str, Panel]] = {
    "sign_in": Panel(
        (
            _("Only organisers, referees and online players need an account; watching needs none."),
            _("An account begins with an invitation: a link, or a printed code."),
            _("Have you forgotten the password? Ask the owner of this installation for a link."),
            _("Without the phone use a recovery code as the second step."),
        ),
        manual="players",
    ),
    "password": Panel(
        (
            _("Change your own password here."),
            _("It signs you out everywhere else."),
            _("Long is better than complicated: four words work well."),
        ),
        manual="players",
    ),
    "account": Panel(
        (
            _("Password, second step of the sign-in, and the browsers in which you are signed in."),
            _("A second step protects an office: *Set up an app*, then print the recovery codes."),
            _("Is there a browser that is not yours? Sign it out, then *Change the password*."),
        ),
        manual="players",
    ),
    "own_data": Panel(
        (
            _(
                "The data that this installation stores about you. *Download the file (JSON)* gives "
                "you all of it."
            ),
            _("Passwords and secrets of the second step are not in the file."),
            _("*Erase permanently* removes your name everywhere here; games and rankings stay."),
        ),
        manual="players",
    ),
    "invitation": Panel(
        (
            _("Your link: it works once, so do not pass it on."),
            _("Long is better than complicated: four words work well."),
            _("Ask the person who gave it to you to replace an expired link."),
        ),
        manual="players",
    ),
    "account_list": Panel(
        (
            _("All accounts of this installation, the last used first."),
            _("Has somebody forgotten the password? Make a *Link for a new password*, and pass it on."),
            _("*Lock* ends all sessions of an account at once, and nothing is lost."),
            _("*Delete* erases the person, and cannot be undone."),
        ),
    ),
}
