"""Creating, editing and finishing a championship: its rounds, its club, and the announcement on walls."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from games import store
from games.appending import record
from games.models import User
from games.randomness import round_seed
from tournaments import regulation_checks, regulations
from tournaments.clubs import rolls
from tournaments.errors import NotAllowed, TournamentError
from tournaments.events import ChampionshipFinished, RegulationsSet
from tournaments.models import Championship, Club, Entry, Official, Regulations, Round, Table
from tournaments.names import clean
from tournaments.notices.subscriptions import forget_subscriptions
from tournaments.permissions import Actor, require
from tournaments.presets import PRESETS
from tournaments.services import championship_seals, locks
from tournaments.services.current_regulations import load_regulations, round_or_session
from tournaments.services.seats import table_rights

MAX_ANNOUNCEMENT_LENGTH: Final = 120
MAX_DRAFTS: Final = 20
"""Most championships in preparation that one person may have at once."""
EDITED: Final = frozenset({"name", "place", "starts_at", "language", "public", "public_names", "keep_days"})
"""The fields that `edit_championship` changes."""


def may_found(user: User) -> bool:
    """Return whether the user may create championships."""
    return user.is_superuser or user.may_found


def found_championship(*, actor: User, **more: Any) -> Championship:
    """Create a championship for a user. The arguments are those of `create`.

    Raises NotAllowed `championship/may_not_found`, TournamentError `championship/too_many_drafts` if the user
    has MAX_DRAFTS unarchived championships in preparation, and what `create` raises.
    """
    with transaction.atomic():
        # Locked, so that two concurrent requests cannot both create the last allowed one.
        locked_user = User.objects.select_for_update().get(pk=actor.pk)
        if not may_found(locked_user):
            raise NotAllowed(
                "championship/may_not_found",
                _("The operators of this platform decide who may create championships: ask them."),
            )
        drafts = Championship.objects.filter(
            owner=locked_user, status=Championship.Status.DRAFT, archived_at=None
        ).count()
        if drafts >= MAX_DRAFTS:
            raise TournamentError(
                "championship/too_many_drafts",
                _("You have %(count)s championships in preparation: play one of them first, or delete one."),
                count=drafts,
            )
        return create(actor=actor, **more)


def create(
    *,
    actor: User,
    name: str,
    preset: str = "santiago",
    place: str = "",
    starts_at: datetime | None = None,
    language: str = "en",
    slug: str = "",
    public: bool = True,
    public_names: str = Championship.PublicNames.FULL,
    keep_days: int | None = None,
    changes: Mapping[str, Any] | None = None,
    club: Club | None = None,
) -> Championship:
    """Create a championship in preparation, with its creator as director and its rounds planned.

    `club`: a club whose roll the creator keeps; None: the newest of these clubs, or a new one. `changes`:
    values in JSON that replace top-level keys of the preset's regulations. If its `byes` lack `three`,
    `regulations.fair_three` chooses it. Raises TournamentError `championship/…`, `regulations/…`, `names/…`,
    NotAllowed `clubs/not_keeper`.
    """
    name = clean(name, longest=80, needed=True)
    place = clean(place, longest=80, field="place")
    wanted = _from_preset(preset, changes)
    if club is not None:
        rolls.require_keeper(actor, club)
    with transaction.atomic():
        stream = store.create_stream("championship")
        championship = Championship(
            slug=_free_slug(slug or name, exact=bool(slug)),
            name=name,
            place=place,
            starts_at=starts_at,
            language=language,
            owner=actor,
            public=public,
            public_names=Championship.PublicNames(public_names),
            keep_days=keep_days,
            club=club or rolls.default_club(actor),
            stream=stream,
        )
        try:
            with transaction.atomic():
                championship.save(force_insert=True)
        except IntegrityError:
            raise _slug_taken(championship.slug) from None
        founder = Official.objects.create(championship=championship, user=actor, role=Official.Role.DIRECTOR)
        data = regulations.encode(wanted)
        Regulations.objects.create(championship=championship, version=1, data=data)
        record(stream.id, RegulationsSet(version=1, regulations=data), actor=founder.ref)
        plan_rounds(championship, wanted.rounds)
    return championship


def _from_preset(preset: str, changes: Mapping[str, Any] | None) -> regulations.Regulations:
    found = PRESETS.get(preset)
    if found is None:
        raise TournamentError(
            "regulations/unknown_preset",
            _("There is no preset “%(preset)s” (%(known)s)."),
            preset=preset,
            known=", ".join(PRESETS),
        )
    wanted = regulation_checks.decode({**regulations.encode(found), **(changes or {})})
    if changes is None or "three" in (changes.get("byes") or {}) or "byes" not in changes:
        return wanted
    return replace(wanted, byes=replace(wanted.byes, three=regulations.fair_three(wanted)))


def _free_slug(text: str, *, exact: bool) -> str:
    slug = slugify(text)[:50] or "championship"
    taken = set(Championship.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    if slug not in taken:
        return slug
    if exact:
        raise _slug_taken(slug)
    return next(f"{slug}-{n}" for n in range(2, len(taken) + 3) if f"{slug}-{n}" not in taken)


def _slug_taken(slug: str) -> TournamentError:
    return TournamentError(
        "championship/slug_taken", _("The address “%(slug)s” is taken; choose another one."), slug=slug
    )


def plan_rounds(championship: Championship, count: int) -> None:
    """Create the missing rounds up to number `count`, and delete planned rounds with higher numbers.

    Each new round has a stream with the commitment to its seed.
    """
    have = championship.rounds.count()
    for number in range(have + 1, count + 1):
        stream = round_seed.new_round()
        Round.objects.create(championship=championship, number=number, stream=stream)
    dropped = championship.rounds.filter(number__gt=count, status=Round.Status.PLANNED)
    kept = championship.rounds.filter(number__lte=count).order_by("-number").first()
    # Tables of undone draws with a referee's decisions are kept in an earlier round.
    if kept is not None:
        Table.ever.filter(round__in=dropped, undone__isnull=False).update(round=kept)
    dropped.delete()


def give_to_club(championship: Championship, club: Club, *, actor: Actor) -> None:
    """Assign the championship to a club whose roll the actor keeps.

    From then on its entries refer to the roll of that club; people missing from the roll are added. Raises
    NotAllowed `clubs/not_keeper`.
    """
    require(actor, "edit", championship)
    rolls.require_keeper(actor, club)
    with locks.locked_for(championship, actor, "edit") as locked:
        if locked.club_id == club.pk:
            return
        locked.club = club
        locked.save(update_fields=["club"])
        locked.entries.update(person=None)
        entered = list(locked.entries.filter(merged_into=None).order_by("number"))
        written = [rolls.WrittenEntry.of(entry) for entry in entered]
        for entry, person in zip(
            entered, rolls.match_persons(locked, written, [None] * len(written)), strict=True
        ):
            entry.person = person
        Entry.objects.bulk_update(entered, ["person"], batch_size=200)
    championship.club = club


def load_related_championships(
    championship: Championship, person: User | AnonymousUser
) -> list[Championship]:
    """List the original and the copies of the championship, as far as `person` may see them."""
    near = Q(pk=championship.copied_from_id) | Q(copied_from=championship.pk)
    seen = Q(public=True)
    if person.is_authenticated:
        seen |= Q(officials__user=person.pk) | Q(entries__user=person.pk)
    return list(Championship.objects.filter(near, seen).distinct().order_by("starts_at", "pk"))


def finish(championship: Championship, *, actor: Actor) -> None:
    """Finish the championship, seal it if possible, and delete its push subscriptions.

    Raises TournamentError `championship/rounds_left` while rounds are not closed.
    """
    with locks.for_official(championship, actor, "close") as (locked, ref):
        if locked.status == Championship.Status.FINISHED:
            return
        left = locked.rounds.exclude(status=Round.Status.CLOSED).count()
        if left:
            sentence = round_or_session(
                locked, _("Rounds not yet closed: %(left)s."), _("Sessions not yet closed: %(left)s.")
            )
            raise TournamentError("championship/rounds_left", sentence, left=left)
        locked.status = Championship.Status.FINISHED
        locked.save(update_fields=["status"])
        forget_subscriptions(Q(entry__championship=locked))
        record(locked.stream_id, ChampionshipFinished(), actor=ref)
        championship_seals.seal_if_possible(locked)
    championship.status = locked.status


def edit_championship(championship: Championship, *, actor: Actor, **fields: Any) -> Championship:
    """Change the given fields. Raises TypeError for a field not in EDITED, TournamentError `names/…`."""
    require(actor, "edit", championship)
    if unknown := set(fields) - EDITED:
        raise TypeError(f"not to be edited: {sorted(unknown)}")
    for field in ("name", "place"):
        if field in fields:
            fields[field] = clean(fields[field], longest=80, field=field, needed=field == "name")
    for field, value in fields.items():
        setattr(championship, field, value)
    with locks.locked_for(championship, actor, "edit") as locked:
        championship.save(update_fields=list(fields))
        if "public" in fields:
            table_rights.update_visibility(championship, load_regulations(locked))
    return championship


def set_announcement(championship: Championship, text: str, too: str = "", *, actor: Actor) -> None:
    """Set the announcement on walls. `too`: the text in a second language, shown below. Two empty texts
    remove the announcement.

    Raises TournamentError `names/too_long`, `names/forbidden_characters`.
    """
    require(actor, "open", championship)
    said, also = (clean(one, longest=MAX_ANNOUNCEMENT_LENGTH, field="announced") for one in (text, too))
    with locks.locked_for(championship, actor, "open") as locked:
        locked.announced, locked.announced_too = (said, also) if said else (also, "")
        locked.save(update_fields=["announced", "announced_too"])
