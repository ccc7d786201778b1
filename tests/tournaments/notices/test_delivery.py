"""Messages about a person's seat: content, time, and delivery at most once for any answer of the service."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from games.messaging import redis_client
from games.models import Deadline, User
from tests.tournaments.notices.conftest import Subscribe, Tell, is_over, make_due, settle
from tests.tournaments.notices.push_service import HOST, Phone, PushService, ThisMachine, free_port
from tournaments.models import Championship, Entry, Notice, Round, Subscription
from tournaments.notices import delivery, marking, webpush_client
from tournaments.notices.addresses import Network
from tournaments.notices.message_encryption import LENGTH
from tournaments.services.championships import championships
from tournaments.services.draw import draw_undoing, drawing, seat_exchanges, seating_by_hand, substitutions
from tournaments.services.entries import entries, merging
from tournaments.services.rounds import rounds

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]

Arrived = Callable[[int], list[Entry]]


@pytest.fixture
def round_(championship: Championship, arrived: Arrived) -> Round:
    """Round 1, not drawn; Anna to Heidi are here."""
    arrived(8)
    return championship.rounds.get(number=1)


def who(round_: Round, name: str) -> Entry:
    return round_.championship.entries.get(name=name)


def chair(round_: Round, name: str) -> tuple[int, str, list[str]]:
    """Table, chip, and everybody there in the order of play."""
    seating = round_.seatings.select_related("table").get(entry__name=name)
    there = [one.entry.name for one in seating.table.seatings.select_related("entry").order_by("seat")]
    return seating.table.number, str((seating.table.number - 1) * 4 + seating.seat + 1), there


def by_hand(round_: Round, *tables: list[int]) -> Round:
    return seating_by_hand.seat_by_hand(round_, tables, actor=None)


FIRST, SECOND = [1, 2, 3, 4], [5, 6, 7, 8]


def test_a_phone_is_told_its_seat_when_the_round_is_drawn_and_when_it_opens(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    anna = subscribe(who(round_, "Anna"))
    drawing.draw_round(round_, actor=None)
    table, letter, there = chair(round_, "Anna")
    at = there.index("Anna")
    against = ", ".join(name for i, name in enumerate(there) if i % 2 != at % 2)

    assert tell() == 1
    rounds.open_round(round_, actor=None)
    assert tell() == 1
    assert tell() == 0

    drawn, opened = service.told(anna)
    assert drawn["title"] == f"Round 1: table {table}, seat {letter}"
    assert drawn["body"] == f"Anna with {there[(at + 2) % 4]}, against {against}. Clubabend"
    assert drawn["path"] == "/c/clubabend/rounds/1/slip/1/"
    assert opened["title"] == f"Round 1 begins: table {table}, seat {letter}"
    assert opened["path"] == "/c/clubabend/people/1/"
    assert drawn["tag"] == opened["tag"], "the second takes the place of the first"


def test_a_letter_says_how_long_it_is_worth_carrying_and_nothing_else(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    phones = [subscribe(who(round_, name)) for name in ("Anna", "Beat")]
    drawing.draw_round(round_, actor=None)
    tell()

    one, other = service.got
    assert {len(one.body), len(other.body)} == {16 + 4 + 1 + 65 + LENGTH + 16}
    assert 0 < int(one.headers["TTL"]) <= 1800
    assert one.headers["Urgency"] == "high"
    assert one.headers["Content-Encoding"] == "aes128gcm"
    assert one.headers["Host"] == HOST
    assert len(one.headers["Topic"]) <= 32
    assert one.headers["Topic"] != other.headers["Topic"]
    assert sorted(one.headers) == [
        *("Authorization", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Host"),
        *("TTL", "Topic", "Urgency"),
    ]
    stored = b"".join(bytes(row.closed) for row in Subscription.objects.all())
    assert not any(phone.url.encode() in stored for phone in phones)


def test_it_is_said_in_the_language_of_the_phone_and_with_the_hour(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    opens = timezone.now() + timedelta(hours=1)
    anna = subscribe(who(round_, "Anna"), language="de")
    by_hand(round_, FIRST, SECOND)
    rounds.schedule_round(round_, actor=None, opens_at=opens)
    tell()

    (told,) = service.told(anna)
    assert told["lang"] == "de"
    assert told["title"].startswith("Passe 1: Tisch 1, Platz 1")
    assert f"{timezone.localtime(opens):%H:%M}" in told["body"]


def test_who_sits_out_is_told_so_once(
    championship: Championship, arrived: Arrived, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    arrived(9)
    round_ = championship.rounds.get(number=1)
    elsbeth = subscribe(championship.entries.get(number=9))
    by_hand(round_, FIRST, SECOND)
    tell()
    rounds.open_round(round_, actor=None)
    tell()

    (told,) = service.told(elsbeth)
    assert told["title"] == "Round 1 is drawn"
    assert told["body"] == "Idà has a bye. Clubabend"


def test_nothing_is_told_before_a_draw_is_public_nor_of_one_that_was_undone(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    anna = subscribe(who(round_, "Anna"))
    assert tell() == 0
    by_hand(round_, FIRST, SECOND)
    draw_undoing.undo_draw(round_, actor=None, reason="anew")
    assert tell() == 0

    by_hand(round_, FIRST, SECOND)
    settle()
    draw_undoing.undo_draw(round_, actor=None, reason="anew")
    assert tell() == 0, "written down already, and looked at once more before it is sent"

    by_hand(round_, SECOND, FIRST)
    assert tell() == 1
    assert service.told(anna)[0]["title"] == "Round 1: table 2, seat 5"


def test_who_changes_chairs_is_told_the_new_one_and_nobody_else_is(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    anna, beat = subscribe(who(round_, "Anna")), subscribe(who(round_, "Beat"))
    by_hand(round_, FIRST, SECOND)
    tell()
    seat_exchanges.exchange_seats(round_, 1, 6, actor=None)
    tell()
    seat_exchanges.exchange_seats(round_, 1, 6, actor=None)
    tell()

    titles = [told["title"] for told in service.told(anna)]
    assert titles == [
        "Round 1: table 1, seat 1",
        "Round 1: now table 2, seat 6",
        "Round 1: now table 1, seat 1",
    ]
    assert len(service.told(beat)) == 1


def test_chairs_that_are_changed_and_changed_back_at_once_tell_nobody(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    subscribe(who(round_, "Anna"))
    by_hand(round_, FIRST, SECOND)
    tell()
    for _ in range(2):
        seat_exchanges.exchange_seats(round_, 1, 6, actor=None)
    assert tell() == 0


def test_a_phone_is_left_in_peace_however_often_chairs_change(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    anna = subscribe(who(round_, "Anna"))
    by_hand(round_, FIRST, SECOND)
    for _ in range(16):
        tell()
        seat_exchanges.exchange_seats(round_, 1, 6, actor=None)
    assert len(service.to(anna)) == 12


def test_who_was_replaced_is_told_nothing_and_who_plays_instead_is(
    championship: Championship, arrived: Arrived, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    arrived(9)
    round_ = championship.rounds.get(number=1)
    anna, ida = subscribe(who(round_, "Anna")), subscribe(who(round_, "Idà"))
    by_hand(round_, FIRST, SECOND)
    for table in round_.tables.select_related("round__championship"):
        rounds.set_mode(table, "sheet", actor=None)
    substitutions.substitute(round_, 9, 1, deal=1, actor=None)
    rounds.open_round(round_, actor=None)
    tell()

    assert service.told(anna) == []
    (told,) = service.told(ida)
    assert told["title"] == "Round 1 begins: table 1, seat 1"
    assert told["path"] == "/c/clubabend/people/9/"


def test_who_has_gone_home_is_told_nothing(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    anna, beat = subscribe(who(round_, "Anna")), subscribe(who(round_, "Beat"))
    by_hand(round_, FIRST, SECOND)
    settle()
    Entry.objects.filter(name="Anna").update(status=Entry.Status.WITHDRAWN)
    tell()
    assert (service.told(anna), len(service.told(beat))) == ([], 1)


def test_who_was_entered_twice_is_told_under_the_number_that_counts(
    championship: Championship, arrived: Arrived, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    arrived(9)
    round_ = championship.rounds.get(number=1)
    once, twice = subscribe(who(round_, "Anna")), Phone()
    for name in ("Anna", "Idà"):
        subscribe(who(round_, name), twice)
    struck = subscribe(who(round_, "Idà"))
    plan = merging.merge_entries(who(round_, "Anna"), who(round_, "Idà"), actor=None)
    by_hand(round_, FIRST, SECOND)
    tell()

    assert plan.strike.name == "Idà"
    for phone in (once, twice, struck):
        (told,) = service.told(phone)
        assert told["body"].startswith("Anna with Chiara")


def test_names_are_those_that_anybody_reads(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell, anna: User, fredi: User
) -> None:
    entries.link_account(who(round_, "Anna"), anna, actor=fredi)
    Championship.objects.update(public_names=Championship.PublicNames.NUMBERS)
    phone = subscribe(who(round_, "Anna"), user=anna)
    by_hand(Round.objects.get(pk=round_.pk), FIRST, SECOND)
    tell()

    (told,) = service.told(phone)
    assert told["body"] == "№ 1 with № 3, against № 2, № 4. Clubabend"


def test_what_nobody_may_read_changes_no_byte_of_what_is_told(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    """Two worlds that differ in names that are withheld, and in what only the desk knows."""
    Championship.objects.update(public_names=Championship.PublicNames.NUMBERS)
    anna = subscribe(who(round_, "Anna"))
    by_hand(Round.objects.get(pk=round_.pk), FIRST, SECOND)
    tell()
    draw_undoing.undo_draw(round_, actor=None, reason="anew")
    others = {"first_name": "Xaver-Maximilian", "name": "Xaver-Maximilian", "club": "JC Au", "note": "late"}
    Entry.objects.filter(number__in=[1, 2, 3]).update(**others, email="a@b.ch", birth_year=1950, paid=True)
    by_hand(Round.objects.get(pk=round_.pk), FIRST, SECOND)
    tell()

    one, other = service.told(anna)
    assert one == other
    assert len({len(letter.body) for letter in service.to(anna)}) == 1


def test_of_a_championship_that_is_not_public_only_those_are_told_who_take_part(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell, anna: User, eva: User, fredi: User
) -> None:
    entries.link_account(who(round_, "Anna"), anna, actor=fredi)
    phones = {
        name: subscribe(who(round_, "Anna"), user=user)
        for name, user in {"anna": anna, "eva": eva, "fredi": fredi, "nobody": None}.items()
    }
    Championship.objects.update(public=False)
    by_hand(Round.objects.get(pk=round_.pk), FIRST, SECOND)
    tell()

    assert {name: len(service.told(phone)) for name, phone in phones.items()} == {
        "anna": 1,
        "eva": 0,
        "fredi": 1,
        "nobody": 0,
    }
    assert "Anna with Chiara" in service.told(phones["anna"])[0]["body"]


def test_what_stood_on_the_page_when_the_button_was_pressed_is_not_told_again(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    by_hand(round_, FIRST, SECOND)
    anna = subscribe(who(round_, "Anna"))
    seat_exchanges.exchange_seats(round_, 2, 6, actor=None)
    tell()
    assert service.told(anna) == []
    rounds.open_round(round_, actor=None)
    tell()
    assert len(service.told(anna)) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_dropped(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell, status: int
) -> None:
    anna = subscribe(who(round_, "Anna"))
    service.answer = lambda _: status
    by_hand(round_, FIRST, SECOND)
    assert tell() == 1
    assert is_over(anna)
    rounds.open_round(round_, actor=None)
    assert tell() == 0


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_is_not_taken_is_tried_again_each_time_later_until_it_is_too_late(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell, status: int
) -> None:
    subscribe(who(round_, "Anna"))
    service.answer = lambda _: status
    by_hand(round_, FIRST, SECOND)
    waits = []
    for _ in range(4):
        assert tell() == 1
        assert tell() == 0, "not before its time"
        notice = Notice.objects.get()
        waits.append((notice.due_at - timezone.now()).total_seconds())
        assert (notice.sent_at, notice.ended_at, notice.answer) == (None, None, status)
        make_due()
    assert all(later > earlier for earlier, later in pairwise(waits))

    service.answer = lambda _: 201
    assert tell() == 1
    assert Notice.objects.get().ended_at is not None
    make_due()
    assert tell() == 0


def test_a_service_says_itself_how_long_it_wants_to_be_left_alone(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    subscribe(who(round_, "Anna"))
    service.answer = lambda _: (429, {"Retry-After": "600"})
    by_hand(round_, FIRST, SECOND)
    tell()
    assert (Notice.objects.get().due_at - timezone.now()).total_seconds() > 590

    make_due()
    service.answer = lambda _: (429, {"Retry-After": "86400"})
    tell()
    assert Notice.objects.get().ended_at is not None, "the round has long begun by then"


def test_a_notice_that_came_too_late_is_not_sent(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    subscribe(who(round_, "Anna"))
    by_hand(round_, FIRST, SECOND)
    settle()
    Notice.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert tell() == 0
    assert Notice.objects.get().ended_at is not None


def test_where_no_answer_comes_nothing_is_sent_again(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webpush_client.write_letters, "__kwdefaults__", {"seconds": 0.3})
    anna = subscribe(who(round_, "Anna"))
    service.answer = lambda _: None
    by_hand(round_, FIRST, SECOND)
    assert tell() == 1
    make_due()
    assert tell() == 0
    assert len(service.to(anna)) == 1
    assert Notice.objects.get().answer == 0
    assert not is_over(anna)


@pytest.mark.parametrize("status", [301, 307, 400, 403, 413])
def test_other_answers_end_it_and_a_redirect_is_not_followed(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell, status: int
) -> None:
    anna = subscribe(who(round_, "Anna"))
    service.answer = lambda _: (status, {"Location": f"https://{HOST}:{service.port}/elsewhere"})
    by_hand(round_, FIRST, SECOND)
    assert tell() == 1
    make_due()
    assert tell() == 0
    assert [one.path for one in service.got] == [anna.path]


def test_a_hint_before_the_answer_is_not_taken_for_it(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    subscribe(who(round_, "Anna"))
    service.hints = True
    by_hand(round_, FIRST, SECOND)
    assert tell() == 1
    assert Notice.objects.get().answer == 201


def test_an_answer_without_end_is_not_read_to_its_end(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    subscribe(who(round_, "Anna"))
    service.answer = lambda _: (201, {f"X-{i}": "x" * 900 for i in range(40)})
    by_hand(round_, FIRST, SECOND)
    assert tell() == 1
    assert Notice.objects.get().answer == 0


def test_a_hall_without_the_internet_says_so_once_and_tells_later(
    round_: Round,
    service: PushService,
    subscribe: Subscribe,
    tell: Tell,
    caplog: pytest.LogCaptureFixture,
) -> None:
    phones = [subscribe(who(round_, name)) for name in ("Anna", "Beat", "Chiara")]
    by_hand(round_, FIRST, SECOND)
    settle()
    away = ThisMachine(free_port())
    for _ in range(3):
        assert delivery.send_due(away) == 0
        Notice.objects.update(due_at=timezone.now())

    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["notices/no_way"]
    make_due()
    assert tell() == 3
    assert all(len(service.told(phone)) == 1 for phone in phones)


def test_a_service_that_cannot_be_reached_is_left_alone_for_a_while(
    round_: Round, service: PushService, subscribe: Subscribe
) -> None:
    asked: list[str] = []

    class Counting(ThisMachine):
        def looked_up(self, host: str) -> list[str]:
            asked.append(host)
            return ["127.0.0.1"]

    subscribe(who(round_, "Anna"))
    by_hand(round_, FIRST, SECOND)
    settle()
    away = Counting(free_port())
    delivery.send_due(away)
    Notice.objects.update(due_at=timezone.now())
    delivery.send_due(away)
    assert asked == [HOST]


def test_a_name_that_leads_within_is_not_connected_and_nothing_of_it_is_shown(
    round_: Round, service: PushService, subscribe: Subscribe, caplog: pytest.LogCaptureFixture
) -> None:
    class Within(Network):
        def looked_up(self, host: str) -> list[str]:
            return ["127.0.0.1"]

    anna = subscribe(who(round_, "Anna"))
    by_hand(round_, FIRST, SECOND)
    settle()
    within = Within()
    within.port = service.port  # somebody would be there
    assert delivery.send_due(within) == 0
    assert service.got == []
    assert Notice.objects.get().ended_at is not None
    assert not is_over(anna), "the page says the same as for an address that nobody has"
    assert "notices/endpoint_inside" in caplog.text
    assert anna.path not in caplog.text


def test_what_somebody_else_has_claimed_meanwhile_is_not_written(
    round_: Round, service: PushService, subscribe: Subscribe
) -> None:
    class Late(ThisMachine):
        async def connect(self, host: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            line = await super().connect(host)
            await asyncio.to_thread(claim)
            return line

    def claim() -> None:
        try:
            Notice.objects.update(sent_at=timezone.now())
        finally:
            connection.close()

    subscribe(who(round_, "Anna"))
    by_hand(round_, FIRST, SECOND)
    settle()
    assert delivery.send_due(Late(service.port)) == 0
    assert service.got == []


def test_where_nobody_is_reached_a_worker_stops_and_others_have_their_turn(
    round_: Round, key: object, subscribe: Subscribe, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.PUSH_HOSTS = ["any"]
    asked: list[str] = []

    class Nowhere(Network):
        def looked_up(self, host: str) -> list[str]:
            asked.append(host)
            raise OSError("no network")

    monkeypatch.setattr(delivery, "BATCH_SIZE", 2)
    for number in range(6):
        subscribe(who(round_, "Anna"), Phone(host=f"push{number}.phones.net"))
    by_hand(round_, FIRST, SECOND)
    settle()
    assert delivery.send_due(Nowhere()) == 0
    assert len(asked) == 2


def test_notices_with_the_same_answer_are_ended_by_one_statement(
    round_: Round, key: object, subscribe: Subscribe
) -> None:
    for name in ("Anna", "Beat", "Chiara"):
        subscribe(who(round_, name))
    by_hand(round_, FIRST, SECOND)
    settle()
    waiting = list(delivery.waiting_notices())
    waiting[0].answer = 400
    with CaptureQueriesContext(connection) as queries:
        marking.end_notices(waiting)
    assert [query["sql"].split()[0] for query in queries].count("UPDATE") == 2
    assert not delivery.waiting_notices().exists()
    assert list(Notice.objects.order_by("pk").values_list("answer", flat=True)) == [400, None, None]


def test_a_worker_whose_lock_has_expired_leaves_that_of_another_one() -> None:
    name = redis_client.key("notices", "telling")

    def holder() -> bytes | None:
        return redis_client.ask_redis(lambda redis: redis.get(name), None)  # type: ignore[return-value]  # no coroutine

    with delivery._lock() as alone, delivery._lock() as second:
        assert (alone, second) == (True, False)
    assert holder() is None
    with delivery._lock() as alone:
        assert alone
        redis_client.ask_redis(lambda redis: redis.set(name, "another", ex=60), None)
    assert holder() == b"another"


def test_what_the_operator_allows_no_more_is_not_written_to(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell, settings: Settings
) -> None:
    subscribe(who(round_, "Anna"))
    by_hand(round_, FIRST, SECOND)
    settings.PUSH_HOSTS = ["push.apple.com"]
    assert tell() == 0
    assert Notice.objects.get().ended_at is not None


def test_the_end_of_a_championship_ends_all_of_it(
    round_: Round, service: PushService, subscribe: Subscribe, tell: Tell
) -> None:
    subscribe(who(round_, "Anna"))
    by_hand(round_, FIRST, SECOND)
    tell()
    rounds.open_round(round_, actor=None)
    rounds.close_round(round_, actor=None, force=True)
    Round.objects.exclude(pk=round_.pk).delete()
    championships.finish(round_.championship, actor=None)
    assert not Subscription.objects.exists()
    assert not Notice.objects.exists()


def test_without_anybody_to_tell_nothing_is_armed(round_: Round, key: object) -> None:
    drawing.draw_round(round_, actor=None)
    assert not Deadline.objects.filter(kind="notices").exists()


def test_sixty_phones_take_no_more_questions_than_two_but_for_their_own_rows(
    round_: Round, service: PushService, subscribe: Subscribe
) -> None:
    def questions(phones: int) -> int:
        for number in range(phones):
            subscribe(who(round_, "Anna" if number < 6 else "Beat"))
        found = Round.objects.get(pk=round_.pk)
        by_hand(found, FIRST, SECOND)
        settle()
        with CaptureQueriesContext(
            connection,
        ) as asked:
            delivery.send_due(ThisMachine(service.port))
        draw_undoing.undo_draw(found, actor=None, reason="anew")
        return len(asked) - phones

    few = questions(2)
    Subscription.objects.all().delete()
    assert questions(12) == few
    assert few < 25


def test_a_service_that_many_addresses_name_holds_up_no_other(
    round_: Round,
    service: PushService,
    subscribe: Subscribe,
    tell: Tell,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten made-up addresses were there first; a batch has room for four."""
    settings.PUSH_HOSTS = ["any"]
    monkeypatch.setattr(delivery, "BATCH_SIZE", 4)
    for number in range(10):
        subscribe(who(round_, "Anna"), Phone(host=f"push{number}.evil.com"))
    subscribe(who(round_, "Beat"))
    by_hand(round_, FIRST, SECOND)
    settle()
    services = [delivery._service_of(notice) for notice in delivery._choose_batch()]
    assert services == ["evil.com", "mozilla.com", "evil.com", "evil.com"]
