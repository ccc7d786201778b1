"""Audit of rounds with a revealed seed: deals and draws are recomputed from the seed and compared with the
log.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from games import game_state, store
from games.audit import wrong_deals
from games.models import Game, Stream
from games.randomness import dealing
from games.randomness.dealing import Source
from games.randomness.round_seed import SeedChapter, chapters_of
from games.store import StoredEvent
from tournaments import competition as competition_data
from tournaments import pairing
from tournaments.events import SeatsDrawn, TablesDrawn
from tournaments.models import Championship, Round
from tournaments.pairing import systems
from tournaments.pairing.systems.stand_ins import fill_chairs
from tournaments.services.draw.seating_by_hand import BY_HAND

FROM_THE_SEED = frozenset(
    {"entropy_added", "seats_drawn", "tables_drawn", "forehand_drawn", "round_opened", "table_opened"}
)


class RemadeRound(NamedTuple):
    """Result of recomputing one round.

    `round`: its stream; `deals`, `forehands`, `draws`: numbers of recomputed deals, draws for forehand and
    draws of seats; `differences`: one sentence for each difference found.
    """

    round: str
    deals: int
    forehands: int
    draws: int
    differences: tuple[str, ...]


def revealed_rounds(championship: Championship | None = None) -> list[str]:
    """List the streams of rounds with a revealed seed, ordered by id.

    With `championship`, list only its rounds, ordered by round number.
    """
    streams = Stream.objects.filter(kind=Stream.Kind.ROUND).order_by("pk")
    if championship is not None:
        streams = streams.filter(round__championship=championship).order_by("round__number")
    return [stream for stream in streams.values_list("pk", flat=True) if _is_revealed(stream)]


def _is_revealed(stream: str) -> bool:
    return any(event.type == "seed_revealed" for event in store.read(stream, parts=False))


def remake_round(round_stream: str) -> RemadeRound:
    """Recompute every deal, forehand draw and seat draw of a round from each revealed seed, and compare the
    seeds with their commitments. Raises AlteredLog.
    """
    events = store.verify(round_stream)
    chapters = chapters_of(events)
    differences = [*_check_commitments(events, chapters), *_check_plan_seeds(round_stream, events)]
    deals = forehands = draws = 0
    for chapter in chapters:
        if chapter.revealed is None:
            continue
        differences += _check_reveal(chapter, chapter.revealed.body)
        drawn, seated, told = _recompute_draws(chapter)
        forehands, draws = forehands + drawn, draws + seated
        differences += told
        for game in Game.objects.filter(
            round_stream=round_stream, mode=Game.Mode.DEALT, seed_seq=chapter.committed.seq
        ).order_by("number", "pk"):
            log = game_state.restore_events(store.read(game.pk))
            deals += sum(event.__struct_config__.tag == "deal_started" for event in log)
            differences += [
                f"game {game.pk}: deal {n} is not the seed's" for n in wrong_deals(game, log, events)
            ]
    return RemadeRound(round_stream, deals, forehands, draws, tuple(differences))


def _check_commitments(events: Sequence[StoredEvent], chapters: Sequence[SeedChapter]) -> Iterator[str]:
    """Check that the first event is a commitment, and that each further commitment follows the reveal of the
    last seed.
    """
    if [event.type for event in events[:1]] != ["seed_committed"]:
        yield "the seed was not committed to before everything else"
    if any(chapter.revealed is None for chapter in chapters[:-1]):
        yield "a new seed was committed to before the last one was revealed"


def _check_reveal(chapter: SeedChapter, reveal: Mapping[str, Any]) -> Iterator[str]:
    """Check the reveal of a seed (`told`) against its commitment.

    Also check that no entropy was added after cards were dealt, and that nothing was drawn after the reveal.
    """
    types = [event.type for event in chapter.events]
    begun = next(
        (at for at, type_ in enumerate(types) if type_ in ("forehand_drawn", "round_opened")), len(types)
    )
    if "entropy_added" in types[begun:]:
        yield "chance was added after cards had been dealt"
    if not FROM_THE_SEED.isdisjoint(types[types.index("seed_revealed") :]):
        yield "a seed was used after it was public"
    part = store.Part("seed", bytes.fromhex(reveal["nonce"]), msgspec.json.encode(reveal["seed"]))
    if store.commitment(part) != chapter.committed.commitments.get("seed"):
        yield "the revealed seed is not the one that was committed to"


def _check_plan_seeds(round_stream: str, events: Sequence[StoredEvent]) -> Iterator[str]:
    """Check that each draw by a pairing system uses the seed of an earlier round's draw as plan seed, if
    there is one.
    """
    by_system = [
        e.body for e in events if e.type == "seats_drawn" and "/" in e.body["algorithm"] and e.body["tables"]
    ]
    if not by_system:
        return
    round_ = Round.objects.get(stream=round_stream)
    earlier = Round.objects.filter(championship=round_.championship_id, number__lt=round_.number)
    seeds = {
        event.body["seed"]
        for stream in earlier.values_list("stream_id", flat=True)
        for event in store.read(stream, parts=False)
        if event.type == "seats_drawn" and event.body["seed"]
    }
    for draw_event in by_system:
        if draw_event["problem"].get("plan_seed", "") not in (seeds or {""}):
            yield f"draw {draw_event['draw']} does not follow from the seed of the first draw"


def _recompute_draws(chapter: SeedChapter) -> tuple[int, int, list[str]]:
    """Recompute the forehand draws and seat draws. Return the number of each, and the differences."""
    seed = bytes.fromhex(chapter.committed.parts["seed"])
    entropy: tuple[bytes, ...] = ()
    forehands, draws, differences = 0, 0, []
    for event in chapter.events:
        source = Source(seed, entropy)
        if event.type == "entropy_added":
            entropy = (*entropy, event.body["entropy"].encode())
        elif event.type == "forehand_drawn":
            forehands += 1
            seats = len(event.body["cards"][0])
            exchanged = event.body.get("exchanged")  # early events have no such field
            told = event.body["cards"], event.body["dealer"], exchanged
            drawn = dealing.draw_forehand(source, event.body["number"], seats, partners=exchanged is not None)
            if told != ([list(row) for row in drawn.cards], drawn.dealer, drawn.exchanged):
                differences.append(f"forehand of the game {event.body['game']} was not drawn from the seed")
        elif event.type == "tables_drawn":
            draws += 1
            if not _tables_follow(
                msgspec.convert({**event.body, "type": "tables_drawn"}, TablesDrawn), source
            ):
                differences.append(
                    f"tables from draw {event.body['draw']} of the queue do not follow from the seed"
                )
        elif event.type == "seats_drawn":
            draws += 1
            drawing = msgspec.convert({**event.body, "type": "seats_drawn"}, SeatsDrawn)
            if not _seats_follow(drawing, source):
                differences.append(f"draw {drawing.draw} does not follow from the seed")
    return forehands, draws, differences


def _seats_follow(draw_event: SeatsDrawn, source: Source) -> bool:
    """Return whether the recorded algorithm derives the recorded seats from the seed. True
    for draws by hand.
    """
    if draw_event.algorithm == BY_HAND:
        return True
    seed = source.derive_seed("pairing", draw_event.draw)
    if draw_event.seed != seed.hex():
        return False
    if "/" in draw_event.algorithm:
        return _seats_follow_system(draw_event)
    if draw_event.algorithm not in pairing.KNOWN_VERSIONS:
        return False
    problem = msgspec.convert({**draw_event.problem, "seed": b""}, pairing.PairingProblem)
    drawn = pairing.draw(replace(problem, seed=seed), draw_event.algorithm).rounds[0]
    tables = tuple(tuple(draw_event.players[p] for p in table) for table in drawn.tables)
    return (tables, tuple(draw_event.players[p] for p in drawn.byes)) == (
        draw_event.tables,
        draw_event.sit_out,
    )


def _tables_follow(draw_event: TablesDrawn, source: Source) -> bool:
    """Return whether the pairing system derives the recorded tables from the recorded queue and the seed."""
    if draw_event.seed != source.derive_seed("queue", draw_event.draw).hex():
        return False
    competition = competition_data.decode_competition({**draw_event.problem, "seed": draw_event.seed})
    if draw_event.algorithm != systems.algorithm_of(competition.system):
        return False
    drawn = systems.draw_next(competition)
    return drawn is not None and draw_event.tables == tuple(
        tuple(draw_event.players[int(person)] for person in table) for table in drawn.tables
    )


def _seats_follow_system(draw_event: SeatsDrawn) -> bool:
    """Return whether the pairing system derives the recorded seats from the recorded document.

    Chairs that the system leaves empty have players of the house.
    """
    competition = competition_data.decode_competition({**draw_event.problem, "seed": draw_event.seed})
    if draw_event.algorithm != systems.algorithm_of(competition.system):
        return False
    drawn = systems.draw_next(competition)
    if drawn is None or len(drawn.tables) != len(draw_event.tables):
        return False
    sizes = [len(table) for table in draw_event.tables]
    index = {ref: f"{n:04}" for n, ref in enumerate(draw_event.players)}
    seated = [index.get(ref, "") for table in draw_event.tables for ref in table]
    stand_ins = [person for person in seated if person and person not in competition.ref_of]
    if any(size < len(table) for size, table in zip(sizes, drawn.tables, strict=True)):
        return False
    if len(stand_ins) != sum(sizes) - sum(map(len, drawn.tables)):
        return False
    tables = tuple(
        tuple(draw_event.players[int(person)] for person in table)
        for table in fill_chairs(drawn, sizes, stand_ins)
    )
    members = competition.by_ref
    byes = tuple(draw_event.players[int(person)] for ref in drawn.byes for person in members[ref].persons)
    return (tables, byes) == (draw_event.tables, draw_event.sit_out)
