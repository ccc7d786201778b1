"""What processes tell each other in Redis: hints, errands, counts. It is never the record."""
