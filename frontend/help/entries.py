"""Help panels of entries: the list of people, their pairs, and duplicate entries."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

ENTRIES: Final[dict[str, Panel]] = {
    "entries": Panel(
        (
            _("Everybody who is entered, by family name."),
            _("Only people who are *here* are drawn."),
            _("Lists for paper are under *Print*."),
        ),
        officials=(
            _("Only people who are *here* are drawn."),
            _(
                "Type three letters of a name and press Enter: that person is here. *All here* marks "
                "everybody."
            ),
            _(
                "*Enter a player* adds one person, *Import a list* a whole list; with *Entries by link* they "
                "use a link."
            ),
            _("A wrong name? Click it to correct it; do not enter the person twice."),
            _("Withdraw people who go home; nothing is deleted, and the results stay."),
        ),
    ),
    "enter_oneself": Panel(
        (
            _("People enter themselves here: each name once."),
            _("Your entry is on the organiser's list; pay and check in at the desk."),
            _("Does somebody else come too? Enter them as well, one after the other."),
        ),
        manual="players",
    ),
    "own_entry": Panel(
        (
            _("Your own page: whether you have a place, with whom you play, what you pay, where you sit."),
            _("The link is your confirmation; you can withdraw with it until a round is drawn."),
            _("Have you lost the link? The desk makes another; the old one then stops working."),
        ),
        manual="players",
    ),
    "entries_import": Panel(
        (
            _("Import entries from a spreadsheet; nothing is entered before you have seen it."),
            _("Choose the file or write the list, then *Look at the list*."),
            _("Lines that were left out are listed with the reason, and can be corrected on the same page."),
        ),
    ),
    "entries_from_roll": Panel(
        (
            _("People of the roll who are not entered tonight."),
            _("Tick people and press *Enter those who are ticked*; they are entered, but not yet here."),
            _("When the evening begins, *All here* under *Entries* marks everybody."),
        ),
    ),
    "entry_edit": Panel(
        (
            _("One person: names, club, status, account, and the people kept apart."),
            _("Correct what is wrong and press *Save*; lists and rankings follow."),
            _("*Not together* applies from the next draw on."),
        ),
    ),
    "entry_merge": Panel(
        (
            _("The same person is on the list under two numbers."),
            _("*What would that do?* shows the effect on seats, results and fees; nothing is done yet."),
            _("*Merge* merges them, even if both have played; it can be undone at the removed number."),
        ),
    ),
    "pairs": Panel(
        (
            _("Pairs that stay together all evening: one line per pair, with / between the names."),
            _(
                "*Enter the pairs* takes the whole list; *Both here* and *Both paid* mark two people "
                "with one press."
            ),
            _("People without a partner are below: *Make pairs by lot* joins them."),
            _("A round can be drawn only if everybody who is here has a partner who is here."),
        ),
    ),
}
