"""What Celery does for championships: it runs jobs. Everything it needs to know stands in their rows."""

from celery import shared_task

from tournaments.services import jobs


@shared_task(name="tournaments.run_job")
def run_job(job_id: str) -> bool:
    """Do one job. Delivered twice it does nothing the second time."""
    return jobs.run(job_id)


@shared_task(name="tournaments.play_earlier")
def play_earlier() -> None:
    """The demo's earlier championship, a round a task; begun again by the next start of the demo."""
    from tournaments import demo

    if demo.play_earlier():
        play_earlier.delay()


@shared_task(name="tournaments.sweep")
def sweep() -> int:
    """Send again what seems to have got lost; how many."""
    waiting = jobs.due()
    for job_id in waiting:
        jobs.send(job_id)
    return len(waiting)
