"""What a platform that lies could do. `python -m tests.verify.cheats` prints the list of the forgeries.

Each bends the record of an honest evening and seals it with the platform's own key, so that all hangs
together: chains, commitments, checkpoints, the list of files. `catalogue` has all of them.
"""
