"""URL patterns of the sockets."""

from django.urls import re_path

from games.consumers import anonymous_socket, table_socket, unknown_socket

websocket_urlpatterns = [
    re_path(r"^ws/games/(?P<game_id>[0-9a-f]{32})/$", table_socket),  # type: ignore[arg-type]  # Channels takes an ASGI application
    re_path(r"^ws/strangers/games/(?P<game_id>[0-9a-f]{32})/$", anonymous_socket),  # type: ignore[arg-type]  # Channels takes an ASGI application
    re_path(r"", unknown_socket),  # type: ignore[arg-type]  # Channels takes an ASGI application
]
