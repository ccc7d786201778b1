from django.apps import AppConfig


class FrontendConfig(AppConfig):
    name = "frontend"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from frontend.copies.writing import teach_copying
        from frontend.presenters.notices import words_of_round
        from frontend.prints import orders
        from tournaments.notices import letters

        orders.teach_worker()
        teach_copying()
        letters.teach_words(words_of_round)
