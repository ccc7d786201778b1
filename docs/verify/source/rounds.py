"""Rounds: seeds, seats, substitutes and games, followed event by event."""

from __future__ import annotations

from .canonical import parse_hex, serialize_json, sha256
from .dealing import RoundRandomness, is_dealt_from_seed, is_forehand_from_seed, read_deals
from .event_chain import start_body
from .event_schemas import SCORING_EVENTS
from .regulations import plays_same_cards
from .report import Unusable
from .variants import FOREHAND_RULES_SINCE, find_variant, is_forehand_drawn

NUMBERS_PER_DRAW = 10000


class SeedPeriod:
    """The events between two seed commitments: the seed, once it is revealed, and the added entropy."""

    def __init__(self, committed):
        self.committed = committed.get("commitments", {}).get("seed")
        self.committed_at = committed["recorded_at"]
        self.seed = None
        self.revealed_at = None
        self.entropy = []
        self.begun = False

    @property
    def randomness(self):
        """The random numbers of this seed."""
        return RoundRandomness(self.seed, self.entropy)


class RoundGame:
    """A game of a round: its table, mode, deck number, seed period and players."""

    def __init__(self, place, number, period):
        self.place, self.number, self.seed_period = place, number, period
        self.mode = self.forehand = None
        self.seated = []


class Round:
    """The state of a round, followed from its events."""

    def __init__(self, stream, where, report, streams, same_cards=False):
        self.stream, self.where, self.report, self.streams = stream, where, report, streams
        self.same_cards = same_cards  # all tables play the decks of table 1
        self.forehands = 0  # drawn since the draw in force
        self.status, self.draw_count = "planned", 0
        self.seed_periods = []
        self.draw = None  # the draw in force
        self.seated = []  # tables of players, after all changes
        self.byes = []  # players with a bye, after all changes
        self.substitutes = {}  # chair → deal → the player from that deal on
        self.late_players = []  # players seated after a draw, and substitutes
        self.opened_games = {}  # game → RoundGame, of every draw
        self.games = []  # games of the draw in force, by table
        self.drawn_seats = []  # draws with their seed periods and entropy
        self.queue_draws = []  # draws from a queue with seed period, entropy and moment
        self.acts = []  # acts of officials, as texts
        self.looked_at_deals = []  # deals of this draw whose hands an official saw
        self.seats_since = []  # (moment, tables, byes) after each change; tables None without a draw
        for event in stream.events:
            follow = getattr(self, "_" + event["type"], None)
            if follow is None:
                continue
            try:
                follow(event, event["body"])
            except (Unusable, KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
                self.add_difference(
                    "event %d cannot be followed: %s" % (event["seq"], error or type(error).__name__)
                )
            seats = [list(table) for table in self.seated] if self.draw is not None else None
            if not self.seats_since or self.seats_since[-1][1:] != (seats, self.byes):
                self.seats_since.append((event["at"], seats, list(self.byes)))

    def list_seats_at(self, moment):
        """Return the tables and byes at a moment, before changes that came later; None without a draw."""
        there = [seats for at, *seats in self.seats_since if at <= moment]
        return there[-1] if there and there[-1][0] is not None else None

    def add_difference(self, what):
        """Add a difference in this round to the report."""
        self.report.add_difference(self.where, what)

    def _get_seed_period(self):
        """Return the present seed period. Raise Unusable before the first."""
        if not self.seed_periods:
            raise Unusable("an event precedes the commitment to the seed")
        return self.seed_periods[-1]

    def _seed_committed(self, event, body):
        if self.seed_periods and self.seed_periods[-1].seed is None:
            self.add_difference("there is a new seed although the one before was never revealed")
        if body["algorithm"] != "puur/draw/1" or body.get("single"):
            self.add_difference("its seed is of another kind than that of a round")
        self.seed_periods.append(SeedPeriod(event))

    def _entropy_added(self, event, body):
        now = self._get_seed_period()
        now.entropy.append(body["entropy"])
        if now.begun or now.seed is not None:
            self.add_difference("chance was added after cards had been dealt")

    def _seed_revealed(self, event, body):
        now, seed = self._get_seed_period(), parse_hex(body["seed"], 32)
        if now.seed is not None:
            self.add_difference("a seed was revealed twice")
        if sha256(parse_hex(body["nonce"], 32) + serialize_json(body["seed"])).hex() != now.committed:
            self.add_difference("the revealed seed does not match its commitment")
        now.seed, now.revealed_at = seed, event["at"]

    def _seats_drawn(self, event, body):
        self.draw_count += 1
        if self.status != "planned" or body["draw"] != self.draw_count:
            self.add_difference("draw %r was made while another one was valid" % (body["draw"],))
        if self._get_seed_period().seed is not None and body["seed"]:
            self.add_difference("a seed was used after it was public")
        if (not body["seed"]) != (body["algorithm"] == "by hand"):
            self.add_difference("draw %r has no seed" % (body["draw"],))
        seated = [player for table in body["tables"] for player in table] + body["sit_out"]
        everybody = set(body["players"])
        if "/" in body["algorithm"]:  # players of a pairing system include those who have left or lost
            everybody &= set(seated)
        if sorted(seated) != sorted(everybody):
            self.add_difference("draw %r does not seat each player once" % (body["draw"],))
        self.status, self.draw, self.games = "drawn", body, []
        self.seated, self.byes = [list(table) for table in body["tables"]], list(body["sit_out"])
        self.substitutes, self.forehands = {}, 0
        self.drawn_seats.append((body, self.seed_periods[-1], list(self.seed_periods[-1].entropy)))

    def _tables_drawn(self, event, body):
        """Add tables from the queue of an open session."""
        now, seated = self._get_seed_period(), [player for table in self.seated for player in table]
        more = [player for table in body["tables"] for player in table]
        if self.status != "open" or body["draw"] != len(self.queue_draws) + 1:
            self.add_difference("draw %r from the queue was made out of turn" % (body["draw"],))
        if body["first"] != len(self.seated) + 1 or len({*seated, *more}) < len(seated) + len(more):
            self.add_difference("draw %r from the queue seats somebody twice" % (body["draw"],))
        if now.seed is not None:
            self.add_difference("a seed was used after it was public")
        self.seated += [list(table) for table in body["tables"]]
        self.queue_draws.append((body, now, list(now.entropy), event["at"]))

    def _table_taken_back(self, event, body):
        """Take the last table of an open session back."""
        place = body["table"]
        if self.status != "open" or place != len(self.seated) or place != len(self.games):
            raise Unusable("a table was taken back that was not the last one")
        if self.is_dealt_table(place) or self.has_scores(place, event):
            self.add_difference("table %d was taken back after it had begun" % place)
        opened = self.opened_games[self.games[-1]]
        opened.seated = opened.seated or self.seated[-1]
        self.seated, self.games = self.seated[:-1], self.games[:-1]
        self.add_act("table %d was taken back" % place)

    def _draw_undone(self, event, body):
        if self.status not in ("drawn", "open") or body["draw"] != self.draw_count:
            self.add_difference("a draw was undone that did not exist")
        for opened in self.opened_games.values():
            opened.seated = opened.seated or self.seated[opened.place - 1]
        looks = ", after an official had looked at hands" if self.looked_at_deals else ""
        self.add_act("draw %r was undone%s: %s" % (body["draw"], looks, body["reason"] or "no reason"))
        self.status, self.draw, self.seated, self.games = "planned", None, [], []
        self.byes, self.substitutes, self.looked_at_deals = [], {}, []

    def _get_deck_number(self, place):
        """Return the deck number of a table in the present draw."""
        return (self.draw_count - 1) * NUMBERS_PER_DRAW + (1 if self.same_cards else place)

    def _forehand_drawn(self, event, body):
        now, place = self._get_seed_period(), (body["number"] - 1) % NUMBERS_PER_DRAW + 1
        self.forehands += 1
        if self.same_cards:  # tables are opened in their order, a late one after all others
            place = len(self.games) + 1 if self.status == "open" else self.forehands
        now.begun = True
        if now.seed is not None:
            self.add_difference("a seed was used after it was public")
        late = self.status == "open" and place == len(self.games) + 1 <= len(self.seated)
        if not (self.status == "drawn" or late) or body["number"] != self._get_deck_number(place):
            self.add_difference("table %d was dealt the cards of another one" % place)
        if body["game"] in self.opened_games:
            self.add_difference("forehand of table %d was drawn twice" % place)
        opened = self.opened_games[body["game"]] = RoundGame(place, body["number"], now)
        opened.forehand = dict({"exchanged": None}, **body, entropy=list(now.entropy))
        if body.get("exchanged"):
            table, seat = self.seated[place - 1], body["dealer"]
            second = (seat + 2) % len(table)
            table[seat], table[second] = table[second], table[seat]

    def _seats_exchanged(self, event, body):
        if self.status not in ("drawn", "open"):
            self.add_difference("chairs were swapped before anybody sat")
            return
        (one, other), (seat, second) = (self.seated[number - 1] for number in body["tables"]), body["seats"]
        one[seat], other[second] = other[second], one[seat]
        if [one[seat], other[second]] != body["players"]:
            self.add_difference("a swap of chairs names a person who did not sit there")
        played = ""
        for place in body["tables"]:
            if self.is_dealt_table(place):
                self.add_difference("chairs were exchanged at table %d, where cards are dealt" % place)
            elif self.has_scores(place, event):
                played = ", after results were written: %s" % (body.get("reason") or "no reason")
        self.add_act("chairs were exchanged at tables %d and %d%s" % (*body["tables"], played))

    def _chair_taken(self, event, body):
        player, instead, at = body["player"], body["instead"], body["seat"]
        more = not instead and at == 0 and body["table"] == len(self.seated) + 1
        if more:  # latecomers form a table with players who had a bye
            self.seated.append([])
        table = self.seated[body["table"] - 1] if 0 < body["table"] <= len(self.seated) else []
        there = table[at] if 0 <= at < len(table) else ""
        begun = self.status == "open" and (
            self.is_dealt_table(body["table"]) or self.has_entries(body["table"], event)
        )
        if self.status not in ("drawn", "open") or begun or there != instead or not 0 <= at <= len(table):
            self.add_difference("a chair was taken that was not free")
            return
        if not (table or more) or any(player in seated for seated in self.seated):
            self.add_difference("a person sits on two chairs")
            return
        if self.status == "open" and not instead and 0 < body["table"] <= len(self.games):
            before = self.opened_games[self.games[body["table"] - 1]]  # its game starts again
            before.seated = before.seated or list(table)
        table[at : at + 1] = [player]
        if instead:
            self.add_act("a person took another person's chair at table %d" % body["table"])
        self.byes = [other for other in self.byes if other != player]
        self.byes += [instead] if body["sits_out"] and instead else []
        self.substitutes.pop((body["table"], at), None)
        self.late_players.append(player)

    def get_game_at(self, place):
        """Return the stream of the game at a table of an open or closed round, or None."""
        games = self.games if self.status in ("open", "closed") else []
        return self.streams.get(games[place - 1]) if 0 < place <= len(games) else None

    def is_dealt_table(self, place):
        """Whether the game at an open table deals cards."""
        return start_body(self.get_game_at(place)).get("mode") == "dealt"

    def has_entries(self, place, event):
        """Whether a game had more than its start before an event of this round."""
        stream = self.get_game_at(place)
        return stream is not None and any(e["at"] < event["at"] for e in stream.events[1:])

    def has_scores(self, place, event):
        """Whether a game had a result before an event of this round."""
        stream = self.get_game_at(place)
        return stream is not None and any(
            e["at"] < event["at"] for e in stream.events if e["type"] in SCORING_EVENTS
        )

    def add_act(self, what):
        """Add an act of an official to the notes of this round."""
        self.acts.append(what)

    def _hands_printed(self, event, body):
        if self.status != "open" or body["draw"] != self.draw_count or not self.same_cards:
            self.add_difference("hands were printed of a round that was not open")
        self.add_act("an official printed the hands of %d deals" % body["deals"])

    def _hidden_cards_opened(self, event, body):
        self.looked_at_deals.append(body["deal"])
        told = "an official looked at the hands of deal %d at table %d while it was played: %s"
        self.add_act(told % (body["deal"], body["table"], body["reason"]))

    def _substitute_named(self, event, body):
        chair, player = (body["table"], body["seat"]), body["player"]
        instead, deal = body["instead"], body["deal"]
        if self.status not in ("drawn", "open") or not 0 < chair[0] <= len(self.seated) or deal < 1:
            self.add_difference("a substitute was named before anybody sat")
            return
        others = [told[max(told)] for at, told in self.substitutes.items() if told and at != chair]
        others += [other for table in self.seated for other in table if other != instead]
        if self.seated[chair[0] - 1][chair[1]] != instead or player in others:
            self.add_difference("a substitute replaces a person who did not sit there, or sits twice")
        told = {n: who for n, who in self.substitutes.get(chair, {}).items() if n < deal}
        if told or player != instead:
            told[deal] = player
        self.substitutes[chair] = told
        self.late_players.append(player)
        if player != instead:
            told = "a substitute played at table %d from deal %d on"
            self.add_act(told % (body["table"], body["deal"]))

    def _round_opened(self, event, body):
        now, games, modes = self._get_seed_period(), body["games"], body["modes"]
        now.begun = True
        if self.status != "drawn" or not len(games) == len(modes) == len(self.seated) == len(set(games)):
            self.add_difference("it was opened with other tables than were drawn")
        for place, game in enumerate(games, 1):
            number = self._get_deck_number(place)
            opened = self.opened_games.setdefault(game, RoundGame(place, number, now))
            if (opened.number, opened.mode) != (number, None):
                self.add_difference("table %d was dealt the cards of another one" % place)
            started = start_body(self.streams.get(game))
            opened.mode = started.get("mode")
            if opened.mode != (modes[place - 1] if place <= len(modes) else None):
                self.add_difference("table %d was not played as the round says" % place)
            if opened.mode == "dealt" and now.seed is not None:
                self.add_difference("a seed was used after it was public")
        self.status, self.games = "open", list(games)

    def _table_opened(self, event, body):
        """Open a table late: a new one, or a new start at a table without entries."""
        now, place, game = self._get_seed_period(), body["table"], body["game"]
        if self.status != "open" or not 0 < place <= min(len(self.seated), len(self.games) + 1):
            raise Unusable("a table was opened without players")
        started = start_body(self.streams.get(game))
        opened = self.opened_games.setdefault(game, RoundGame(place, self._get_deck_number(place), now))
        if (opened.number, opened.mode) != (self._get_deck_number(place), None):
            self.add_difference("table %d was dealt the cards of another one" % place)
        opened.mode = started.get("mode")
        if opened.mode != body["mode"]:
            self.add_difference("table %d was not played as the round says" % place)
        if now.seed is not None:
            self.add_difference("a table was opened late although the seed was public")
        if place <= len(self.games):
            before = self.streams.get(self.games[place - 1])
            ends = [e["type"] for e in before.events[1:]] if before is not None else []
            if start_body(before).get("mode") == "dealt" or ends != ["game_closed"]:
                self.add_difference("a game with entries was started again at table %d" % place)
        self.games[place - 1 : place] = [game]
        if any(body["first"] <= place < body["first"] + len(body["tables"]) for body, *_ in self.queue_draws):
            return  # seated from the queue
        self.add_act("people who came late sat down at table %d after the round was opened" % place)

    def _round_closed(self, event, body):
        if self.status != "open":
            self.add_difference("it was closed without being open")
        if self._get_seed_period().seed is None:
            self.add_difference("it was closed without revealing its seed")
        self.status = "closed"
        if body.get("unfinished"):
            tables = ", ".join(str(place) for place in body["unfinished"])
            told = "it was closed while tables were playing: %s: %s"
            self.add_act(told % (tables, body.get("reason") or "no reason"))
        for place, game in enumerate(self.games, 1):
            ends = (
                {event["type"] for event in self.streams[game].events} if game in self.streams else {"gone"}
            )
            if not ends & {"game_ended", "game_closed", "gone"}:
                self.add_difference("it was closed, but table %d was neither finished nor broken off" % place)

    def _round_reopened(self, event, body):
        if self.status != "closed":
            self.add_difference("it was opened again without being closed")
        self.status = "open"
        self.add_act("it was opened again: %s" % (body["reason"] or "no reason"))

    def is_touched_by_officials(self):
        """Whether a draw was undone, a hand looked at, or the round reopened."""
        kinds = ("draw_undone", "hidden_cards_opened", "round_reopened")
        return any(event["type"] in kinds for event in self.stream.events)

    def get_players_at(self, game):
        """Return the players of a game of this round, by seat."""
        opened = self.opened_games[game]
        return opened.seated or (self.seated[opened.place - 1] if opened.place <= len(self.seated) else [])


def read_rounds(export, streams):
    """Read all rounds in the order of their numbers."""
    report, rows = export.report, sorted(export.rows("round"), key=lambda row: row["number"])
    listed = [row["stream"] for row in rows]
    unlisted = [stream for stream in streams.values() if stream.kind == "round" and stream.id not in listed]
    told = [row["number"] for row in rows]
    if (
        told != list(range(1, len(rows) + 1))
        or len(set(listed)) != len(listed)
        or not set(listed) <= streams.keys()
    ):
        report.add_difference("championship.json", "it does not list the rounds that exist")
    for stream in unlisted:  # planned, and dropped before it was drawn
        if {event["type"] for event in stream.events} - {"seed_committed", "entropy_added"}:
            report.add_difference("championship.json", "it does not list the rounds that exist")
    made = [
        streams[name].events[0]["recorded_at"] for name in listed if name in streams and streams[name].events
    ]
    if made != sorted(made):
        report.add_difference("championship.json", "its rounds are in another order than their seeds")
    own = streams.get(export.championship)
    same_cards = own is not None and plays_same_cards(own.events)
    rounds = [
        Round(streams[row["stream"]], "round %d" % row["number"], report, streams, same_cards)
        for row in rows
        if row["stream"] in streams and streams[row["stream"]].kind == "round"
    ]
    seeds = [
        event["commitments"].get("seed")
        for stream in streams.values()
        if stream.kind == "round"
        for event in stream.events
        if event["type"] == "seed_committed" and "commitments" in event
    ]
    if len(set(seeds)) != len(seeds):
        report.add_difference("rounds", "two of them have one seed")
    open_ = [period.seed for one in rounds for period in one.seed_periods if period.seed is not None]
    if len(set(open_)) != len(open_):
        report.add_difference("rounds", "two of them have one seed")
    return rounds


def check_rounds(export, streams, rounds):
    """Check the draws and deals of every round whose seed is revealed."""
    report, counts = export.report, {"rounds": 0, "deals": 0, "draws": 0}
    for one in rounds:
        own = dict.fromkeys(counts, 0) if one.is_touched_by_officials() else counts
        own["rounds"] += bool(one.seed_periods) and one.seed_periods[-1].seed is not None
        try:
            check_round(one, streams, report, own)
        except (Unusable, KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
            report.add_difference(one.where, "its draw cannot be followed: %r" % (error,))
        if own is not counts and own["rounds"]:
            told = (
                "%s: officials touched its draw or its cards, which follow from its seeds: %d deals, %d draws"
            )
            report.notes.append(told % (one.where, own["deals"], own["draws"]))
    report.checked.append(
        "%(rounds)d rounds are revealed: %(deals)d deals dealt again, %(draws)d draws used their seed"
        % counts
    )


def check_round(one, streams, report, counts):
    """Check the draws and deals of one round. Add them to the counts."""
    for draw, period, entropy in one.drawn_seats:
        if period.seed is None:
            continue
        counts["draws"] += 1
        stream = RoundRandomness(period.seed, entropy).draw_bytes("pairing", draw["draw"], 0)
        if draw["seed"] and draw["seed"] != bytes(next(stream) for _ in range(32)).hex():
            one.add_difference("draw %d did not use the seed of the round" % draw["draw"])
    for draw, period, entropy, _moment in one.queue_draws:
        if period.seed is None:
            continue
        counts["draws"] += 1
        stream = RoundRandomness(period.seed, entropy).draw_bytes("queue", draw["draw"], 0)
        if draw["seed"] != bytes(next(stream) for _ in range(32)).hex():
            one.add_difference("draw %d from the queue did not use the seed of the round" % draw["draw"])
    for game, opened in sorted(one.opened_games.items()):
        stream, where = streams.get(game), "game %s" % game
        if stream is None:
            one.add_difference("the game %s is missing" % game)
            continue
        started = start_body(stream)
        dealt = started.get("mode") == "dealt"
        early, game_of = opened.seed_period.committed_at < FOREHAND_RULES_SINCE, find_variant(started)
        if (
            game_of is not None
            and not (early and not game_of.get("lots_ever"))
            and (opened.forehand is not None) != (dealt and is_forehand_drawn(started))
        ):
            one.add_difference("whether forehand of table %d is drawn contradicts the game" % opened.place)
        if opened.forehand is not None and not early and opened.forehand["exchanged"] is not None:
            one.add_difference("players swapped chairs at table %d when it was opened" % opened.place)
        deals = list(read_deals(stream, opened, report)) if dealt else []
        if opened.seed_period.seed is None:
            continue
        if dealt and any(
            event.get("commitments", {}).keys() != event["parts"].keys() for event in stream.events
        ):
            report.add_difference(where, "secrets are closed though the seed is revealed")
            continue
        chance = opened.seed_period.randomness
        if opened.forehand is not None:
            counts["draws"] += 1
            if not is_forehand_from_seed(opened.forehand, started["seats"], opened.seed_period.seed):
                one.add_difference("forehand of table %d was not drawn from the seed" % opened.place)
        for deal in deals:
            counts["deals"] += 1
            if not is_dealt_from_seed(deal, started, chance, opened.number):
                report.add_difference(where, "deal %d was not dealt from the seed" % deal["deal"])
            if (
                deal["at"] > opened.seed_period.revealed_at
                or deal["dated"] > opened.seed_period.revealed_at[1]
            ):
                report.add_difference(where, "deal %d was dealt from a seed that was public" % deal["deal"])
