"""Filters for Django's error pages and mails: tracebacks without values."""

from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.http import HttpRequest, QueryDict
from django.views.debug import SafeExceptionReporterFilter


class WithoutVariables(SafeExceptionReporterFilter):
    """An exception filter without variables of frames and form data of requests, for any value of DEBUG."""

    def get_traceback_frame_variables(
        self, request: HttpRequest | None, tb_frame: FrameType
    ) -> ItemsView[str, Any]:
        return dict[str, Any]().items()

    def get_post_parameters(self, request: HttpRequest | None) -> QueryDict:
        return QueryDict()
