"""Creating and editing the series of a club and their events, by the keepers of the club's roll.

Changes are recorded in the stream of the series. Once an event counts, a `reason` is needed to change rules,
weights or the order of counted events, or so that an event no longer counts. Once a table is published, a
reason is also needed so that an event begins to count. Without it, TournamentError with a code of
`stream.REASONS_NEEDED` is raised.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

import msgspec
from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import Championship, Club, ClubEvent, ClubSeries
from tournaments.names import clean
from tournaments.permissions import Actor
from tournaments.positions import move_by_one
from tournaments.series.document import (
    STEP_FIELDS,
    QualifyRules,
    QualifyStep,
    Series,
    SeriesError,
    SeriesEvent,
    SeriesRules,
    check_series,
)
from tournaments.series.events import SeriesDeleted
from tournaments.series.presets import FINAL, SERIES_PRESETS
from tournaments.services.series.stream import begin_stream, changing, record_events

MAX_EVENTS: Final = 100
MAX_WEIGHT: Final = 99
OFFERED_PRESETS: Final = tuple(SERIES_PRESETS)
"""Presets that a series of a club can have."""


def decode_series_rules(series: ClubSeries) -> SeriesRules:
    """Decode the stored rules of a series."""
    return msgspec.convert(series.rules, SeriesRules)


def create_series(
    club: Club,
    *,
    name: str,
    preset: str,
    actor: Actor,
    final_name: str = "Final",
    best: int | None = None,
    least: int | None = None,
    finalists: int | None = None,
    championships: Sequence[Championship] = (),
) -> ClubSeries:
    """Create a series from a preset, with these championships as its events, in order.

    `final_name`: name of the planned final, if the rules have one. `best`, `least`: numbers of events that
    replace the numbers of the preset. `finalists`: number of persons who qualify by the table; it replaces
    the qualification steps of the preset.

    Raises NotAllowed `clubs/not_keeper`, TournamentError `names/…`, `series/unknown_preset`, and what
    `add_event` raises.
    """
    rolls.require_keeper(actor, club)
    name = clean(name, longest=80, needed=True)
    with transaction.atomic():
        series = ClubSeries.objects.create(club=club, slug=_find_free_slug(name), name=name, rules={})
        _use_preset(series, preset, final_name, best=best, least=least, finalists=finalists)
        begin_stream(series, actor=actor)
        with changing(series, actor=actor) as locked_series:
            for one in championships:
                _check_championship(locked_series, one)
                append_event(locked_series, championship=one, name=one.name)
    return series


def _find_free_slug(name: str) -> str:
    slug = slugify(name)[:50] or "series"
    taken = set(ClubSeries.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    return next(
        one for n in range(1, len(taken) + 2) if (one := f"{slug}-{n}" if n > 1 else slug) not in taken
    )


def rename_series(series: ClubSeries, name: str, *, actor: Actor) -> None:
    """Rename a series; the slug of its address stays. Raises TournamentError `names/…`."""
    rolls.require_keeper(actor, series.club)
    series.name = clean(name, longest=80, needed=True)
    series.save(update_fields=["name"])


def delete_series(series: ClubSeries, *, actor: Actor) -> None:
    """Delete a series; its championships stay."""
    rolls.require_keeper(actor, series.club)
    with transaction.atomic():
        locked_series = begin_stream(series, actor=actor)
        record_events(locked_series, [SeriesDeleted()], actor=actor)
        locked_series.delete()


def choose_preset(
    series: ClubSeries, preset: str, *, actor: Actor, final_name: str = "Final", reason: str = ""
) -> None:
    """Replace the rules by the rules of a preset.

    `final_name`: name of the planned final, if the rules have one. Raises TournamentError
    `series/unknown_preset`, `series/too_many_events`.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor, reason=reason) as locked_series:
        _use_preset(locked_series, preset, final_name)
    series.rules = locked_series.rules


def _use_preset(
    series: ClubSeries,
    preset: str,
    final_name: str,
    *,
    best: int | None = None,
    least: int | None = None,
    finalists: int | None = None,
) -> None:
    if preset not in OFFERED_PRESETS:
        raise TournamentError(
            "series/unknown_preset", _("A series has no rules “%(preset)s”."), preset=preset
        )
    rules = SERIES_PRESETS[preset].rules
    rules = replace(rules, best=best or rules.best, least=least or rules.least)
    if finalists:
        step = QualifyStep(kind="table", count=finalists)
        rules = replace(rules, qualify=QualifyRules(to=FINAL, steps=(step,), level="chain"))
    named = {*rules.weights, *rules.always, *(() if rules.qualify is None else (rules.qualify.to,))}
    if FINAL in named and not series.events.filter(key=FINAL).exists():
        weight = Decimal(str(rules.weights.get(FINAL, 1)))
        append_event(series, key=FINAL, name=clean(final_name, longest=80, needed=True), weight=weight)
    _save_rules(series, replace(rules, weights={}))


def set_numbers(
    series: ClubSeries,
    *,
    best: int | None,
    least: int | None,
    steps: Sequence[int | None],
    actor: Actor,
    reason: str = "",
) -> None:
    """Change the numbers of the rules.

    `best`: how many events count for a person, None for all; `least`: how many a person needs to be ranked,
    None for the default; `steps`: the number of each qualification step, None to keep the present number.
    Raises SeriesError `series/steps`, also if the rules have another number of steps by now.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor, reason=reason) as locked_series:
        rules = decode_series_rules(locked_series)
        qualify = rules.qualify
        there = 0 if qualify is None else len(qualify.steps)
        if len(steps) != there:
            raise SeriesError("series/steps", f"the rules have {there} steps, not {len(steps)}")
        if qualify is not None:
            changed = tuple(
                step if number is None else _with_number(step, number)
                for step, number in zip(qualify.steps, steps, strict=True)
            )
            qualify = replace(qualify, steps=changed)
        _save_rules(locked_series, replace(rules, best=best, least=least, qualify=qualify))
    series.rules = locked_series.rules


def set_qualification(
    series: ClubSeries,
    *,
    steps: Sequence[QualifyStep],
    level: str,
    actor: Actor,
    final_name: str = "Final",
    reason: str = "",
) -> None:
    """Replace the steps of the qualification. If `steps` is empty, nobody qualifies by rule.

    A planned final is added if the series has none, unless the qualification leads to another event. `level`:
    which persons get a ticket if several are level at the last place of a step. Raises TournamentError
    `series/too_many_events`, SeriesError `series/steps`, `series/unknown_rule`.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor, reason=reason) as locked_series:
        rules = decode_series_rules(locked_series)
        qualify = None
        if steps:
            qualify = replace(rules.qualify or QualifyRules(to=FINAL), steps=tuple(steps), level=level)
            if qualify.to == FINAL and not locked_series.events.filter(key=FINAL).exists():
                append_event(locked_series, key=FINAL, name=clean(final_name, longest=80, needed=True))
        _save_rules(locked_series, replace(rules, qualify=qualify))
    series.rules = locked_series.rules


def number_of_step(step: QualifyStep) -> int | None:
    """Return the number of a qualification step that a keeper can edit; None if the step has no number."""
    field = STEP_FIELDS[step.kind]
    value = None if field is None else getattr(step, field)
    return value if isinstance(value, int) else None


def _with_number(step: QualifyStep, number: int) -> QualifyStep:
    field = STEP_FIELDS[step.kind]
    return step if field is None or number_of_step(step) is None else replace(step, **{field: number})


def _save_rules(series: ClubSeries, rules: SeriesRules) -> None:
    """Store rules that fit the events of the series. Raises SeriesError `series/…`."""
    events = tuple(SeriesEvent(key=key) for key in series.events.values_list("key", flat=True))
    check_series(Series(rules=rules, events=events))
    series.rules = msgspec.to_builtins(rules)
    series.save(update_fields=["rules"])


def add_event(
    series: ClubSeries,
    *,
    actor: Actor,
    championship: Championship | None = None,
    name: str = "",
    place: str = "",
    starts_at: datetime | None = None,
    weight: Decimal = Decimal(1),
    reason: str = "",
) -> ClubEvent:
    """Add a championship of the club, or a planned event with a name. It comes last, but before a planned
    final at the end.

    Raises TournamentError `names/…`, `series/other_club`, `series/event_twice`, `series/too_many_events`,
    `series/weight`.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor, reason=reason) as locked_series:
        if championship is not None:
            _check_championship(locked_series, championship)
            name = name or championship.name
        return append_event(
            locked_series,
            championship=championship,
            name=clean(name, longest=80, needed=True),
            place=clean(place, longest=80, field="place"),
            starts_at=starts_at,
            weight=_check_weight(weight),
        )


def append_event(series: ClubSeries, *, key: str = "", **fields: Any) -> ClubEvent:
    """Add an event to a series that `changing` has locked. It comes last, but before a planned final at the
    end.

    `key`: of the event; empty: the next free one. Raises TournamentError `series/too_many_events`.
    """
    keys = set(series.events.values_list("key", flat=True))
    if len(keys) >= MAX_EVENTS:
        raise TournamentError(
            "series/too_many_events", _("A series has at most %(most)s events."), most=MAX_EVENTS
        )
    last = series.events.aggregate(last=Max("position"))["last"] or 0
    key = key or next(one for n in range(1, len(keys) + 2) if (one := f"e{n}") not in keys)
    final = series.events.filter(key=FINAL, championship=None, position=last).first()
    if final is not None:
        final.position = last + 1
        final.save(update_fields=["position"])
        last -= 1
    return ClubEvent.objects.create(series=series, key=key, position=last + 1, **fields)


def edit_event(event: ClubEvent, *, actor: Actor, reason: str = "", **fields: Any) -> None:
    """Change the given fields: name, place, starts_at, weight, state or championship. A removed event stays
    removed.

    Raises what `add_event` raises, TournamentError `series/event_taken`, TypeError for another field.
    """
    rolls.require_keeper(actor, event.series.club)
    if unknown := set(fields) - {"name", "place", "starts_at", "weight", "state", "championship"}:
        raise TypeError(f"not to be edited: {sorted(unknown)}")
    for field in ("name", "place"):
        if field in fields:
            fields[field] = clean(fields[field], longest=80, field=field, needed=field == "name")
    if "weight" in fields:
        _check_weight(fields["weight"])
    if "state" in fields:
        fields["state"] = ClubEvent.State(fields["state"])
    with changing(event.series, actor=actor, reason=reason) as locked_series:
        made = fields.get("championship")
        if made is not None and made.pk != event.championship_id:
            _check_championship(locked_series, made)
            if event.outside.filter(counts=True).exists():
                raise TournamentError(
                    "series/event_taken",
                    _("“%(name)s” has already been played: choose another one."),
                    name=event.name,
                )
        locked_series.events.filter(pk=event.pk).update(**fields)
    for field, value in fields.items():
        setattr(event, field, value)


def _check_championship(series: ClubSeries, championship: Championship) -> None:
    if championship.club_id != series.club_id:
        raise TournamentError(
            "series/other_club", _("%(name)s does not belong to this club."), name=championship.name
        )
    from_file = series.outside.filter(stream=championship.stream_id, counts=True)
    if series.events.filter(championship=championship).exists() or from_file.exists():
        raise TournamentError(
            "series/event_twice", _("%(name)s is already in this series."), name=championship.name
        )


def _check_weight(weight: Decimal) -> Decimal:
    if not 0 <= weight <= MAX_WEIGHT:
        raise TournamentError(
            "series/weight", _("A weight must be from 0 to %(most)s."), most=MAX_WEIGHT, field="weight"
        )
    return weight


def move_event(event: ClubEvent, *, earlier: bool, actor: Actor, reason: str = "") -> None:
    """Move an event by one place in the order of its series. The first and the last event move no further."""
    rolls.require_keeper(actor, event.series.club)
    with changing(event.series, actor=actor, reason=reason) as locked_series:
        events = list(locked_series.events.order_by("position", "pk"))
        move_by_one(events, event, earlier=earlier)
        ClubEvent.objects.bulk_update(events, ["position"])


def remove_event(event: ClubEvent, *, actor: Actor, reason: str = "") -> None:
    """Remove an event from its series. Its championship stays; its file no longer counts.

    Raises TournamentError `series/event_in_rules` if the rules name it.
    """
    rolls.require_keeper(actor, event.series.club)
    with changing(event.series, actor=actor, reason=reason) as locked_series:
        rules = decode_series_rules(locked_series)
        if event.key in rules.always or (rules.qualify is not None and event.key == rules.qualify.to):
            raise TournamentError(
                "series/event_in_rules",
                _("The rules of the series name “%(name)s”: choose other rules first, or cancel it."),
                name=event.name,
            )
        event.outside.update(counts=False, event=None)
        locked_series.events.filter(pk=event.pk).delete()
