"""Help panels of clubs, their rolls of people and their series."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

CLUBS: Final[dict[str, Panel]] = {
    "clubs": Panel(
        (
            _("The clubs whose roll you keep, a list of the people who come regularly."),
            _("Your first evening creates one; give it the name of your club."),
            _("Other clubs do not see your roll."),
        ),
    ),
    "roll": Panel(
        (
            _("Everybody who was entered at an evening of this club, by family name."),
            _("*Add a person* puts people on the roll before an evening."),
            _("*Add as keeper* lets another account look after the roll."),
        ),
    ),
    "club_series": Panel(
        (
            _("Several evenings counted together: a season, a club year, or heats before a final."),
            _("Give it a name, choose what counts, tick its evenings, and press *Create the series*."),
            _("Each series has a public page, if its evenings are public."),
        ),
    ),
    "club": Panel(
        (
            _("A club: its next evenings, the tables of its series, its title holders, its past evenings."),
            _("*Subscribe to the calendar* puts all its evenings into your own calendar, new ones too."),
            _("Names are shown here as each evening shows them to everybody."),
        ),
    ),
    "club_images": Panel(
        (
            _("The logo and the sponsors of your club, for its pages, the projector and prints."),
            _("*Replace the logo* takes a PNG or a JPEG; only the picture itself is kept."),
            _("*Move forward* and *Move back* put the sponsors in order."),
        ),
    ),
    "club_person": Panel(
        (
            _("One person across the evenings of a club: places, partners, and the best evening."),
            _("Only the club and the person see evenings without full names."),
            _("*Most often with* counts the rounds on the same side of a table."),
        ),
    ),
    "series": Panel(
        (
            _("Several evenings counted together: what counts, and the table."),
            _("Each column is an evening; results that do not count for a person are crossed out."),
            _("An evening counts as soon as its championship is closed."),
        ),
    ),
    "series_prints": Panel(
        (
            _("The table for the notice board, the qualified persons, and certificates, as PDFs on A4."),
            _("With many evenings the sheet is in landscape; with even more it shows totals only."),
            _("Only keepers of the roll print certificates."),
        ),
    ),
    "series_elsewhere": Panel(
        (
            _("Count an evening that was played on another installation of Puur."),
            _("Ask for the ZIP file of its page “Check it yourself”, after the evening is closed."),
            _("The file is verified before anything of it counts; this may take several minutes."),
        ),
    ),
    "series_outside": Panel(
        (
            _("Choose for everybody in the file who they are on your roll; check the proposals."),
            _("*Take into the series* makes it count like your own evenings; you can take it out again."),
            _("A newer version of the file shows what it changes, and replaces this one."),
        ),
    ),
    "series_edit": Panel(
        (
            _("Put the evenings of a series in order, and choose what counts."),
            _("*Add the evening* takes a championship of your club, or a date that is only planned."),
            _("A planned evening counts automatically as soon as its championship is closed."),
            _(
                "*Create the final* creates a championship with everybody who has qualified; deleting it "
                "undoes that."
            ),
        ),
    ),
    "series_tickets": Panel(
        (
            _("People qualified for the final, and the waiting list, by the present rules and rankings."),
            _("*Declines* lets the next person move up; *Accepts* keeps the ticket even after corrections."),
            _("Search the roll for a title holder, or to give a wild card with a reason."),
        ),
    ),
    "series_versions": Panel(
        (
            _("The published tables, each with its changes."),
            _("A published table does not change; a correction makes a new version."),
            _("The twelve words are the seal: a person who keeps them notices any later change."),
        ),
    ),
    "roll_person": Panel(
        (
            _("One person of the roll; corrections here apply from the next evening on."),
            _("Is somebody listed twice? *Merge both* keeps this entry, with the evenings of both."),
            _(
                "*Archive* hides people who no longer play; *Erase* is for people who ask for it, "
                "and cannot be undone."
            ),
        ),
    ),
}
