"""Values that cannot change: named sets, and what is made of lists and dicts."""

from collections.abc import Iterator, Mapping
from typing import Any


class Named(Mapping[str, Any]):
    """An immutable, hashable mapping from names to parts, in the order they were given."""

    def __init__(self, items: Mapping[str, Any] | None = None):
        self._items = dict(items or {})

    def __getitem__(self, name):
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __eq__(self, other):
        return isinstance(other, Named) and list(self._items.items()) == list(other._items.items())

    def __hash__(self):
        return hash(tuple(self._items.items()))

    def __repr__(self):
        return repr(self._items)


def frozen(value: Any) -> Any:
    """Lists as tuples and dicts as Named, all the way down, so that a part can be hashed."""
    if type(value) in (list, tuple):
        return tuple(map(frozen, value))
    if isinstance(value, Mapping):
        return Named({key: frozen(item) for key, item in value.items()})
    return value
