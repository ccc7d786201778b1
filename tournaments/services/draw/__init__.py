"""Drawing rounds: seats, decks, and the chance that both follow from."""
