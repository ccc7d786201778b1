"""Large prints as jobs: a worker makes them while a page shows the progress, and all web processes find the
result.

The worker gets plain values. The PDF is stored in Redis under a digest of its content, so that after a change
of the content no request finds the old PDF.
"""

import hashlib
from collections.abc import Iterable
from typing import Any, Final

from django.utils import translation

from frontend.prints.club_pictures import pictures_for_print
from frontend.prints.documents import DOCUMENTS, Document, document_title
from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import typeset
from games.messaging import redis_client
from games.timers.leases import Lease
from tournaments import jobs
from tournaments.models import Championship, Job
from tournaments.permissions import Actor
from tournaments.services.current_regulations import load_regulations
from tournaments.services.rounds.rounds import Progress

LARGE: Final = 150
"""Number of records from which a print takes longer than about a second."""
PRINT_LIFETIME_SECONDS: Final = 600
"""Seconds for which Redis stores a PDF made by a worker."""
MAX_BYTES: Final = 16 * 2**20
"""Largest size of a PDF in Redis, in bytes; each web process makes a larger one again."""


def is_large(occasion: Occasion, documents: Iterable[Document]) -> bool:
    return len(occasion.people) * sum(document.of_people for document in documents) >= LARGE


def render_pdf(
    occasion: Occasion, key: str, documents: Iterable[Document], progress: Progress | None = None
) -> bytes:
    """Return one PDF of these documents in the occasion's language. `key`: as for `document_title`."""
    with translation.override(occasion.language), occasion.reading():
        makers = [maker for document in documents for maker in document.parts]
        parts = []
        for done, maker in enumerate(makers):
            if progress is not None:
                progress(done, len(makers) + 1)
            parts.append(maker(occasion))
        if progress is not None:
            progress(len(makers), len(makers) + 1)
        championship = occasion.championship
        title, club = f"{championship.name}: {document_title(key)}", pictures_for_print(championship.club_id)
        return typeset(title, occasion.language, parts, championship.created_at, club)


def print_digest(which: tuple[object, ...], mark: str) -> str:
    """Return the key under which Redis stores the PDF of this print with this mark."""
    return hashlib.blake2b(repr((which, mark)).encode(), digest_size=20).hexdigest()


def find_stored_pdf(name: str) -> bytes | None:
    found = redis_client.ask_redis(lambda redis: redis.get(redis_client.key("print", name)), None)
    return found if isinstance(found, bytes) else None


def start_print_job(
    occasion: Occasion, key: str, documents: Iterable[Document], *, name: str, address: str, actor: Actor
) -> Job:
    """Start a job that makes the print `name`, or return its queued or running job. `address`: URL of the
    result.
    """
    championship = occasion.championship
    waiting = championship.jobs.filter(kind=Job.Kind.PRINT, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    if (at_it := waiting.filter(params__name=name).first()) is not None:
        return at_it
    return jobs.start_job(
        Job.Kind.PRINT,
        championship,
        actor=actor,
        key=key,
        documents=[document.key for document in documents],
        round=occasion.round.number if occasion.round is not None else 0,
        language=occasion.language,
        paper=occasion.paper,
        phones=occasion.address,
        public=occasion.public,
        name=name,
        address=address,
    )


def register_print_job() -> None:
    """Register the function that makes prints in a worker."""
    jobs.register_act(Job.Kind.PRINT, _print)


def _print(lease: Lease[Job], progress: Progress) -> dict[str, Any]:
    params, championship = lease.row.params, lease.row.championship
    documents = [DOCUMENTS[key] for key in params["documents"]]
    pdf = render_pdf(_build_occasion(championship, params), params["key"], documents, progress)
    if len(pdf) <= MAX_BYTES and lease.held():
        name = redis_client.key("print", params["name"])
        redis_client.ask_redis(lambda redis: redis.set(name, pdf, ex=PRINT_LIFETIME_SECONDS), None)
    progress(1, 1)
    return {"address": params["address"], "size": len(pdf)}


def _build_occasion(championship: Championship, params: dict[str, Any]) -> Occasion:
    round_ = championship.rounds.filter(number=params["round"]).first()
    if round_ is not None:
        round_.championship = championship
    return Occasion(
        championship=championship,
        regulations=load_regulations(championship),
        round=round_,
        language=params["language"],
        paper=params["paper"],
        address=params["phones"],
        public=bool(params.get("public")),
    )
