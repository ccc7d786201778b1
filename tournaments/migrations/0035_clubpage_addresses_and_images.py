from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q
from django.utils.text import slugify


def give_addresses(apps: Any, schema_editor: Any) -> None:
    """Give each club the address that a new club of its name gets."""
    clubs = apps.get_model("tournaments", "Club").objects
    taken: set[str] = set()
    for pk, name in clubs.order_by("pk").values_list("pk", "name"):
        slug = slugify(name)[:50].strip("-")
        slug = f"club-{slug}".strip("-") if not slug.strip("0123456789") else slug
        free = (one for n in range(1, len(taken) + 2) if (one := f"{slug}-{n}" if n > 1 else slug) not in taken)
        found = next(free)
        taken.add(found)
        clubs.filter(pk=pk).update(slug=found)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0034_elsewhere_files")]

    operations = [
        migrations.AddField("club", "slug", models.CharField(default="", max_length=60), preserve_default=False),
        migrations.RunPython(give_addresses, migrations.RunPython.noop),
        migrations.AlterField("club", "slug", models.SlugField(max_length=60, unique=True)),
        migrations.AddField("club", "pictures", models.JSONField(blank=True, default=list)),
        migrations.CreateModel(
            name="ClubImage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("logo", "Logo"), ("sponsor", "Sponsor")], max_length=7)),
                ("position", models.PositiveIntegerField(default=0)),
                ("name", models.CharField(max_length=60)),
                ("link", models.CharField(blank=True, default="", max_length=200)),
                ("digest", models.CharField(max_length=64)),
                ("format", models.CharField(choices=[("png", "PNG"), ("jpeg", "JPEG")], max_length=4)),
                ("data", models.BinaryField()),
                ("width", models.PositiveIntegerField()),
                ("height", models.PositiveIntegerField()),
                ("added_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="images", to="tournaments.club"
                    ),
                ),
            ],
            options={"ordering": ["club", "kind", "position", "pk"]},
        ),
        migrations.AddConstraint(
            "clubimage",
            models.UniqueConstraint(
                condition=Q(("kind", "logo")), fields=("club",), name="tournaments_club_image_one_logo"
            ),
        ),
    ]
