"""The URLs of accounts. allauth looks up some by name, such as `account_login` and `mfa_index`. None of
allauth's other pages exists, so there is no public sign-up.
"""

from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as app
from allauth.mfa.webauthn import views as passkeys
from django.urls import URLPattern, path
from django.views.decorators.cache import never_cache

from frontend.accounts.setting_up import second_factor_set_up
from frontend.views.accounts import account_list, invitations, mail_address, open_id, own_account, own_data
from frontend.views.accounts.sign_in import SecondFactor, SignIn, SignOut

urlpatterns: list[URLPattern] = [
    path("sign-in/", SignIn.as_view(), name="sign_in"),
    path("sign-in/", SignIn.as_view(), name="account_login"),
    path("sign-in/second-factor/", SecondFactor.as_view(), name="mfa_authenticate"),
    path("sign-in/set-up/", second_factor_set_up, name="second_factor_set_up"),
    path("sign-in/provider/", open_id.open_id_start, name="open_id_start"),
    path("sign-in/provider/back/", open_id.open_id_back, name="open_id_back"),
    path("account/provider/confirm/", open_id.open_id_confirm, name="open_id_confirm"),
    path("account/provider/link/", open_id.open_id_link, name="open_id_link"),
    path("account/provider/unlink/", open_id.open_id_unlink, name="open_id_unlink"),
    path("sign-in/forgotten/", mail_address.forgotten_password, name="forgotten_password"),
    path("sign-out/", SignOut.as_view(), name="sign_out"),
    path("password/", own_account.ChangePassword.as_view(), name="password"),
    path("account/", own_account.account, name="account"),
    path("account/", own_account.account, name="mfa_index"),
    path("account/address/", mail_address.address, name="account_address"),
    path("account/address/confirm/<str:key>/", mail_address.address_confirm, name="address_confirm"),
    path("account/data/", own_data.own_data, name="own_data"),
    path("account/data/file/", own_data.own_data_file, name="own_data_file"),
    path("account/data/named/", own_data.own_data_named, name="own_data_named"),
    path("account/data/erase/", own_data.own_data_erase, name="own_data_erase"),
    path("account/confirm/", own_account.PasswordAgain.as_view(), name="account_reauthenticate"),
    path("account/sessions/end/", own_account.sessions_end, name="sessions_end"),
    path("account/sessions/<slug:row>/end/", own_account.session_end, name="session_end"),
    path("account/app/", never_cache(app.activate_totp), name="mfa_activate_totp"),
    path("account/app/off/", app.deactivate_totp, name="mfa_deactivate_totp"),
    path("account/codes/", recovery_codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("account/codes/new/", recovery_codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("account/passkeys/", own_account.account, name="mfa_list_webauthn"),
    path("account/passkeys/new/", passkeys.add_webauthn, name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/remove/", passkeys.remove_webauthn, name="mfa_remove_webauthn"),
    path("account/offers/<int:invitation_id>/<slug:act>/", invitations.offer_answer, name="offer_answer"),
    path("invitation/<str:token>/", invitations.invitation, name="invitation"),
    path("reset/<str:token>/", invitations.password_reset, name="password_reset"),
    path("accounts/", account_list.account_list, name="account_list"),
    path("accounts/invite/", account_list.account_invite, name="account_invite"),
    path(
        "accounts/invitations/<int:invitation_id>/withdraw/",
        account_list.account_invitation_withdraw,
        name="account_invitation_withdraw",
    ),
    path("accounts/<int:user_id>/<slug:act>/", account_list.account_act, name="account_act"),
]
