"""One table: its log, the way of a command, and what each observer sees. Knows no championship.

`play` processes commands, `consumers` (sockets) and `api` (HTTP) receive them, `live` sends out events.
`store` is the log, written only through `appending`; `encryption`, `sealing`, `audit` protect and verify it.
`randomness` deals cards, `timers` runs deadlines, `rights` decides who sees and acts.
`observed` has views, frames and files of a game, each redacted for its observer.
`projections` updates rows of games and deals, which pages query instead of the log.
`analysis` evaluates recorded deals; `bots` plays, also at guest tables (`guests`).
`messaging` is Redis, also for rate limits; `monitoring` counts and finds faults.
"""
