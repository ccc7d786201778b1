"""Configuration from environment variables: database and Redis URLs, switches, lists.

This module needs only the standard library, so an environment can be prepared before Django is loaded.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from deploy import umask
from deploy.terminal import gettext as _

BASE_DIR = Path(__file__).resolve().parent.parent

VERSION = "0.2.0"
"""The version of Puur, as in pyproject.toml."""

# WAL and FULL: an acknowledged commit survives a crash. IMMEDIATE: a transaction takes the write lock
# when it begins; a deferred one that upgrades later fails with "database is locked" despite any timeout.
# recursive_triggers: without it INSERT OR REPLACE deletes rows past the triggers that refuse deletion.
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
        "PRAGMA foreign_keys=ON; PRAGMA recursive_triggers=ON; PRAGMA cache_size=-16000"
    ),
}


# Threads of a web process come and go, its connections stay: a bounded number, with a short wait.
# `reconnect_timeout`: while the server is away each request tries again at once.
POOL: dict[str, Any] = {
    "min_size": 1,
    "max_size": 8,
    "timeout": 3.0,
    "max_idle": 60.0,
    "reconnect_timeout": 0.0,
}
# A locked row must not occupy the threads of a web process; slower work is a job of the worker.
POSTGRES_TIMEOUTS = {
    "lock_timeout": "4s",
    "statement_timeout": "20s",
    "idle_in_transaction_session_timeout": "30s",
}


SECRETS = (
    *("SECRET_KEY", "DATABASE_URL", "REDIS_URL"),
    *("PUUR_MAIL", "PUUR_METRICS_TOKEN", "PUUR_OIDC_CLIENT_SECRET", "PUUR_PASSWORD"),
)
"""Variables whose value may be in a file."""
VARIABLES = (
    "PUUR_BIND",
    "PUUR_BOTS_THINK",
    "PUUR_CHANNEL_PREFIX",
    "PUUR_DATA_KEY",
    "PUUR_HSTS_SECONDS",
    "PUUR_HSTS_SUBDOMAINS",
    "PUUR_IDLE_HOURS",
    "PUUR_LANGUAGE",
    "PUUR_LIMITS",
    "PUUR_MAIL",
    "PUUR_MAIL_FROM",
    "PUUR_METRICS_TOKEN",
    "PUUR_OIDC_CLIENT_ID",
    "PUUR_OIDC_CLIENT_SECRET",
    "PUUR_OIDC_ISSUER",
    "PUUR_OIDC_NAME",
    "PUUR_ORGANISER",
    "PUUR_ORIGIN",
    "PUUR_PASSWORD",
    "PUUR_PUSH_HOSTS",
    "PUUR_PUSH_KEY",
    "PUUR_SEAL_KEY",
    "PUUR_SECOND_FACTOR",
    "PUUR_SECURITY_CONTACT",
    "PUUR_STATIC",
    "PUUR_TRUSTED_PROXIES",
    "PUUR_VAR",
)
"""Variables for operators; docs/operators.md explains each."""
COMMON = (
    *("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS"),
    *("TIME_ZONE", "LOG_LEVEL", "LOG_JSON", "DEBUG"),
)
"""Further variables for operators. Their names are common, so other programs may use similar ones."""
LAST_PORT: Final = 65_535
INTERNAL = ("PUUR_BOOTSTRAPPED", "PUUR_OPENABLE", "PUUR_OWN_VALKEY", "PUUR_READY_FD", "PUUR_WEB")
"""Variables that Puur sets for its own processes."""


class BadSetting(ValueError):
    """The value of an environment variable cannot be used. The message names the variable."""


def adopt_secret_files() -> None:
    """Set each secret variable NAME from the file that the variable NAME_FILE names, as container platforms
    provide secrets.

    Line breaks at the end of the file are not part of the secret. Raises BadSetting if both variables are
    set, or the file cannot be read.
    """
    for name in SECRETS:
        file = os.environ.pop(f"{name}_FILE", "")
        if not file:
            continue
        if os.environ.get(name):
            raise BadSetting(
                _("%(variable)s and %(variable)s_FILE are both set: remove one of them") % {"variable": name}
            )
        try:
            os.environ[name] = Path(file).read_text().rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise BadSetting(
                _("%(variable)s_FILE names a file that cannot be read: %(reason)s")
                % {"variable": name, "reason": error}
            ) from error


def _split_url(name: str, url: str) -> SplitResult:
    """Split the URL of a variable. Raises BadSetting without a part of the URL: what Python takes for a wrong
    port may be a part of a password.
    """
    try:
        parts = urlsplit(url)
        _valid = parts.port
    except ValueError:
        raise BadSetting(
            _("%(variable)s is not a valid address; in a password write / as %%2F, # as %%23, @ as %%40")
            % {"variable": name}
        ) from None
    return parts


def read_origin(name: str) -> str:
    """Parse the http(s) address in the variable `name`. Return `scheme://host`, or `scheme://host:port` if
    the port is not the default, in lower case; "" for an empty variable. Raises BadSetting.
    """
    given = os.environ.get(name, "").strip()
    if not given:
        return ""
    try:
        parts = urlsplit(given)
        port = parts.port
    except ValueError:  # an invalid host or port
        parts, port = urlsplit(""), None
    host = (parts.hostname or "").lower()
    bare = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
    if parts.scheme not in {"http", "https"} or not host or port == 0 or not bare:
        raise BadSetting(
            _(
                "%(variable)s must be an address such as https://jass.example.org, without a path,"
                " not %(value)s"
            )
            % {"variable": name, "value": given}
        )
    named = f"[{host}]" if ":" in host else host
    usual = port in {None, 443 if parts.scheme == "https" else 80}
    return f"{parts.scheme}://{named}" if usual else f"{parts.scheme}://{named}:{port}"


def read_networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Parse the comma-separated addresses and networks in the variable `name`. Raises BadSetting if one is
    invalid.
    """
    found = []
    for word in word_list(name, []):
        try:
            found.append(ip_network(word))
        except ValueError as error:
            raise BadSetting(
                _("%(variable)s must list addresses or networks such as 10.0.0.0/8, not %(value)s")
                % {"variable": name, "value": word}
            ) from error
    return found


def find_misspelt() -> dict[str, str]:
    """Return unknown environment variables, each with the name probably meant ("" if none is similar).

    A variable counts if its name is similar to that of a setting, or begins with PUUR_ and is not internal. A
    misspelt DATABASE_URL would otherwise give an empty SQLite file.
    """
    known = [*VARIABLES, *COMMON, *(f"{name}_FILE" for name in SECRETS)]
    found = {}
    for name in sorted(os.environ.keys() - set(known)):
        own = name.startswith("PUUR_")
        likely = next(iter(get_close_matches(name, known, n=1, cutoff=0.75 if own else 0.85)), "")
        if (own or likely) and not _is_internal(name):
            found[name] = likely
    return found


def _is_internal(name: str) -> bool:
    return name in INTERNAL or name.startswith("PUUR_TEST_")


def parse_whole_number(name: str, default: int, *, least: int = 0) -> int:
    """Parse the variable `name` as a whole number. If it is empty or missing, return the default. Raises
    BadSetting for other text and for a number below `least`.
    """
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not value.isascii() or not value.isdigit():
        raise BadSetting(
            _("%(variable)s must be a whole number, not %(value)r") % {"variable": name, "value": value}
        )
    if int(value) < least:
        raise BadSetting(_("%(variable)s must be at least %(least)d") % {"variable": name, "least": least})
    return int(value)


def parse_choice(name: str, choices: tuple[str, ...]) -> str:
    """Parse the variable `name`, whose value is one of `choices`. Return "" if it is empty or missing. Raises
    BadSetting for any other word.
    """
    value = os.environ.get(name, "").strip().lower()
    if value and value not in choices:
        raise BadSetting(
            _("%(variable)s must be one of %(choices)s, not %(value)r")
            % {"variable": name, "choices": ", ".join(choices), "value": value}
        )
    return value


def read_flag(name: str, default: bool = False) -> bool:
    """Parse the switch in `name`: `1`, `true`, `yes`, `on` or `0`, `false`, `no`, `off`. If it is empty or
    missing, return the default. Raises BadSetting for other text.
    """
    value = os.environ.get(name, "").strip().lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise BadSetting(_("%(variable)s must be 1 or 0, not %(value)r") % {"variable": name, "value": value})


def word_list(name: str, default: list[str]) -> list[str]:
    """Parse the comma-separated list in `name`. If it is empty or missing, return the default."""
    found = [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]
    return found or default


def make_database_settings(url: str, var: Path, *, web: bool = False) -> dict[str, Any]:
    """Return Django's database settings for a URL: empty or `sqlite:///path` for SQLite, or
    `postgresql://user@host/name`.

    web: PostgreSQL gets a connection pool and timeouts. Creates the folder of an SQLite file. Raises
    BadSetting.
    """
    parts = _split_url("DATABASE_URL", url)
    if not url or parts.scheme == "sqlite":
        if url and not parts.path:
            raise BadSetting(_("DATABASE_URL must name a file: sqlite:////var/lib/puur/puur.sqlite3"))
        path = Path(unquote(parts.path[1:])) if parts.path else var / "puur.sqlite3"
        with contextlib.suppress(OSError):  # On failure SQLite reports the problem with the file.
            umask.make_folder(path.parent)
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(path),
            "OPTIONS": dict(SQLITE_OPTIONS),
            # A file, not ":memory:": tests must see the locks of a real database.
            "TEST": {"NAME": str(var / "test.sqlite3")},
        }
    if parts.scheme in {"postgresql", "postgres"}:
        return _make_postgresql_settings(parts, web)
    raise BadSetting(_("DATABASE_URL must begin with sqlite: or postgresql:"))


def _make_postgresql_settings(parts: SplitResult, web: bool) -> dict[str, Any]:
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    host = options.pop("host", None) or parts.hostname or ""
    if web:
        own = " ".join(f"-c {name}={value}" for name, value in POSTGRES_TIMEOUTS.items())
        options["options"] = f"{own} {options.get('options', '')}".strip()
        options["pool"] = dict(POOL)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "puur",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(host),
        "PORT": str(parts.port or ""),
        "OPTIONS": options,
        "CONN_MAX_AGE": 0 if web else 60,
        "CONN_HEALTH_CHECKS": True,
    }


class MailServer(NamedTuple):
    """The mail server of the installation; without a `host` there is none. `starttls`: the client connects in
    plain text, then starts encryption; `tls`: it connects with TLS.
    """

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False


def mail_server(url: str) -> MailServer:
    """Parse `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465`. Empty: there is no mail server.

    `smtp:` to this machine itself stays unencrypted. Raises BadSetting.
    """
    if not url:
        return MailServer()
    parts = _split_url("PUUR_MAIL", url)
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise BadSetting(_("PUUR_MAIL must be smtp://user:password@host:587, or begin with smtps:"))
    tls = parts.scheme == "smtps"
    here = parts.hostname in {"localhost", "127.0.0.1", "::1"}
    return MailServer(
        parts.hostname,
        parts.port or (465 if tls else 25 if here else 587),
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        starttls=not tls and not here,
        tls=tls,
    )


def mail_sender(server: MailServer, origin: str) -> str:
    """Return the sender's address; "" without a mail server. Raises BadSetting if the sender or the public
    address is missing.
    """
    sender = os.environ.get("PUUR_MAIL_FROM", "").strip()
    if not server.host:
        return ""
    if "@" not in sender or not origin:
        raise BadSetting(_("PUUR_MAIL needs PUUR_MAIL_FROM, an address with @, and PUUR_ORIGIN"))
    return sender


class OpenId(NamedTuple):
    """The OpenID Connect provider of the installation; without an `issuer` there is none. name: shown to
    people.
    """

    issuer: str = ""
    client_id: str = ""
    client_secret: str = ""
    name: str = ""

    @property
    def provider_id(self) -> str:
        """The key under which identities are stored. It contains a hash of the issuer, because two issuers
        may use the same id for different people.
        """
        return f"oidc-{hashlib.sha256(self.issuer.encode()).hexdigest()[:16]}"

    @property
    def app(self) -> dict[str, Any]:
        """The settings of the provider for django-allauth. The identity comes only from the signed ID token,
        without a further request.
        """
        return {
            "provider_id": self.provider_id,
            "name": self.name,
            "client_id": self.client_id,
            "secret": self.client_secret,
            "settings": {
                "server_url": self.issuer.rstrip("/"),
                "fetch_userinfo": False,
                "oauth_pkce_enabled": True,
            },
        }


def open_id() -> OpenId:
    """Parse PUUR_OIDC_ISSUER, PUUR_OIDC_CLIENT_ID, PUUR_OIDC_CLIENT_SECRET and PUUR_OIDC_NAME. If the first
    three are empty, there is no provider. The issuer may have a plain http address only if it runs on this
    machine. Raises BadSetting.
    """
    names = ("PUUR_OIDC_ISSUER", "PUUR_OIDC_CLIENT_ID", "PUUR_OIDC_CLIENT_SECRET", "PUUR_OIDC_NAME")
    issuer, client_id, secret, name = (os.environ.get(variable, "").strip() for variable in names)
    if not (issuer or client_id or secret):
        return OpenId()
    parts = _split_url("PUUR_OIDC_ISSUER", issuer)
    schemes = {"https", "http"} if parts.hostname in {"localhost", "127.0.0.1", "::1"} else {"https"}
    if parts.scheme not in schemes or not parts.hostname or parts.query or parts.fragment:
        raise BadSetting(
            _("PUUR_OIDC_ISSUER must be an https address such as https://login.example.org, not %(value)s")
            % {"value": issuer}
        )
    if not (client_id and secret):
        raise BadSetting(_("PUUR_OIDC_ISSUER needs PUUR_OIDC_CLIENT_ID and PUUR_OIDC_CLIENT_SECRET"))
    return OpenId(issuer, client_id, secret, name or parts.hostname)


def celery_broker(redis_url: str) -> str:
    """Convert the Redis URL for Celery. `unix://` becomes `redis+socket://`. To a `rediss://` URL without
    `ssl_cert_reqs`, `required` is added: Celery would otherwise not use TLS.
    """
    parts = _split_url("REDIS_URL", redis_url)
    if parts.scheme == "rediss" and "ssl_cert_reqs" not in dict(parse_qsl(parts.query)):
        query = f"{parts.query}&ssl_cert_reqs=required".lstrip("&")
        return parts._replace(query=query).geturl()
    if parts.scheme != "unix":
        return redis_url
    number_of_database = dict(parse_qsl(parts.query)).get("db", "0")
    return f"redis+socket://{parts.path}?virtual_host={number_of_database}"


def secret_key(var: Path, required: bool) -> str:
    """Return the setting SECRET_KEY; if it is empty, the key that `demo` or `serve` has stored in the var
    folder; without either, a random key. Raises BadSetting if the folder cannot be read, and with `required`
    instead of making a key.
    """
    given = os.environ.get("SECRET_KEY", "")
    if given:
        return given
    kept = var / "secret_key"
    try:
        if kept.is_file():
            return kept.read_text().strip()
    except OSError as error:
        raise _make_folder_error(var, error) from error
    if required:
        raise BadSetting(
            _("SECRET_KEY must be set where PUUR_ORIGIN is an https address: 50 random characters")
        )
    return secrets.token_urlsafe(50)


def keep_secret_key(var: Path) -> str:
    """Create the file `secret_key`, private to its owner, in the var folder unless it exists. Return the key.
    Raises BadSetting.
    """
    kept = var / "secret_key"
    try:
        umask.make_folder(var)
        descriptor = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return kept.read_text().strip()
    except OSError as error:
        raise _make_folder_error(var, error) from error
    key = secrets.token_urlsafe(50)
    with os.fdopen(descriptor, "w") as file:
        file.write(key + "\n")
    return key


def _make_folder_error(var: Path, error: OSError) -> BadSetting:
    return BadSetting(
        _("the folder %(folder)s cannot be used: %(reason)s. It must belong to user %(user)s.")
        % {"folder": var, "reason": error.strerror, "user": os.geteuid()}
    )
