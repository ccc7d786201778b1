"""Mails through a real connection to a small mail server, which takes some and refuses others."""

import socketserver
import threading
from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from games.messaging import task_queue
from games.models import User
from tournaments.models import EntryMail
from tournaments.services.championships import championships
from tournaments.services.entries import entry_link, entry_mails
from tournaments.services.entries.entries import NewEntry

pytestmark = pytest.mark.django_db


class Conversation(socketserver.StreamRequestHandler):
    """Answers as RFC 5321 says; nobody is called "niemand"."""

    def handle(self) -> None:
        self._say("220 ready")
        while line := self.rfile.readline().decode().strip().upper():
            if line.startswith("RCPT") and "NIEMAND" in line:
                self._say("550 no such user")
            elif line == "DATA":
                self._say("354 go on")
                lines = iter(lambda: self.rfile.readline().decode().rstrip("\r\n"), ".")
                self.server.taken.append("\n".join(lines))  # type: ignore[attr-defined]  # of PostOffice
                self._say("250 taken")
            elif line == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 well")

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class PostOffice(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.taken: list[str] = []


@pytest.fixture
def office(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostOffice]:
    monkeypatch.setattr(task_queue, "send", lambda *_: None)
    with PostOffice() as made:
        threading.Thread(target=made.serve_forever, args=(0.05,), daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", made.server_address[1]
        settings.MAIL_FROM, settings.ORIGIN = "jass@example.org", "https://jass.example.org"
        yield made
        made.shutdown()


def test_one_mail_is_taken_and_one_refused(office: PostOffice, fredi: User) -> None:
    made = championships.create(actor=fredi, name="Clubabend: Fünfter", place="Zürich")
    link = entry_link.set_link(made, on=True, actor=fredi)
    for name, email in (("Anna", "anna@example.ch"), ("Beat", "niemand@example.ch")):
        entry_link.enter_by_link(made, link, "192.0.2.1", NewEntry(family_name=name, email=email))

    assert entry_mails.send_mails() == 1

    [mail] = office.taken
    assert "To: anna@example.ch" in mail
    assert "https://jass.example.org/e/clubabend-funfter/me/" in mail
    states = EntryMail.objects.order_by("pk").values_list("entry__name", "state")
    assert list(states) == [("Anna", "sent"), ("Beat", "failed")]


def test_a_server_that_is_not_there_is_tried_again(
    office: PostOffice, fredi: User, settings: Settings
) -> None:
    settings.EMAIL_PORT = 1
    made = championships.create(actor=fredi, name="Clubabend")
    link = entry_link.set_link(made, on=True, actor=fredi)
    new = NewEntry(family_name="Anna", email="anna@example.ch")
    entry_link.enter_by_link(made, link, "192.0.2.1", new)

    assert entry_mails.send_mails() == 0
    assert EntryMail.objects.get().state == "waiting"
    assert office.taken == []
