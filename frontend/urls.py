"""The URLs of pages. Their names are stable: templates, services and mails use them."""

from django.urls import URLPattern, URLResolver, path
from django.views.i18n import set_language

from frontend.account_urls import urlpatterns as account_pages
from frontend.championship_urls import urlpatterns as championship_pages
from frontend.sharing_urls import urlpatterns as pages_elsewhere
from frontend.views.disputes.call_referee import call_referee
from frontend.views.entries.entry_link import enter_oneself
from frontend.views.entries.notices import notices_moved
from frontend.views.entries.own_entry import own_bill, own_entry
from frontend.views.prints.game_print import game_notation, game_print
from frontend.views.regulations.rules import rules, rules_game
from frontend.views.sharing.previews import table_preview
from frontend.views.site.condition import condition_now
from frontend.views.site.manual import manual
from frontend.views.site.preferences import appearance
from frontend.views.site.pwa import manifest, offline, worker
from frontend.views.site.styleguide import styleguide
from frontend.views.site.well_known import change_password, favicon, robots, security_txt, sitemap
from frontend.views.tables.at_table import at_table, next_seats
from frontend.views.tables.deal_worth import deal_worth
from frontend.views.tables.guest_table import guest_table
from frontend.views.tables.open_hands import open_hands
from frontend.views.tables.open_table import open_table
from frontend.views.tables.replay import replay
from frontend.views.tables.table_codes import phone_check
from frontend.views.tables.table_live import table_live
from frontend.views.tables.table_photos import table_photo, table_photo_erase, table_photos
from frontend.views.tables.table_play import table_clock, table_play
from frontend.views.tables.table_sheet import table_sheet
from frontend.views.tables.table_transcribe import table_transcribe
from frontend.views.tables.tip import tip
from frontend.views.tables.waiting_room import waiting_room
from frontend.views.tables.what_if import what_if
from frontend.views.verification.checkpoints import seal_key
from frontend.views.verification.verify import verifier, verify

urlpatterns: list[URLPattern | URLResolver] = [
    *championship_pages,
    *account_pages,
    *pages_elsewhere,
    path("appearance/", appearance, name="appearance"),
    path("language/", set_language, name="set_language"),
    path("robots.txt", robots, name="robots"),
    path("favicon.ico", favicon, name="favicon"),
    path("sitemap.xml", sitemap, name="sitemap"),
    path(".well-known/security.txt", security_txt, name="security_txt"),
    path(".well-known/change-password", change_password, name="change_password"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="worker"),
    path("offline/", offline, name="offline"),
    path("notices/moved/", notices_moved, name="notices_moved"),
    path("condition/", condition_now, name="condition"),
    path("rules/", rules, name="rules"),
    path("rules/<slug:key>/", rules_game, name="rules_game"),
    path("manual/<slug:key>/", manual, name="manual"),
    path("styleguide/", styleguide, name="styleguide"),
    path("g/<str:game_id>/", table_live, name="table_live"),
    path("g/<str:game_id>/play/", table_play, name="table_play"),
    path("g/<str:game_id>/clock/", table_clock, name="table_clock"),
    path("g/<str:game_id>/sheet/", table_sheet, name="table_sheet"),
    path("g/<str:game_id>/photos/", table_photos, name="table_photos"),
    path("g/<str:game_id>/photos/<slug:digest>/", table_photo, name="table_photo"),
    path("g/<str:game_id>/photos/<slug:digest>/erase/", table_photo_erase, name="table_photo_erase"),
    path("g/<str:game_id>/transcribe/", table_transcribe, name="table_transcribe"),
    path("g/<str:game_id>/referee/", call_referee, name="call_referee"),
    path("g/<str:game_id>/open-hands/", open_hands, name="open_hands"),
    path("g/<str:game_id>/what-if/", what_if, name="what_if"),
    path("g/<str:game_id>/worth/", deal_worth, name="deal_worth"),
    path("g/<str:game_id>/tip/", tip, name="tip"),
    path("verify/", verify, name="verify"),
    path("verify/puur_verify.py", verifier, name="verifier"),
    path("seal-key.json", seal_key, name="seal_key"),
    path("e/<slug:slug>/<str:link>/", enter_oneself, name="enter_oneself"),
    path("e/<slug:slug>/me/<str:token>/", own_entry, name="own_entry"),
    path("e/<slug:slug>/me/<str:token>/bill.svg", own_bill, name="own_bill"),
    path("guest/", guest_table, name="guest_table"),
    path("t/", open_table, name="open_table"),
    path("t/me/", waiting_room, name="waiting_room"),
    path("t/table/", at_table, name="at_table"),
    path("t/phone/<str:nonce>/", phone_check, name="phone_check"),
    path("g/<str:game_id>/next/", next_seats, name="next_seats"),
    path("g/<str:game_id>/replay/", replay, name="replay"),
    path("g/<str:game_id>/preview.png", table_preview, name="table_preview"),
    path("g/<str:game_id>/print/", game_print, name="game_print"),
    path("g/<str:game_id>/notation.txt", game_notation, name="game_notation"),
]
