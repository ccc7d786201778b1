from django.urls import path, register_converter
from django.urls.converters import StringConverter

from games.api import views


class StreamId(StringConverter):
    """URL converter for the id of a stream: 128 bits as 32 lowercase hex characters."""

    regex = "[0-9a-f]{32}"


register_converter(StreamId, "stream")

urlpatterns = [
    path("api/v1/", views.IndexView.as_view(), name="api_index"),
    path("api/v1/games/", views.Games.as_view(), name="api_games"),
    path("api/v1/games/<stream:game_id>/", views.Detail.as_view(), name="api_game"),
    path("api/v1/games/<stream:game_id>/events/", views.Events.as_view(), name="api_game_events"),
    path("api/v1/games/<stream:game_id>/offers/", views.Offers.as_view(), name="api_game_offers"),
    path("api/v1/games/<stream:game_id>/replay/", views.Replay.as_view(), name="api_game_replay"),
    path("api/v1/games/<stream:game_id>/commands/", views.Commands.as_view(), name="api_game_commands"),
    path("api/v1/games/<stream:game_id>/evidence/", views.DealEvidence.as_view(), name="api_game_evidence"),
    path("api/v1/games/<stream:game_id>/sheet/", views.Sheet.as_view(), name="api_game_sheet"),
    path("api/v1/games/<stream:game_id>/log/", views.Log.as_view(), name="api_game_log"),
    path("api/v1/table-session/", views.TableSession.as_view(), name="api_table_session"),
]
