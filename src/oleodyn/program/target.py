"""The processor we run on: LLVM text to object code, object code to callable addresses."""

import ctypes
import ctypes.util
import functools
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import llvmlite.binding as llvm

from oleodyn.errors import CompileError

QUICK, GOOD = 0, 1
"""Levels of code generation. Quick code takes a third of the time to make and twice as long to run;
levels above 1 made nothing faster."""


@functools.cache
def host() -> tuple[str, str, str]:
    """(triple, processor, features) that we generate code for."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@functools.cache
def vector_width() -> int:
    """Doubles in one vector register: 8, 4 or 2."""
    features = host()[2].split(",")
    if "+avx512f" in features:
        return 8
    return 4 if "+avx" in features else 2


def _machine(level: int) -> llvm.TargetMachine:
    triple, processor, features = host()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(processor, features, level, codemodel="jitdefault", jit=True)


def translate(text: str, level: int = GOOD, optimise: bool = False) -> bytes:
    """Object code of a module of LLVM text.

    With `optimise` LLVM's passes for loops and branches run first, else functions marked so are inlined.
    """
    machine = _machine(level)
    try:
        module = llvm.parse_assembly(text, llvm.create_context())
        module.triple, module.data_layout = host()[0], str(machine.target_data)
        module.verify()
    except RuntimeError as error:
        raise CompileError(f"LLVM refuses the generated text: {error}") from error
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    if optimise:
        passes = builder.getModulePassManager()
    else:
        passes = llvm.create_new_module_pass_manager()
        passes.add_always_inliner_pass()
    passes.run(module, builder)
    return machine.emit_object(module)


@dataclass(frozen=True)
class Loaded:
    """Object code in memory. The addresses are good as long as this object lives."""

    addresses: dict[str, int]
    engine: Any = field(repr=False)


def load(objects: Iterable[bytes], names: Iterable[str], library: Iterable[str] = ()) -> Loaded:
    """Load object code and find the addresses of `names`; `library` are C functions it calls."""
    for name in library:
        _provide(name)
    host()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(GOOD))  # in the context that never ends
    for code in objects:
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    addresses = {name: engine.get_function_address(name) for name in names}
    for name, address in addresses.items():
        if not address:
            raise CompileError(f"the object code holds no function {name!r}. Clear the cache and compile again.")
    return Loaded(addresses, engine)


@functools.cache
def _c_library() -> ctypes.CDLL:
    if sys.platform == "win32":
        return ctypes.CDLL("ucrtbase")
    return ctypes.CDLL(ctypes.util.find_library("m"))


@functools.cache
def _provide(name: str):
    """Make a C function known to LLVM where the process itself does not show it."""
    if not llvm.address_of_symbol(name):
        function = getattr(_c_library(), name)
        llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
