"""The bounded cache: by number, by size, and by last use."""

from games.recently_used import RecentlyUsed


def test_the_value_used_least_recently_is_dropped() -> None:
    kept = RecentlyUsed[str, int](2)
    kept.keep({"a": 1, "b": 2})
    assert kept.get("a") == 1
    kept.keep({"c": 3})
    assert [*kept] == ["a", "c"]
    assert kept.find(["a", "b", "c"]) == {"a": 1, "c": 3}


def test_a_value_is_made_once() -> None:
    kept = RecentlyUsed[str, list[int]](2)
    first = kept.get_or_add("a", list)
    first.append(1)
    assert kept.get_or_add("a", list) is first
    kept.drop("a")
    assert kept.get_or_add("a", list) == []


def test_values_are_dropped_by_their_size_and_the_newest_stays() -> None:
    kept = RecentlyUsed[str, list[int]](size=len, most_size=3)
    kept.keep({"a": [1, 2], "b": [1]})
    kept.get_or_add("b", list).extend((2, 3))
    kept.drop_oldest()
    assert [*kept] == ["b"]
    kept.keep({"c": [0] * 9})
    assert [*kept] == ["c"]
    kept.clear()
    assert len(kept) == 0
