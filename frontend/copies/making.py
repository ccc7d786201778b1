"""How the worker makes a copy."""

from typing import Any

from frontend.copies.writing import write_copy
from games.due.leases import Lease
from tournaments import jobs
from tournaments.archive import copies, storing
from tournaments.models import Job
from tournaments.services.rounds import Progress


def teach_copying() -> None:
    """Tell the worker how it is done."""
    jobs.register_act(Job.Kind.COPY, _copy)


def _copy(lease: Lease[Job], progress: Progress) -> dict[str, Any]:
    championship = lease.row.championship
    copies.refuse_unless_finished(championship)
    sealed = jobs.public_file(championship, lease.held, progress)
    made = storing.keep_copy(championship, sealed, write_copy, lease.held, progress)
    return {"size": made.size} if made is not None else {}
