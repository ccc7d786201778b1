"""Help panels of prizes, cash and bills."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

MONEY: Final[dict[str, Panel]] = {
    "prizes": Panel(
        (
            _("The prizes, and their winners by the present ranking."),
            _("Before the last round is closed these are not the final places."),
            _("Prizes are called one after the other when everything has been played."),
        ),
        officials=(
            _("*Write the prizes down* before the evening; *Award the prizes* calls people step by step."),
            _("Before the last round is closed these are not the final places."),
        ),
    ),
    "prize_plan": Panel(
        (
            _("Money for places, special prizes, things to choose from."),
            _("Type the francs separated by spaces, from the first place on: 200 150 100."),
            _("After the first call nothing can be changed, unless you go back to the beginning."),
        ),
    ),
    "prize_giving": Panel(
        (
            _("Step by step: who is called now, and who comes next."),
            _("Put *Projector* on the wall first, then call the first name."),
            _("Is somebody not in the hall? Give the prize later and go on; *One step back* undoes a step."),
            _("The call books the money; under *Till* it can be reversed, or booked as a transfer."),
        ),
    ),
    "cash": Panel(
        (
            _("Payments, the money in your till, and all bookings."),
            _("*Open my till* with what is in it at the start; count it at the end and close it."),
            _("A payment marked at the desk is booked automatically: do not book it twice."),
            _("A wrong line is reversed, never erased: both lines stay in the book."),
        ),
    ),
    "cash_fees": Panel(
        (
            _("The fees by kind of person, and the account for bills."),
            _("The first line applies to everybody who has no other fee."),
            _("*Save the fees* before people pay: booked payments do not change."),
        ),
    ),
    "accounts": Panel(
        (
            _("Income and expenses of the evening, ready to print."),
            _("Close every till first: an open till has not been counted."),
            _("A difference between counted and booked money is shown beside its till."),
        ),
    ),
    "bill": Panel(
        (
            _("A Swiss QR-bill for one person's entry fee."),
            _("Print it at 100 %, or let the person pay from the screen."),
            _("When the money has arrived, book it under *Till*."),
        ),
    ),
}
