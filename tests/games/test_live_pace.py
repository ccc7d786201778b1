"""How many frames a client may send."""

from games.live import limits


def test_frames_come_back_with_time() -> None:
    now = [0.0]
    pace = limits.RateLimit(lambda: now[0])
    assert [pace.allows() for _ in range(21)] == [True] * 20 + [False]
    now[0] = 0.5
    assert [pace.allows() for _ in range(11)] == [True] * 10 + [False]
    assert pace.refused == 2
