"""Help panels of the first page, the rules of games and the manuals."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

PUBLIC_PAGES: Final[dict[str, Panel]] = {
    "home": Panel(
        (
            _("Tonight's championships, the next ones, and earlier evenings."),
            _("Tap an evening to see its tables and its ranking; watching needs no account."),
            _(
                "Do you play with real cards? Type the six characters of the table's card under "
                "*Code of your table*."
            ),
            _(
                "Do you just want to play? Choose a game and press *Play now*: against bots, without "
                "an account."
            ),
            _("People who may organise find *New championship* at the top."),
        ),
        manual="players",
    ),
    "rules": Panel(
        (
            _("The rules of each game, with examples and all options."),
            _("The regulations of your club take precedence over these rules."),
            _("You can print this page."),
        ),
        manual="players",
    ),
    "manual": Panel(
        (
            _("The manual on one page; search it with your browser (Ctrl+F)."),
            _("Words in italics are names on the pages."),
            _("For a short help press the question mark at the top of any page."),
        ),
    ),
}
