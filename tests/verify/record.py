"""An export taken apart, so that a test can bend it and whoever holds the platform's key seals it again."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import msgspec

from games.sealing import SealKey
from games.store import layout
from tests.verify.mutations import listed_again, sealed_again, unzipped, zipped

Body = dict[str, Any]


class Event:
    """One event of a stream; `body` is what a cheat bends."""

    def __init__(self, line: Body) -> None:
        self.envelope: Body = json.loads(line["envelope"])
        self.parts: Body = line.get("parts", {})

    @property
    def type(self) -> str:
        return str(self.envelope["type"])

    @property
    def body(self) -> Body:
        found: Body = self.envelope["body"]
        return found

    def hide(self, name: str, value: Any) -> None:
        """Another value for a secret part, with a commitment that fits."""
        part = layout.secret_part(name, value)
        self.envelope.setdefault("commitments", {})[name] = layout.commitment(part)
        self.parts[name] = {"nonce": part.nonce.hex(), "body": part.body.decode()}

    def secret(self, name: str) -> Any:
        return json.loads(self.parts[name]["body"])

    def copy(self) -> "Event":
        envelope = json.dumps(self.envelope)
        return Event({"envelope": envelope, "parts": json.loads(json.dumps(self.parts))})

    def line(self, seq: int) -> Body:
        line: Body = {"envelope": _compact({**self.envelope, "seq": seq})}
        return {**line, "parts": self.parts} if self.parts else line


class Record:
    """All of an export: streams by id, the tables beside the log, names, checkpoints, and the list."""

    def __init__(self, data: bytes) -> None:
        self.files = unzipped(data)
        self.kinds: dict[str, str] = {}
        self.streams: dict[str, list[Event]] = {}
        for name, lines in self.files.items():
            if name.startswith("streams/"):
                head, *events = (json.loads(line) for line in lines.splitlines())
                self.kinds[head["stream"]] = head["kind"]
                self.streams[head["stream"]] = [Event(line) for line in events]
        self.tables: dict[str, list[Body]] = json.loads(self.files["championship.json"])
        self.names: Body = json.loads(self.files["names.json"])
        self.checkpoints: list[Body] = [json.loads(x) for x in self.files["checkpoints.jsonl"].splitlines()]
        self.manifest: Body = json.loads(self.files["manifest.json"])

    # --- finding one's way

    @property
    def own(self) -> list[Event]:
        return self.streams[self.manifest["championship"]]

    def round(self, number: int) -> list[Event]:
        return self.streams[self.round_id(number)]

    def round_id(self, number: int) -> str:
        return str(next(row["stream"] for row in self.tables["round"] if row["number"] == number))

    def games(self, number: int) -> list[str]:
        """The games of a round as it was opened last."""
        found: list[str] = [e for e in self.round(number) if e.type == "round_opened"][-1].body["games"]
        return found

    def game(self, table: int, number: int = 1) -> list[Event]:
        return self.streams[self.games(number)[table - 1]]

    @staticmethod
    def first(events: list[Event], type_: str) -> Event:
        return next(event for event in events if event.type == type_)

    @staticmethod
    def place(events: list[Event], type_: str) -> int:
        return next(at for at, event in enumerate(events) if event.type == type_)

    def rows(self, table: str, **where: Any) -> Iterator[Body]:
        return (row for row in self.tables[table] if all(row[k] == v for k, v in where.items()))

    # --- what a cheat does so that all agrees with itself

    def insert(self, events: list[Event], at: int, type_: str, body: Body) -> Event:
        """One more event, as if it had been there."""
        near = events[min(at, len(events) - 1)].envelope
        kept = {name: near[name] for name in ("actor", "command_id", "recorded_at")}
        event = Event({"envelope": _compact({"seq": 0, "type": type_, "body": body, **kept})})
        events.insert(at, event)
        return event

    def publish(self, at: int = -1) -> None:
        """The digest of a ranking that was bent, in the log too."""
        snapshot = self.tables["standingssnapshot"][at]
        digest = hashlib.sha256(msgspec.json.encode(snapshot["rows"], order="sorted")).hexdigest()
        for event in self.own:
            if event.type == "standings_published" and event.body["version"] == snapshot["version"]:
                event.body["digest"] = digest

    def sit_as_drawn(self) -> None:
        """The rows of seats as the rounds tell them: drawn, and changed after the draw."""
        entry = {row["player_ref"]: row["pk"] for row in self.tables["entry"]}
        for row in self.tables["round"]:
            sat: list[list[str]] = []
            games: list[str] = []
            for event in self.streams[row["stream"]]:
                if event.type == "seats_drawn":
                    sat = [list(table) for table in event.body["tables"]]
                elif event.type == "forehand_drawn" and event.body["exchanged"]:
                    table, seat = sat[(event.body["number"] - 1) % 10_000], event.body["dealer"]
                    table[seat], table[(seat + 2) % 4] = table[(seat + 2) % 4], table[seat]
                elif event.type == "seats_exchanged":
                    (a, b), (i, j) = event.body["tables"], event.body["seats"]
                    sat[a - 1][i], sat[b - 1][j] = sat[b - 1][j], sat[a - 1][i]
                elif event.type == "chair_taken":
                    sat[event.body["table"] - 1][event.body["seat"]] = event.body["player"]
                elif event.type == "round_opened":
                    games = event.body["games"]
                elif event.type == "draw_undone":
                    sat, games = [], []
            tables = {t["number"]: t["pk"] for t in self.rows("table", round=row["pk"])}
            for seating in self.rows("seating", round=row["pk"]):
                number = next(n for n, pk in tables.items() if pk == seating["table"])
                seating["entry"] = entry[sat[number - 1][seating["seat"]]]
            for game, people in zip(games, sat, strict=False):
                for seat in self.rows("seat", game=game):
                    seat["player_ref"] = people[seat["number"]]

    def sealed(self, key: SealKey | None, *, listed: bool = True) -> bytes:
        """The export of what was bent: every checkpoint made anew, the list too, and signed with this key."""
        if key is not None:
            self.manifest["key"] = key.public.hex()
            for line in self.checkpoints:
                line["body"] = _compact({**json.loads(line["body"]), "key": key.public.hex()})
        files = {name: data for name, data in self.files.items() if not name.startswith("streams/")}
        for stream, events in self.streams.items():
            head: Body = {"stream": stream, "kind": self.kinds[stream]}
            lines = [head, *(event.line(seq) for seq, event in enumerate(events))]
            files[f"streams/{stream}.jsonl"] = _lines(lines)
        files["championship.json"] = _lines([self.tables])
        if "names.json" in files:
            files["names.json"] = _lines([self.names])
        files["checkpoints.jsonl"] = _lines(self.checkpoints)
        files["manifest.json"] = _compact(self.manifest).encode()
        files = sealed_again(files, key) if key is not None else files
        return zipped(listed_again(files, key)) if listed else zipped(files)


def _lines(rows: list[Any]) -> bytes:
    return b"".join(_compact(row).encode() + b"\n" for row in rows)


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
