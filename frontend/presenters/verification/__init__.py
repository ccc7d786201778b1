"""Seals, audits, public randomness, and the words of the verifier."""
