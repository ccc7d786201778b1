"""Large prints: made by a worker while a page shows how far they are, and kept for a while where every web
process finds them.

What is to be printed goes to the worker as plain values. The PDF lies in Redis under a digest of what it
shows: when somebody changes a name meanwhile nobody asks for it any more.
"""

import hashlib
from collections.abc import Iterable
from typing import Any, Final

from django.utils import translation

from frontend.prints.documents import DOCUMENTS, Document, title_of
from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import typeset
from games.messaging import redis_client
from games.timers.leases import Lease
from tournaments import jobs
from tournaments.models import Championship, Job
from tournaments.permissions import Actor
from tournaments.services.current_regulations import regulations_of
from tournaments.services.rounds import Progress

LARGE: Final = 150
"""Records from which a print takes longer than about a second."""
PRINT_LIFETIME_SECONDS: Final = 600
"""For so long a PDF that a worker has made is there."""
MAX_BYTES: Final = 16 * 2**20
"""Of one PDF in Redis; a larger one is made again where it is asked for."""


def is_large(occasion: Occasion, documents: Iterable[Document]) -> bool:
    return len(occasion.people) * sum(document.of_people for document in documents) >= LARGE


def pdf_of(
    occasion: Occasion, key: str, documents: Iterable[Document], progress: Progress | None = None
) -> bytes:
    """One PDF of these documents in the language asked for; `key`: what it is called by."""
    with translation.override(occasion.language), occasion.reading():
        makers = [maker for document in documents for maker in document.parts]
        parts = []
        for done, maker in enumerate(makers):
            if progress is not None:
                progress(done, len(makers) + 1)
            parts.append(maker(occasion))
        if progress is not None:
            progress(len(makers), len(makers) + 1)
        found = occasion.championship
        return typeset(f"{found.name}: {title_of(key)}", occasion.language, parts, found.created_at)


def digest(which: tuple[object, ...], mark: str) -> str:
    """The name by which the PDF of that mark is found."""
    return hashlib.blake2b(repr((which, mark)).encode(), digest_size=20).hexdigest()


def kept_by_worker(name: str) -> bytes | None:
    found = redis_client.ask_redis(lambda redis: redis.get(redis_client.key("print", name)), None)
    return found if isinstance(found, bytes) else None


def order(
    occasion: Occasion, key: str, documents: Iterable[Document], *, name: str, address: str, actor: Actor
) -> Job:
    """Have it made; the job that is at it already, if there is one. `address`: where it will be found."""
    found = occasion.championship
    waiting = found.jobs.filter(kind=Job.Kind.PRINT, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    if (at_it := waiting.filter(params__name=name).first()) is not None:
        return at_it
    return jobs.start_job(
        Job.Kind.PRINT,
        found,
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


def teach_worker() -> None:
    """Tell the worker how it is done."""
    jobs.register_act(Job.Kind.PRINT, _print)


def _print(lease: Lease[Job], progress: Progress) -> dict[str, Any]:
    told, found = lease.row.params, lease.row.championship
    documents = [DOCUMENTS[key] for key in told["documents"]]
    pdf = pdf_of(_occasion(found, told), told["key"], documents, progress)
    if len(pdf) <= MAX_BYTES and lease.held():
        name = redis_client.key("print", told["name"])
        redis_client.ask_redis(lambda redis: redis.set(name, pdf, ex=PRINT_LIFETIME_SECONDS), None)
    progress(1, 1)
    return {"address": told["address"], "size": len(pdf)}


def _occasion(found: Championship, told: dict[str, Any]) -> Occasion:
    round_ = found.rounds.filter(number=told["round"]).first()
    if round_ is not None:
        round_.championship = found
    return Occasion(
        championship=found,
        regulations=regulations_of(found),
        round=round_,
        language=told["language"],
        paper=told["paper"],
        address=told["phones"],
        public=bool(told.get("public")),
    )
