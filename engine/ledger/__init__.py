"""The ledger: the state, how an event is written into it, and how it is taken out again."""
