from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import checks
        from games.bots import runner
        from games.play import deadline_handlers
        from games.projections import delayed_projection, new_columns
        from games.store import guard

        post_migrate.connect(guard.install_after_migrate, sender=self, dispatch_uid="games.guard")
        post_migrate.connect(new_columns.fill_after_migrate, sender=self, dispatch_uid="games.new_columns")
        deadline_handlers.register_handlers()
        delayed_projection.register_handler()
        runner.register()
        register(checks.the_log_is_guarded, Tags.database)
        register(checks.what_is_closed_can_be_opened, Tags.database)
        register(checks.commits_are_on_disk, Tags.database)
