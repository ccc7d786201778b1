"""Which layer answers which address."""

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from deploy.schema import Schema
from deploy.telling import health, metrics

API_DOCS = SpectacularSwaggerSplitView.as_view(url_name="schema", template_name="deploy/api_docs.html")
urlpatterns: list[URLPattern | URLResolver] = [
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.exposition, name="metrics"),
    path("api/schema/", Schema.as_view(), name="schema"),
    path("api/docs/", API_DOCS, name="api_docs"),
    path("", include("games.urls")),
    path("", include("frontend.urls")),
]
handler400 = "deploy.bounds.turning_away.bad_request"
handler403 = "deploy.bounds.turning_away.forbidden"
handler404 = "deploy.bounds.turning_away.not_found"
handler500 = "deploy.bounds.turning_away.failed"
