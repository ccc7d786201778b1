"""Help panels for codes, prints, board, prizes, money and verification."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

HALL: Final[dict[str, Panel]] = {
    "table_codes": Panel(
        (
            _(
                "One code a table, good for the whole evening: whoever types or scans it writes that "
                "table's sheet."
            ),
            _("First *Address for phones*, then *Make the missing codes*, then *Cards to print*."),
            _("Without a tested address the cards carry no picture to scan."),
        ),
    ),
    "table_code": Panel(
        (
            _("One table's code, and which phones came in with it."),
            _("*Give this table a new code* ends the old one at once, with all phones."),
            _("Results stay; the card on the table has to be printed again."),
        ),
    ),
    "phone_address": Panel(
        (
            _("Under which address phones in the hall reach this machine."),
            _("Choose one, scan it with a phone: the page turns green when it works."),
            _("Phone and machine have to be in the same Wi-Fi."),
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
    "tables": Panel(
        (
            _("All tables of the open round, as they are written."),
            _("Tap a table to follow it; search by number or name."),
            _("*Projector* shows four tables at a time on the wall."),
        ),
        manual="players",
    ),
    "board": Panel(
        (
            _("Every table of the open round: how far it is, and who calls."),
            _("Tables that call for the referee stand on top."),
            _("*Type the results* takes sheets of paper; *Only open ones* shows who is not done."),
            _(
                "*Finish a table early* only where a table cannot end: as long as the round is open it can "
                "play on."
            ),
        ),
    ),
    "table_close": Panel(
        (
            _("This ends one table before it is done."),
            _("Finished deals count; what is being played does not."),
            _("While the round is open *Play on* takes it back."),
        ),
    ),
    "table_resume": Panel(
        (
            _("A table that was finished early goes on where it was."),
            _("What was written down stays."),
            _(
                "After the round is closed, *Write down what is missing* on its page takes the rest from "
                "paper."
            ),
        ),
    ),
    "correct": Panel(
        (
            _("A result is put right here, also rounds later."),
            _("Choose the deal, change what is wrong, give the reason, *Correct the result*."),
            _("Places before and after stand there before anything changes."),
            _("Both results stay on record with your reason; nobody corrects at his own table."),
        ),
    ),
    "championship_end": Panel(
        (
            _("Here an evening is closed, put away, or deleted."),
            _("*Archive the championship* takes it out of the lists; it can come back at any time."),
            _("*Delete the championship* is possible only before anything was drawn, and cannot be undone."),
        ),
    ),
    "prizes": Panel(
        (
            _("What there is to win, and who wins it as the ranking stands."),
            _("Before the last round is closed these are not the final places."),
            _("Prizes are called one after the other when all has been played."),
        ),
        officials=(
            _("*Write the prizes down* before the evening; *Give the prizes* calls people step by step."),
            _("Before the last round is closed these are not the final places."),
        ),
    ),
    "prize_plan": Panel(
        (
            _("Money for places, special prizes, things to choose from."),
            _("Type the francs with spaces between, from the first place on: 200 150 100."),
            _("Once the first prize is called nothing can be changed, unless you go back to the beginning."),
        ),
    ),
    "prize_giving": Panel(
        (
            _("Step by step: who stands in front, and who comes next."),
            _("Put *Projector* on the wall first, then call the first name."),
            _("Somebody is not in the hall? Give the prize later and go on; *One back* undoes a step."),
            _("Money is booked with the call; under *Till* it can be taken back or booked by transfer."),
        ),
    ),
    "cash": Panel(
        (
            _("Who has paid, what is in your till, and what was booked."),
            _("*Open my till* with what is in it at the start; count it at the end and close it."),
            _("Who is marked as paid at the desk is booked by itself: do not book it twice."),
            _("A wrong line is taken back, never erased: both stay in the book."),
        ),
    ),
    "cash_fees": Panel(
        (
            _("What taking part costs, by kind of person, and the account for bills."),
            _("The first line holds for everybody of whom nothing else is said."),
            _("*Save the fees* before people pay: what is booked stays as it was."),
        ),
    ),
    "accounts": Panel(
        (
            _("What came in and what went out tonight, ready to print."),
            _("Close every till before: a till that is open has not been counted."),
            _("A difference between counted and booked stands beside its till."),
        ),
    ),
    "bill": Panel(
        (
            _("A Swiss QR-bill for one person's entry fee."),
            _("Print it at 100 %, or let it be paid from the screen."),
            _("When the money has come, book it under *Till*."),
        ),
    ),
    "audits": Panel(
        (
            _("An audit reads everything that is stored and decides every game again."),
            _("*Audit now* before the prizes are given; it takes seconds."),
            _("Every night it happens by itself."),
        ),
    ),
    "audit": Panel(
        (
            _("What one audit has read, and what differs."),
            _("A difference names table and deal: look at it before prizes are given."),
            _("*Save the report* keeps it as text."),
        ),
    ),
    "checkpoints": Panel(
        (
            _("Twelve words seal everything recorded so far."),
            _("Hang the printed ranking with its words on the wall: photographs of it are the proof."),
            _("*Download everything* and the words are all anybody needs to check at home."),
        ),
    ),
    "job": Panel(
        (
            _("Something that takes a moment is being made."),
            _("It is made whether you stay or leave: this address stays the same."),
            _("When it is done, the file or the page stands here."),
        ),
    ),
    "disputes": Panel(
        (
            _("What the referee was asked, and how it was decided."),
            _("Players call from their table: *Call the referee*."),
            _("After a ruling the table can appeal, for as long as the regulations say."),
        ),
        manual="referees",
    ),
    "dispute": Panel(
        (
            _("One question to the referee: the record, the rule, the ruling."),
            _("Each possible remedy shows points and places before and after."),
            _("A ruling is published with its reason."),
        ),
        officials=(
            _("First hear the table, then choose a remedy and press *Rule so*."),
            _("Nobody rules at his own table, and another referee decides on the appeal."),
        ),
        manual="referees",
    ),
}
