"""The ledger: the state of a game, how an event is folded into it, and how events are taken back."""
