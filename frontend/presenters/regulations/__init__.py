"""Regulations of championships, rules of games and their options, in words."""
