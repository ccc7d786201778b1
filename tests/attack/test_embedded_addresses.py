"""Addresses of IPv6 in which one of IPv4 is hidden are not of the Internet, but for NAT64 of a public one."""

import ipaddress

import pytest

from tournaments.notices.addresses import is_public

INNER = ("10.0.0.1", "127.0.0.1", "169.254.169.254", "192.168.1.1", "8.8.8.8")


def within(prefix: str, inner: str, shift: int = 0) -> str:
    return str(
        ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) | int(ipaddress.IPv4Address(inner)) << shift)
    )


def test_what_hides_another_address_is_not_public(subtests: pytest.Subtests) -> None:
    for inner in INNER:
        for prefix, shift in [
            ("::ffff:0:0:0", 0),  # SIIT, RFC 7915
            ("2a02:120b:1:2:0:5efe::", 0),  # ISATAP, RFC 5214
            ("2a02:120b:1:2:200:5efe::", 0),  # the same, of an address that is unique
            ("fe80::5efe:0:0", 0),
            ("::", 0),  # compatible, RFC 4291
            ("2002::", 80),  # 6to4
            ("2001:0:4136:e378:8000:63bf::", 0),  # Teredo
            ("64:ff9b:1::", 0),  # NAT64 of one's own, RFC 8215
            ("100::", 0),
            ("4000::", 0),  # not assigned
        ]:
            with subtests.test(inner=inner, prefix=prefix, shift=shift):
                assert not is_public(within(prefix, inner, shift))


@pytest.mark.parametrize(("inner", "public"), [(one, one == "8.8.8.8") for one in INNER])
def test_mapped_addresses_and_nat64_are_what_lies_in_them(inner: str, public: bool) -> None:
    assert is_public(within("::ffff:0:0", inner)) is public
    assert is_public(within("64:ff9b::", inner)) is public


@pytest.mark.parametrize("address", ["2a00:1450:400a:803::200a", "2620:149:af0::10", "2001:4860:4860::8888"])
def test_services_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)
