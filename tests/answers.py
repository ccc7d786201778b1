"""The type of what Django's test client answers, which only the stubs have a name for."""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse

Answer: TypeAlias = "_MonkeyPatchedWSGIResponse"
