"""Rights to see and act: observers, claims, seats, codes, sessions, and hands that open later."""
