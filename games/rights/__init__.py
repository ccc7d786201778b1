"""Who may see and do what: access, claims, seats, codes, sessions, and hands that open later."""
