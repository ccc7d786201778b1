"""One module per page. A view checks the request's rights, reads through games and tournaments, and
renders.
"""
