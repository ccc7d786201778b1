"""The one settings file: every choice that differs between places comes from the environment.

PUUR_ORIGIN    the address people type, e.g. https://jass.example.org; https turns on all that needs TLS
PUUR_TRUSTED_PROXIES  addresses or networks of proxies whose X-Forwarded headers are trusted, with commas
PUUR_HSTS_SECONDS  for how long browsers insist on https; default: a year
PUUR_HSTS_SUBDOMAINS  1: they insist on https on subdomains too
DATABASE_URL   sqlite:////path/file.sqlite3 or postgresql://user:password@host/name; default: a file in var
REDIS_URL      redis://host:6379/0 or unix:///path/socket
SECRET_KEY     required with an https origin, unless `demo` or `serve` has stored one in the var folder
ALLOWED_HOSTS  further host names, separated by commas
PUUR_LIMITS    0: no limits by account and address, for measuring
PUUR_BOTS_THINK  0: bots play their best guess at once, for measuring the platform
PUUR_VAR       the folder for the platform's files; default: var/ beside manage.py
PUUR_SEAL_KEY  the file with the key that seals checkpoints; default: seal_key in the var folder
PUUR_DATA_KEY  the file with the keys that encrypt hands and seeds; default: data_key in the var folder
PUUR_PUSH_KEY  the file with the key that identifies the platform to push services; default: push_key in
               the var folder
PUUR_PUSH_HOSTS  the only push services used, with commas, or none, or any; default: those of the browsers
PUUR_MAIL      the mail server, smtp://user:password@host:587 or smtps://…; without it no mail is sent
PUUR_MAIL_FROM  the sender of mails; required with PUUR_MAIL, as is PUUR_ORIGIN
PUUR_SECOND_FACTOR  officials: directors, referees and the desk sign in with a second step
PUUR_OIDC_ISSUER  an OpenID Connect provider that people can sign in at; it needs PUUR_OIDC_CLIENT_ID and
               PUUR_OIDC_CLIENT_SECRET; PUUR_OIDC_NAME is on the button; default: off
PUUR_IDLE_HOURS  sessions of officials end after so many hours without a request; default: 12
PUUR_SECURITY_CONTACT  addresses for reports of vulnerabilities, with commas; default: security@ this host
PUUR_METRICS_TOKEN  the token for access to /metrics; without it only this machine has access

NAME_FILE names a file with the value of a secret, such as SECRET_KEY_FILE: `environment.SECRETS` lists them.
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
from csp.constants import NONE, SELF

from deploy import environment, terminal

environment.adopt_secret_files()
BASE_DIR = environment.BASE_DIR
VERSION = environment.VERSION
VAR_DIR = Path(os.environ.get("PUUR_VAR") or BASE_DIR / "var").resolve()
ORIGIN = environment.read_origin("PUUR_ORIGIN")
TLS = ORIGIN.startswith("https://")

DEBUG = environment.read_flag("DEBUG")
DEFAULT_EXCEPTION_REPORTER_FILTER = "deploy.observability.faults_shown.WithoutVariables"
SECRET_KEY = environment.secret_key(VAR_DIR, required=TLS)
ALLOWED_HOSTS = [
    *filter(None, [urlsplit(ORIGIN).hostname]),
    *environment.word_list("ALLOWED_HOSTS", [] if TLS else ["localhost", "127.0.0.1", "[::1]"]),
]
CSRF_TRUSTED_ORIGINS = [ORIGIN] if ORIGIN else []

INSTALLED_APPS = [
    "deploy",
    "frontend",
    "tournaments",
    "games",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "channels",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "deploy.static_files.StaticFiles",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "deploy.limits.rate_limit_middleware.RateLimitMiddleware",  # before others that answer without a view
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "deploy.limits.no_nul.NoNul",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "frontend.name_readers.NameReaderMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "frontend.accounts.activity.SessionActivity",
    "deploy.limits.overload_responses.DatabaseUnderStrain",
]
ROOT_URLCONF = "deploy.urls"
ASGI_APPLICATION = "deploy.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "frontend" / "rules"],  # one text a game and language
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- storage, and channels for hints
WEB = environment.read_flag("PUUR_WEB")  # set by deploy.asgi: this process answers requests, in threads
DATABASES = {
    "default": environment.make_database_settings(os.environ.get("DATABASE_URL", ""), VAR_DIR, web=WEB)
}
# Outside the database and its backups; `manage.py make-seal-key`, `demo` and `serve` make it.
SEAL_KEY = Path(os.environ.get("PUUR_SEAL_KEY") or VAR_DIR / "seal_key")
# Encrypts secrets in the database. `manage.py make-data-key`, `demo` and `serve` create it.
DATA_KEY = Path(os.environ.get("PUUR_DATA_KEY") or VAR_DIR / "data_key")
# Signs push messages to phones; without it there are none. `make-push-key`, `demo` and `serve` create it.
PUSH_KEY = Path(os.environ.get("PUUR_PUSH_KEY") or VAR_DIR / "push_key")
# Of Chrome and its derivatives, Firefox, Safari and Edge; subdomains are included.
BROWSERS_PUSH_HOSTS = [
    "fcm.googleapis.com",
    "jmt17.google.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
]
PUSH_HOSTS = environment.word_list("PUUR_PUSH_HOSTS", BROWSERS_PUSH_HOSTS)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"
REDIS_PREFIX = os.environ.get("PUUR_CHANNEL_PREFIX", "puur")
CELERY_BROKER_URL = environment.celery_broker(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = REDIS_PREFIX
CELERY_TASK_IGNORE_RESULT = True  # results of jobs are only in the database
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_SOFT_TIME_LIMIT = 110
CELERY_TASK_TIME_LIMIT = 120
# Due work is in the database, and the sweep sends its tasks again, so no request waits for Redis.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than four times the hard limit: a task that runs is never given to a second worker.
    "visibility_timeout": 600,
    "socket_connect_timeout": 1,
    # Without these kombu tries for six seconds before a web request may go on.
    "max_retries": 0,
    "interval_start": 0,
    "interval_step": 0,
    "interval_max": 0,
}
CELERY_TIMEZONE = "UTC"

# --- authentication
AUTH_USER_MODEL = "games.User"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "deploy.limits.hashing.BoundedArgon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
# No network is asked: 20,000 of the most frequent passwords are refused, and short ones.
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
# The limits of allauth would shut out a hall behind one address: ours are in frontend.sign_in_attempts.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
ACCOUNT_ADAPTER = "frontend.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 1
ACCOUNT_REAUTHENTICATION_METHODS = ["password"]
ACCOUNT_FORMS = {"reauthenticate": "frontend.forms.sign_in.PasswordAgainForm"}
# An OpenID Connect provider; off, and nothing is asked over the network, without PUUR_OIDC_ISSUER.
OPEN_ID = environment.open_id()
SOCIALACCOUNT_ADAPTER = "frontend.accounts.open_id.SocialAccountAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [OPEN_ID.app] if OPEN_ID.issuer else []}}
MFA_ADAPTER = "frontend.accounts.adapters.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "frontend.forms.second_factor.CodeForm",
    "activate_totp": "frontend.forms.second_factor.ActivateAppForm",
    "authenticate_webauthn": "frontend.forms.second_factor.KeyForm",
}
# Browsers offer passkeys on https, and at localhost.
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = False
MFA_TOTP_TOLERANCE = 1  # phones whose clock is half a minute wrong
SECOND_FACTOR_OF_OFFICIALS = environment.parse_choice("PUUR_SECOND_FACTOR", ("officials",)) == "officials"
# Sensitive acts need a password that is at most this old; None: never asked for.
PASSWORD_AGAIN_AFTER: float | None = 15 * 60
# Sessions of officials end after so long without a request.
IDLE_SECONDS = 3600 * environment.parse_whole_number("PUUR_IDLE_HOURS", 12, least=1)

# --- permissions of browsers
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],  # WebSockets to the same host included
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "manifest-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "worker-src": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_ENGINE = "games.rights.sessions"
# __Host-: only this host sets them, by https. Browsers do not take such names over plain http.
_HOST_ONLY = "__Host-" if TLS else ""
SESSION_COOKIE_NAME = f"{_HOST_ONLY}sessionid"
CSRF_COOKIE_NAME = f"{_HOST_ONLY}csrftoken"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = TLS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = TLS
SECURE_REDIRECT_EXEMPT = [r"^readyz$", r"^metrics$"]  # asked by the machine itself, without TLS
TRUSTED_PROXIES = environment.read_networks("PUUR_TRUSTED_PROXIES")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TLS else None
SECURE_HSTS_SECONDS = environment.parse_whole_number("PUUR_HSTS_SECONDS", 31_536_000) if TLS else 0
# Other names below this one may have no TLS, so this is the operator's decision.
SECURE_HSTS_INCLUDE_SUBDOMAINS = TLS and environment.read_flag("PUUR_HSTS_SUBDOMAINS")
# Preloading cannot be undone for months; nobody needs it for a club.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# --- rate limits by account and address: games.messaging.rate_limit
LIMITS = environment.read_flag("PUUR_LIMITS", True)

# --- analysis by bots, up to 50 ms of a processor a card: games.bots.rollout_decisions
BOTS_THINK = environment.read_flag("PUUR_BOTS_THINK", True)

# --- metrics
METRICS_TOKEN = os.environ.get("PUUR_METRICS_TOKEN", "")
# In /.well-known/security.txt: mail addresses or URLs.
SECURITY_CONTACT = environment.word_list("PUUR_SECURITY_CONTACT", [])

# --- mail: tournaments.mails
_MAIL = environment.mail_server(os.environ.get("PUUR_MAIL", ""))
MAIL_FROM = environment.mail_sender(_MAIL, ORIGIN)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if MAIL_FROM else 'dummy'}.EmailBackend"
EMAIL_HOST, EMAIL_PORT = _MAIL.host, _MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL.user, _MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.starttls, _MAIL.tls
EMAIL_TIMEOUT = 10

# --- languages, time, static files
LANGUAGE_CODE = "en"
LANGUAGES = terminal.languages()
LOCALE_PATHS = [BASE_DIR / "frontend" / "locale"]
TIME_ZONE = os.environ.get("TIME_ZONE") or "Europe/Zurich"
USE_TZ = True
STATIC_URL = "static/"
STATIC_ROOT = Path(os.environ.get("PUUR_STATIC") or VAR_DIR / "static") if TLS else None
# Behind TLS an operator runs collectstatic, which adds hashes to file names; elsewhere sources are served.
WHITENOISE_USE_FINDERS = not TLS
WHITENOISE_MAX_AGE = 60
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if TLS
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# --- the API
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Puur",
    "DESCRIPTION": "The open-source platform for Jass championships.",
    "VERSION": "1",
    "LICENSE": {"name": "AGPL-3.0-or-later"},
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.1",  # the engine describes its commands as JSON Schema, with null types
    "POSTPROCESSING_HOOKS": [],  # the default hook renames the enumerations inside them
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# --- logging
LOG_JSON = environment.read_flag("LOG_JSON", TLS)
# Where `rich` is installed structlog takes its tracebacks, which print local variables: hands, passwords.
PLAIN = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
LOG_RENDERER: Any = structlog.processors.JSONRenderer() if LOG_JSON else PLAIN
_LOG_FACTS: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso"),
]
"""Processors that add facts to each line of the log besides its message."""
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structlog": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,  # otherwise JSON would contain the name of an object
                LOG_RENDERER,
            ],
            "foreign_pre_chain": _LOG_FACTS,
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structlog"}},
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL") or "INFO"},
    "loggers": {
        "celery": {"level": "WARNING"},
        "django": {"level": "INFO"},
        "kombu": {"level": "ERROR"},  # it warns that a Unix socket has no host name
        "uvicorn": {"level": "WARNING"},
        "uvicorn.access": {"propagate": False},  # otherwise it logs a line for each response
    },
}
structlog.configure(
    processors=[
        *_LOG_FACTS,
        structlog.processors.format_exc_info,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
