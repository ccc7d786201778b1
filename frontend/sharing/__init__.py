"""Content for other sites and programs: link previews, embedded pages, calendars. Previews and embedded pages
show what an anonymous visitor sees.
"""
