"""File formats: event logs, and formats of other programs."""
