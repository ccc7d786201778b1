"""Mutation testing: `python -m tests.mutation`. See docs/developers/testing.md."""
