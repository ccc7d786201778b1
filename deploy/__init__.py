"""Running Puur: settings, processes, limits, backups, health.

`settings` reads `environment`; `urls` and `asgi` are the entry points of Django; `web` is the web process.
`process_tree` is `demo` and `serve`: one command that starts web, worker and Valkey.
`limits` are the limits of requests, connections, bodies and threads, and the responses beyond them.
`doctor` checks the installation; `observability` is `/readyz`, `/metrics` and error reports.
`backups` saves and restores databases; `migrating` migrates them at a start.
`management` has commands of `manage.py`, such as `demo`, `backup`, `test`.
`failures` explains errors that end a command; `translations` checks the catalogues.
`container`, `nginx`, `postgresql`, `systemd` are recipes for operators.
"""
