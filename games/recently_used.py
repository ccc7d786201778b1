"""A bounded cache in this process, which drops the values used least recently."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class RecentlyUsed(Generic[K, V]):
    """Values by key, safe for several threads: at most `most`. With `size`, their sizes sum to at most
    `most_size`, but the newest value stays, however large it is.
    """

    def __init__(
        self, most: int = sys.maxsize, *, size: Callable[[V], int] | None = None, most_size: int = 0
    ) -> None:
        self.most, self.most_size = most, most_size
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._guard = threading.Lock()

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys that are present now."""
        with self._guard:
            return iter(tuple(self._values))

    def __len__(self) -> int:
        return len(self._values)

    def find(self, keys: Collection[K]) -> dict[K, V]:
        """Return the cached values of these keys; keys that are not cached are left out."""
        with self._guard:
            found = {key: self._values[key] for key in keys if key in self._values}
            for key in found:
                self._values.move_to_end(key)
            return found

    def get(self, key: K) -> V | None:
        return self.find([key]).get(key)

    def get_or_add(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of the key; a missing one is made and cached."""
        with self._guard:
            if key not in self._values:
                self._values[key] = make()
                self._drop_oldest()
            self._values.move_to_end(key)
            return self._values[key]

    def keep(self, values: Mapping[K, V]) -> None:
        """Cache these values, replacing earlier ones of the same keys."""
        with self._guard:
            for key, value in values.items():
                self._values[key] = value
                self._values.move_to_end(key)
            self._drop_oldest()

    def drop(self, key: K) -> None:
        with self._guard:
            self._values.pop(key, None)

    def drop_oldest(self) -> None:
        """Drop the values used least recently if the sizes exceed the limit. Called after a cached value has
        grown.
        """
        with self._guard:
            self._drop_oldest()

    def clear(self) -> None:
        with self._guard:
            self._values.clear()

    def _drop_oldest(self) -> None:
        while len(self._values) > self.most:
            self._values.popitem(last=False)
        if self._size is None:
            return
        held = sum(map(self._size, self._values.values()))
        while held > self.most_size and len(self._values) > 1:
            held -= self._size(self._values.popitem(last=False)[1])
