"""Text to object code to addresses, by either of LLVM's loaders."""

import ctypes
import gc

import pytest

from oleodyn.errors import CompileError
from oleodyn.program import target

CALLER = """
declare double @twice(double)
declare double @erf(double)
define double @thrice(double %x) {
%y = call double @twice(double %x)
%z = fadd double %x, %y
ret double %z
}
define double @error(double %x) {
%y = call double @erf(double %x)
ret double %y
}
"""
TWICE = "define double @twice(double %x) {\n%y = fmul double %x, 2.0\nret double %y\n}"


def function(loaded, name):
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(loaded.addresses[name])


@pytest.mark.parametrize("old", [False, True], ids=["newer", "older"])
def test_objects_call_each_other_and_the_c_library(old, monkeypatch):
    monkeypatch.setattr(target, "_old_loader", lambda: old)
    objects = [target.translate(TWICE, target.QUICK), target.translate(CALLER)]
    loaded = target.load(objects, ["twice", "thrice", "error"], ["erf"])
    assert function(loaded, "thrice")(2.5) == 7.5
    assert function(loaded, "error")(0.5) == pytest.approx(0.5204998778130465, rel=1e-15)


@pytest.mark.parametrize("old", [False, True], ids=["newer", "older"])
def test_code_that_is_let_go_takes_no_other_code_with_it(old, monkeypatch):
    monkeypatch.setattr(target, "_old_loader", lambda: old)
    code = [target.translate(TWICE)]
    kept = target.load(code, ["twice"])
    for _ in range(20):
        target.load(code, ["twice"])
    gc.collect()
    assert function(kept, "twice")(4.5) == 9.0


def test_a_missing_function_is_named():
    with pytest.raises(CompileError, match=r"(?s)the object code cannot be loaded: .*four times"):
        target.load([target.translate(TWICE)], ["four times"])


def test_text_that_is_no_program_is_refused():
    with pytest.raises(CompileError, match="LLVM refuses the generated text"):
        target.translate("define double @f(double %x) {\nret double %y\n}")


def test_a_function_that_the_c_library_lacks_is_named():
    with pytest.raises(CompileError, match="the C library has no gear_ratio"):
        target.load([target.translate(TWICE)], ["twice"], ["gear_ratio"])
