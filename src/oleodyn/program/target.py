"""The processor we run on: LLVM text to object code, object code to callable addresses."""

import ctypes
import functools
import itertools
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


@functools.cache
def fuses() -> bool:
    """Whether the processor multiplies and adds in one rounding (all do since 2013)."""
    triple, _, features = host()
    return "+fma" in features.split(",") or triple.startswith(("aarch64", "arm64"))


def _machine(level: int) -> llvm.TargetMachine:
    """What generates code. Constants within 2 GB of the code make it shorter and 8 % faster."""
    triple, processor, features = host()
    reloc, model = ("default", "jitdefault") if _old_loader() else ("pic", "small")
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(processor, features, level, reloc=reloc, codemodel=model, jit=True)


def _old_loader() -> bool:
    """Whether LLVM's older loader is used: the newer one does not know Windows' object files well."""
    return sys.platform == "win32"


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
    keeper: Any = field(repr=False)


def load(objects: Iterable[bytes], names: Iterable[str], library: Iterable[str] = ()) -> Loaded:
    """Load object code and find the addresses of `names`; `library` are C functions it calls."""
    host()
    try:
        needed = {name: _c_function(name) for name in library}
        return (_load_old if _old_loader() else _load)(list(objects), list(names), needed)
    except RuntimeError as error:
        raise CompileError(f"the object code cannot be loaded: {error}. Clear the cache and compile again.") from error


def _load(objects: list[bytes], names: list[str], library: dict[str, int]) -> Loaded:
    builder = llvm.JITLibraryBuilder().add_current_process()
    for code in objects:
        builder.add_object_img(code)
    for name, address in library.items():
        builder.import_symbol(name, address)
    for name in names:
        builder.export_symbol(name)
    tracker = builder.link(_linker(), f"code {next(_numbers)}")
    return Loaded({name: tracker[name] for name in names}, tracker)


@functools.cache
def _linker() -> Any:
    return llvm.create_lljit_compiler(_machine(GOOD))


_numbers = itertools.count()


def _load_old(objects: list[bytes], names: list[str], library: dict[str, int]) -> Loaded:
    for name, address in library.items():
        llvm.add_symbol(name, address)
    if sys.platform == "win32":  # touches the pages of a large stack frame one by one
        llvm.add_symbol("__chkstk", _address(ctypes.WinDLL("ntdll"), "__chkstk"))
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(GOOD), use_lmm=False)
    for code in objects:
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    addresses = {name: engine.get_function_address(name) for name in names}
    if missing := [name for name, address in addresses.items() if not address]:
        raise RuntimeError(f"it holds no {', '.join(missing)}")
    return Loaded(addresses, engine)


@functools.cache
def _c_function(name: str) -> int:
    """The address of a function of the C library, which most processes have loaded."""
    for library in ("ucrtbase",) if sys.platform == "win32" else (None, "libm.so.6"):
        try:
            return _address(ctypes.CDLL(library), name)
        except AttributeError:
            continue
    raise RuntimeError(f"the C library has no {name}")


def _address(library: Any, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
