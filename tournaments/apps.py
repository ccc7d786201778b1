from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import store
        from tournaments import round_deadlines
        from tournaments.notices import subscriptions
        from tournaments.services.entries import former_pairs

        post_migrate.connect(
            former_pairs.convert_after_migrate, sender=self, dispatch_uid="tournaments.former_pairs"
        )
        round_deadlines.register_handlers()
        store.register_reencryption(subscriptions.reencrypt_endpoints)
