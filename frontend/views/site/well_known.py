"""Files at fixed URLs: robots.txt, the favicon, security.txt (RFC 9116), the sitemap, and the redirect to the
page for changing passwords.
"""

from datetime import UTC, datetime, timedelta
from typing import Final
from xml.sax.xmlreader import AttributesImpl

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.http import require_safe

from frontend.presenters.regulations.rules import list_games
from frontend.presenters.site.manuals import MANUALS
from tournaments.clubs.public import public_clubs
from tournaments.models import Championship

CACHED: Final = {"Cache-Control": "public, max-age=3600"}
DISALLOWED: Final = ("/api/", "/c/*/people/", "/clubs/*/people/", "/jobs/")
"""Paths that search engines should not visit: the API, pages of people, and jobs."""
MAX_CLUBS: Final = 1_000
MAX_SITEMAP_URLS: Final = 50_000
"""Largest number of URLs in one sitemap (sitemaps.org)."""
SECURITY_EXPIRES_DAYS: Final = 180
"""Days until security.txt expires. RFC 9116 recommends less than a year."""
SITEMAP_NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt with the disallowed paths and the URL of the sitemap."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in DISALLOWED)]
    return _text_response([*lines, "", f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}"])


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for programs that read no HTML; pages link their icon themselves."""
    response = redirect(static("puur/icons/icon-192.png"))
    for name, value in CACHED.items():
        response.headers[name] = value
    return response


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return how to report a vulnerability. The contacts are the setting PUUR_SECURITY_CONTACT, or if it is
    empty the mailbox `security` of this host (RFC 2142).
    """
    expires = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    expires += timedelta(days=SECURITY_EXPIRES_DAYS)
    host, _port = split_domain_port(request.get_host())
    contacts = settings.SECURITY_CONTACT or [f"security@{host}"]
    lines = [
        *(f"Contact: {contact if ':' in contact else f'mailto:{contact}'}" for contact in contacts),
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(code for code, _name in settings.LANGUAGES)}",
        f"Canonical: {request.build_absolute_uri(reverse('security_txt'))}",
    ]
    return _text_response(lines)


@require_safe
def change_password(_request: HttpRequest) -> HttpResponse:
    """Redirect `/.well-known/change-password` to the password page (W3C, A Well-Known URL for Changing
    Passwords).
    """
    return redirect("password")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """Return the sitemap. It lists public pages, but no pages of people."""
    response = HttpResponse(content_type="application/xml; charset=utf-8", headers=CACHED)
    xml = SimplerXMLGenerator(response, "utf-8")
    xml.startDocument()
    xml.startElement("urlset", AttributesImpl({"xmlns": SITEMAP_NAMESPACE}))
    for path in _sitemap_paths():
        xml.startElement("url", AttributesImpl({}))
        xml.addQuickElement("loc", request.build_absolute_uri(path))
        xml.endElement("url")
    xml.endElement("urlset")
    xml.endDocument()
    return response


def _sitemap_paths() -> list[str]:
    paths = [
        reverse("home"),
        reverse("rules"),
        *(reverse("rules_game", args=[game.key]) for game in list_games()),
        *(reverse("manual", args=[key]) for key in MANUALS),
        reverse("verify"),
    ]
    paths += [
        reverse("club", args=[slug]) for slug in public_clubs().values_list("slug", flat=True)[:MAX_CLUBS]
    ]
    public = Championship.objects.filter(public=True).order_by("-pk").values_list("slug", flat=True)
    for slug in public[: (MAX_SITEMAP_URLS - len(paths)) // 3]:
        paths += [reverse(name, args=[slug]) for name in ("championship", "rounds", "standings")]
    return paths


def _text_response(lines: list[str]) -> HttpResponse:
    text = "".join(f"{line}\n" for line in lines)
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=CACHED)
