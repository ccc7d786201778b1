"""Signing in and out with a password; throttling is the business of the authentication backends."""

from django.contrib.auth.views import LoginView, LogoutView


class SignIn(LoginView):
    template_name = "pages/sign_in.html"
    redirect_authenticated_user = True
    next_page = "home"


class SignOut(LogoutView):
    next_page = "home"
