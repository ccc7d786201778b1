"""Checks of the services beside the database: Redis, workers, queue, clocks, mail, sign-in provider."""

import smtplib
import ssl
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core import mail
from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from redis import Redis

from deploy.doctor.results import Diagnosis, Severity, fine, report_condition
from games.messaging import redis_client
from games.monitoring import condition
from games.timers.clock_jumps import JUMP_SECONDS
from tournaments.models import Job

MANY_MESSAGES: Final = 200
LATE_JOB: Final = timedelta(minutes=1)
STUCK_JOB: Final = timedelta(minutes=10)


def check_redis() -> Diagnosis:
    """Check that Redis answers and accepts writes."""
    return report_condition("redis", lambda: fine(gettext("It answers, and has free memory.")))


def check_workers() -> Diagnosis:
    """Check that a worker is alive, and that no move by a clock or bot is overdue."""

    def check_beat() -> Diagnosis:
        silence = condition.worker_silence_seconds()
        if silence is None:
            remedy = gettext("Start a worker with beat: without it bots, clocks and prints do not run.")
            return Diagnosis(Severity.ERROR, gettext("No worker has ever run here."), remedy)
        sentence = ngettext(
            "It last answered %(n)d second ago.", "It last answered %(n)d seconds ago.", round(silence)
        )
        return fine(sentence % {"n": round(silence)})

    return report_condition("worker", lambda: report_condition("deadlines", check_beat))


def check_queue() -> Diagnosis:
    """Check the number of messages for the workers, and the age of the oldest job."""
    messages = redis_client.ask_redis(lambda redis: int(redis.llen(settings.CELERY_TASK_DEFAULT_QUEUE)), 0)
    age = measure_oldest_job_age()
    sentence = gettext(
        "%(n)d messages are waiting for a worker; the oldest job has waited for %(seconds)d s."
    )
    sentence = sentence % {"n": messages, "seconds": age.total_seconds()}
    if age < LATE_JOB and messages < MANY_MESSAGES:
        return fine(sentence)
    remedy = gettext("Look at the log of the worker. A second worker helps if processors are free.")
    return Diagnosis(Severity.ERROR if age > STUCK_JOB else Severity.WARNING, sentence, remedy)


def measure_oldest_job_age() -> timedelta:
    """Return how long the oldest queued job has waited; zero if no job is queued."""
    waiting = Job.objects.filter(state=Job.State.QUEUED).aggregate(oldest=Min("queued_at"))["oldest"]
    return timezone.now() - waiting if waiting else timedelta()


def check_clock() -> Diagnosis:
    """Compare the clock of this machine with those of the database, Redis and the workers."""

    def compare_redis() -> Diagnosis:
        ahead = redis_client.ask_redis(_measure_redis_lead, 0.0)
        if abs(ahead) <= JUMP_SECONDS:
            return fine(gettext("The clocks of this machine, the database and Redis agree."))
        return Diagnosis(
            Severity.WARNING,
            gettext("The clocks of this machine and of Redis differ by %(n)d s.") % {"n": round(abs(ahead))},
            gettext("Synchronise the clock of each machine by NTP."),
        )

    return report_condition("clock", compare_redis)


def _measure_redis_lead(redis: Redis) -> float:
    seconds, microseconds = redis.time()
    return float(seconds) + microseconds / 1e6 - timezone.now().timestamp()


def check_mail() -> Diagnosis:
    """Check that the mail server accepts our sign-in. No mail is sent."""
    if not settings.MAIL_FROM:
        return fine(gettext("There is no mail server (PUUR_MAIL): Puur sends no mail."))
    server = mail.get_connection()
    place = {"host": settings.EMAIL_HOST, "port": settings.EMAIL_PORT}
    try:
        server.open()
    except (OSError, smtplib.SMTPException, ssl.SSLError) as error:
        remedy = gettext("Check PUUR_MAIL (host, port, name, password), and whether a firewall blocks it.")
        return Diagnosis(Severity.ERROR, _explain_refusal(error) % place, remedy)
    finally:
        server.close()
    return fine(gettext("%(host)s, port %(port)d, accepts Puur's sign-in.") % place)


def check_open_id() -> Diagnosis:
    """Check that the OpenID Connect provider publishes its description. If none is configured, no request is
    sent.
    """
    if not settings.OPEN_ID.issuer:
        return fine(gettext("There is no OpenID Connect provider (PUUR_OIDC_ISSUER)."))
    from frontend.accounts import open_id  # Only with a provider its libraries are loaded.

    trouble = open_id.find_configuration_error()
    if not trouble:
        return fine(gettext("%(name)s answers.") % {"name": settings.OPEN_ID.name})
    sentence = gettext("%(name)s does not answer as expected: %(reason)s")
    remedy = gettext(
        "Check PUUR_OIDC_ISSUER, and whether a firewall blocks it. Passwords still work meanwhile."
    )
    sentence = sentence % {"name": settings.OPEN_ID.name, "reason": trouble}
    return Diagnosis(Severity.ERROR, sentence, remedy)


def _explain_refusal(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return gettext("%(host)s, port %(port)d, refuses the name or the password.")
    if isinstance(error, ssl.SSLError | smtplib.SMTPNotSupportedError):
        return gettext("%(host)s, port %(port)d, offers no usable encryption.")
    return gettext("%(host)s, port %(port)d, does not answer.")
