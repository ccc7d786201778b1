"""The Content-Security-Policy of files that a browser shows by themselves."""

from csp.constants import UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase

PAGE = "text/html"


class ContentPolicy(CSPMiddleware):
    """The policy of pages, except for styles of pictures and other files: the browser shows them in a page of
    its own, which has inline styles.
    """

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the parts of the policy, with inline styles for what is no page."""
        parts = super().get_policy_parts(request, response, report_only)
        if not response.headers.get("Content-Type", PAGE).startswith(PAGE):
            parts.replace = {**(parts.replace or {}), "style-src": [UNSAFE_INLINE]}
        return parts
