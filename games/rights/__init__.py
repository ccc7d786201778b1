"""Rights to see and to act: observers, claims, seats, codes, sessions, and hands that open later."""
