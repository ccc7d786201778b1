"""From who is there to seats and decks, and the chance that both follow from."""
