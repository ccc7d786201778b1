"""The words for the options of games: a name and a help sentence for each option, and words for its values.

`{stoeck}` in a sentence stands for the two cards of a Stöck, named in the words of the deck.

An option is looked up by its title in the engine. Options of two games with the same title share their words;
options with the same name and different titles do not. A test compares this table with the registry.
"""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise

OPTIONS: Final[dict[str, tuple[Text, Text]]] = {
    "Points that win the game": (
        _("Points to win"),
        _("The first to reach them has won, in the order Stöck, melds, tricks. Empty: no target."),
    ),
    "Deals in a game": (
        _("Deals"),
        _("After so many deals the game is over. Empty: as the rules of the game say."),
    ),
    "Multiplier of each contract": (
        _("Multipliers"),
        _("What a deal counts is taken times this figure, with everything scored in it."),
    ),
    "Melds count": (_("Melds count"), _("Sequences and four of a kind, declared with the first card.")),
    "Four of a kind below the nines is a meld": (
        _("Low four of a kind"),
        _("Four sixes, sevens or eights are a meld of 100 too; else only from the nines up."),
    ),
    "Equal sequences: the one with the Puur, or any in trumps": (
        _("Equal melds"),
        _("Which of two sequences of the same length and height is the better one in a trump contract."),
    ),
    "Stöck counts": (_("Stöck counts"), _("20 points for {stoeck} in one hand.")),
    "At the end Stöck counts before melds and tricks": (
        _("The Stöck goes first"),
        _("A Stöck not yet declared that reaches the target wins before melds or tricks that would."),
    ),
    "Points for taking all tricks": (
        _("Bonus for a sweep"),
        _("For a side that takes all tricks of a deal: 100, 50, or 0 for none."),
    ),
    "Contracts that may be named": (
        _("Contracts"),
        _("Suits as trumps, top-down and bottom-up are usual; the alternating ones can be added."),
    ),
    "The partner sees his cards after forehand has spoken": (
        _("The partner waits"),
        _("The partner leaves the cards face down until forehand has chosen or pushed."),
    ),
    "Who may undertrump: holders of trumps only, or of no suit led": (
        _("Undertrumping"),
        _("Who may play a trump lower than one that lies in the trick already."),
    ),
    "Tricks a player may look at again": (
        _("Looking back"),
        _("Which completed tricks a player may see again while the deal is played."),
    ),
    "First forehand": (
        _("First forehand"),
        _("The holder of this card begins the first deal, or the four draw for it."),
    ),
    "The end of the game comes by itself, or must be claimed": (
        _("Being out"),
        _("Whether the game ends when the target is reached, or when somebody claims it. Wrong claims lose."),
    ),
    "Who may undertrump: holders of trumps only, or of no suit led; or who must": (
        _("Undertrumping"),
        _("Who may, or must, play a trump lower than one that lies in the trick already."),
    ),
    "Lowest first bid": (_("Lowest bid"), _("The first bid of an auction is at least this.")),
    "How much higher the next bid is at least": (
        _("Raise"),
        _("Every further bid is at least so much higher; bids are always tens."),
    ),
    "Cards each in the first deal": (
        _("Cards in the first deal"),
        _("With nine each three cards stay undealt and unknown; with ten each none do."),
    ),
    "Who leads in the first deal": (
        _("Lead in the first deal"),
        _("In all later deals forehand leads."),
    ),
    "Ranks of the shown card that make no trumps": (
        _("Shown card without trumps"),
        _("Ranks that do not make their suit trumps when they are shown, but top-down or bottom-up."),
    ),
    "Points with which opponents win": (
        _("Target of the opponents"),
        _("So many points together win the game for the two who play against the declarer."),
    ),
    "Trumps: dealer's last card, or a card cut": (
        _("Where trumps come from"),
        _("A card cut before a second shuffle shows nobody a card of the dealer's hand."),
    ),
    "Ranks of that card that make no trumps": (
        _("Card without trumps"),
        _("Ranks that do not make their suit trumps, but top-down or bottom-up. None is usual."),
    ),
    "Predictions stay hidden to the last card": (
        _("Hidden predictions"),
        _("Nobody sees another's prediction, nor their sum, before the deal is over."),
    ),
    "Taken off for an exact prediction": (
        _("Bonus for an exact prediction"),
        _("So many points come off; for a prediction of 0 only with a trick. Usual: 10, or 0 for none."),
    ),
    "Stöck moves the points taken by twenty, as its holder says": (
        _("Stöck moves points"),
        _("Its holder adds 20 to the points taken, or takes 20 off, and says which when declaring it."),
    ),
    "Dealer's share of what the predictions are off by: none, half, a fifth": (
        _("Reward for the dealer"),
        _("For how far all predictions together are from 157. It needs open predictions."),
    ),
    "Paid a point of difference to the mean": (
        _("Stake"),
        _("At the end each pays or gets so much for every point above or below the mean. 0: none."),
    ),
    "Who leads: forehand (in slalom and guschti who chose), always forehand, or who chose": (
        _("Lead"),
        _("Who plays the first card of a deal."),
    ),
    "What the Puur counts": (
        _("Value of the Puur"),
        _("The rule sheet prints 21; everywhere else the Puur is 20."),
    ),
    "The game ends with seven points, or with three apples": (
        _("End of the game"),
        _("Seven points win, or the third apple loses."),
    ),
    "Who can neither follow nor overtrump: must trump lower, or may not": (
        _("Undertrumping"),
        _("What a player does who can neither follow a trumped suit nor trump higher."),
    ),
    "Obenabe, undenufe and slalom may be named": (
        _("Without trumps"),
        _("The declarer may also name top-down, bottom-up, and the two that alternate."),
    ),
    "In undenufe the ace counts eleven, or the six": (
        _("Eleven in bottom-up"),
        _("Which card counts eleven when low cards win. Both add up to 157."),
    ),
}

VALUES: Final[dict[tuple[str, str], Text]] = {
    ("undertrump", "only-trumps"): _("only with nothing but trumps left"),
    ("undertrump", "void"): _("also without the suit that was led"),
    ("undertrump", "forced"): _("trump higher, else a lower trump must be played"),
    ("meld_tie", "puur"): _("the one with the Puur"),
    ("meld_tie", "trump"): _("any in trumps"),
    ("look_back", "first"): _("the first one"),
    ("look_back", "last"): _("the last one"),
    ("look_back", "all"): _("all of them"),
    ("first_forehand", "drawn"): _("is drawn by card"),
    ("claim_out", "automatic"): _("ends by itself"),
    ("claim_out", "required"): _("must be claimed"),
    ("first_lead", "declarer"): _("declarer"),
    ("first_lead", "forehand"): _("forehand"),
    ("trump", "turned"): _("the dealer's last card"),
    ("trump", "cut"): _("a card cut before"),
    ("dealer_incentive", "0"): _("none"),
    ("dealer_incentive", "2"): _("a half"),
    ("dealer_incentive", "5"): _("a fifth"),
    ("lead", "source"): _("forehand, in slalom and guschti who chose"),
    ("lead", "forehand"): _("always forehand"),
    ("lead", "declarer"): _("always who chose"),
    ("goal", "points"): _("seven points win"),
    ("goal", "apples"): _("three apples lose"),
    ("undenufe_values", "source"): _("the Ace"),
    ("undenufe_values", "six"): _("the six"),
}
"""(option, value) → words, for values that `options.part_words` cannot describe."""
