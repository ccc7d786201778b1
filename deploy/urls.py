"""The root URL configuration, with the URLs of all layers."""

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from deploy.doctor.page import show_report
from deploy.observability import health, metrics
from deploy.openapi import Schema
from deploy.phones import let_phones_in

API_DOCS = SpectacularSwaggerSplitView.as_view(url_name="schema", template_name="deploy/api_docs.html")
urlpatterns: list[URLPattern | URLResolver] = [
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.exposition, name="metrics"),
    path("status/doctor/", show_report, name="doctor"),
    path("status/phones/", let_phones_in, name="phones"),
    path("api/schema/", Schema.as_view(), name="schema"),
    path("api/docs/", API_DOCS, name="api_docs"),
    path("", include("games.urls")),
    path("", include("frontend.urls")),
]
handler400 = "deploy.limits.overload_responses.bad_request"
handler403 = "deploy.limits.overload_responses.forbidden"
handler404 = "deploy.limits.overload_responses.not_found"
handler500 = "deploy.limits.overload_responses.server_error"
