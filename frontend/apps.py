from django.apps import AppConfig


class FrontendConfig(AppConfig):
    name = "frontend"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from frontend.accounts import activity
        from frontend.accounts.adapters import reencrypt_secrets
        from frontend.presenters.messages.account_mail_texts import render_account_mail
        from frontend.presenters.messages.mail_texts import render_mail
        from frontend.presenters.messages.push_texts import render_round_push
        from frontend.prints import print_jobs
        from frontend.static_export.writing import register_copy_job
        from games import store
        from tournaments.accounts import mails as account_mails
        from tournaments.notices import rendering
        from tournaments.services.entries import entry_mails

        activity.register_signal()
        store.register_reencryption(reencrypt_secrets)
        print_jobs.register_print_job()
        register_copy_job()
        rendering.register_words(render_round_push)
        entry_mails.register_mail_words(render_mail)
        account_mails.register_account_mail_words(render_account_mail)
