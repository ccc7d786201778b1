from django.apps import AppConfig


class DeployConfig(AppConfig):
    name = "deploy"
    default_auto_field = "django.db.models.BigAutoField"
