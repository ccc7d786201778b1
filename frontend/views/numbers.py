"""Bounded numbers from URLs, which may contain anything."""


def parse_bounded(text: str | None, *, least: int, most: int, default: int) -> int:
    """Parse a number within its bounds; `default` for anything else."""
    if not text or not text.isascii() or not text.isdigit() or len(text) > 9:
        return default
    return min(max(int(text), least), most)
