"""Timers: deadlines, deadlines of a turn, leases and clock jumps."""
