"""The views by subject, mostly one module per page. A view checks rights, calls games and tournaments, and
responds.
"""
