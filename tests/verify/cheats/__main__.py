"""python -m tests.verify.cheats

Prints each forgery with the words by which puur_verify.py reports it, and whether the browser reports it too.
"""

import os

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    from tests.verify.cheats.catalogue import list_forgeries

    print("\n".join(list_forgeries()))
