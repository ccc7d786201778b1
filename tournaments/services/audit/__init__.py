"""Audits: the stored data of championships and games against their logs and rules."""
