"""Help panels of rounds: their draw, seats, links and results."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

ROUNDS: Final[dict[str, Panel]] = {
    "rounds": Panel(
        (
            _("All rounds of the evening, one below the other."),
            _("A round is drawn, opened, played and closed, in this order."),
            _("Tap one to see who sits where."),
        ),
        officials=(
            _("A round is drawn, opened, played and closed, in this order."),
            _(
                "*Codes for the tables* gives each table one code for the whole evening; print them before "
                "people sit."
            ),
            _("It gets late? *When it gets late* plays fewer rounds, or closes the evening after this one."),
        ),
    ),
    "queue": Panel(
        (
            _("The people who wait for a table, in their order, and the tables that were seated last."),
            _("A table is seated as soon as enough people wait."),
            _("*Where do I sit?* finds one person among all tables."),
        ),
        officials=(
            _("Search somebody, or *Somebody new*: one press sells the start and puts it into the queue."),
            _("*Seat 1 table* seats the people who wait; *Type the results* when they have played."),
            _("A person who has played can queue again with another start."),
            _("*Take this table back* works for the last table until something is written there."),
        ),
    ),
    "starts": Panel(
        (
            _("Each start by itself, the best first; a person may have several."),
            _("The places of the people are in *Standings*: there the best starts count."),
            _("Starts of open sessions are as they are now."),
        ),
    ),
    "round": Panel(
        (
            _("One round: its tables, who sits out, and what the draw repeats."),
            _("*Where do I sit?* finds one person among all tables."),
            _("Tap a table to watch it, or to read its sheet."),
        ),
        officials=(
            _(
                "*Draw round 1* seats everybody who is here; *Open round 1* when all sit, *Close round 1* "
                "when all are done."
            ),
            _("*Type the results* takes the sheets of paper, one line a table."),
            _(
                "One too few? *Somebody is missing* gives the chair to somebody else; nobody else is drawn "
                "again."
            ),
            _(
                "A wrong result is corrected, not played again: *Correct a result*, also after the round "
                "is closed."
            ),
            _("A final in the hall? Under *Watching* all of it reaches the others some minutes late."),
        ),
    ),
    "round_fairness": Panel(
        (
            _("How seats and cards come about, and how to check that nobody chose them."),
            _("It concerns tables that are dealt here; with real cards it is the draw of seats alone."),
            _("Until the first table is opened, *Add the numbers* takes numbers from the hall."),
        ),
    ),
    "round_wall": Panel(
        (
            _("The seating by name and by table, for the wall."),
            _("*PDF for the wall* prints 200 people on four pages."),
            _("Click a name to have its slip."),
        ),
    ),
    "round_slip": Panel(
        (
            _("One person's seat in this round, and the others at the table."),
            _("Twelve such slips on a page are under *Print*."),
            _("After an exchange of chairs print it again."),
        ),
    ),
    "round_results": Panel(
        (
            _("The results of a round as paper brings them, one line a table."),
            _(
                "Type the points of one side, Enter: the other side fills itself in, the cursor stands at "
                "the next table."
            ),
            _("*Only open* hides what is done; *Table* jumps to a number."),
            _("A red line does not add up: compare with the sheet; often two digits are swapped."),
            _(
                "Is each deal handed in, Enter opens the sheet; there Enter goes on, enters the deal and "
                "leads to the next table."
            ),
        ),
    ),
    "round_codes": Panel(
        (
            _("Codes for the seats of tables that play online, one a seat, for this round."),
            _("They are shown once: print them and lay them on the tables."),
            _("A phone is lost? *One seat alone* makes a new code; the old one ends at once."),
        ),
    ),
    "personal_links": Panel(
        (
            _("One link a person, all evening: to a waiting room and from there to each online table."),
            _("They are shown once: copy, print or mail them. *New link* ends the one before."),
            _("The clock of a table begins when everybody is there, or by *Start the clocks now*."),
        ),
    ),
    "where": Panel(
        (
            _("Type a part of your name, or your number: here stands where you sit."),
            _("After a new draw look again."),
            _("*Projector* shows everybody on the wall, page by page."),
        ),
        manual="players",
    ),
}
