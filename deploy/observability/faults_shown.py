"""The filter for Django's error pages and mails: they show tracebacks without values."""

from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.http import HttpRequest, QueryDict
from django.views.debug import SafeExceptionReporterFilter


class WithoutVariables(SafeExceptionReporterFilter):
    """An exception filter that never shows variables of frames or data of forms, whatever the value of
    DEBUG.
    """

    def get_traceback_frame_variables(
        self, request: HttpRequest | None, tb_frame: FrameType
    ) -> ItemsView[str, Any]:
        return dict[str, Any]().items()

    def get_post_parameters(self, request: HttpRequest | None) -> QueryDict:
        return QueryDict()
