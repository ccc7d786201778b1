"""Help panels of a championship: creation, regulations, officials, prints and end."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

CHAMPIONSHIP: Final[dict[str, Panel]] = {
    "championship_new": Panel(
        (
            _("Create a new evening here: a name, a day, a way of playing."),
            _("You can change everything until the first round is opened."),
            _("*Create the championship*, then enter people under *Entries*."),
            _("Played with real cards? Choose score sheets as the kind of table."),
        ),
    ),
    "championship": Panel(
        (
            _("The evening at a glance: the game, the people present, the standings."),
            _("*Where do I sit?* finds your table by your name."),
            _("*Standings* shows the ranking, *Rounds* who sits where."),
        ),
        officials=(
            _("*What comes next* always names the next step: press it and come back."),
            _(
                "*Officials* shows who else may direct, rule or check in; give somebody the desk "
                "before people arrive."
            ),
            _("Often forgotten: opening the first round fixes the regulations."),
        ),
    ),
    "championship_again": Panel(
        (
            _(
                "A new evening with the same regulations, the same officials and, if you tick it, "
                "the same people."
            ),
            _("People are copied as registered: arrivals and payments start again."),
            _("The old evening does not change."),
        ),
    ),
    "regulations": Panel(
        (
            _("The evening is played, counted and ranked by these rules."),
            _("*To print* shows the same as numbered articles for the wall."),
            _("The rules of the game itself are under *Rules*."),
        ),
        officials=(
            _("Change what your club plays differently, and press *Save as a new version*."),
            _(
                "Choose here what tables with real cards report: totals, or deal by deal. That "
                "decides what the desk types."
            ),
            _("After the first opening of a round only name, place and time can be changed."),
        ),
    ),
    "regulations_document": Panel(
        (
            _("The regulations as numbered articles, with places to sign."),
            _("Print it with your browser, or take it as a PDF under *Print*."),
            _("The rules of the game follow; they apply where the articles say nothing."),
        ),
    ),
    "officials": Panel(
        (
            _("The directors, the referees and the desk. One person may hold several offices."),
            _("You offer an office, and the person accepts it: by a link, or on the first page."),
            _("Nobody rules on their own table: appoint two referees if you can."),
            _("A link works once: send each person a different one."),
        ),
    ),
    "prints": Panel(
        (
            _("Every sheet of the evening as a PDF: lists, slips, cards, sheets for the tables, ranking."),
            _("Choose language and paper once; they apply to all."),
            _("*Table sheets* are blank before the draw; afterwards they show names."),
            _("Print the seating after chairs were changed, not before."),
        ),
    ),
    "job": Panel(
        (
            _("This takes a moment."),
            _("You can leave this page and come back: its address stays the same."),
            _("When it is done, the file or the page appears here."),
        ),
    ),
    "championship_end": Panel(
        (
            _("Close, archive or delete an evening here."),
            _("*Archive the championship* takes it out of the lists; it can come back at any time."),
            _("*Delete the championship* is possible only before anything was drawn, and cannot be undone."),
        ),
    ),
}
