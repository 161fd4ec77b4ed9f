"""A CasADi function as a tape: scalar operations in the order of execution, made ready for machine code.

What is equal is computed once, divisions by the same number become products with its reciprocal,
and a product with a single use is fused into the sum it enters. All this is done here and not by
LLVM, whose choices depend on width and surroundings: so every width gives the same bits.
"""

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import casadi as ca

from oleodyn.errors import CompileError
from oleodyn.program.operation import FMA, FMS, FNMA, RULES, SELECT, refuse

Value = Any
"""The number of a computed value, ("input", argument, element) or ("constant", hexadecimal)."""


@dataclass(frozen=True)
class Tape:
    """Steps (operation, operands, value set), each value set once; an output sets (output, element)."""

    steps: list[tuple[Any, ...]]
    n_values: int


def tape(f: ca.Function) -> Tape:
    """The scalar operations of f, with as few of them as we can."""
    return pair_cosines(fuse(share_reciprocals(read(f))))


def read(f: ca.Function) -> Tape:
    """The scalar operations of f, each distinct one once."""
    if not f.is_a("SXFunction"):
        raise CompileError(f"{f.name()} is not a function of SX. Call .expand() on it first.")
    if f.has_free():
        raise CompileError(f"{f.name()} depends on {', '.join(f.get_free())}, not among its inputs. Add them there.")
    compiled = import_module("casadi._casadi")  # its public wrappers cost three times as much as the calls
    identity, sources, targets = (
        compiled.Function_instruction_id,
        compiled.Function_instruction_input,
        compiled.Function_instruction_output,
    )
    rows_in = [f.sparsity_in(k).find() for k in range(f.n_in())]
    rows_out = [f.sparsity_out(k).find() for k in range(f.n_out())]
    steps, at, known, n = [], {}, {}, 0
    for k in range(f.n_instructions()):
        operation, source, target = identity(f, k), sources(f, k), targets(f, k)
        if operation in RULES:
            what = operation, tuple([at[s] for s in source])
            value = known.get(what)
            if value is None:
                value = known[what] = n
                steps.append((*what, n))
                n += 1
            at[target[0]] = value
        elif operation == ca.OP_CONST:
            at[target[0]] = ("constant", f.instruction_constant(k).hex())
        elif operation == ca.OP_INPUT:
            at[target[0]] = ("input", source[0], rows_in[source[0]][source[1]])
        elif operation == ca.OP_OUTPUT:
            steps.append((operation, (at[source[0]],), (target[0], rows_out[target[0]][target[1]])))
        elif operation in (ca.OP_ASSIGN, ca.OP_LIFT):
            at[target[0]] = at[source[0]]
        else:
            refuse(operation, f.name())
    zero = ("constant", (0.0).hex())
    for o, rows in enumerate(rows_out):
        steps += [(ca.OP_OUTPUT, (zero,), (o, row)) for row in set(range(f.numel_out(o))).difference(rows)]
    return Tape(steps, n)


def share_reciprocals(tape: Tape) -> Tape:
    """The tape with a division by a constant, or the second by the same number, as a product.

    Exact to one rounding more; a divisor below 5e-309 has no finite reciprocal and is left alone
    if it is a constant.
    """
    uses: dict[Value, int] = {}
    for operation, operands, _ in tape.steps:
        if operation in (ca.OP_DIV, ca.OP_INV):
            uses[operands[-1]] = uses.get(operands[-1], 0) + 1
    reciprocals: dict[Value, Value] = {}
    same: dict[Value, Value] = {}
    steps, n = [], tape.n_values
    for step in tape.steps:
        operation, operands, target = step
        if same:
            operands = tuple([same.get(x, x) for x in operands])
            step = (operation, operands, target)
        if operation not in (ca.OP_DIV, ca.OP_INV):
            steps.append(step)
            continue
        divisor = operands[-1]
        inverse = _constant_inverse(divisor) or reciprocals.get(divisor)
        if inverse is None and operation == ca.OP_INV:
            reciprocals[divisor] = target
            steps.append(step)
        elif inverse is None and uses.get(divisor, 0) < 2:
            steps.append(step)
        else:
            if inverse is None:
                inverse = reciprocals[divisor] = n
                steps.append((ca.OP_INV, (divisor,), n))
                n += 1
            if operation == ca.OP_INV:
                same[target] = inverse
            else:
                steps.append((ca.OP_MUL, (operands[0], inverse), target))
    return Tape(steps, n)


def _constant_inverse(x: Value) -> Value | None:
    if x.__class__ is tuple and x[0] == "constant":
        value = float.fromhex(x[1])
        if 1e-300 < abs(value) < 1e300:
            return ("constant", (1.0 / value).hex())
    return None


def fuse(tape: Tape) -> Tape:
    """The tape with products fused into sums, and CasADi's pairs of one-sided choices made one choice."""
    uses = [0] * tape.n_values
    made: list[Any] = [None] * tape.n_values
    for operation, operands, target in tape.steps:
        for x in operands:
            if x.__class__ is int:
                uses[x] += 1
        if operation != ca.OP_OUTPUT:
            made[target] = (operation, operands)
    steps, gone = [], set()
    for step in tape.steps:
        operation, (a, *rest), target = step
        if operation == ca.OP_ADD or operation == ca.OP_SUB:
            b, plus = rest[0], operation == ca.OP_ADD
            if plus and (chosen := _choice(a, b, made, uses)):
                gone.update((a, b))
                step = (SELECT, chosen, target)
            elif factors := _product(b, made, uses):
                gone.add(b)
                step = (FMA if plus else FNMA, (*factors, a), target)
            elif factors := _product(a, made, uses):
                gone.add(a)
                step = (FMA if plus else FMS, (*factors, b), target)
            made[target] = step[:2]
        steps.append(step)
    return replace(tape, steps=[s for s in steps if s[0] == ca.OP_OUTPUT or s[2] not in gone])


def _product(x: Value, made: list[Any], uses: list[int]):
    """The factors of x, if x is a product that is used once."""
    if x.__class__ is int and uses[x] == 1:
        operation, operands = made[x]
        if operation == ca.OP_MUL:
            return operands
        if operation == ca.OP_SQ:
            return operands * 2
    return None


def _choice(a: Value, b: Value, made: list[Any], uses: list[int]):
    """(condition, value if true, value if false), if a + b is CasADi's form of if_else."""
    if a.__class__ is not int or b.__class__ is not int or uses[a] != 1 or uses[b] != 1:
        return None
    (operation_a, operands_a), (operation_b, operands_b) = made[a], made[b]
    if operation_a == operation_b == ca.OP_IF_ELSE_ZERO:
        otherwise = operands_b[0]
        if otherwise.__class__ is int and made[otherwise] == (ca.OP_NOT, operands_a[:1]):
            return *operands_a, operands_b[1]
    return None


def pair_cosines(tape: Tape) -> Tape:
    """The tape with the cosine of an angle right after its sine: made together they share most of the work."""
    found = {step[:2]: step for step in tape.steps if step[0] in (ca.OP_SIN, ca.OP_COS)}
    steps = []
    for step in tape.steps:
        pair = [found.pop((kind, step[1]), None) for kind in (ca.OP_SIN, ca.OP_COS)] if step[:2] in found else []
        if step[0] not in (ca.OP_SIN, ca.OP_COS):
            steps.append(step)
        steps += [each for each in pair if each]
    return replace(tape, steps=steps)
