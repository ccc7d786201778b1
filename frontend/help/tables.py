"""Help panels for tables, and for pages outside of championships."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

TABLES: Final[dict[str, Panel]] = {
    "dispute_raise": Panel(
        (
            _("This calls the referee to your table."),
            _("Everything may stay empty; deal and trick help him to find it."),
            _("Go on playing if you can; leave the cards of the trick as they lie."),
        ),
        manual="players",
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
    "phone_check": Panel(
        (
            _("This phone has reached Puur: the address works."),
            _("The page at the desk has turned green; the cards can be printed."),
            _("You can close this page."),
        ),
        manual="players",
    ),
    "rules": Panel(
        (
            _("The rules of each game, with examples and all options."),
            _("What your club plays otherwise stands in its regulations; they go first."),
            _("The page prints as it is."),
        ),
        manual="players",
    ),
    "verify": Panel(
        (
            _("Here anybody checks that nothing of a championship was changed afterwards."),
            _("Choose the file and type the twelve words of the printed ranking, then *Verify*."),
            _("Nothing is uploaded; it works without network."),
        ),
        manual="players",
    ),
    "sign_in": Panel(
        (
            _("Only who organises, rules or plays online needs an account; watching needs none."),
            _("An account begins with an invitation: a link, or a printed code."),
            _("You have forgotten the password? Ask the owner of this installation for a link."),
            _("Without the phone a recovery code is the second step."),
        ),
        manual="players",
    ),
    "password": Panel(
        (
            _("Here you change your own password."),
            _("Wherever else you are signed in you are out then."),
            _("Long is better than complicated: four words are good."),
        ),
        manual="players",
    ),
    "account": Panel(
        (
            _("Password, second step of the sign-in, and the browsers in which you are signed in."),
            _("A second step protects an office: *Set up an app*, then print the recovery codes."),
            _("You see a browser that is not yours? Sign it out, then *Change the password*."),
        ),
        manual="players",
    ),
    "invitation": Panel(
        (
            _("A link of yours: it works once, so pass it on to nobody."),
            _("Long is better than complicated: four words are good."),
            _("A link that has ended is replaced by the person who gave it to you."),
        ),
        manual="players",
    ),
    "account_list": Panel(
        (
            _("All accounts of this installation, the last used first."),
            _("Somebody has forgotten the password? *Link for a new password*, and pass it on."),
            _("*Lock* ends all sessions of an account at once, and nothing is lost."),
            _("*Delete* erases the person, and cannot be undone."),
        ),
    ),
    "manual": Panel(
        (
            _("The manual in one page; search in it with your browser (Ctrl+F)."),
            _("What stands in italics is called so on the pages."),
            _("Shorter: the question mark at the top of every page."),
        ),
    ),
}
