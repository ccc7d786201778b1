"""Messages between processes over Redis: hints, tasks, counts. Redis is never the record."""
