"""Help panels of tables: their codes, the board, play, sheets and replays."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

TABLES: Final[dict[str, Panel]] = {
    "table_codes": Panel(
        (
            _(
                "One code per table for the whole evening: the person who types or scans it writes "
                "the sheet of that table."
            ),
            _("First *Address for phones*, then *Create the missing codes*, then *Cards to print*."),
            _("Without a tested address the cards have no picture to scan."),
        ),
    ),
    "table_code": Panel(
        (
            _("One table's code, and which phones came in with it."),
            _("*Give this table a new code* replaces the old one at once and signs out all its phones."),
            _("Results stay; print the card of the table again."),
        ),
    ),
    "phone_address": Panel(
        (
            _("The address under which phones in the hall reach this machine."),
            _("Choose one and scan it with a phone: the page turns green when it works."),
            _("Phone and machine must be in the same Wi-Fi."),
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
            _("All tables of the open round, live."),
            _("Tap a table to follow it; search by number or name."),
            _("*Projector* shows four tables at a time on the wall."),
        ),
        manual="players",
    ),
    "board": Panel(
        (
            _("Every table of the open round: its progress, and calls for the referee."),
            _("Tables that call for the referee are on top."),
            _("*Type the results* takes paper sheets; *Only open ones* shows unfinished tables."),
            _(
                "*Finish a table early* only if a table cannot end: it can be resumed while the "
                "round is open."
            ),
        ),
    ),
    "table_close": Panel(
        (
            _("This ends one table before its game is over."),
            _("Finished deals count; the running deal does not."),
            _("While the round is open, *Resume the game* undoes it."),
        ),
    ),
    "table_resume": Panel(
        (
            _("A table that was finished early continues where it stopped."),
            _("Recorded results stay."),
            _(
                "After the round is closed, *Enter the missing results* on its page takes the rest "
                "from paper."
            ),
        ),
    ),
    "correct": Panel(
        (
            _("Correct a result here, even rounds later."),
            _("Choose the deal, change the wrong values, give the reason, and press *Correct the result*."),
            _("You see the places before and after, before anything changes."),
            _("Both results stay on record with your reason; nobody corrects at their own table."),
        ),
    ),
    "guest_table": Panel(
        (
            _("Your own table against bots: it does not count, and nobody watches."),
            _("Choose a game and press *Play now*. A new table replaces the previous one."),
            _("*Tip*, or the key h, shows what a bot would do in your place."),
            _("An abandoned table is deleted after an hour."),
        ),
        manual="players",
    ),
    "open_table": Panel(
        (
            _("Type the six characters of the table's card; capitals do not matter."),
            _("Or scan its picture with the phone's camera."),
            _("Is a code unknown? Compare each character, then ask the desk."),
        ),
        manual="players",
    ),
    "at_table": Panel(
        (
            _("Your table: choose whose phone this is, then write its sheet."),
            _("Each side uses its own phone: one writes and the other confirms."),
            _("After the round this page shows your next seat, also if you open it again."),
        ),
        manual="players",
    ),
    "table_live": Panel(
        (
            _("One table as it is played, for everybody who watches."),
            _("The boxes are the tricks: ← goes back to earlier ones, *Live* returns to the present."),
            _("The other tables are at the side, on a phone under *Tables*; n leads to the next one."),
            _("The regulations decide which cards you see, and when."),
        ),
        manual="players",
    ),
    "table_play": Panel(
        (
            _("Your seat at an online table."),
            _("On your turn the playable cards are highlighted: tap one."),
            _(
                "Is the connection lost? Your plays are saved and sent once, and the table comes "
                "back automatically."
            ),
            _("Is something wrong? *Call the referee*."),
        ),
        manual="players",
    ),
    "table_sheet": Panel(
        (
            _("The score sheet of one table of real cards."),
            _(
                "Type one number: the other side is filled in. *Enter the deal*, then the other side "
                "confirms."
            ),
            _("An impossible sum turns red: check whether a sweep or a Stöck is missing."),
            _(
                "Without a connection continue typing: entries are saved on this phone and sent when "
                "the network is back."
            ),
        ),
        manual="players",
    ),
    "table_photos": Panel(
        (
            _("Keep a photo of the paper score sheet with the table, as proof."),
            _("Choose or take a picture, then *Keep the photo*."),
            _("Only people at the table and officials see it; an official can erase it for good."),
        ),
        manual="players",
    ),
    "table_transcribe": Panel(
        (
            _("Record a table of real cards here, card by card."),
            _("Choose who plays or speaks, then tap the card."),
            _("Did nobody see the card? Tap *Unknown card*, and continue."),
        ),
        manual="players",
    ),
    "replay": Panel(
        (
            _(
                "A game card by card: the numbers on top are its deals, the boxes its tricks, as high as "
                "they counted."
            ),
            _("Use the arrow keys to step; you can share *Link to this moment*."),
            _("*Seen from* turns the table; all hands are open when they may be shown."),
            _("*What if …* tries another card."),
        ),
        manual="players",
    ),
    "game_print": Panel(
        (
            _("A whole game on paper."),
            _("Print it with your browser (Ctrl+P)."),
            _("*Notation (text)* has the same for programs."),
        ),
        manual="players",
    ),
    "what_if": Panel(
        (
            _("What another card would have led to; nothing is stored."),
            _("Tap a card of the player whose turn it is, then let the rest be played."),
            _("*Take the last card back* undoes a step."),
        ),
        manual="referees",
    ),
    "open_hands": Panel(
        (
            _("The referee may look at hidden cards, once and with a reason."),
            _("The players see that you have looked."),
            _("Often you can ask the table first: *Keep them closed*."),
        ),
        manual="referees",
    ),
}
