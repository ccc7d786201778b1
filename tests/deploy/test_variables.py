"""Variables of the environment: addresses, secrets in files, misspelt names."""

import re
import tomllib
from pathlib import Path

import pytest
from django.core.management import call_command

from deploy import environment
from deploy.checks import MISSPELT, warn_of_misspelt
from deploy.doctor.proxy_and_tls import check_variables
from deploy.environment import BASE_DIR, BadSetting
from deploy.management import local_run


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ("", ""),
        ("https://jass.example.org", "https://jass.example.org"),
        (" HTTPS://Jass.Example.org/ ", "https://jass.example.org"),
        ("https://jass.example.org:443", "https://jass.example.org"),
        ("https://jass.example.org:8443", "https://jass.example.org:8443"),
        ("http://[FD00::1]:8000", "http://[fd00::1]:8000"),
    ],
)
def test_an_origin_has_one_spelling(monkeypatch: pytest.MonkeyPatch, given: str, origin: str) -> None:
    monkeypatch.setenv("PUUR_ORIGIN", given)
    assert environment.read_origin("PUUR_ORIGIN") == origin


@pytest.mark.parametrize(
    "given",
    [
        "jass.example.org",
        "https://jass.example.org/puur",
        "ftp://jass.example.org",
        "https://",
        "https://jass.example.org:0",
        "https://jass.example.org:x",
        "https://a@jass.example.org",
        "https://jass.example.org?x=1",
    ],
)
def test_what_is_no_origin_is_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("PUUR_ORIGIN", given)
    with pytest.raises(BadSetting, match="PUUR_ORIGIN"):
        environment.read_origin("PUUR_ORIGIN")


def test_proxies_are_addresses_or_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUUR_TRUSTED_PROXIES", "10.0.0.7, fd00::/8")
    assert [str(one) for one in environment.read_networks("PUUR_TRUSTED_PROXIES")] == [
        "10.0.0.7/32",
        "fd00::/8",
    ]
    for wrong in ("proxy", "10.0.0.7/8", "10.0.0.256"):
        monkeypatch.setenv("PUUR_TRUSTED_PROXIES", wrong)
        with pytest.raises(BadSetting, match="PUUR_TRUSTED_PROXIES"):
            environment.read_networks("PUUR_TRUSTED_PROXIES")


def test_a_number_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert environment.parse_whole_number("PUUR_HSTS_SECONDS", 7) == 7
    monkeypatch.setenv("PUUR_HSTS_SECONDS", "0")
    assert environment.parse_whole_number("PUUR_HSTS_SECONDS", 7) == 0
    for wrong in ("-1", "1.5", "a year"):
        monkeypatch.setenv("PUUR_HSTS_SECONDS", wrong)
        with pytest.raises(BadSetting, match="PUUR_HSTS_SECONDS"):
            environment.parse_whole_number("PUUR_HSTS_SECONDS", 7)


def test_a_secret_comes_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("behind seven hills\n")
    monkeypatch.delenv("SECRET_KEY", raising=False)
    monkeypatch.setenv("SECRET_KEY_FILE", str(file))
    environment.adopt_secret_files()
    assert environment.secret_key(tmp_path, required=True) == "behind seven hills"
    environment.adopt_secret_files()  # a second time nothing is left to adopt

    monkeypatch.setenv("SECRET_KEY_FILE", str(file))
    with pytest.raises(BadSetting, match="SECRET_KEY and SECRET_KEY_FILE"):
        environment.adopt_secret_files()
    monkeypatch.delenv("SECRET_KEY")
    monkeypatch.setenv("SECRET_KEY_FILE", str(tmp_path / "missing"))
    with pytest.raises(BadSetting, match="cannot be read"):
        environment.adopt_secret_files()


OIDC = {
    "PUUR_OIDC_ISSUER": "https://login.example.org/realms/jass",
    "PUUR_OIDC_CLIENT_ID": "puur",
    "PUUR_OIDC_CLIENT_SECRET": "x",
}


def test_a_provider_is_off_or_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*OIDC, "PUUR_OIDC_NAME"):
        monkeypatch.delenv(name, raising=False)
    assert environment.open_id() == environment.OpenId()
    for name, value in OIDC.items():
        monkeypatch.setenv(name, value)
    found = environment.open_id()
    assert found == environment.OpenId(OIDC["PUUR_OIDC_ISSUER"], "puur", "x", "login.example.org")
    monkeypatch.setenv("PUUR_OIDC_NAME", "Verband")
    assert environment.open_id().name == "Verband"
    for name in OIDC:
        with monkeypatch.context() as without:
            without.delenv(name)
            with pytest.raises(BadSetting, match="PUUR_OIDC_ISSUER"):
                environment.open_id()
    for wrong in ("http://login.example.org", "login.example.org", "https://", "https://a.example?x=1"):
        monkeypatch.setenv("PUUR_OIDC_ISSUER", wrong)
        with pytest.raises(BadSetting, match="PUUR_OIDC_ISSUER"):
            environment.open_id()
    monkeypatch.setenv("PUUR_OIDC_ISSUER", "http://127.0.0.1:9000")
    assert environment.open_id().issuer == "http://127.0.0.1:9000"


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="cannot be used: Not a directory"):
        environment.keep_secret_key(tmp_path / "file" / "var")


def test_a_misspelt_variable_is_named_with_what_it_may_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    assert warn_of_misspelt(None) == []
    monkeypatch.setenv("PUUR_ORIGN", "https://jass.example.org")
    monkeypatch.setenv("PUUR_ZZZ", "1")
    [first, second] = warn_of_misspelt(None)
    assert (first.id, second.id) == (MISSPELT, MISSPELT)
    assert "PUUR_ORIGN" in first.msg
    assert first.hint == "Did you mean PUUR_ORIGIN?"
    assert second.hint == "docs/operators.md lists all variables."


@pytest.mark.parametrize(
    ("given", "likely"),
    [
        ("DATABASE_ULR_FILE", "DATABASE_URL_FILE"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("REDIS_ULR", "REDIS_URL"),
        ("SECRETKEY", "SECRET_KEY"),
        ("ALLOWED_HOST", "ALLOWED_HOSTS"),
        ("PUUR_PASSWORD_FIEL", "PUUR_PASSWORD_FILE"),
    ],
)
def test_a_misspelt_address_is_named_too_and_at_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: str, likely: str
) -> None:
    monkeypatch.setenv(given, "x")
    assert environment.find_misspelt() == {given: likely}
    assert check_variables().state == "warning"
    monkeypatch.setattr(local_run.LocalCommand, "handle", lambda *_, **__: None)
    call_command(local_run.LocalCommand())
    assert f"puur: Puur does not know these variables: {given} ({likely}?)." in capsys.readouterr().out


@pytest.mark.parametrize("name", ["PATH", "LOGNAME", "DEBUGINFOD_URLS", "REDIS_HOST", "DATABASE_NAME", "TZ"])
def test_variables_of_others_are_left_alone(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "x")
    assert environment.find_misspelt() == {}


def test_the_version_is_that_of_the_package() -> None:
    package = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]
    assert package["version"] == environment.VERSION


def test_all_variables_of_the_code_are_known_and_documented() -> None:
    code = [
        file.read_text()
        for root in ("deploy", "frontend", "games", "tournaments", "engine")
        for file in (BASE_DIR / root).rglob("*.py")
        if "node_modules" not in file.parts
    ]
    found = {name for text in code for name in re.findall(r"\bPUUR_[A-Z_]*[A-Z]\b", text)}
    assert found == {*environment.VARIABLES, *environment.INTERNAL}
    docs = (BASE_DIR / "docs" / "operators.md").read_text()
    for name in (*environment.VARIABLES, *environment.SECRETS):
        assert f"`{name}`" in docs, name
