"""The rate limit of a client's frames."""

from games.live import socket_rate_limits


def test_frames_come_back_with_time() -> None:
    now = [0.0]
    pace = socket_rate_limits.RateLimit(lambda: now[0])
    assert [pace.allows() for _ in range(21)] == [True] * 20 + [False]
    now[0] = 0.5
    assert [pace.allows() for _ in range(11)] == [True] * 10 + [False]
    assert pace.refused_count == 2


def test_a_frame_may_count_as_several() -> None:
    pace = socket_rate_limits.RateLimit(lambda: 0.0)
    assert [pace.allows(8) for _ in range(3)] == [True, True, False]
    assert [pace.allows(2) for _ in range(3)] == [True, True, False]
