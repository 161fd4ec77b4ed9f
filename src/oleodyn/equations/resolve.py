"""Resolving: replace symbols that stand for other expressions, in an order without loops."""

from collections.abc import Callable, Mapping
from typing import Any

import casadi as ca

from oleodyn.errors import AssemblyError

Resolve = Callable[[list[Any]], list[Any]]
"""Replaces in expressions every defined symbol by what it stands for."""


def resolver(definitions: Mapping[str, tuple[Any, Any]], where: str) -> Resolve:
    """A function that replaces in expressions every defined symbol by what it stands for.

    `definitions` maps a symbol's name to (symbol, expression); expressions may use each other's
    symbols as long as they do not chase each other's tail: that is an algebraic loop.
    """
    pending = {name: (symbol, ca.SX(value)) for name, (symbol, value) in definitions.items()}
    needs = {name: {s.name() for s in ca.symvar(value)} & set(pending) for name, (_, value) in pending.items()}
    symbols: list[Any] = []
    values: list[Any] = []
    while pending:
        ready = [name for name in pending if not needs[name] & set(pending)]
        if not ready:
            raise AssemblyError(
                f"{where}: {' → '.join(_circle(needs, pending))} depend on each other at the same instant "
                "(an algebraic loop). Put a state between them: a volume, a lag or a sampled controller."
            )
        level = [pending.pop(name) for name in ready]
        new = ca.substitute([value for _, value in level], symbols, values) if symbols else [v for _, v in level]
        symbols += [symbol for symbol, _ in level]
        values += new

    def resolve(expressions: list[Any]) -> Any:
        return ca.substitute(expressions, symbols, values) if symbols else expressions

    return resolve


def _circle(needs: Mapping[str, set[str]], pending: Mapping[str, Any]) -> list[str]:
    """One closed chain of names among the pending."""
    chain = [next(iter(pending))]
    while True:
        follower = next(name for name in sorted(needs[chain[-1]]) if name in pending)
        if follower in chain:
            return [*chain[chain.index(follower) :], follower]
        chain.append(follower)
