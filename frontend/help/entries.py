"""Help panels of entries: the list of people, their pairs, and duplicate entries."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

ENTRIES: Final[dict[str, Panel]] = {
    "entries": Panel(
        (
            _("Everybody who is entered, by family name."),
            _("Only who is *here* is drawn."),
            _("Lists for paper are under *Print*."),
        ),
        officials=(
            _("Only who is *here* is drawn."),
            _("Three letters of a name, Enter: that person is here. *All here* marks everybody at once."),
            _(
                "*Enter somebody* adds one person, *Import a list* a whole list; "
                "by a link *People enter themselves*."
            ),
            _("A wrong name? Click it to correct it; do not enter the person twice."),
            _("Withdraw people who go home; nothing is deleted, and the results stay."),
        ),
    ),
    "enter_oneself": Panel(
        (
            _("Here people enter themselves: each name once."),
            _("Your entry is on the organiser's list; pay and check in at the desk."),
            _("Somebody else comes too? Enter them as well, one after the other."),
        ),
        manual="players",
    ),
    "own_entry": Panel(
        (
            _("Your own page: whether you have a place, with whom you play, what you pay, where you sit."),
            _("The link is your confirmation; with it you withdraw as long as no round is drawn."),
            _("Link lost? The desk makes you another; the old one ends then."),
        ),
        manual="players",
    ),
    "entries_import": Panel(
        (
            _("A list from a spreadsheet becomes entries; nothing is entered before you have seen it."),
            _("Choose the file or write the list, then *Look at the list*."),
            _("Lines left out stand there with their reason, and can be put right on the same page."),
        ),
    ),
    "entries_from_roll": Panel(
        (
            _("People of the roll who are not entered tonight."),
            _("Tick people and press *Enter those who are ticked*; they are entered, not here yet."),
            _("Under *Entries* *All here* marks everybody when the evening begins."),
        ),
    ),
    "entry_edit": Panel(
        (
            _("One person: names, club, status, account, and who is kept apart."),
            _("Correct what is wrong and press *Save*; lists and rankings follow."),
            _("*Not together* holds from the next draw on."),
        ),
    ),
    "entry_merge": Panel(
        (
            _("The same person stands in the list under two numbers."),
            _("*What would that do?* shows what becomes of seats, results and fees; nothing is done yet."),
            _("*Make them one* does it, also after both have played; it can be undone at the number struck."),
        ),
    ),
    "pairs": Panel(
        (
            _("Pairs that stay together all evening: one line a pair, with / between the names."),
            _("*Enter the pairs* takes the whole list; *Both here* and *Both paid* do two in one press."),
            _("People without a partner are below: *Make pairs by lot* joins them."),
            _("A round is drawn only when everybody who is here has a partner who is here."),
        ),
    ),
}
