"""Writing of the copy as a ZIP file, page by page, in a worker."""

import zipfile
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import IO, Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from frontend.presenters.verification.verify_words import VERIFY as VERIFY_WORDS
from frontend.static_export import drawings
from frontend.static_export.asking import fetch_as_anonymous
from frontend.static_export.plan import (
    FOLDER,
    INDEX,
    PROGRAM,
    VERIFY,
    CopiedPage,
    CopyPlan,
    build_copy_plan,
    relative,
)
from frontend.static_export.rewriting import StaticPart, make_static
from games import sealing
from games.timers.leases import Lease
from tournaments import jobs
from tournaments.archive import copies, storing
from tournaments.models import Championship, Job, PublicFile
from tournaments.names.readers import reading_for
from tournaments.services.people.name_visibility import outsider
from tournaments.services.rounds.rounds import Progress

STORED: Final = frozenset({".woff2", ".zip"})
"""Endings of files that are compressed already."""


def write_copy(championship: Championship, sealed: PublicFile, out: IO[bytes], progress: Progress) -> None:
    """Write the copy in the championship's language, with names as the public may read them. `sealed`: its
    public file. The same state gives the same bytes, because all dates are those of the last seal.
    """
    with translation.override(championship.language), reading_for(outsider(championship)):
        copy = _Copy(championship, sealed, out)
        total = len(copy.plan.pages) + 3
        for done, page in enumerate(copy.plan.pages):
            progress(done, total)
            copy.write_page(page)
        progress(total - 3, total)
        copy.write_index()
        copy.write_verifier_page()
        copy.write_companions()
        copy.close()
        progress(total, total)


class _Copy:
    def __init__(self, championship: Championship, sealed: PublicFile, out: IO[bytes]) -> None:
        self.championship, self.sealed = championship, sealed
        self.plan: CopyPlan = build_copy_plan(championship)
        [self._seal] = sealing.listed(championship.stream_id, since=sealed.checkpoint - 1, limit=1)
        self._at = datetime.fromisoformat(self._seal.says.made_at).astimezone(UTC)
        self._zip = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED)
        self._file_name = f"{championship.slug}.zip"

    def close(self) -> None:
        self._zip.close()

    def write_page(self, page: CopiedPage) -> None:
        part = self._part(page, page.file)
        context = {
            "title": page.title,
            "above": self._seen_from(page.file, page.above),
            "here": page.title,
            "beside": self._seen_from(page.file, page.beside),
        }
        self._write_page(page.file, "copies/page.html", page.tab, page.styles, part, context)

    def write_index(self) -> None:
        """Write the newest ranking as the first page of the copy."""
        ranked = next((page for page in self.plan.pages if page.tab == "standings"), None)
        part = StaticPart("", frozenset())
        if ranked is not None:
            part = self._part(ranked, INDEX, heading=False)
        context = {
            "title": self.championship.name,
            "beside": self._seen_from(INDEX, ranked.beside) if ranked is not None else [],
            "rounds": [
                (page.title, page.file)
                for page in self.plan.pages
                if page.file.startswith(f"{FOLDER}/round-") and page.file.count("-") == 1
            ],
        }
        self._write_page(INDEX, "copies/index.html", INDEX, ("base", "championship"), part, context)

    def write_verifier_page(self) -> None:
        context = {
            "title": _("Verify a championship"),
            "file": self._file_name,
            "verifier": PROGRAM,
            "words": {key: str(text) for key, text in VERIFY_WORDS.items()},
            "policy": "script-src 'self' file:; ",
            "script": f"{drawings.ASSETS}/{drawings.SCRIPT}",
        }
        nothing = StaticPart("", frozenset())
        self._write_page(VERIFY, "copies/verify.html", VERIFY, ("base", "championship"), nothing, context)

    def write_companions(self) -> None:
        """Write the public file, the verifier, its instructions, and the assets."""
        context = {
            "championship": self.championship,
            "file": self._file_name,
            "program": PROGRAM,
            "index": INDEX,
            "verify": VERIFY,
            "seal": self._seal,
            "sealed": self._at,
            "words": " ".join(sealing.in_words(self._seal.hash)),
        }
        readme = render_to_string("copies/readme.txt", context)
        self._write(
            pgettext("name of a file", "README.txt"), readme.replace("\n", "\r\n").encode("utf-8-sig")
        )
        self._write(PROGRAM, (settings.BASE_DIR / "docs" / "verify" / PROGRAM).read_bytes())
        for name, path in drawings.assets():
            self._write(name, path.read_bytes())
        with self._zip.open(self._entry(self._file_name), "w", force_zip64=True) as entry:
            for piece in storing.read_pieces(self.sealed):
                entry.write(piece)

    def _part(self, page: CopiedPage, source: str, *, heading: bool = True) -> StaticPart:
        def leads(href: str) -> str | None:
            return self.plan.leads(source, page.address, href)

        return make_static(fetch_as_anonymous(page.address), leads, heading=heading)

    def _seen_from(self, source: str, crumbs: tuple[tuple[str, str], ...]) -> list[tuple[str, str, bool]]:
        return [(label, relative(source, file), file == source) for label, file in crumbs]

    def _write_page(
        self,
        file: str,
        template: str,
        tab: str,
        styles: tuple[str, ...],
        part: StaticPart,
        more: dict[str, Any],
    ) -> None:
        tabs = {page.tab: page.file for page in reversed(self.plan.pages) if page.tab}
        current = tabs.get(tab, tab)
        context = {
            "championship": self.championship,
            "tabs": [(label, relative(file, to), to == current) for label, to in self.plan.tabs],
            "index": relative(file, INDEX),
            "verify": relative(file, VERIFY),
            "icon": relative(file, f"{drawings.ASSETS}/mark.svg"),
            "styles": [relative(file, f"{drawings.ASSETS}/styles/{name}.css") for name in styles],
            "body": mark_safe(part.html),  # noqa: S308 - make_static rebuilds it from allowed tags
            "symbols": drawings.load_symbols(part.symbols),
            "sealed": self._at,
            "number": self._seal.says.number,
            **more,
        }
        self._write(file, render_to_string(template, context).encode())

    def _write(self, file: str, data: bytes) -> None:
        self._zip.writestr(self._entry(file), data)

    def _entry(self, file: str) -> zipfile.ZipInfo:
        """Return an entry of the ZIP file, in a folder with the championship's name."""
        path = PurePosixPath(self.championship.slug, file)
        entry = zipfile.ZipInfo(str(path), self._at.timetuple()[:6])
        entry.compress_type = zipfile.ZIP_STORED if path.suffix in STORED else zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        return entry


def register_copy_job() -> None:
    """Register the function that makes copies in a worker."""
    jobs.register_act(Job.Kind.COPY, _write_copy)


def _write_copy(lease: Lease[Job], progress: Progress) -> dict[str, Any]:
    championship = lease.row.championship
    copies.require_copyable(championship)
    sealed = jobs.write_public_file(championship, lease.held, progress)
    public_file = storing.store_copy(championship, sealed, write_copy, lease.held, progress)
    return {"size": public_file.size} if public_file is not None else {}
