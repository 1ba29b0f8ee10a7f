"""Every address, room by room. The public ones are a contract: stable, lower case, with a slash at the end; none holds
a name.
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from crosstable.web import errors
from crosstable.web.club import lists as club_lists
from crosstable.web.club import manage, night, start
from crosstable.web.desks import comments
from crosstable.web.desks import home as desk_home
from crosstable.web.desks.account import links, own, second_factor, sign_in
from crosstable.web.desks.admin import installation, people
from crosstable.web.desks.decisions import log, merges, publishing, ratings
from crosstable.web.desks.decisions import players as desk_players
from crosstable.web.desks.director import announcements, drafts, submissions, upload
from crosstable.web.desks.mine import following, inbox, requests
from crosstable.web.desks.mine import player as own_player
from crosstable.web.desks.officer import corrections, jobs
from crosstable.web.desks.officer import events as desk_events
from crosstable.web.desks.reports import views as desk_reports
from crosstable.web.health import healthz
from crosstable.web.public.views import (
    about,
    derivation,
    estimate,
    events,
    feeds,
    home,
    lists,
    players,
    reports,
    rules,
    search,
    visitors,
)

PUBLIC = [
    path("", home.home, name="home"),
    path("search/", search.search, name="search"),
    path("players/", players.search, name="players"),
    path("players/<str:player>/", players.player, name="player"),
    path("players/<str:player>/vs/<str:other>/", players.versus, name="versus"),
    path("players/<str:player>/<str:pool>/", players.pool, name="pool"),
    path("events/", events.search, name="events"),
    path("events/<str:event>/", events.event, name="event"),
    path("events/<str:event>/revisions/<int:revision>/", events.revision, name="revision"),
    path("events/<str:event>/<int:section>/", events.crosstable, name="crosstable"),
    path("events/<str:event>/<int:section>/standings/", events.standings, name="standings"),
    path("events/<str:event>/<int:section>/<int:number>/<str:pool>/", derivation.derivation, name="derivation"),
    path("lists/", lists.index, name="lists"),
    path("lists/<str:day>/", lists.chosen, name="list-of"),
    path("lists/<str:day>/<str:pool>/", lists.published, name="list"),
    path("feeds/events/", feeds.events, name="feed-events"),
    path("feeds/players/<str:player>/", feeds.player, name="feed-player"),
    path("feeds/events/<str:event>/", feeds.event, name="feed-event"),
    path("feeds/lists/", feeds.lists, name="feed-lists"),
    path("reports/", reports.index, name="reports"),
    path("reports/<int:number>/", reports.report, name="report"),
    path("reports/<int:number>/chart/<int:place>/", reports.chart, name="report-chart"),
    path("report/", visitors.report, name="report-mistake"),
    path("claim/", visitors.claim, name="claim-player"),
    path("report/sent/", visitors.sent, name="report-sent"),
    path("report/<int:number>/<str:secret>/", visitors.status, name="report-status"),
    path("rules/", rules.rules, name="rules"),
    path("rules/diff/", rules.diff, name="rules-diff"),
    path("rules/<str:name>/", rules.rule, name="rule"),
    path("estimate/", estimate.estimate, name="estimate"),
    path("about/", about.about, name="about"),
    path("privacy/", about.privacy, name="privacy"),
    path("help/", about.help_page, name="help"),
]

CLUB = [
    path("", night.tonight, name="tonight"),
    path("new/", start.new, name="new"),
    path("worker.js", start.worker, name="worker"),
    path("pulse/", night.pulse, name="pulse"),
    path("enter/", night.enter, name="enter"),
    path("leave/", night.leave, name="leave"),
    path("here/", night.here, name="here"),
    path("state/", night.state, name="state"),
    path("pair/", night.pair, name="pair"),
    path("wish/", night.wish, name="wish"),
    path("undo/", night.undo, name="undo"),
    path("result/", night.result, name="result"),
    path("taps/", night.taps, name="taps"),
    path("ladder/", club_lists.the_ladder, name="ladder"),
    path("ladder.csv", club_lists.ladder_csv, name="ladder-csv"),
    path("games.csv", club_lists.games_csv, name="games-csv"),
    path("players/", club_lists.players, name="players"),
    path("players/<slug:number>/", club_lists.player, name="player"),
    path("players/<slug:number>/data.csv", club_lists.player_csv, name="player-csv"),
    path("poster/", club_lists.poster, name="poster"),
    path("how/", club_lists.how, name="how"),
    path("certificates/<slug:number>/<int:hundred>/", club_lists.certificate, name="certificate"),
    path("seasons/", club_lists.all_seasons, name="seasons"),
    path("settings/", manage.settings, name="settings"),
    path("nights/", manage.nights, name="nights"),
    path("nights/<int:number>/", manage.night, name="night"),
]

#: After `/desk/`. The names `account_…`, `mfa_…` and `usersessions_list` are allauth's: it looks for them.
DESKS = [
    path("", desk_home.desk, name="desk"),
    path("me/", desk_home.me, name="desk-me"),
    # signing in, and one's own account
    path("sign-in/", sign_in.sign_in, name="account_login"),
    path("sign-in/code/", sign_in.code, name="mfa_authenticate"),
    path("sign-in/passkey/", sign_in.passkey, name="mfa_login_webauthn"),
    path("sign-in/help/", links.cannot, name="desk_cannot"),
    path("sign-up/", links.sign_up, name="desk_sign_up"),
    path("sign-in/reset/<str:secret>/", links.reset, name="desk_reset"),
    path("join/<str:secret>/", links.join, name="desk_join"),
    path("sign-out/", sign_in.sign_out, name="account_logout"),
    path("account/", own.account, name="mfa_index"),
    path("account/password/", own.password, name="account_change_password"),
    path("account/email/", own.email, name="desk_email"),
    path("account/role/", own.role, name="desk_role"),
    path("account/sessions/", own.sessions, name="usersessions_list"),
    path("account/tokens/", own.tokens, name="desk_tokens"),
    path("account/tokens/<str:start>/", own.revoke_token, name="desk_revoke_token"),
    path("account/confirm/", second_factor.confirm_password, name="account_reauthenticate"),
    path("account/confirm/code/", second_factor.confirm_code, name="mfa_reauthenticate"),
    path("account/confirm/passkey/", second_factor.confirm_passkey, name="mfa_reauthenticate_webauthn"),
    path("account/app/", second_factor.add_app, name="mfa_activate_totp"),
    path("account/app/remove/", second_factor.remove_app, name="mfa_deactivate_totp"),
    path("account/passkeys/", second_factor.add_passkey, name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/", second_factor.remove_passkey, name="mfa_remove_webauthn"),
    path("account/recovery/", second_factor.recovery_codes, name="mfa_view_recovery_codes"),
    path("account/recovery/new/", second_factor.new_recovery_codes, name="mfa_generate_recovery_codes"),
    # the director's reports
    path("drafts/", drafts.index, name="drafts"),
    path("drafts/new/", upload.new, name="draft-new"),
    path("drafts/type/", upload.start, name="draft-type"),
    path("drafts/<int:number>/", drafts.one, name="draft"),
    path("drafts/<int:number>/mend/", drafts.mend, name="draft-mend"),
    path("drafts/<int:number>/edit/", drafts.edit, name="draft-edit"),
    path("drafts/<int:number>/suggested/", drafts.suggested, name="draft-suggested"),
    path("drafts/<int:number>/undo/", drafts.undo, name="draft-undo"),
    path("drafts/<int:number>/find/", drafts.find, name="draft-find"),
    path("drafts/<int:number>/discard/", drafts.discard, name="draft-discard"),
    path("drafts/<int:number>/back/", drafts.bring_back, name="draft-back"),
    path("drafts/<int:number>/file/", upload.file, name="draft-file"),
    path("drafts/<int:number>/text/", upload.text, name="draft-text"),
    path("drafts/<int:number>/type/", upload.grid, name="draft-grid"),
    path("drafts/<int:number>/preview/", submissions.preview, name="draft-preview"),
    path("drafts/<int:number>/send/", submissions.send, name="draft-send"),
    path("drafts/<int:number>/ask/", submissions.ask, name="draft-ask"),
    path("submissions/", submissions.index, name="submissions"),
    path("submissions/<int:number>/", submissions.one, name="submission"),
    path("submissions/<int:number>/file/", submissions.file, name="submission-file"),
    path("submissions/<int:number>/mend/", submissions.mend, name="submission-mend"),
    path("submissions/<int:number>/take-back/", submissions.take_back, name="submission-take-back"),
    path("submissions/<int:number>/correct/", submissions.correct, name="submission-correct"),
    # a player's own page, messages, requests
    path("mine/", own_player.mine, name="mine"),
    path("mine/claim/", own_player.claim, name="mine-claim"),
    path("mine/floor/", own_player.floor, name="mine-floor"),
    path("mine/report/", own_player.report, name="mine-report"),
    path("inbox/", inbox.inbox, name="inbox"),
    path("inbox/read/", inbox.read, name="inbox-read"),
    path("follow/", following.follow, name="follow"),
    path("messages/", inbox.write, name="write"),
    path("requests/", requests.index, name="requests"),
    path("requests/<int:number>/", requests.one, name="request"),
    path("requests/<int:number>/decide/", requests.decide, name="request-decide"),
    path("requests/<int:number>/correct/", requests.correct, name="request-correct"),
    path("requests/<int:number>/take-back/", requests.take_back, name="request-take-back"),
    path("announcements/", announcements.index, name="announcements"),
    path("announcements/<int:number>/", announcements.one, name="announcement"),
    path("announcements/<int:number>/cancel/", announcements.cancel, name="announcement-cancel"),
    path("comments/<str:event>/", comments.comment, name="desk-comment"),
    # the officer's queue, corrections, jobs
    path("queue/", desk_events.queue, name="desk-queue"),
    path("events/", desk_events.find, name="desk-events"),
    path("review/<str:event>/", desk_events.review, name="desk-review"),
    path("review/<str:event>/withdraw/", desk_events.withdraw, name="desk-withdraw"),
    path("review/<str:event>/restore/", desk_events.restore, name="desk-restore"),
    path("review/<str:event>/edit/", desk_events.edit, name="desk-edit"),
    path("corrections/", corrections.index, name="desk-corrections"),
    path("corrections/<int:number>/", corrections.one, name="desk-correction"),
    path("corrections/<int:number>/moved.csv", corrections.moved, name="desk-correction-moved"),
    path("corrections/<int:number>/file/", corrections.file, name="desk-correction-file"),
    path("jobs/", jobs.index, name="desk-jobs"),
    path("jobs/<int:number>/", jobs.one, name="desk-job"),
    # decisions
    path("decisions/", ratings.decisions, name="desk-decisions"),
    path("floors/", ratings.requests, name="desk-floors"),
    path("floors/<int:number>/", ratings.one, name="desk-floor"),
    path("prizes/", ratings.prize, name="desk-prize"),
    path("adjustments/", ratings.adjust, name="desk-adjust"),
    path("players/<str:player>/adjustments/<int:number>/revoke/", ratings.revoke, name="desk-revoke"),
    path("fide/", ratings.fide, name="desk-fide"),
    path("cfc/", ratings.cfc, name="desk-cfc"),
    path("players/", desk_players.find, name="desk-players"),
    path("players/add/", desk_players.add, name="desk-add-player"),
    path("players/import/", desk_players.take_list, name="desk-import"),
    path("players/<str:player>/", desk_players.player, name="desk-player"),
    path("players/<str:player>/facts/", desk_players.change, name="desk-facts"),
    path("players/<str:player>/memberships/", desk_players.join, name="desk-join"),
    path("players/<str:player>/forget-name/", desk_players.forget, name="desk-forget"),
    path("players/<str:player>/opt-out/", desk_players.opt_out, name="desk-opt-out"),
    path("players/<str:player>/unmerge/", merges.undo, name="desk-unmerge"),
    path("merges/", merges.merges, name="desk-merges"),
    path("merges/new/", merges.merge, name="desk-merge"),
    path("lists/", publishing.lists, name="desk-lists"),
    path("proposals/", publishing.waiting, name="desk-proposals"),
    path("proposals/<int:number>/", publishing.proposal, name="desk-proposal"),
    path("log/", log.log, name="desk-log"),
    path("log/chain/", log.chain, name="desk-chain"),
    # reports
    path("reports/", desk_reports.reports, name="desk-reports"),
    path("reports/<int:number>/withdraw/", desk_reports.withdraw, name="desk-withdraw-report"),
    # the administrator: users go by number
    path("admin/", installation.overview, name="desk_admin"),
    path("admin/name/", installation.name, name="desk_office_name"),
    path("admin/previews/", installation.previews, name="desk_office_previews"),
    path("admin/contact/", installation.contact, name="desk_contact"),
    path("admin/sign-up/", installation.sign_up, name="desk_sign_up_setting"),
    path("admin/four-eyes/", installation.four_eyes, name="desk_four_eyes"),
    path("admin/first-ratings/", installation.first_ratings, name="desk_first_ratings"),
    path("admin/backup/", installation.make_backup, name="desk_backup"),
    path("admin/import/", installation.take_history, name="desk_history"),
    path("admin/users/", people.users_page, name="desk_users"),
    path("admin/users/<int:number>/", people.user, name="desk_user"),
    path("admin/users/<int:number>/<slug:act>/", people.change, name="desk_change_user"),
    path("admin/invitations/", people.invitations, name="desk_invitations"),
    path("admin/invitations/<str:start>/", people.cancel, name="desk_cancel_link"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("desk/", include(DESKS)),
    path("club/", include((CLUB, "club"))),
    path("api/v1/", include("crosstable.web.api.urls")),
    path("", include(PUBLIC)),
]

handler404 = errors.not_found
handler500 = errors.failed
handler400 = errors.bad_request
handler403 = errors.forbidden
