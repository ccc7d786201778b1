from django.apps import AppConfig
from django.db.backends.signals import connection_created


class DeployConfig(AppConfig):
    name = "deploy"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Without this import a task sent by a page or a command would go to Celery's default broker.
        from deploy import celery, checks, umask  # noqa: F401 - the import registers application and checks

        connection_created.connect(umask.restrict_database_file, dispatch_uid="deploy.umask")
