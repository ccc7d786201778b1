"""What Django's pages and mails about an error may show: the way through the code, never what lay in it."""

from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.http import HttpRequest, QueryDict
from django.views.debug import SafeExceptionReporterFilter


class WithoutVariables(SafeExceptionReporterFilter):
    """Frames without their variables, a request without what was typed into forms, whatever DEBUG says."""

    def get_traceback_frame_variables(
        self, request: HttpRequest | None, tb_frame: FrameType
    ) -> ItemsView[str, Any]:
        return dict[str, Any]().items()

    def get_post_parameters(self, request: HttpRequest | None) -> QueryDict:
        return QueryDict()
