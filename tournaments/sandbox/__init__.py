"""Parsing of untrusted files in processes with limits of memory, processor time and wall time.

`running` and `long_running` start such processes; `process` is their program, which imports nothing
of Puur but `xlsx_reader`, `picture`, `emblem` or `championship_file`.
"""
