"""Rounds: draw, seating, byes, queue, bracket and finals."""
