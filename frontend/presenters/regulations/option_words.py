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
        _("The first side to reach it wins, in the order Stöck, melds, tricks. Empty: no target."),
    ),
    "Deals in a game": (
        _("Deals"),
        _("The game is over after this number of deals. Empty: by the rules of the game."),
    ),
    "Multiplier of each contract": (
        _("Multipliers"),
        _("Everything scored in the deal is multiplied by this factor."),
    ),
    "Melds count": (_("Melds count"), _("Sequences and four of a kind, declared with the first card.")),
    "Four of a kind below the nines is a meld": (
        _("Low four of a kind"),
        _("Four sixes, sevens or eights are also a meld of 100; otherwise only nines and higher."),
    ),
    "Equal sequences: the one with the Puur, or any in trumps": (
        _("Equal melds"),
        _("Which of two sequences of equal length and height is better in a trump contract."),
    ),
    "Stöck counts": (_("Stöck counts"), _("20 points for {stoeck} in one hand.")),
    "At the end Stöck counts before melds and tricks": (
        _("The Stöck counts first"),
        _("An undeclared Stöck that reaches the target wins before melds or tricks."),
    ),
    "Points for taking all tricks": (
        _("Bonus for a sweep"),
        _("For a side that takes all tricks of a deal: 100, 50, or 0 for no bonus."),
    ),
    "Contracts that may be named": (
        _("Contracts"),
        _("Suits as trumps, top-down and bottom-up are usual; alternating contracts can be added."),
    ),
    "The partner sees his cards after forehand has spoken": (
        _("The partner waits"),
        _("The partner leaves the cards face down until forehand has chosen or pushed."),
    ),
    "Who may undertrump: holders of trumps only, or of no suit led": (
        _("Undertrumping"),
        _("Who may play a trump lower than one already in the trick."),
    ),
    "Tricks a player may look at again": (
        _("Reviewing tricks"),
        _("Which completed tricks a player may see again while the deal is played."),
    ),
    "First forehand": (
        _("First forehand"),
        _("The holder of this card begins the first deal, or the four draw for it."),
    ),
    "The end of the game comes by itself, or must be claimed": (
        _("Claiming to be out"),
        _("Whether the game ends when the target is reached, or when somebody claims it. Wrong claims lose."),
    ),
    "Who may undertrump: holders of trumps only, or of no suit led; or who must": (
        _("Undertrumping"),
        _("Who may, or must, play a trump lower than one already in the trick."),
    ),
    "Lowest first bid": (_("Lowest bid"), _("The smallest first bid of an auction.")),
    "How much higher the next bid is at least": (
        _("Raise"),
        _("The smallest raise; bids are always multiples of ten."),
    ),
    "Cards each in the first deal": (
        _("Cards in the first deal"),
        _("With nine each, three cards stay undealt and unknown; with ten each, none."),
    ),
    "Who leads in the first deal": (
        _("Lead in the first deal"),
        _("In all later deals forehand leads."),
    ),
    "Ranks of the shown card that make no trumps": (
        _("Shown card without trumps"),
        _("Ranks that, when shown, give top-down or bottom-up instead of their suit as trumps."),
    ),
    "Points with which opponents win": (
        _("Target of the opponents"),
        _("The points with which the declarer's two opponents together win the game."),
    ),
    "Trumps: dealer's last card, or a card cut": (
        _("Where trumps come from"),
        _("A card cut before a second shuffle shows nobody a card of the dealer's hand."),
    ),
    "Ranks of that card that make no trumps": (
        _("Card without trumps"),
        _("Ranks that give top-down or bottom-up instead of their suit as trumps. None is usual."),
    ),
    "Predictions stay hidden to the last card": (
        _("Hidden predictions"),
        _("Nobody sees the predictions of others, or their sum, before the deal is over."),
    ),
    "Taken off for an exact prediction": (
        _("Bonus for an exact prediction"),
        _("Points deducted; for a prediction of 0 only with a trick. Usual: 10, or 0 for none."),
    ),
    "Stöck moves the points taken by twenty, as its holder says": (
        _("Stöck moves points"),
        _("Its holder adds 20 to the points taken, or deducts 20, and says which when declaring it."),
    ),
    "Dealer's share of what the predictions are off by: none, half, a fifth": (
        _("Reward for the dealer"),
        _("For the difference between the sum of all predictions and 157. It needs open predictions."),
    ),
    "Paid a point of difference to the mean": (
        _("Stake"),
        _("What each player finally pays or gets for every point above or below the mean. 0: none."),
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
        _("What a player does if they can neither follow a trumped suit nor trump higher."),
    ),
    "Obenabe, undenufe and slalom may be named": (
        _("Without trumps"),
        _("The declarer may also name top-down, bottom-up, and the two alternating contracts."),
    ),
    "In undenufe the ace counts eleven, or the six": (
        _("Eleven in bottom-up"),
        _("Which card counts eleven when low cards win. Both add up to 157."),
    ),
}

VALUES: Final[dict[tuple[str, str], Text]] = {
    ("undertrump", "only-trumps"): _("only with nothing but trumps left"),
    ("undertrump", "void"): _("also without the suit that was led"),
    ("undertrump", "forced"): _("trump higher, otherwise a lower trump must be played"),
    ("meld_tie", "puur"): _("the one with the Puur"),
    ("meld_tie", "trump"): _("any in trumps"),
    ("look_back", "first"): _("the first one"),
    ("look_back", "last"): _("the last one"),
    ("look_back", "all"): _("all of them"),
    ("first_forehand", "drawn"): _("is drawn by card"),
    ("claim_out", "automatic"): _("ends automatically"),
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
