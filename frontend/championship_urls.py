"""URLs of championships, clubs and series. For tables: `frontend.urls`."""

from django.urls import URLPattern, URLResolver, path

from frontend.views import projector
from frontend.views.accounts import invitations
from frontend.views.championships import officials
from frontend.views.championships.calendar_file import calendar_file
from frontend.views.championships.championship import championship, championship_finish
from frontend.views.championships.championship_copy import championship_again
from frontend.views.championships.championship_end import (
    championship_archive,
    championship_delete,
    championship_end,
)
from frontend.views.championships.championship_new import championship_new
from frontend.views.clubs import (
    club_images,
    club_page,
    clubs,
    series,
    series_elsewhere,
    series_prints,
    series_tickets,
    series_versions,
)
from frontend.views.clubs.club_person import club_person
from frontend.views.disputes import correct, dispute, disputes
from frontend.views.entries import all_here, entries, entries_from_roll, entry_merge, teams
from frontend.views.entries.entries_import import entries_import
from frontend.views.entries.entry_link import entry_link, entry_terms_set
from frontend.views.entries.follow import follow
from frontend.views.entries.notices import notices
from frontend.views.entries.pairs import pairs_page
from frontend.views.entries.personal_links import personal_links_page
from frontend.views.entries.persons_evening import persons_evening
from frontend.views.money import cash, prizes
from frontend.views.prints.printed_hands import printed_hands
from frontend.views.prints.prints import print_document, print_order, print_preview, prints
from frontend.views.regulations.regulations import regulations
from frontend.views.regulations.regulations_document import regulations_document
from frontend.views.rounds import queue, round, round_stand_ins, table_break
from frontend.views.rounds.bracket import bracket_page
from frontend.views.rounds.compared_deals import compared_deal, compared_deals
from frontend.views.rounds.results import round_result, round_results
from frontend.views.rounds.round_codes import round_codes, seat_back, seat_code
from frontend.views.rounds.rounds import championship_finish_early, rounds, rounds_ahead, rounds_fewer
from frontend.views.sharing.previews import championship_preview
from frontend.views.site import jobs
from frontend.views.site.home import home
from frontend.views.standings import standings, starts, team_standings
from frontend.views.standings.game_places import game_places
from frontend.views.standings.lots import lots
from frontend.views.tables import board
from frontend.views.tables.other_tables import beside
from frontend.views.tables.table_codes import phone_address_page, table_code_page, table_codes_page
from frontend.views.tables.where import where
from frontend.views.verification import audits, checkpoints, fairness, static_export

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("new/", championship_new, name="championship_new"),
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/<int:club_id>/", clubs.roll, name="roll"),
    path("clubs/<int:club_id>/series/", series.club_series, name="club_series"),
    path("clubs/<int:club_id>/images/", club_images.club_images, name="club_images"),
    path(
        "clubs/<int:club_id>/images/<int:image_id>/<slug:act>/",
        club_images.club_image_change,
        name="club_image_change",
    ),
    path("clubs/<int:club_id>/<slug:act>/", clubs.club_change, name="club_change"),
    path("clubs/<int:club_id>/people/<int:person_id>/", clubs.roll_person, name="roll_person"),
    path("clubs/<int:club_id>/people/<int:person_id>/<slug:act>/", clubs.roll_act, name="roll_act"),
    path("clubs/<slug:club_slug>/", club_page.club_page, name="club"),
    path("clubs/<slug:club_slug>/calendar.ics", club_page.club_calendar, name="club_calendar"),
    path("clubs/<slug:club_slug>/images/<slug:digest>/", club_page.club_image, name="club_image"),
    path("clubs/<slug:club_slug>/people/<int:person_id>/", club_person, name="club_person"),
    path("series/<slug:series_slug>/", series.series, name="series"),
    path("series/<slug:series_slug>/versions/", series_versions.series_versions, name="series_versions"),
    path("series/<slug:series_slug>/file/", series_versions.series_file, name="series_file"),
    path("series/<slug:series_slug>/tickets/", series_tickets.series_tickets, name="series_tickets"),
    path("series/<slug:series_slug>/tickets/<slug:act>/", series_tickets.series_ticket, name="series_ticket"),
    path("series/<slug:series_slug>/prints/", series_prints.series_prints, name="series_prints"),
    path("series/<slug:series_slug>/prints/<slug:key>.pdf", series_prints.series_print, name="series_print"),
    path(
        "series/<slug:series_slug>/prints/<slug:key>.png",
        series_prints.series_print_preview,
        name="series_print_preview",
    ),
    path("series/<slug:series_slug>/calendar.ics", series.series_calendar, name="series_calendar"),
    path("series/<slug:series_slug>/edit/", series.series_edit, name="series_edit"),
    path("series/<slug:series_slug>/edit/<slug:act>/", series.series_change, name="series_change"),
    path(
        "series/<slug:series_slug>/events/<int:event_id>/<slug:act>/",
        series.series_event,
        name="series_event",
    ),
    path("series/<slug:series_slug>/elsewhere/", series_elsewhere.series_elsewhere, name="series_elsewhere"),
    path(
        "series/<slug:series_slug>/elsewhere/<int:outside_id>/",
        series_elsewhere.series_outside,
        name="series_outside",
    ),
    path(
        "series/<slug:series_slug>/elsewhere/<int:outside_id>/<slug:act>/",
        series_elsewhere.series_outside_change,
        name="series_outside_change",
    ),
    path("c/<slug:slug>/", championship, name="championship"),
    path("c/<slug:slug>/calendar.ics", calendar_file, name="calendar_file"),
    path("c/<slug:slug>/preview/<slug:key>.png", championship_preview, name="championship_preview"),
    path("c/<slug:slug>/finish/", championship_finish, name="championship_finish"),
    path("c/<slug:slug>/end/", championship_end, name="championship_end"),
    path("c/<slug:slug>/end/archive/", championship_archive, name="championship_archive"),
    path("c/<slug:slug>/end/delete/", championship_delete, name="championship_delete"),
    path("c/<slug:slug>/again/", championship_again, name="championship_again"),
    path("c/<slug:slug>/regulations/", regulations, name="regulations"),
    path("c/<slug:slug>/regulations/document/", regulations_document, name="regulations_document"),
    path("c/<slug:slug>/officials/", officials.official_list, name="officials"),
    path("c/<slug:slug>/officials/appoint/", officials.official_appoint, name="official_appoint"),
    path("c/<slug:slug>/officials/resign/", officials.official_resign, name="official_resign"),
    path("c/<slug:slug>/officials/invite/", invitations.invitation_make, name="invitation_make"),
    path(
        "c/<slug:slug>/officials/invite/<int:invitation_id>/withdraw/",
        invitations.invitation_withdraw,
        name="invitation_withdraw",
    ),
    path(
        "c/<slug:slug>/officials/<int:official_id>/dismiss/",
        officials.official_dismiss,
        name="official_dismiss",
    ),
    path("c/<slug:slug>/pairs/", pairs_page, name="pairs"),
    path("c/<slug:slug>/teams/", teams.teams_page, name="teams"),
    path("c/<slug:slug>/teams/<slug:act>/", teams.team_act, name="team_act"),
    path("c/<slug:slug>/entries/", entries.entries, name="entries"),
    path("c/<slug:slug>/entries/add/", entries.entry_add, name="entry_add"),
    path("c/<slug:slug>/entries/offered/", entries.entry_offered, name="entry_offered"),
    path("c/<slug:slug>/entries/roll/", entries_from_roll.entries_from_roll, name="entries_from_roll"),
    path("c/<slug:slug>/entries/roll/club/", entries_from_roll.championship_club, name="championship_club"),
    path("c/<slug:slug>/entries/all-here/", all_here.all_here, name="all_here"),
    path("c/<slug:slug>/entries/link/", entry_link, name="entry_link"),
    path("c/<slug:slug>/entries/terms/", entry_terms_set, name="entry_terms"),
    path("c/<slug:slug>/entries/import/", entries_import, name="entries_import"),
    path("c/<slug:slug>/entries/<int:number>/", entries.entry_edit, name="entry_edit"),
    path("c/<slug:slug>/entries/<int:number>/merge/", entry_merge.entry_merge, name="entry_merge"),
    path("c/<slug:slug>/entries/<int:number>/part/", entry_merge.entry_part, name="entry_part"),
    path("c/<slug:slug>/entries/<int:number>/own-link/", entries.entry_own_link, name="entry_own_link"),
    path("c/<slug:slug>/entries/<int:number>/invite/", invitations.entry_invite, name="entry_invite"),
    path("c/<slug:slug>/entries/<int:number>/mail/", entries.entry_mail, name="entry_mail"),
    path("c/<slug:slug>/entries/<int:number>/apart/", entries.entry_apart, name="entry_apart"),
    path("c/<slug:slug>/entries/<int:number>/<slug:act>/", entries.entry_act, name="entry_act"),
    path("c/<slug:slug>/games/<str:game_id>/places/", game_places, name="game_places"),
    path("c/<slug:slug>/people/<int:number>/", persons_evening, name="persons_evening"),
    path("c/<slug:slug>/people/<int:number>/follow/", follow, name="follow"),
    path("c/<slug:slug>/people/<int:number>/notices/", notices, name="notices"),
    path("c/<slug:slug>/rounds/", rounds, name="rounds"),
    path("c/<slug:slug>/rounds/ahead/", rounds_ahead, name="rounds_ahead"),
    path("c/<slug:slug>/rounds/fewer/", rounds_fewer, name="rounds_fewer"),
    path("c/<slug:slug>/finish-early/", championship_finish_early, name="championship_finish_early"),
    path("c/<slug:slug>/rounds/<int:number>/", round.round_page, name="round"),
    path("c/<slug:slug>/rounds/<int:number>/fairness/", fairness.round_fairness, name="round_fairness"),
    path("c/<slug:slug>/rounds/<int:number>/chance/", fairness.round_chance, name="round_chance"),
    path("c/<slug:slug>/rounds/<int:number>/beside/<int:table>/", beside, name="beside"),
    path("c/<slug:slug>/rounds/<int:number>/deals/", compared_deals, name="compared_deals"),
    path("c/<slug:slug>/rounds/<int:number>/deals/<int:deal>/", compared_deal, name="compared_deal"),
    path("c/<slug:slug>/rounds/<int:number>/hands/", printed_hands, name="printed_hands"),
    path("c/<slug:slug>/rounds/<int:number>/wall/", round.round_wall, name="round_wall"),
    path("c/<slug:slug>/rounds/<int:number>/slip/<int:entry>/", round.round_slip, name="round_slip"),
    path("c/<slug:slug>/rounds/<int:number>/results/", round_results, name="round_results"),
    path("c/<slug:slug>/rounds/<int:number>/results/<int:table>/", round_result, name="round_result"),
    path("c/<slug:slug>/rounds/<int:number>/codes/", round_codes, name="round_codes"),
    path("c/<slug:slug>/rounds/<int:number>/codes/<int:table>/<int:place>/new/", seat_code, name="seat_code"),
    path(
        "c/<slug:slug>/rounds/<int:number>/codes/<int:table>/<int:place>/back/", seat_back, name="seat_back"
    ),
    path("c/<slug:slug>/where/", where, name="where"),
    path("c/<slug:slug>/where/projector/", projector.seating_projector, name="seating_projector"),
    path("c/<slug:slug>/announcement/", board.announcement, name="announcement"),
    path("c/<slug:slug>/links/", personal_links_page, name="personal_links"),
    path("c/<slug:slug>/codes/", table_codes_page, name="table_codes"),
    path("c/<slug:slug>/codes/phones/", phone_address_page, name="phone_address"),
    path("c/<slug:slug>/codes/<int:number>/", table_code_page, name="table_code"),
    path("c/<slug:slug>/rounds/<int:number>/do/<slug:act>/", round.round_act, name="round_act"),
    path("c/<slug:slug>/rounds/<int:number>/queue/", queue.queue_page, name="queue"),
    path(
        "c/<slug:slug>/rounds/<int:number>/queue/projector/",
        projector.queue_projector,
        name="queue_projector",
    ),
    path("c/<slug:slug>/rounds/<int:number>/queue/<slug:act>/", queue.queue_act, name="queue_act"),
    path("c/<slug:slug>/starts/", starts.starts_page, name="starts"),
    path("c/<slug:slug>/rounds/<int:number>/chairs/", round.round_chairs, name="round_chairs"),
    path(
        "c/<slug:slug>/rounds/<int:number>/stand-in/",
        round_stand_ins.round_stand_in,
        name="round_stand_in",
    ),
    path(
        "c/<slug:slug>/people/<int:number>/starts/<int:start>/correct/",
        correct.correct_start,
        name="correct_start",
    ),
    path("c/<slug:slug>/rounds/<int:number>/correct/", correct.correct_of, name="correct_of"),
    path("c/<slug:slug>/rounds/<int:number>/tables/<int:table>/correct/", correct.correct, name="correct"),
    path(
        "c/<slug:slug>/rounds/<int:number>/tables/<int:table>/correct/preview/",
        correct.correct_preview,
        name="correct_preview",
    ),
    path(
        "c/<slug:slug>/rounds/<int:number>/finish-early/", table_break.table_close_of, name="table_close_of"
    ),
    path("c/<slug:slug>/bracket/", bracket_page, name="bracket"),
    path("c/<slug:slug>/standings/", standings.standings_page, name="standings"),
    path("c/<slug:slug>/standings/teams/", team_standings.team_standings, name="team_standings"),
    path("c/<slug:slug>/standings/teams/projector/", projector.team_projector, name="team_projector"),
    path("c/<slug:slug>/standings/lots/", lots, name="lots"),
    path("c/<slug:slug>/standings/projector/", projector.ranking_projector, name="projector"),
    path("c/<slug:slug>/standings/graph/", standings.standings_graph, name="standings_graph"),
    path("c/<slug:slug>/standings/export/", standings.standings_export, name="standings_export"),
    path("c/<slug:slug>/prizes/", prizes.prize_list, name="prizes"),
    path("c/<slug:slug>/prizes/plan/", prizes.prize_plan, name="prize_plan"),
    path("c/<slug:slug>/prizes/giving/", prizes.prize_giving_page, name="prize_giving"),
    path("c/<slug:slug>/prizes/call/", prizes.prize_call, name="prize_call"),
    path("c/<slug:slug>/prizes/projector/", projector.prizes_projector, name="prizes_projector"),
    path("c/<slug:slug>/cash/", cash.cash, name="cash"),
    path("c/<slug:slug>/cash/till/", cash.cash_till, name="cash_till"),
    path("c/<slug:slug>/cash/book/", cash.cash_book, name="cash_book"),
    path("c/<slug:slug>/cash/fees/", cash.cash_fees, name="cash_fees"),
    path("c/<slug:slug>/cash/accounts/", cash.accounts, name="accounts"),
    path("c/<slug:slug>/cash/cancel/<int:booking_id>/", cash.cash_cancel, name="cash_cancel"),
    path("c/<slug:slug>/cash/paid/", cash.cash_paid, name="cash_paid"),
    path("c/<slug:slug>/cash/pay/<int:number>/", cash.cash_fee, name="cash_fee"),
    path("c/<slug:slug>/cash/prizes/", cash.cash_prizes, name="cash_prizes"),
    path("c/<slug:slug>/cash/prize/<int:number>/", cash.cash_prize, name="cash_prize"),
    path("c/<slug:slug>/cash/receipt/<int:booking_id>/", cash.cash_receipt, name="cash_receipt"),
    path("c/<slug:slug>/cash/bill/<int:number>/", cash.bill, name="bill"),
    path("c/<slug:slug>/cash/bill/<int:number>/bill.svg", cash.bill_drawing, name="bill_drawing"),
    path("c/<slug:slug>/checkpoints/", checkpoints.checkpoints, name="checkpoints"),
    path("c/<slug:slug>/checkpoints/list.json", checkpoints.checkpoints_json, name="checkpoints_json"),
    path("c/<slug:slug>/checkpoints/latest.json", checkpoints.checkpoint_latest, name="checkpoint_latest"),
    path("c/<slug:slug>/checkpoints/file/", checkpoints.championship_file, name="championship_file"),
    path("c/<slug:slug>/checkpoints/copy/", static_export.championship_copy, name="championship_copy"),
    path("c/<slug:slug>/prints/", prints, name="prints"),
    path("c/<slug:slug>/prints/<slug:key>.pdf", print_document, name="print"),
    path("c/<slug:slug>/prints/<slug:key>.png", print_preview, name="print_preview"),
    path("c/<slug:slug>/prints/<slug:key>/make/", print_order, name="print_order"),
    path("c/<slug:slug>/tables/", board.tables, name="tables"),
    path("c/<slug:slug>/tables/projector/", projector.tables_projector, name="tables_projector"),
    path("c/<slug:slug>/tables/<int:table_id>/close/", table_break.table_close, name="table_close"),
    path("c/<slug:slug>/tables/<int:table_id>/resume/", table_break.table_resume, name="table_resume"),
    path("c/<slug:slug>/board/", board.board, name="board"),
    path("c/<slug:slug>/audits/", audits.audits, name="audits"),
    path("c/<slug:slug>/audits/start/", audits.audit_start, name="audit_start"),
    path("c/<slug:slug>/audits/<str:audit_id>/", audits.audit, name="audit"),
    path("c/<slug:slug>/audits/<str:audit_id>/report.txt", audits.audit_text, name="audit_text"),
    path("c/<slug:slug>/disputes/", disputes.disputes, name="disputes"),
    path("g/<str:game_id>/dispute/", disputes.dispute_raise, name="dispute_raise"),
    path("disputes/<int:dispute_id>/", dispute.dispute, name="dispute"),
    path("disputes/<int:dispute_id>/remedies/", dispute.dispute_remedies, name="dispute_remedies"),
    path("disputes/<int:dispute_id>/rule/", dispute.dispute_rule, name="dispute_rule"),
    path("disputes/<int:dispute_id>/appeal/", dispute.dispute_appeal, name="dispute_appeal"),
    path("disputes/<int:dispute_id>/withdraw/", dispute.dispute_withdraw, name="dispute_withdraw"),
    path("jobs/<str:job_id>/", jobs.job, name="job"),
    path("jobs/<str:job_id>/file/", jobs.job_file, name="job_file"),
]
