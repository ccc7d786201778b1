"""Tricks: legal cards, takers, and reasons of illegal cards."""
