"""Error pages for wrong addresses and forms: in the site's layout, with a link to continue."""

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.frontend.evening import championship, client, html

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/nowhere/", "/c/gibt-es-nicht/", "/disputes/4711/", "/jobs/none/"])
def test_an_address_that_leads_nowhere_leads_home(address: str) -> None:
    answer = client().get(address)

    assert answer.status_code == 404
    assert "There is nothing here" in html(answer)
    assert f'href="{reverse("home")}"' in html(answer)


def test_a_form_without_its_token_says_to_send_it_again() -> None:
    answer = Client(enforce_csrf_checks=True).post(reverse("sign_in"), {"username": "fredi"})

    assert answer.status_code == 403
    assert "http/csrf" in html(answer)


def test_a_form_that_is_too_large_is_refused_in_words() -> None:
    championship(0)

    answer = client("hanna").post(reverse("entry_add", args=["herbstcup"]), {"family_name": "x" * 2_000_000})

    assert answer.status_code == 400
    assert "http/bad_request" in html(answer)


def test_the_page_for_our_own_mistakes_needs_no_database(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(0):
        shown = render_to_string("500.html")

    assert "http/server_error" in shown
