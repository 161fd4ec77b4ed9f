"""Elementary functions for every SIMD width, as LLVM text: ours where we have one, else the C library's.

Ours are polynomials without branches, the same at every width, so that widths agree to the bit; the
bound on the error of each is in its docstring and tested over all doubles. Lanes with an argument
that a polynomial cannot handle (an angle above 10⁶, the logarithm of 0) ask the C library.
"""

from collections.abc import Callable, Iterable
from typing import Any

from oleodyn.program import circular, exponential, target
from oleodyn.program.arithmetic import Arithmetic
from oleodyn.program.operation import declarations, vector_type

TWO_ARGUMENTS = frozenset(("atan2", "pow", "fmod", "remainder", "hypot"))

OURS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        circular.sin, circular.cos, circular.sincos, circular.tan,
        circular.asin, circular.acos, circular.atan, circular.atan2,
        exponential.exp, exponential.expm1, exponential.log, exponential.log1p, exponential.pow,
        exponential.sinh, exponential.cosh, exponential.tanh,
    )
}  # fmt: skip

FUSED = ("pow",)
"""Functions whose bounds need fused multiply-adds: on a processor without, the C library's are taken."""

PARTS = {"sincos": ("sin", "cos")}
"""Functions that give several values, and what the C library calls them."""


def library(called: Iterable[str]) -> list[str]:
    """Functions of the C library that these functions may call."""
    names = {part for name in called if not name.startswith("llvm.") for part in PARTS.get(name, (name,))}
    return sorted(names)


def definitions(called: Iterable[str], width: int, inline: bool = True) -> str:
    """The text of all functions `oleodyn.<name>` among `called`, and of what they need."""
    names = {name for name in called if not name.startswith("llvm.")}
    ours = {name for name in names if name in OURS and (name not in FUSED or target.fuses())}
    texts = [per_lane(name, width, "oleodyn" if name in names - ours else "library") for name in library(names)]
    needed = {name for name in called if name.startswith("llvm.")}
    for name in sorted(ours):
        text, uses = _ours(name, width, inline)
        texts.append(text)
        needed |= uses
    return "\n".join([declarations(needed, width), *texts])


def symbol(prefix: str, name: str, width: int) -> str:
    """What a function is called in the text."""
    return f"@{prefix}.{name}.{'f64' if width == 1 else f'v{width}f64'}"


def _ours(name: str, width: int, inline: bool) -> tuple[str, set[str]]:
    """One of our functions, and the intrinsics it uses."""
    b = Arithmetic(width)
    arguments = ["%x", "%y"] if name in TWO_ARGUMENTS else ["%x"]
    values, slow = OURS[name](b, *arguments)
    lines = list(b.lines)
    if slow is not None:
        values, more = _ask_library(b, name, arguments, values, slow)
        lines += more
    if len(values) == 1:
        result, returned = b.V, values[0]
    else:
        result, returned = f"{{{b.V}, {b.V}}}", "%pair1"
        lines.append(f"%pair0 = insertvalue {result} poison, {b.V} {values[0]}, 0")
        lines.append(f"%pair1 = insertvalue {result} %pair0, {b.V} {values[1]}, 1")
    lines.append(f"ret {result} {returned}")
    parameters = ", ".join(f"{b.V} {a}" for a in arguments)
    title = f"define internal {result} {symbol('oleodyn', name, width)}({parameters})"
    how = "alwaysinline" if inline else "noinline"
    return "\n".join([f"{title} {how} nounwind willreturn memory(none) {{", "begin:", *lines, "}"]), b.called


def _ask_library(b: Arithmetic, name: str, arguments, values, slow: str):
    """Replace the values of lanes that are `slow`, if there are any."""
    n = len(b.lines)
    some = slow if b.width == 1 else b.put(f"icmp ne i{b.width} {b.put(f'bitcast {b.B} {slow} to i{b.width}')}, 0")
    b.lines.append(f'br i1 {some}, label %slow, label %end, !prof !{{!"branch_weights", i32 1, i32 100000}}')
    b.lines.append("slow:")
    given = ", ".join(f"{b.V} {a}" for a in arguments)
    slowly = []
    for part, value in zip(PARTS.get(name, (name,)), values, strict=True):
        exact = b.put(f"call {b.V} {symbol('library', part, b.width)}({given})")
        slowly.append(b.select(slow, exact, value))
    b.lines += ["br label %end", "end:"]
    results = [
        b.put(f"phi {b.V} [{fast}, %begin], [{exact}, %slow]") for fast, exact in zip(values, slowly, strict=True)
    ]
    return results, b.lines[n:]


def per_lane(name: str, width: int, prefix: str) -> str:
    """A function that calls the C library once per lane."""
    n = 2 if name in TWO_ARGUMENTS else 1
    V = vector_type(width)
    parameters = ", ".join(f"{V} %x{k}" for k in range(n))
    lines = [
        f"declare double @{name}({', '.join(['double'] * n)}) nounwind willreturn memory(none)",
        f"define internal {V} {symbol(prefix, name, width)}({parameters}) noinline nounwind willreturn memory(none) {{",
    ]
    if width == 1:
        arguments = ", ".join(f"double %x{k}" for k in range(n))
        lines += [f"%r = call double @{name}({arguments}) nobuiltin", "ret double %r\n}"]
        return "\n".join(lines)
    last = "poison"
    for lane in range(width):
        for k in range(n):
            lines.append(f"%a{lane}_{k} = extractelement {V} %x{k}, i32 {lane}")
        arguments = ", ".join(f"double %a{lane}_{k}" for k in range(n))
        lines.append(f"%r{lane} = call double @{name}({arguments}) nobuiltin")
        lines.append(f"%v{lane} = insertelement {V} {last}, double %r{lane}, i32 {lane}")
        last = f"%v{lane}"
    lines.append(f"ret {V} {last}\n}}")
    return "\n".join(lines)
