"""Audits, checkpoints, public randomness, and the verifier."""
