"""POST /appearance/: Set theme and deck on pages without scripts; the script base.js sets the same
cookies.
"""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from frontend.preferences import COOKIES, set_preference


@require_POST
def appearance(request: HttpRequest) -> HttpResponse:
    """Save the choices in cookies; redirect to `next` if on this site, else to /."""
    target = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        target = "/"
    response = HttpResponseRedirect(target)
    for what in COOKIES:
        set_preference(response, what, request.POST.get(what, ""), secure=request.is_secure())
    return response
