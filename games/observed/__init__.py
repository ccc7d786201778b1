"""Redaction: views, frames and files for each observer, redacted and padded."""
