"""The addresses of what stands in pages and pictures of others."""

from django.urls import URLPattern, URLResolver, path

from frontend.views import embeds

urlpatterns: list[URLPattern | URLResolver] = [
    path("oembed/", embeds.oembed, name="oembed"),
    path("embed/g/<str:game_id>/", embeds.embedded_table, name="embedded_table"),
    path("embed/c/<slug:slug>/ranking/", embeds.embedded_ranking, name="embedded_ranking"),
]
