"""Health checks, metrics and error reports."""
