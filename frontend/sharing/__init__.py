"""Content for other sites: link previews, embedded pages, calendars. It is rendered as an anonymous visitor
sees it, whatever session the request has.
"""
