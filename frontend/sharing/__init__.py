"""Content for other sites: link previews, embedded pages, calendars. It is rendered as anonymous, independent
of any session.
"""
