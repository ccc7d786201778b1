"""Numbers that stand in an address: anybody can write anything there."""


def whole(text: str | None, *, least: int, most: int, default: int) -> int:
    """The number within its bounds; `default` where it is none."""
    if not text or not text.isascii() or not text.isdigit() or len(text) > 9:
        return default
    return min(max(int(text), least), most)
