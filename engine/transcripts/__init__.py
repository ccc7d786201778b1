"""Transcripts: physical tables recorded card by card."""
