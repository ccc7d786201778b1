"""Encrypted messages for one browser: the vectors of the RFCs, and the key that identifies the platform to
push services.
"""

import base64
import time
from pathlib import Path

import msgspec
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from django.core.management import CommandError, call_command
from pytest_django import Settings

from deploy import checks
from deploy.management import local_run
from tests.tournaments.notices.push_service import Phone
from tournaments.notices import keys
from tournaments.notices.keys import PushKeyError, base64url, make_push_key, public_push_key, push_key
from tournaments.notices.message_encryption import LENGTH, encrypt_message


def raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_the_vector_of_rfc_8291_comes_out_byte_for_byte() -> None:
    sender = ec.derive_private_key(
        int.from_bytes(raw("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), keys.CURVE
    )
    closed = encrypt_message(
        b"When I grow up, I want to be a watermelon",
        raw("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        raw("BTBZMqHH6r4Tts7J_aSIgg"),
        salt=raw("DGv6ra1nlYgDCS1FRnbzlw"),
        sender=sender,
        length=42,
    )

    assert base64url(closed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
        "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_every_message_has_one_length_and_opens_for_its_phone_alone() -> None:
    phone, other = Phone(), Phone()
    told = [msgspec.json.encode({"title": "Ä" * length}) for length in (1, 300)]
    closed = [encrypt_message(text, phone.endpoint.point, phone.endpoint.secret) for text in told]

    assert {len(one) for one in closed} == {16 + 4 + 1 + 65 + LENGTH + 16}
    assert [len(phone.opened(one)["title"]) for one in closed] == [1, 300]
    with pytest.raises(InvalidTag):
        other.opened(closed[0])
    with pytest.raises(ValueError, match="too long"):
        encrypt_message(bytes(LENGTH), phone.endpoint.point, phone.endpoint.secret)


@pytest.fixture
def path(settings: Settings, tmp_path: Path) -> Path:
    settings.PUSH_KEY = tmp_path / "push_key"
    return tmp_path / "push_key"


def test_what_is_signed_is_for_one_service_and_a_short_while(path: Path, settings: Settings) -> None:
    settings.TLS, settings.ORIGIN = True, "https://jass.club.ch"
    key = make_push_key(path)
    scheme, _, rest = key.authorization("https://push.phones.net").partition(" ")
    token, public = (part.partition("=")[2] for part in rest.split(", "))
    head, claims, signature = token.split(".")

    assert (scheme, public) == ("vapid", key.public)
    assert msgspec.json.decode(raw(head)) == {"typ": "JWT", "alg": "ES256"}
    said = msgspec.json.decode(raw(claims))
    assert (said["aud"], said["sub"]) == ("https://push.phones.net", "https://jass.club.ch")
    assert 0 < said["exp"] - time.time() <= 24 * 3600
    both = raw(signature)
    numbers = (int.from_bytes(both[:32]), int.from_bytes(both[32:]))
    point = ec.EllipticCurvePublicKey.from_encoded_point(keys.CURVE, raw(public))
    point.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))


def test_the_key_is_made_once_and_is_its_owners_alone(path: Path) -> None:
    assert public_push_key() == ""
    said: list[str] = []
    local_run.ensure_push_key(said.append)
    local_run.ensure_push_key(said.append)

    assert len(said) == 1
    assert str(path) in said[0]
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(raw(public_push_key())) == 65
    assert path.read_text().strip() not in public_push_key()
    with pytest.raises(CommandError, match="notices/key_exists"):
        call_command("make_push_key")


@pytest.mark.parametrize("text", ["", "00" * 32, "ff" * 32, "11" * 31, "no key"])
def test_a_file_that_is_no_key_is_named(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(PushKeyError) as refused:
        push_key()
    assert refused.value.code == "notices/key_malformed"


def test_a_key_that_others_can_read_is_not_used_and_check_says_so(path: Path) -> None:
    assert checks.push_key_is_usable(None) == [], "nobody has to tell phones anything"
    make_push_key(path)
    assert checks.push_key_is_usable(None) == []
    path.chmod(0o644)
    assert [complaint.id for complaint in checks.push_key_is_usable(None)] == [checks.NO_PUSH_KEY]
    with pytest.raises(PushKeyError) as refused:
        push_key()
    assert refused.value.code == "notices/key_readable"
    assert public_push_key() == "", "no page offers what cannot be kept"
