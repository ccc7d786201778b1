"""Calls to the referee, disputes, and corrections of results."""
