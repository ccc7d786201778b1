"""The search for tables with few repeated meetings."""

from __future__ import annotations

import functools
import itertools

from .byes import draw_threes
from .draw_problem import (
    FORBIDDEN_WEIGHT,
    LARGE_WORK,
    MAX_MOVES,
    MEETING_WEIGHT,
    OPPONENT_WEIGHT,
    PARTNER_WEIGHT,
    SMALL_WORK,
    SeededNumbers,
    split_into_tables,
)
from .schedules import build_schedule_from_planes, build_schedule_without_repeats, shuffle_names


class CostTable(dict):
    """Costs by player, 0 by default."""

    def __missing__(self, player):
        return 0


def compute_floor(problem, players):
    """Return a cost that no seats can fall below.

    It is the exact minimum of one round of at most four tables of four, and of two rounds of a free problem,
    where every first round is as good as another. Else it is the cost without a repeat.
    """
    past = Search(problem, [list(players)] if problem.free and problem.rounds == 2 else [])
    if problem.rounds - len(past.rounds) != 1 or set(problem.sizes) != {4} or len(players) > 16:
        return past.floor

    return past.cost + seat_cheapest(past, players)[0]


def seat_cheapest(past, players):
    """Return the least cost of one round of tables of four after `past`, and its first seats in the order of
    the players.
    """
    fixed = past.problem.fixed

    def cost_partners(p, q):
        if p in fixed or q in fixed:
            return (0 if fixed.get(p) == q else FORBIDDEN_WEIGHT * past.scale) - past.as_opponent[p][q]
        return past.as_partner[p][q] - past.as_opponent[p][q]

    def list_ways(table):
        a, b, c, d = table
        ways = ((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))
        return [(sum(cost_partners(*pair) for pair in pairs), pairs) for pairs in ways]

    def list_tables(rest):
        for three in itertools.combinations(rest[1:], 3):
            yield (rest[0], *three), tuple(p for p in rest[1:] if p not in three)

    @functools.lru_cache(maxsize=None)
    def cost_table(table):
        meetings = sum(past.as_opponent[p][q] for p, q in itertools.combinations(table, 2))
        return meetings + min(cost for cost, _ in list_ways(table))

    @functools.lru_cache(maxsize=None)
    def cost_tables(rest):
        if not rest:
            return 0
        return min(cost_table(table) + cost_tables(left) for table, left in list_tables(rest))

    seats, rest = [], players
    while rest:
        for table, left in list_tables(rest):
            if cost_table(table) + cost_tables(left) == cost_tables(rest):
                break
        (a, b), (c, d) = min(list_ways(table), key=lambda way: way[0])[1]
        seats += a, c, b, d
        rest = left
    return cost_tables(players), seats


class Search:
    """A search by threshold accepting, in integers: players change seats while costs rise by little.

    avoids: whether meetings of pairs to be avoided count 1 each. All else is then multiplied by `scale`, more
    than all of these.
    """

    def __init__(self, problem, start, avoids=False):
        self.problem, nobody, self.avoids = problem, problem.players, avoids
        avoided = len(problem.avoid_partner) + len(problem.avoid_meet)
        self.scale = scale = avoided * problem.rounds + 1 if avoids else 1
        self.rounds = [[*one, nobody] for one in start]
        self.partner, self.first, self.second, self.table, self.size = [], [], [], [], []
        for number, size in enumerate(problem.sizes):
            base = len(self.size)
            for seat in range(size):
                others = [base + (seat + step) % size for step in range(1, size)]
                self.partner.append(others.pop(1) if size == 4 else nobody)
                self.first.append(others[0])
                self.second.append(others[1] if len(others) > 1 else nobody)
            self.table += [number] * size
            self.size += [size] * size
        self.meeting_step = scale * MEETING_WEIGHT
        self.partner_step = scale * (MEETING_WEIGHT + (PARTNER_WEIGHT if problem.in_pairs else 0))
        self.opponent_step = scale * (MEETING_WEIGHT + (OPPONENT_WEIGHT if problem.in_pairs else 0))
        self.beside = [
            min(size - 1, 2) * self.opponent_step + (size == 4) * self.partner_step for size in range(5)
        ]
        self.as_partner = [CostTable() for _ in range(nobody + 1)]
        self.as_opponent = [CostTable() for _ in range(nobody + 1)]
        self.cost = 0
        for rows, pairs, cost in (
            (self.as_partner, problem.avoid_partner + problem.avoid_meet if avoids else [], 1),
            (self.as_opponent, problem.avoid_meet if avoids else [], 1),
            (self.as_partner, problem.never_partner + problem.never_meet, FORBIDDEN_WEIGHT * scale),
            (self.as_opponent, problem.never_meet, FORBIDDEN_WEIGHT * scale),
        ):
            for a, b in pairs:
                rows[a][b] = rows[b][a] = cost
        for table in (table for one in problem.past for table in one["tables"]):
            for i, a in enumerate(table):
                for j, b in enumerate(table[:i]):
                    if a >= 0 and b >= 0:
                        self.add_meeting(a, b, problem.in_pairs and len(table) == 4 and i - j == 2)
        self.floor = self.cost
        for one in self.rounds:
            for at in range(problem.seated):
                beside = ((self.partner, True), (self.first, False), (self.second, False))
                for others, partners in beside:
                    if others[at] < at:
                        self.add_meeting(one[at], one[others[at]], partners)

    def add_meeting(self, a, b, partners):
        """Add the cost of one meeting, and count it."""
        if self.problem.fixed.get(a) != b:
            self.cost += (self.as_partner if partners else self.as_opponent)[a][b]
            self.shift_costs(a, b, partners, 1)

    def shift_costs(self, a, b, partners, sign):
        """Raise (sign 1) or lower (sign -1) the cost of a further meeting of two players."""
        p = sign * (self.partner_step if partners else self.meeting_step)
        o = sign * (self.meeting_step if partners else self.opponent_step)
        for x, y in ((a, b), (b, a)):
            self.as_partner[x][y] += p
            self.as_opponent[x][y] += o

    def repair_seats(self, moves, numbers):
        """Move only players whose seats have a cost, as far as that improves them."""
        seated = self.problem.seated
        while moves > 0:
            troubled = [
                (one, at)
                for one in self.rounds
                for at in range(seated)
                if self.compute_seat_cost(one, at) > 0
            ]
            if not troubled:
                return
            for one, at in troubled:
                for _ in range(min(24, moves)):
                    if self.compute_seat_cost(one, at) <= 0:
                        break
                    self.try_move(one, at, numbers.draw_below(seated), -1)
                    moves -= 1

    def compute_seat_cost(self, one, at):
        """Return the cost of a player's seat."""
        player, beside = one[at], one[self.partner[at]]
        opponents = self.as_opponent[player]
        cost = opponents[one[self.first[at]]] + opponents[one[self.second[at]]] - self.beside[self.size[at]]
        if self.problem.fixed.get(player) == beside:
            return cost + self.partner_step
        return cost + self.as_partner[player][beside]

    def search_seats(self, moves, start, numbers, find_floor=None):
        """Try moves while the threshold falls from `start` to 0. Keep the best seats.

        Stop when the seats cannot be better, or no pair to be avoided meets. After 1,000 moves it pays to
        compute how good they can be.
        """
        best, best_rounds, words = self.cost, [list(one) for one in self.rounds], []
        seated, floor = self.problem.seated, self.floor
        for i in range(moves):
            if i == 1000 and find_floor:
                floor = find_floor()
            if best <= floor:
                break
            if len(words) < 3:
                words = numbers.draw_words()
            threshold = start * (moves - i) // moves
            one = self.rounds[words.pop() * len(self.rounds) >> 32]
            at, drawn = words.pop() * seated >> 32, words.pop()
            other = drawn * seated >> 32
            if self.problem.in_pairs and drawn & 7 == 0:
                self.try_pair_swap(one, at, other, threshold)
            else:
                self.try_move(one, at, other, threshold)
            if self.cost < best:
                best, best_rounds = self.cost, [list(row) for row in self.rounds]
                if self.avoids and not self.count_avoided():
                    break
        self.cost, self.rounds = best, best_rounds

    def try_move(self, one, x, y, threshold):
        """Try the move that two positions allow."""
        fixed = self.problem.fixed
        if self.table[x] == self.table[y]:
            partners = self.problem.in_pairs and self.size[x] == 4
            if partners and (x - y) & 1 and one[x] not in fixed and one[y] not in fixed:
                self.try_partner_change(one, x, y, threshold)
        elif self.size[x] != self.size[y]:
            return
        elif one[x] in fixed or one[y] in fixed:
            self.try_pair_swap(one, x, y, threshold)
        else:
            self.try_swap(one, x, y, threshold)

    def try_swap(self, one, x, y, threshold):
        """Exchange two players of two tables, if the cost rises by the threshold at most."""
        a, b = one[x], one[y]
        ax, fx, sx = one[self.partner[x]], one[self.first[x]], one[self.second[x]]
        by, fy, sy = one[self.partner[y]], one[self.first[y]], one[self.second[y]]
        pa, oa, pb, ob = self.as_partner[a], self.as_opponent[a], self.as_partner[b], self.as_opponent[b]
        come = pa[by] + oa[fy] + oa[sy] + pb[ax] + ob[fx] + ob[sx]
        go = pa[ax] + oa[fx] + oa[sx] + pb[by] + ob[fy] + ob[sy]
        size = self.size[x]
        rise = 2 * self.beside[size] + come - go
        if rise > threshold:
            return
        one[x], one[y] = b, a
        self.cost += rise
        beside = [(ax, by, True)] * (size == 4) + [(fx, fy, False)] + [(sx, sy, False)] * (size > 2)
        for of_a, of_b, partners in beside:
            for p, q, sign in ((a, of_a, -1), (b, of_b, -1), (a, of_b, 1), (b, of_a, 1)):
                self.shift_costs(p, q, partners, sign)

    def try_partner_change(self, one, x, y, threshold):
        """Exchange partners within a table, if the cost rises by the threshold at most."""
        a, b, c, d = one[x], one[y], one[self.partner[x]], one[self.partner[y]]
        if c in self.problem.fixed or d in self.problem.fixed:
            return
        partner, opponent = self.as_partner, self.as_opponent
        come = partner[a][d] + partner[b][c] + opponent[a][c] + opponent[b][d]
        go = partner[a][c] + partner[b][d] + opponent[a][d] + opponent[b][c]
        rise = 2 * (self.partner_step + self.opponent_step) - 4 * self.meeting_step + come - go
        if rise > threshold:
            return
        one[x], one[y] = b, a
        self.cost += rise
        for p, q, sign in ((a, c, -1), (b, d, -1), (a, d, 1), (b, c, 1)):
            self.shift_costs(p, q, True, sign)
            self.shift_costs(p, q, False, -sign)

    def try_pair_swap(self, one, x, y, threshold):
        """Exchange two pairs of two tables, if the cost rises by the threshold at most."""
        if self.table[x] == self.table[y] or self.size[x] + self.size[y] != 8:
            return
        pairs = [(one[at], one[self.partner[at]]) for at in (x, y)]
        against = [(one[self.first[at]], one[self.second[at]]) for at in (x, y)]
        rise = 8 * self.opponent_step
        for i in (0, 1):
            for row in (self.as_opponent[p] for p in pairs[i]):
                rise += sum(row[q] for q in against[1 - i]) - sum(row[q] for q in against[i])
        if rise > threshold:
            return
        for u, v in ((x, y), (self.partner[x], self.partner[y])):
            one[u], one[v] = one[v], one[u]
        self.cost += rise
        for i in (0, 1):
            for p in pairs[i]:
                for old, new in zip(against[i], against[1 - i]):
                    self.shift_costs(p, old, False, -1)
                    self.shift_costs(p, new, False, 1)

    def count_avoided(self):
        """Return the number of meetings of pairs to be avoided."""
        return (self.cost - self.floor) % self.scale

    def count_repeats(self):
        """Return the criteria that decide between searches: broken wishes, then repeats by importance."""
        problem = self.problem
        pairs = [{frozenset(pair) for pair in of} for of in (problem.fixed_pairs, problem.never_partner)]
        (fixed, never_partner), never_meet = pairs, {frozenset(pair) for pair in problem.never_meet}
        partners, meetings, opponents, seats, tables = {}, {}, {}, {}, {}
        drawn = [split_into_tables(one, problem) for one in self.rounds]
        broken = 0
        for number, one in enumerate([*(one["tables"] for one in problem.past), *drawn]):
            split = set(fixed)
            for place, table in enumerate(one):
                met = {frozenset((a, b)) for i, a in enumerate(table) for b in table[:i] if a >= 0 and b >= 0}
                sides = [table[0::2], table[1::2]] if problem.in_pairs and len(table) == 4 else []
                together = {frozenset(side) for side in sides if min(side) >= 0}
                split -= together
                if number >= len(problem.past):
                    broken += len(together & never_partner) + len(met & never_meet)
                for counts, keys in (
                    (partners, together - fixed),
                    (meetings, met - fixed),
                    (opponents, met - fixed - together),
                    (seats, [(p, seat) for seat, p in enumerate(table) if p >= 0]),
                    (tables, [(p, place) for p in table if p >= 0]),
                ):
                    for key in keys:
                        counts[key] = counts.get(key, 0) + 1
            if number >= len(problem.past):
                broken += len(split)
        return [broken] + [
            sum(n - 1 for n in counts.values()) for counts in (partners, meetings, opponents, seats, tables)
        ]


def draw_random_round(problem, out, threes, numbers):
    """Return a random round that keeps fixed pairs together."""
    pairs = [pair for pair in problem.fixed_pairs if pair[0] not in out]
    gone = {*out, *threes, *problem.fixed}
    singles, last = [p for p in range(problem.players) if p not in gone], list(threes)
    numbers.shuffle(singles)
    numbers.shuffle(last)
    if not problem.in_pairs:
        return [*singles, *last, *out]
    pairs += zip(singles[0::2], singles[1::2])
    numbers.shuffle(pairs)
    tables = zip(pairs[0::2], pairs[1::2])
    return [player for (a, b), (c, d) in tables for player in (a, c, b, d)] + last + out


def draw_start(problem, byes, threes, run):
    """Return the rounds with which a search starts: partners in turn if possible, else random.

    Every second search starts with a construction for the first rounds.
    """
    numbers = SeededNumbers(problem.seed, "start %d" % run)
    if not (problem.free and problem.size == 4 and problem.rounds < problem.players):
        return [draw_random_round(problem, out, three, numbers) for out, three in zip(byes, threes)]
    ring, turns, known = problem.players - 1, [], []
    for r in range(problem.rounds):
        pairs = [(ring, r % ring)] + [
            ((r + i) % ring, (r - i) % ring) for i in range(1, problem.players // 2)
        ]
        turns.append([[a, c, b, d] for (a, b), (c, d) in zip(pairs[0::2], pairs[1::2])])
    if run % 2 and problem.rounds <= problem.players // 2:
        for rounds in range(2, problem.rounds):
            longer = build_schedule_without_repeats(problem.players, rounds)
            if longer is None:
                break
            known = longer
    return shuffle_names(problem, known + turns[len(known) :], numbers)


def avoid_pairs(problem, rounds):
    """Change the rounds so that fewer pairs to be avoided meet, while nothing else costs more.

    One round of at most four tables of four is computed. In a free draw players first exchange their numbers.
    """
    names = SeededNumbers(problem.seed, "avoid names")
    if problem.rounds == 1 and set(problem.sizes) == {4} and problem.seated <= 16:
        [one] = rounds
        players = one[: problem.seated]
        names.shuffle(players)
        found = seat_cheapest(Search(problem, [], True), tuple(players))[1] + one[problem.seated :]
        return [min(one, found, key=lambda seats: Search(problem, [seats], True).cost)]
    if problem.free:
        rounds = exchange_names(problem, rounds, names)
    work = problem.players * problem.rounds
    runs = 8 if work <= SMALL_WORK else 3 if work <= LARGE_WORK else 1
    best = Search(problem, rounds, True)
    for run in range(runs):
        if not best.count_avoided():
            break
        start = [one[:-1] for one in best.rounds]
        if run % 2:
            again, fours = (
                SeededNumbers(problem.seed, "avoid start %d" % run),
                problem.seated - 3 * problem.threes,
            )
            start = [
                draw_random_round(problem, one[problem.seated :], one[fours : problem.seated], again)
                for one in start
            ]
        search, numbers = Search(problem, start, True), SeededNumbers(problem.seed, "avoid %d" % run)
        if work > LARGE_WORK:
            search.repair_seats(MAX_MOVES // 4, numbers)
            search.search_seats(MAX_MOVES // 2, 0, numbers)
        else:
            search.search_seats(MAX_MOVES // runs, 4 * search.scale if run else 0, numbers)
        if search.cost < best.cost:
            best = search
    return [one[:-1] for one in best.rounds]


def exchange_names(problem, rounds, numbers):
    """Exchange players in all rounds while fewer pairs to be avoided meet."""
    avoided = [(pair, False) for pair in problem.avoid_partner] + [
        (pair, True) for pair in problem.avoid_meet
    ]
    places = [{player: at for at, player in enumerate(one)} for one in rounds]

    def count_meetings(*players):
        return sum(
            at[a] // problem.size == at[b] // problem.size and (meet or (at[a] - at[b]) % 2 == 0)
            for (a, b), meet in avoided
            if a in players or b in players
            for at in places
        )

    def exchange(a, b):
        for at in places:
            at[a], at[b] = at[b], at[a]

    everybody, improved = list(range(problem.players)), True
    while improved:
        improved = False
        for a in sorted({player for pair, _ in avoided for player in pair}):
            if not count_meetings(a):
                continue
            numbers.shuffle(everybody)
            for b in everybody:
                before = count_meetings(a, b)
                exchange(a, b)
                if count_meetings(a, b) < before:
                    improved = True
                    break
                exchange(a, b)
    return [sorted(at, key=at.get) for at in places]


def draw_tables(problem, byes):
    """Return the players of each round, table by table, then those with a bye."""
    rounds = search_tables(problem, byes)
    return avoid_pairs(problem, rounds) if problem.avoids else rounds


def search_tables(problem, byes):
    """Return rounds with few repeated meetings."""
    if problem.free and problem.size == 4:
        known = build_schedule_without_repeats(problem.players, problem.rounds) or build_schedule_from_planes(
            problem
        )
        if known:
            return shuffle_names(problem, known, SeededNumbers(problem.seed, "names"))
    work, best = problem.players * problem.rounds, None
    threes = draw_threes(problem, byes)
    runs = 8 if work <= SMALL_WORK else 3 if work <= LARGE_WORK else 1

    @functools.lru_cache(maxsize=None)
    def floor():
        return compute_floor(problem, tuple(p for p in range(problem.players) if p not in byes[0]))

    for run in range(runs):
        search = Search(problem, draw_start(problem, byes, threes, run))
        numbers = SeededNumbers(problem.seed, "search %d" % run)
        if work > LARGE_WORK:
            search.repair_seats(MAX_MOVES // 4, numbers)
            search.search_seats(MAX_MOVES // 2, 0, numbers)
        else:
            search.search_seats(MAX_MOVES // runs, 4, numbers, floor)
        if best is None or search.count_repeats() < best.count_repeats():
            best = search
        if best.cost <= best.floor:
            break
    return [one[:-1] for one in best.rounds]
