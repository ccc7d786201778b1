"""Sessions in which an account is signed in. The owner of the account can list and end them."""

from django.contrib.sessions.models import Session
from django.utils import timezone

from games.models import User
from games.rights.sessions import hash_session_key
from tournaments.models import Championship, Official, SignedInSession


def record_session(user_id: int, key: str, *, address: str, browser: str) -> None:
    """Record the session with this key as one in which the account is signed in."""
    now = timezone.now()
    seen = {"user_id": user_id, "address": address, "browser": browser[:200], "seen_at": now}
    SignedInSession.objects.update_or_create(
        session_id=hash_session_key(key), defaults=seen, create_defaults={**seen, "began_at": now}
    )


def list_sessions(user: User) -> list[SignedInSession]:
    """List the sessions of an account that have not expired, the last used first."""
    found = SignedInSession.objects.filter(user=user, session__expire_date__gt=timezone.now())
    return list(found.order_by("-seen_at", "pk"))


def end_session(user: User, row: str) -> bool:
    """End one session of the account. Returns False if `row` is no session of the account."""
    found = SignedInSession.objects.filter(user=user, pk=row)
    return bool(Session.objects.filter(pk__in=found.values("pk")).delete()[0])


def end_sessions(user: User, *, but: str | None = None) -> None:
    """End all sessions of the account, except the one with the key `but`."""
    found = SignedInSession.objects.filter(user=user)
    if but is not None:
        found = found.exclude(pk=hash_session_key(but))
    Session.objects.filter(pk__in=found.values("pk")).delete()


def is_official(user: User) -> bool:
    """Return whether the account has an office in an unfinished championship, or may start championships."""
    if user.is_superuser or user.may_found:
        return True
    offices = Official.objects.filter(user=user)
    return offices.exclude(championship__status=Championship.Status.FINISHED).exists()
