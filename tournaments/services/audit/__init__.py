"""Evidence after the event: seals and audits."""
