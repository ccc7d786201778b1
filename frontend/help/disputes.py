"""Help panels of disputes."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from frontend.help.panels import Panel

DISPUTES: Final[dict[str, Panel]] = {
    "dispute_raise": Panel(
        (
            _("This calls the referee to your table."),
            _("Every field may stay empty; deal and trick help the referee to find the place."),
            _("Continue playing if you can; leave the cards of the trick where they are."),
        ),
        manual="players",
    ),
    "disputes": Panel(
        (
            _("The questions to the referee, and the decisions."),
            _("Players call from their table: *Call the referee*."),
            _("After a ruling the table can appeal, for as long as the regulations say."),
        ),
        manual="referees",
    ),
    "dispute": Panel(
        (
            _("One question to the referee: the record, the rule, the ruling."),
            _("Each possible remedy shows points and places before and after."),
            _("A ruling is published with its reason."),
        ),
        officials=(
            _("First listen to the table, then choose a remedy and press *Confirm the ruling*."),
            _("Nobody rules at their own table, and another referee decides on the appeal."),
        ),
        manual="referees",
    ),
}
