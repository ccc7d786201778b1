"""Championships, clubs and series: entries, draw, rounds, results, rankings, disputes.

`services` contains the operations: they check `permissions`, write rows and record `events`.
Pure functions without Django: `pairing` (the draw), `standings` (rankings), `prizes`, `series`, `bracket`.
`competition` is the plain data that draw and ranking read; `regulations` are data too.
`presets` are regulations to start from; `constraints` finds the allowed values of fields.
`archive` exports and imports files of whole championships; `spreadsheets` reads and writes lists of people.
`sandbox` parses untrusted files in processes of their own.
`notices` sends push messages; `accounts` handles invitations, sessions, mails.
`names` is how people are named, also to the public; `jobs` are background jobs with progress.
"""
