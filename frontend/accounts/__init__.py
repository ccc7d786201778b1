"""Sign-in and accounts on top of django-allauth."""
