"""`python -m frontend.generated`: write the generated files."""

import os
from pathlib import Path

import django

FOLDER = Path(__file__).parents[1] / "src" / "generated"

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    from frontend.generated.files import files  # The views of games need loaded models.

    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
