"""One module per page. A view checks the rights of the request, reads through games and tournaments, and
renders.
"""
