"""Content for other sites and programs: link previews, embedded pages, calendars. Previews and embedded pages
are rendered as an anonymous visitor sees them, whatever session the request has.
"""
