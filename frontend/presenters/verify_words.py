"""What the verifier in the browser and the page that deals a round again say, by key."""

from django.utils.translation import gettext_lazy as _

from frontend.presenters.words import Words

VERIFY: Words = {
    "verify.working": _("Checking …"),
    "verify.good": _("Nothing differs. Compare the words below with those on a sheet from the hall."),
    "verify.good_sheet": _("Nothing differs, and this is the record of your sheet."),
    "verify.bad": _("This is not the record that was sealed. Differences: {n}"),
    "verify.unusable": _("This cannot be verified"),
    "verify.differences": _("Differences"),
    "verify.notes": _("Worth knowing"),
    "verify.checked": _("What was checked"),
    "verify.checked_files": _("{files} files are what the signed list says."),
    "verify.checked_streams": _("{streams} streams with {events} events can be read to their end."),
    "verify.checked_secrets": _("{open} opened secrets are what was committed to, {closed} are closed."),
    "verify.checked_checkpoints": _("{n} checkpoints hang together; the last is of {time}."),
    "verify.last_words": _("Its words: {words}"),
    "verify.checked_rounds": _(
        "Rounds revealed: {rounds}. Deals dealt again: {deals}. Draws that used their seed: {draws}."
    ),
    "verify.checked_rankings": _("{n} published rankings are those of the log."),
    "verify.checked_sealed": _("The sealed number was drawn again: {n}."),
    "verify.checked_draw": _(
        "Round {round}, draw {n}: the seats were drawn again ({players} players, wishes of the director: "
        "{wishes})."
    ),
    "verify.checked_open_draw": _(
        "Round {round}, draw {n}: the seats were drawn again ({players} players, wishes of the director: "
        "{wishes}); that its seed is the round’s shows when that is revealed."
    ),
    "verify.draw_by_hand": _("Round {round}, draw {n}: made by hand in the hall, nothing to draw again."),
    "verify.draw_unknown": _(
        "Round {round}, draw {n}: only the seed was checked; manage.py verify-deals draws seats of search "
        "{search} again."
    ),
    "verify.no_draws": _("Seats are drawn again only where nothing else differs."),
    "verify.draw_past": _("round {round}, draw {n}: it did not start from the rounds before it"),
    "verify.chairs": _("round {round}: somebody changed chairs who did not sit there"),
    "verify.draw_seats": _("round {round}, draw {n}: the seats do not follow from its seed"),
    "verify.rounds_gone": _("it does not list the rounds there are"),
    "verify.ranking_gone": _("ranking {n} is missing"),
    "verify.sealed_number": _("ranking {n} counts from a sealed number that is not the one of the seed"),
    "verify.my_sheet": _("Your words are those of checkpoint {n}, {time}."),
    "verify.not_my_sheet": _(
        "No checkpoint of this file has your words: it is not the record of your sheet."
    ),
    "verify.unsigned": _("The file is not signed: the platform had no key."),
    "verify.new_key": _("From checkpoint {n} on another key has signed: {key}"),
    "verify.names_gone": _("{name} was taken away: names can be erased."),
    "verify.not_hex": _("a hash or a key is none"),
    "verify.not_json": _("it cannot be read"),
    "verify.fields": _("it has other fields than it may"),
    "verify.unreadable": _("it cannot be read ({why})"),
    "verify.words_count": _("A checkpoint has twelve words; here are {n}."),
    "verify.word": _("Word {n}, “{word}”, is none of a checkpoint’s: look again."),
    "verify.words_mistyped": _("One of the words is mistyped: they do not fit together."),
    "verify.no_zip": _("This is no zip file."),
    "verify.no_export": _("This is not the file of a championship."),
    "verify.too_large": _("The file is too large."),
    "verify.strange_files": _("There are files in it that do not belong there: {name}"),
    "verify.missing": _("{name} is missing"),
    "verify.unpack": _("{name} cannot be unpacked"),
    "verify.unlisted": _("is not in the list of the file"),
    "verify.file_changed": _("is not what was exported"),
    "verify.signature": _("its signature is not right"),
    "verify.other_key": _("was signed with another key: {key}"),
    "verify.unnamed_stream": _("its first line does not name it"),
    "verify.seq": _("it says that it is event {seq}: one is missing, or they were moved"),
    "verify.secret": _("the secret “{name}” is not what was committed to"),
    "verify.sealed_gone": _("the stream {stream} was sealed and is not there"),
    "verify.sealed_longer": _("the stream {stream} was sealed at event {seq} and ends at {end}"),
    "verify.other_place": _("it belongs elsewhere"),
    "verify.not_after": _("it does not stand on the one before"),
    "verify.root": _("what was sealed then is not what stands here now"),
    "verify.counts": _("it counts other streams or events"),
    "verify.shorter": _("the stream {stream} has become shorter since the one before"),
    "verify.not_sealed": _("there is no checkpoint: nobody has sealed this record"),
    "verify.not_covered": _("it does not cover the stream {stream} to its end"),
    "verify.seed": _("the revealed seed is not the one that was committed to"),
    "verify.late_entropy": _("chance was added after cards had been dealt"),
    "verify.draw_seed": _("draw {n} did not use the seed of the round"),
    "verify.forehand": _("forehand of table {n} was not drawn from the seed"),
    "verify.other_cards": _("table {n} was dealt the cards of another one"),
    "verify.game_gone": _("the game {game} is missing"),
    "verify.closed_game": _("secrets are closed though the seed is revealed"),
    "verify.closed_deal": _("deal {n} is closed though the seed is revealed"),
    "verify.deck": _("deal {n} was not dealt from the seed"),
    "fair.right": _("right"),
    "fair.wrong": _("wrong"),
    "fair.seed": _("The published number is the one of the fingerprint."),
    "fair.draw": _("The draw of seats ({n}) used it."),
    "fair.forehand": _("Forehand of table {n} was drawn from it."),
    "fair.in_time": _("Nothing was added after cards had been dealt ({n} contributions before)."),
    "fair.table": _("Table {n}"),
    "fair.deal": _("Deal {n}"),
    "fair.others": _("Deal the other tables again too ({n})"),
    "fair.left": _("left over"),
    "fair.in_log": _("These cards stand in the log:"),
    "fair.from_seed": _("These cards follow from the published number:"),
    "fair.no_log": _("You may not see the cards of this table."),
    "verify.ranking": _("ranking {n} is not the one in the log"),
}
