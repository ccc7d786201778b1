"""Parsing of untrusted files in processes with limits of memory, processor time and wall time.

`running` starts such a process and waits for it; `process` is its program, which imports nothing of Puur and
calls `xlsx_reader`, `picture`, `emblem` or `championship_file`.
"""
