"""Identifiers: 128 random bits of the operating system, written as 32 lowercase hex characters."""

import secrets


def new_id() -> str:
    return secrets.token_hex(16)
