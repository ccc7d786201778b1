from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person who signs in. Custom from the first migration, and here so that nothing points left."""
