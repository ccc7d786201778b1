"""Coverage-guided fuzzing: `python -m tests.fuzz.log_reader --minutes 10`. A fast form is a test."""
