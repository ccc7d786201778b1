"""The URLs of embedded pages and link previews."""

from django.urls import URLPattern, URLResolver, path

from frontend.views.sharing import embeds, overlays

urlpatterns: list[URLPattern | URLResolver] = [
    path("oembed/", embeds.oembed, name="oembed"),
    path("embed/g/<str:game_id>/", embeds.embedded_table, name="embedded_table"),
    path("embed/c/<slug:slug>/ranking/", embeds.embedded_ranking, name="embedded_ranking"),
    path("overlay/g/<str:game_id>/", overlays.overlay_table, name="overlay_table"),
    path(
        "overlay/g/<str:game_id>/names/",
        overlays.overlay_table,
        {"names_only": True},
        name="overlay_names",
    ),
    path("overlay/c/<slug:slug>/ranking/", overlays.overlay_ranking, name="overlay_ranking"),
    path("overlay/c/<slug:slug>/tables/<int:number>/", overlays.overlay_of, name="overlay_of"),
    path(
        "overlay/c/<slug:slug>/tables/<int:number>/names/",
        overlays.overlay_of,
        {"names_only": True},
        name="overlay_names_of",
    ),
]
