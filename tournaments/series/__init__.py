"""Series: championships counted together (season table), or leading to one (qualification). Pure
functions.
"""
