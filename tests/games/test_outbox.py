"""The outbox of one client: immediate where the client reads, in order always."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from games.live.frame_sink import Message, Outbox, make_message

Case = Callable[["Client"], Awaitable[None]]


class Client:
    """Takes frames while `open`; what is sent otherwise waits for it."""

    def __init__(self) -> None:
        self.got: list[str] = []
        self.open = asyncio.Event()
        self.open.set()
        self.asked_to_write = 0
        self.gone = False

    async def send(self, message: Message) -> None:
        await self.open.wait()
        self.got.append(str(message.get("text", message["type"])))

    def write(self, frame: bytes) -> bool:
        self.asked_to_write += 1
        if self.open.is_set():
            self.got.append(frame[2:].decode())
        return self.open.is_set()

    def outbox(self, *, at_once: bool = True) -> Outbox:
        return Outbox(self.send, "game", self._leave, self.write if at_once else None)

    def _leave(self) -> None:
        self.gone = True


def with_a_client(case: Case) -> None:
    async def run() -> None:
        async with asyncio.timeout(10):
            await case(Client())

    asyncio.run(run())


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0)


def test_who_takes_it_has_it_before_anything_else_happens() -> None:
    async def case(client: Client) -> None:
        outbox = client.outbox()
        await asyncio.sleep(0)
        for text in "abc":
            outbox.put(make_message(text), 1)
        assert client.got == ["a", "b", "c"]

    with_a_client(case)


def test_nothing_overtakes_what_waits_for_a_slow_client() -> None:
    async def case(client: Client) -> None:
        outbox = client.outbox()
        client.open.clear()
        outbox.put(make_message("a"), 1)
        outbox.put(make_message("b"), 2)
        await until(lambda: len(outbox._queue) == 1)  # the writer has taken the first, and waits
        client.open.set()
        outbox.put(make_message("c"), 3)
        assert client.got == []
        await until(lambda: len(client.got) == 3)
        outbox.put(make_message("d"), 4)
        await until(lambda: len(client.got) == 4)
        assert client.got == ["a", "b", "c", "d"]

    with_a_client(case)


def test_what_the_writer_has_in_hand_is_not_overtaken_either() -> None:
    async def case(client: Client) -> None:
        outbox = client.outbox()
        client.open.clear()
        outbox.put(make_message("a"), 1)
        await until(lambda: not outbox._queue)
        client.open.set()
        outbox.put(make_message("b"), 2)
        await until(lambda: len(client.got) == 2)
        assert client.got == ["a", "b"]

    with_a_client(case)


@pytest.mark.parametrize("at_once", [True, False])
def test_the_last_word_comes_after_all_that_was_put(at_once: bool) -> None:
    async def case(client: Client) -> None:
        outbox = client.outbox(at_once=at_once)
        for text in "ab":
            outbox.put(make_message(text), 1)
        outbox.close(1008)
        outbox.put(make_message("too late"), 2)
        await until(lambda: client.gone)
        assert client.got == ["a", "b", "websocket.close"]

    with_a_client(case)


def test_a_server_that_cannot_write_at_once_is_sent_messages() -> None:
    async def case(client: Client) -> None:
        outbox = client.outbox(at_once=False)
        outbox.put(make_message("a"), 1)
        assert client.got == []
        await until(lambda: client.got == ["a"])
        assert client.asked_to_write == 0

    with_a_client(case)


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_a_frame_is_one_of_text_that_is_whole(length: int) -> None:
    frame = make_message("é" * (length // 2) + "x" * (length % 2))["frame"]
    assert frame[0] == 0x81  # the last part of a text
    assert frame[1] == (length if length < 126 else 126 if length < 65_536 else 127)  # and no mask
    assert len(frame) == length + (2 if length < 126 else 4 if length < 65_536 else 10)
