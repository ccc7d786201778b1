"""Mostly one module per page. A view checks the rights of the request, calls games and tournaments, and
answers.
"""
