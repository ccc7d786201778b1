"""Timers: deadlines, the deadlines of a turn, leases and clock jumps."""
