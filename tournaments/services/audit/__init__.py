"""Audits, which compare the stored data of championships and games with their logs and with the rules."""
