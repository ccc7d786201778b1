"""Timers: deadlines, which ones a turn needs, leases and clock jumps."""
