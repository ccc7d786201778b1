"""Which layer answers which address."""

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from deploy import health

API_DOCS = SpectacularSwaggerSplitView.as_view(url_name="schema", template_name="deploy/api_docs.html")
urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", API_DOCS, name="api_docs"),
    path("", include("games.urls")),
    path("", include("frontend.urls")),
]
