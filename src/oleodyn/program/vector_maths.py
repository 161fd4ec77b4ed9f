"""Elementary functions for every SIMD width, as LLVM text."""

from collections.abc import Iterable

from oleodyn.program.operation import vector_type

TWO_ARGUMENTS = frozenset(("atan2", "pow", "fmod", "remainder", "hypot"))


def definitions(called: Iterable[str], width: int) -> str:
    """The text of all functions `oleodyn.<name>` among `called`."""
    names = [name for name in sorted(called) if not name.startswith("llvm.")]
    return "\n".join(per_lane(name, width) for name in names)


def per_lane(name: str, width: int) -> str:
    """A function that calls the C library once per lane."""
    n = 2 if name in TWO_ARGUMENTS else 1
    V, suffix = vector_type(width), "f64" if width == 1 else f"v{width}f64"
    parameters = ", ".join(f"{V} %x{k}" for k in range(n))
    lines = [f"declare double @{name}({', '.join(['double'] * n)}) nounwind willreturn memory(none)"]
    lines.append(
        f"define internal {V} @oleodyn.{name}.{suffix}({parameters}) noinline nounwind willreturn memory(none) {{"
    )
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
