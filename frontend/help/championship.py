"""Help panels of a championship: creation, regulations, officials, prints and end."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

CHAMPIONSHIP: Final[dict[str, Panel]] = {
    "championship_new": Panel(
        (
            _("Here a new evening begins: a name, a day, a way of playing."),
            _(
                "Everything can be changed until the first round is opened, so nothing has to be right at "
                "once."
            ),
            _("*Prepare the championship*, then enter people under *Entries*."),
            _("Played with real cards? Choose score sheets as the kind of table."),
        ),
    ),
    "championship": Panel(
        (
            _("The evening at a glance: what is played, who is here, how it stands."),
            _("*Where do I sit?* finds your table by your name."),
            _("*Standings* has the ranking, *Rounds* who sits where."),
        ),
        officials=(
            _("*What comes next* always names the one next step: press it and come back."),
            _(
                "*Officials* says who else may direct, rule or check in; give somebody the desk before "
                "people arrive."
            ),
            _("Forgotten most often: the regulations are fixed with the first opening of a round."),
        ),
    ),
    "championship_again": Panel(
        (
            _(
                "A new evening by the same regulations, with the same officials and, if you tick it, the "
                "same people."
            ),
            _("People come along as registered: who is here and who has paid is asked anew."),
            _("Nothing of the old evening changes."),
        ),
    ),
    "regulations": Panel(
        (
            _("By these rules the evening is played, counted and ranked."),
            _("*To print* is the same as numbered articles for the wall."),
            _("The rules of the game itself stand under *Rules*."),
        ),
        officials=(
            _("Change what your club plays otherwise and press *Save as a new version*."),
            _("Say here how real tables hand in: totals, or deal by deal. That decides what the desk types."),
            _("After the first opening of a round only name, place and time can be changed."),
        ),
    ),
    "regulations_document": Panel(
        (
            _("The regulations as numbered articles, with places to sign."),
            _("Print it with your browser, or take it as a PDF under *Print*."),
            _("The rules of the game follow behind; they apply where the articles say nothing."),
        ),
    ),
    "officials": Panel(
        (
            _("The directors, the referees and the desk. One person may hold several offices."),
            _("An office is offered, and the person accepts it: by a link, or on the first page."),
            _("Nobody rules on their own table: appoint two referees where you can."),
            _("A link works once: do not send the same one to two people."),
        ),
    ),
    "prints": Panel(
        (
            _("Every sheet of the evening as a PDF: lists, slips, cards, sheets for the tables, ranking."),
            _("Choose language and paper once; they hold for all."),
            _("*Table sheets* before the draw are blank, afterwards they carry names."),
            _("Print the seating after chairs were changed, not before."),
        ),
    ),
    "job": Panel(
        (
            _("Something that takes a moment is being made."),
            _("It is made whether you stay or leave: this address stays the same."),
            _("When it is done, the file or the page stands here."),
        ),
    ),
    "championship_end": Panel(
        (
            _("Here an evening is closed, put away, or deleted."),
            _("*Archive the championship* takes it out of the lists; it can come back at any time."),
            _("*Delete the championship* is possible only before anything was drawn, and cannot be undone."),
        ),
    ),
}
