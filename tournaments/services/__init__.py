"""Operations on championships and series: an operation checks permissions, writes rows and records events in
one transaction.

- `audit`: comparing stored data with logs and rules
- `championships`: founding, editing, finishing, copying, archiving, deleting, erasing personal data
- `draw`: draws, their undoing, seat exchanges, late people, substitutes, bots, people left over, the seeds
- `entries`: entries, pairs, teams, the waiting list, seat codes, links, imports, mails
- `money`: fees, bills, bookings, till shifts, prize money
- `people`: the person behind an entry, members of teams, visible names
- `referee`: disputes, rulings, appeals, corrections, opened hands
- `rounds`: opening and closing, breaking off, the number of rounds
- `scores`: results, the live and the published ranking, credits of byes and absences, exports
- `seats`: accounts and rights at tables, seats given during play, rounds with the same cards
- `series`: series of a club
- `open_heat`, `open_heat_queue`: the sessions of an open heat, their starts and queue
- `table_access`: codes of tables, and the phones that use them
- `prize_giving`: the plan of prizes, the winners, the prize giving
- `championship_seals`: checkpoints
- `broadcast_delay`, `featured_table`: what viewers and the wall see
- `cache_versions`, `compiled_query`, `current_regulations`, `locks`: used by the others
"""
