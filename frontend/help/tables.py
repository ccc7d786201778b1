"""Help panels of tables: their codes, the board, play, sheets and replays."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

TABLES: Final[dict[str, Panel]] = {
    "table_codes": Panel(
        (
            _(
                "One code a table, good for the whole evening: the person who types or scans it writes "
                "the sheet of that table."
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
    "phone_check": Panel(
        (
            _("This phone has reached Puur: the address works."),
            _("The page at the desk has turned green; the cards can be printed."),
            _("You can close this page."),
        ),
        manual="players",
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
            _("Both results stay on record with your reason; nobody corrects at their own table."),
        ),
    ),
    "guest_table": Panel(
        (
            _("A table of your own against bots: it counts for nothing, and nobody watches."),
            _("Choose a game and press *Play now*. A new table ends the one before."),
            _("*Tip*, or the key h, says what a bot would do in your place."),
            _("A table that is left is gone after an hour."),
        ),
        manual="players",
    ),
    "open_table": Panel(
        (
            _("Type the six signs of the table's card; capitals do not matter."),
            _("Or scan its picture with the phone's camera."),
            _("A code is not known? Compare it sign by sign, then ask the desk."),
        ),
        manual="players",
    ),
    "at_table": Panel(
        (
            _("Your table: say whose phone this is, then write its sheet."),
            _("Each side uses a phone of its own, so that one writes and the other confirms."),
            _("After the round it says here where you sit next, also when the page is opened again."),
        ),
        manual="players",
    ),
    "table_live": Panel(
        (
            _("One table as it is played, for everybody who watches."),
            _("The boxes are the tricks: ← goes back to earlier ones, *Live* leads to what goes on now."),
            _("The other tables stand at the side, on a phone behind *Tables*; n leads to the next one."),
            _("Which cards you see, and when, the regulations say."),
        ),
        manual="players",
    ),
    "table_play": Panel(
        (
            _("Your seat at an online table."),
            _("When it is your turn the cards that may be played are lit: tap one."),
            _(
                "The connection is gone? What you play is kept and sent once, and the table comes back by "
                "itself."
            ),
            _("Something is wrong? *Call the referee*."),
        ),
        manual="players",
    ),
    "table_sheet": Panel(
        (
            _("The score sheet of one table of real cards."),
            _(
                "Type one number: the other side fills itself in. *Enter the deal*, then the other side "
                "confirms."
            ),
            _("A sum that cannot be turns red: look whether a sweep or a Stöck is missing."),
            _(
                "Without a connection go on typing: it is kept on this phone and sent once the network is "
                "back."
            ),
        ),
        manual="players",
    ),
    "table_photos": Panel(
        (
            _("Here a photo of the score sheet on paper is kept with the table, as proof."),
            _("Choose or take a picture, then *Keep the photo*."),
            _("Those at the table and the officials see it, nobody else; an official can erase it for good."),
        ),
        manual="players",
    ),
    "table_transcribe": Panel(
        (
            _("Here a table of real cards is written down card by card."),
            _("Say who plays or speaks, then tap the card."),
            _("Nobody saw the card? *Unknown card*, and go on."),
        ),
        manual="players",
    ),
    "replay": Panel(
        (
            _(
                "A game card by card: the numbers on top are its deals, the boxes its tricks, as high as "
                "they counted."
            ),
            _("The arrow keys step; *Link to this moment* can be sent on."),
            _("*Seen from* turns the table; all hands lie open once they may be shown."),
            _("*What if …* tries another card."),
        ),
        manual="players",
    ),
    "game_print": Panel(
        (
            _("A whole game on paper."),
            _("Print it with your browser (Ctrl+P)."),
            _("*Notation (text)* is the same for programs."),
        ),
        manual="players",
    ),
    "what_if": Panel(
        (
            _("What another card would have led to; nothing of it is stored."),
            _("Tap a card of the player whose turn it is, then let the rest be played."),
            _("*Take the last card back* undoes a step."),
        ),
        manual="referees",
    ),
    "open_hands": Panel(
        (
            _("The referee may look at hidden cards, once and with a reason."),
            _("The players see that you have looked."),
            _("Often the table can be asked first: *Leave them closed*."),
        ),
        manual="referees",
    ),
}
