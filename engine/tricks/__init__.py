"""One trick: what may be played to it, who takes it, and why a card may not be played."""
