"""Help panels of a championship, from its creation to its ranking."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

EVENING: Final[dict[str, Panel]] = {
    "home": Panel(
        (
            _("What is on tonight, what comes next, and earlier evenings."),
            _("Tap an evening to see its tables and its ranking; watching needs no account."),
            _("You play with real cards? Type the six signs of the table's card under *Code of your table*."),
            _("Just want to play? Choose a game and press *Play now*: against bots, without an account."),
            _("Whoever may organise finds *New championship* at the top."),
        ),
        manual="players",
    ),
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
            _("Who directs, who rules and who checks in. One person may hold several offices."),
            _("An office is offered, and the person accepts it: by a link, or on the first page."),
            _("Nobody rules on his own table: appoint two referees where you can."),
            _("A link works once: do not send the same one to two people."),
        ),
    ),
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
            _("Who goes home is withdrawn, not deleted: the results stay."),
        ),
    ),
    "enter_oneself": Panel(
        (
            _("Here people enter themselves: each name once."),
            _("Who has entered is on the organiser's list; pay and say that you are here at the desk."),
            _("Somebody else comes too? Enter him as well, one after the other."),
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
            _("What is left out stands there with its reason, and can be put right on the same page."),
        ),
    ),
    "entry_edit": Panel(
        (
            _("One person: names, club, status, account, and who is kept apart."),
            _("Correct what is wrong and press *Save*; lists and rankings follow."),
            _("*Not together* holds from the next draw on."),
        ),
    ),
    "pairs": Panel(
        (
            _("Pairs that stay together all evening: one line a pair, with / between the names."),
            _("*Enter the pairs* takes the whole list; *Both here* and *Both paid* do two in one press."),
            _("Who has no partner yet stands below: *Make pairs by lot* puts them together."),
            _("A round is drawn only when everybody who is here has a partner who is here."),
        ),
    ),
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
            _("Who sits where, by name and by table, for the wall."),
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
    "standings": Panel(
        (
            _("The ranking, as published last or live while a round is played."),
            _("Level totals are separated as the regulations say; the line says by what."),
            _("*Print* puts it on paper with its seal, *Projector* on the wall."),
        ),
        officials=(
            _("Click a figure to come to the sheet it was counted from, and to correct it."),
            _("Some are level at the end? *Write lots down* takes the lots they have drawn."),
        ),
    ),
    "persons_evening": Panel(
        (
            _("One person's rounds: table, the others there, points, and the place after each."),
            _("A table that is being played leads to it live, one that is over to its replay."),
            _("Every name leads to the page of that person."),
            _("*Tell this phone* has a message sent when the table is ready."),
        ),
        manual="players",
    ),
    "standings_graph": Panel(
        (
            _("How each person's place moved over the rounds."),
            _("Higher is better; the same figures stand in *Standings*."),
            _("It needs two closed rounds."),
        ),
    ),
    "bracket": Panel(
        (
            _("Who meets whom, phase by phase; the winners are in bold type."),
            _("Results stand here when their round is closed."),
            _("The bracket decides the places of the ranking."),
        ),
    ),
    "lots": Panel(
        (
            _("Who is still level at the end draws a lot or a card in the hall."),
            _("Write down what was drawn, then *Write down and publish*."),
            _("Everybody of one place needs a lot, and no two the same."),
        ),
    ),
}
