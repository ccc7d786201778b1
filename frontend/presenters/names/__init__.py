"""Names in seats and of teams, which other presenters show."""
