"""From CasADi functions to code in memory: found in the cache, or lowered, translated and kept there."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import casadi as ca

from oleodyn.program import cache, llvm, target, vector_maths

INLINE = 32
"""Up to so many calls of elementary functions are inlined: 1 to 4 % faster, but many take long to compile."""


@dataclass(frozen=True)
class Code:
    """Loaded code of some functions and the loop around them; numbers of scratch per lane that they need."""

    loaded: target.Loaded
    scratch: int


def make(
    functions: Mapping[str, ca.Function], width: int, loop: str, text: Callable[[], str], quick: Collection[str] = ()
) -> Code:
    """Code of `functions`, each void(inputs..., outputs..., scratch), and of the function named `loop`.

    `text` gives the loop as LLVM text; it must follow from the functions' sizes and the width alone.
    `quick` names functions that run once: their code is made fast, not fast code.
    """
    parts = [part for name, f in functions.items() for part in (name, f.serialize())]
    key = cache.key(loop, str(width), *parts)
    entry = cache.load(key)
    if entry is None:
        entry = _translate(functions, width, text(), quick)
        cache.store(key, entry)
    loaded = target.load(entry.objects, [loop, *functions], entry.about["library"])
    return Code(loaded, entry.about["scratch"])


def _translate(functions: Mapping[str, ca.Function], width: int, loop: str, quick: Collection[str]) -> cache.Entry:
    lowered, made = dict[str, llvm.Lowered](), dict[tuple[int, bool], llvm.Lowered]()
    for name, f in functions.items():  # one function under several names is lowered once
        first = made.get((id(f), name in quick))
        lowered[name] = llvm.lower(f, width, name) if first is None else llvm.forward(f, first, name)
        made.setdefault((id(f), name in quick), lowered[name])
    objects = []
    for level, some in (
        (target.GOOD, [k for name, k in lowered.items() if name not in quick]),
        (target.QUICK, [k for name, k in lowered.items() if name in quick]),
    ):
        if some:
            called = frozenset().union(*(k.called for k in some))
            texts = [k.text for k in some]
            few = sum(text.count("@oleodyn.") for text in texts) <= INLINE
            texts.append(vector_maths.definitions(called, width, inline=few))
            objects.append(target.translate("\n".join(texts), level))
    objects.append(target.translate(loop, optimise=True))
    called = set().union(*(k.called for k in lowered.values()))
    return cache.Entry(
        tuple(objects), {"library": vector_maths.library(called), "scratch": max(k.scratch for k in lowered.values())}
    )
