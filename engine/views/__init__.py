"""What an observer sees: marks of secrecy, redaction, snapshots."""
