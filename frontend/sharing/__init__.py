"""What leaves the platform to stand elsewhere: pictures for links, embedded pages, calendars. All of it is as
a stranger sees it, whoever is signed in.
"""
