"""Drawing rounds: seats, decks, and the random seed that both are derived from."""
