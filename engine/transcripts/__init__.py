"""Transcripts: games at physical tables, recorded card by card."""
