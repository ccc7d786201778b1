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
                "*Codes for the tables* gives each table one code for the whole evening; print them "
                "before people sit down."
            ),
            _(
                "Is it getting late? *When it gets late* plays fewer rounds, or closes the evening "
                "after this one."
            ),
        ),
    ),
    "queue": Panel(
        (
            _("The people waiting for a table, in their order, and the tables seated last."),
            _("A table is seated when enough people are waiting."),
            _("*Where do I sit?* finds one person among all tables."),
        ),
        officials=(
            _(
                "Search for a person, or press *New person*: one press sells the start and puts it "
                "into the queue."
            ),
            _("*Seat 1 table* seats the waiting people; *Type the results* when they have played."),
            _("A person who has played can queue again with another start."),
            _("*Undo this table* removes the last table, until a result is entered there."),
        ),
    ),
    "starts": Panel(
        (
            _("Each start separately, the best first; a person may have several."),
            _("The places of people are in *Standings*, where their best starts count."),
            _("Starts of open sessions show their present state."),
        ),
    ),
    "round": Panel(
        (
            _("One round: its tables, its byes, and what the draw repeats."),
            _("*Where do I sit?* finds one person among all tables."),
            _("Tap a table to watch it, or to read its sheet."),
        ),
        officials=(
            _(
                "*Draw round 1* seats everybody who is here; press *Open round 1* when all sit, "
                "*Close round 1* when all are done."
            ),
            _("*Type the results* takes the paper sheets, one line per table."),
            _(
                "Is somebody missing? *Somebody is missing* gives the chair to another person, "
                "without a new draw."
            ),
            _(
                "Wrong results are corrected, not played again: *Correct a result*, even after the "
                "round is closed."
            ),
            _("Is it a final in the hall? Under *Watching* you can show everything some minutes late."),
        ),
    ),
    "round_fairness": Panel(
        (
            _("How seats and cards are drawn, and how to check that nobody chose them."),
            _("It covers the cards of tables that are dealt here; with real cards only the draw of seats."),
            _("Until the first table is opened, *Contribute numbers* takes numbers from the hall."),
        ),
    ),
    "round_wall": Panel(
        (
            _("The seating by name and by table, for the wall."),
            _("*PDF for the wall* prints 200 people on four pages."),
            _("Click a name to get its slip."),
        ),
    ),
    "round_slip": Panel(
        (
            _("One person's seat in this round, and the others at the table."),
            _("*Print* has twelve of these slips on a page."),
            _("Print it again after an exchange of chairs."),
        ),
    ),
    "round_results": Panel(
        (
            _("The results of a round from paper, one line per table."),
            _(
                "Type the points of one side and press Enter: the other side is filled in, and the "
                "cursor moves to the next table."
            ),
            _("*Only open* hides finished tables; *Table* jumps to a number."),
            _("A red line does not add up: compare it with the sheet; often two digits are swapped."),
            _(
                "If each deal is reported, Enter opens the sheet; there Enter moves on, enters the "
                "deal and leads to the next table."
            ),
        ),
    ),
    "round_codes": Panel(
        (
            _("Codes for the seats of online tables, one per seat, for this round."),
            _("They are shown once: print them and put them on the tables."),
            _("Is a phone lost? *One seat alone* makes a new code; the old one stops working at once."),
        ),
    ),
    "personal_links": Panel(
        (
            _(
                "One link per person for the whole evening: to a waiting room, and from there to "
                "each online table."
            ),
            _("They are shown once: copy, print or mail them. *New link* replaces the previous link."),
            _("The clock of a table starts when everybody is there, or with *Start the clocks now*."),
        ),
    ),
    "where": Panel(
        (
            _("Type a part of your name, or your number, to see your seat."),
            _("Look again after a new draw."),
            _("*Projector* shows all seats on the wall, page by page."),
        ),
        manual="players",
    ),
}
