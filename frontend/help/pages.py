"""URL name of a page → its help panel. Pages for projectors have none."""

from typing import Final

from frontend.help.championship import CHAMPIONSHIP
from frontend.help.clubs import CLUBS
from frontend.help.disputes import DISPUTES
from frontend.help.entries import ENTRIES
from frontend.help.money import MONEY
from frontend.help.panels import Panel
from frontend.help.public_pages import PUBLIC_PAGES
from frontend.help.rounds import ROUNDS
from frontend.help.standings import STANDINGS
from frontend.help.tables import TABLES
from frontend.help.user_accounts import USER_ACCOUNTS
from frontend.help.verification import VERIFICATION

PANELS: Final[dict[str, Panel]] = {
    **PUBLIC_PAGES,
    **CHAMPIONSHIP,
    **ENTRIES,
    **ROUNDS,
    **TABLES,
    **DISPUTES,
    **STANDINGS,
    **MONEY,
    **VERIFICATION,
    **CLUBS,
    **USER_ACCOUNTS,
}
SAME_PAGE: Final = {
    "account_act": "account_list",
    "account_invite": "account_list",
    "account_login": "sign_in",
    "invitation_make": "officials",
    "invitation_withdraw": "officials",
    "entry_invite": "entry_edit",
    "mfa_index": "account",
    "mfa_list_webauthn": "account",
    "mfa_activate_totp": "account",
    "mfa_deactivate_totp": "account",
    "mfa_add_webauthn": "account",
    "mfa_remove_webauthn": "account",
    "mfa_view_recovery_codes": "account",
    "mfa_generate_recovery_codes": "account",
    "mfa_authenticate": "sign_in",
    "second_factor_set_up": "sign_in",
    "account_reauthenticate": "account",
    "password_reset": "invitation",
    "beside": "table_live",
    "follow": "persons_evening",
    "championship_archive": "championship_end",
    "club_image_change": "club_images",
    "championship_delete": "championship_end",
    "championship_finish": "championship",
    "championship_finish_early": "rounds",
    "entry_act": "entries",
    "entry_add": "entries",
    "entry_apart": "entry_edit",
    "entry_own_link": "entry_edit",
    "next_seats": "table_live",
    "official_appoint": "officials",
    "official_dismiss": "officials",
    "official_resign": "officials",
    "round_act": "round",
    "round_chairs": "round",
    "round_stand_in": "round",
    "rounds_ahead": "rounds",
    "rounds_fewer": "rounds",
    "standings_export": "standings",
    "table_close_of": "table_close",
    "table_photo": "table_photos",
    "table_photo_erase": "table_photos",
    "audit_start": "audits",
    "call_referee": "dispute_raise",
    "cash_book": "cash",
    "cash_cancel": "cash",
    "cash_fee": "cash",
    "cash_prize": "cash",
    "cash_till": "cash",
    "correct_of": "correct",
    "correct_start": "correct",
    "dispute_appeal": "dispute",
    "dispute_remedies": "dispute",
    "dispute_rule": "dispute",
    "dispute_withdraw": "dispute",
    "prize_call": "prize_giving",
    "round_chance": "round",
    "round_result": "round_results",
    "rules_game": "rules",
    "seat_code": "round_codes",
    "series_change": "series_edit",
    "series_outside_change": "series_outside",
    "series_event": "series_edit",
    "series_ticket": "series_tickets",
}
"""URL name → URL name of the page with its help, often the page with its form."""


def panel_of(name: str | None) -> Panel | None:
    """Return the help panel of the page with this URL name; None if it has none."""
    return PANELS.get(SAME_PAGE.get(name or "", name or ""))
