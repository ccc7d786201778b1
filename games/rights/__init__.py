"""Rights to see and act: access, claims, seats, codes, sessions, and hands that open later."""
