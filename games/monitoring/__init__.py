"""Monitoring of this installation: its faults and its counters."""
