from django.apps import AppConfig


class DeployConfig(AppConfig):
    name = "deploy"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Without it a task sent by a page or a command would go to Celery's own default broker.
        from deploy import celery, checks  # noqa: F401 - importing registers the default application and checks
