"""The mail server from the environment."""

import pytest

from deploy import environment
from deploy.environment import BadSetting, MailServer


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("", MailServer()),
        (
            "smtp://jass:se%40cret@mail.example.org",
            MailServer("mail.example.org", 587, "jass", "se@cret", starttls=True),
        ),
        ("smtps://mail.example.org", MailServer("mail.example.org", 465, tls=True)),
        ("smtp://127.0.0.1", MailServer("127.0.0.1", 25)),
        ("smtp://localhost:1025", MailServer("localhost", 1025)),
    ],
)
def test_a_url_says_how_mails_leave(url: str, found: MailServer) -> None:
    assert environment.mail_server(url) == found


@pytest.mark.parametrize("url", ["mail.example.org", "http://mail.example.org", "smtp://"])
def test_anything_else_is_refused_at_the_start(url: str) -> None:
    with pytest.raises(BadSetting, match="PUUR_MAIL"):
        environment.mail_server(url)


def test_mails_need_a_sender_and_an_address_to_lead_to(monkeypatch: pytest.MonkeyPatch) -> None:
    server = environment.mail_server("smtp://localhost")
    monkeypatch.setenv("PUUR_MAIL_FROM", "jass@example.org")

    assert environment.mail_sender(MailServer(), "https://jass.example.org") == ""
    assert environment.mail_sender(server, "https://jass.example.org") == "jass@example.org"
    with pytest.raises(BadSetting, match="PUUR_ORIGIN"):
        environment.mail_sender(server, "")
    monkeypatch.setenv("PUUR_MAIL_FROM", "jass")
    with pytest.raises(BadSetting, match="PUUR_MAIL_FROM"):
        environment.mail_sender(server, "https://jass.example.org")
