"""The native loop on kernels small enough to follow by hand."""

import threading
import time

import casadi as ca
import numpy as np
import pytest

from oleodyn.errors import CompileError
from oleodyn.program import drivers, native
from oleodyn.program.drivers import BAD_PIVOT, GUARD, JUMP, NEWTON, NO_STEP, NON_FINITE, RECORD, SAMPLE

WIDTHS = (1, 2, 4, 8, 16)
FINE = ca.SX([0, 1])
"""Health of a good step: no residual, guards above 0."""


def symbols(n_y, n_u=1, n_w=1):
    return [ca.SX.sym(name, n) for name, n in (("y", n_y), ("p", 1), ("u", n_u), ("c", 2), ("w", n_w))]


def build(kernels, n_y, width=1, n_u=1, n_stage=1):
    """Machine code from name → (inputs, outputs)."""
    functions = {name: ca.Function(name, given, results) for name, (given, results) in kernels.items()}
    return native.build(functions, n_y=n_y, n_p=1, n_u=n_u, n_stage=n_stage, width=width)


class Plan:
    """Arrays of a run: the state y (n_y, width), one parameter, held inputs, steps of size h."""

    def __init__(self, code, y, n, p=0.0, u=(0.0,), u_stride=0, h=0.5, flags=0, rows=0, **caps):
        W = code.width
        self.code, self.shape = code, (-1, W)
        self.y = np.ascontiguousarray(np.broadcast_to(np.asarray(y, float).T.reshape(-1, W if np.ndim(y) > 1 else 1),
                                                      (code.sizes.y, W))).ravel().copy()  # fmt: skip
        self.t, self.h = 0.5 * np.arange(n), np.full(n, h)
        self.flags = np.broadcast_to(np.asarray(flags, np.int64), n).copy()
        self.rec = np.full(rows * code.sizes.out * W, -1.0)
        self.arguments = code.arguments(
            y=self.y, p=np.broadcast_to(np.asarray(p, float), W).copy(),
            u=np.repeat(np.asarray(u, float), W), u_stride=u_stride * W, t=self.t, h=self.h, flags=self.flags, n=n,
            rec=self.rec, **caps,
        )  # fmt: skip

    def run(self):
        return self.code.run(self.arguments)

    @property
    def states(self):
        return self.y.reshape(self.shape)

    @property
    def info(self):
        return dict(zip(drivers.INFO, self.arguments.info.tolist(), strict=False))


def decay(**more):
    """y' = −p y + u by the trapezoidal rule; the second state counts steps."""
    y, p, u, c, _ = symbols(2)
    h = c[1]
    step = ((1 - h * p / 2) * y[0] + h * u) / (1 + h * p / 2)
    return {"step": ([y, p, u, c], [ca.vertcat(step, y[1] + 1), FINE])} | more


# ------------------------------------------------------------------ steps without iteration


@pytest.mark.parametrize("width", WIDTHS)
def test_a_linear_system_decays_as_its_rule_says_in_every_lane(width):
    p = np.linspace(0.2, 1.6, width)
    plan = Plan(build(decay(), 2, width), [3.0, 0.0], 7, p=p)
    assert plan.run() == 7
    assert plan.states[0] == pytest.approx(3 * ((1 - p / 4) / (1 + p / 4)) ** 7, rel=1e-14)
    assert (plan.states[1] == 7).all()
    assert plan.info["entries"] == 7
    assert plan.info["status"] == 0


def test_every_width_gives_the_same_bits():
    results = [Plan(build(decay(), 2, width), [3.0, 0.0], 50, p=0.37, u=(0.1,)) for width in WIDTHS]
    for plan in results:
        plan.run()
        assert (plan.states == results[0].states[:, :1]).all()


def test_a_run_in_two_parts_gives_the_bits_of_one():
    code = build(decay(), 2)
    whole, part = Plan(code, [3.0, 0.0], 20, p=0.7), Plan(code, [3.0, 0.0], 10, p=0.7)
    whole.run()
    part.run()
    part.run()
    assert (whole.y == part.y).all()


def test_inputs_follow_the_stride_stage_after_stage():
    y, p, u, c, _ = symbols(1, n_u=4)
    code = build({"step": ([y, p, u, c], [y + ca.dot(ca.DM([1, 10, 100, 1000]), u), FINE])}, 1, n_u=2, n_stage=2)
    moving = Plan(code, [0.0], 3, u=np.arange(8), u_stride=2)
    held = Plan(code, [0.0], 3, u=np.arange(4))
    moving.run()
    held.run()
    steps = [sum(10**k * (2 * i + k) for k in range(4)) for i in range(3)]
    assert moving.y == pytest.approx([sum(steps)], rel=1e-15)
    assert held.y == pytest.approx([3 * 3210], rel=1e-15)


def test_a_kernel_sees_the_start_and_the_size_of_its_step():
    y, p, u, c, _ = symbols(2)
    code = build({"step": ([y, p, u, c], [ca.vertcat(y[0] + c[0], y[1] + c[1]), FINE])}, 2, width=4)
    plan = Plan(code, [0.0, 0.0], 5, h=0.25)
    plan.run()
    assert (plan.states == np.array([[0.5 * (0 + 1 + 2 + 3 + 4)], [1.25]])).all()


# ------------------------------------------------------------------ events and records


def eventful():
    """State: a value that steps add 1 to, and a log in which each event writes a digit."""
    y, p, u, c, _ = symbols(2)

    def event(digit):
        return [y, p, u, c], [ca.vertcat(y[0], 10 * y[1] + digit)]

    return {
        "step": ([y, p, u, c], [ca.vertcat(y[0] + 1, y[1]), FINE]),
        "sample_0": event(1), "restart_1": event(2), "sample_1": event(3), "restart_2": event(4),
        "restart_0": event(5), "observe": ([y, p, u, c], [ca.vertcat(c[0], y)]),
    }  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
def test_samplers_act_and_restart_in_order_and_the_inputs_jump_last(width):
    plan = Plan(build(eventful(), 2, width), [0.0, 0.0], 1, flags=JUMP | SAMPLE | SAMPLE << 1)
    plan.run()
    assert (plan.states == np.array([[1.0], [12345.0]])).all()


def test_only_what_is_flagged_fires():
    plan = Plan(build(eventful(), 2), [0.0, 0.0], 3, flags=[SAMPLE << 1, 0, JUMP])
    plan.run()
    assert plan.y.tolist() == [3.0, 345.0]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_row_is_recorded_after_the_events_and_before_the_step(width):
    flags = [RECORD, 0, RECORD | JUMP, NO_STEP | RECORD]
    plan = Plan(build(eventful(), 2, width), [0.0, 0.0], 4, flags=flags, rows=3)
    assert plan.run() == 4
    rows = plan.rec.reshape(3, 3, width)
    assert (rows == np.array([[0.0, 0, 0], [1.0, 2, 5], [1.5, 3, 5]])[:, :, None]).all()
    assert plan.info["rows"] == 3


def test_an_event_without_a_step_is_kept():
    plan = Plan(build(eventful(), 2), [4.0, 0.0], 2, flags=[NO_STEP | JUMP, NO_STEP])
    plan.run()
    assert plan.y.tolist() == [4.0, 5.0]


# ------------------------------------------------------------------ failures


def ageing(result, health=FINE):
    """A step that adds 1 to y[0] until `result` or `health` goes wrong."""
    y, p, u, c, _ = symbols(2)
    ok = FINE if health is FINE else health(y, p)
    return {"step": ([y, p, u, c], [ca.vertcat(result(y, p), y[1] / 2), ok])}


FAILURES = [
    ("infinity", ageing(lambda y, p: ca.if_else(y[0] < p, y[0] + 1, np.inf)), NON_FINITE),
    ("nan", ageing(lambda y, p: ca.if_else(y[0] < p, y[0] + 1, np.nan)), NON_FINITE),
    ("pivot", ageing(lambda y, p: y[0] + 1, lambda y, p: ca.vertcat(ca.if_else(y[0] < p, 0, 2e-6), 1)), BAD_PIVOT),
    ("pivot nan", ageing(lambda y, p: y[0] + 1, lambda y, p: ca.vertcat(1e-9 * ca.sqrt(p - y[0] - 0.5), 1)), BAD_PIVOT),
    ("guard", ageing(lambda y, p: y[0] + 1, lambda y, p: ca.vertcat(0, p - y[0])), GUARD),
    ("guard first", ageing(lambda y, p: y[0] + 1 / (y[0] < p), lambda y, p: ca.vertcat(0, p - y[0])), GUARD),
]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("kernels", "why"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES])
def test_a_failed_step_says_why_and_keeps_the_state_before_it(kernels, why, width):
    plan = Plan(build(kernels, 2, width), [0.0, 1.0], 10, p=3.0)
    assert plan.run() == 3
    assert (plan.states == np.array([[3.0], [0.125]])).all()
    assert plan.info["status"] == why
    assert (plan.arguments.lane_status == why).all()
    assert (plan.arguments.lane_step == 3).all()
    assert plan.info["frozen"] == width


def test_a_failed_lane_is_frozen_bit_for_bit_while_others_go_on():
    last = np.array([2.0, 99.0, 5.0, 99.0])
    plan = Plan(build(FAILURES[0][1], 2, 4), [0.0, 1.0], 8, p=last)
    assert plan.run() == 8
    assert plan.states[0].tolist() == [2.0, 8.0, 5.0, 8.0]
    assert plan.states[1].tolist() == [2.0**-2, 2.0**-8, 2.0**-5, 2.0**-8]
    assert plan.arguments.lane_status.tolist() == [NON_FINITE, 0, NON_FINITE, 0]
    assert plan.arguments.lane_step[[0, 2]].tolist() == [2, 5]
    assert plan.info["frozen"] == 2
    plan.run()
    assert plan.states[0].tolist() == [2.0, 16.0, 5.0, 16.0]


def test_a_frozen_lane_does_not_see_events_either():
    plan = Plan(build(eventful(), 2, 2), [0.0, 7.0], 2, flags=JUMP)
    plan.arguments.lane_status[1] = GUARD
    plan.run()
    assert plan.states.tolist() == [[2.0, 0.0], [755.0, 7.0]]


def test_an_entry_that_fails_after_an_event_leaves_the_state_before_the_event():
    y, p, u, c, _ = symbols(2)
    kernels = eventful() | {"step": ([y, p, u, c], [ca.vertcat(1 / (y[0] < 1), y[1]), FINE])}
    plan = Plan(build(kernels, 2), [0.0, 0.0], 3, flags=JUMP)
    assert plan.run() == 1
    assert plan.y.tolist() == [1.0, 5.0]


def test_an_event_that_gives_no_finite_number_fails():
    y, p, u, c, _ = symbols(2)
    kernels = eventful() | {"sample_0": ([y, p, u, c], [ca.vertcat(y[0], ca.log(-1 - y[0]))])}
    plan = Plan(build(kernels, 2), [0.0, 0.0], 2, flags=[0, SAMPLE])
    assert plan.run() == 1
    assert plan.y.tolist() == [1.0, 0.0]
    assert plan.info["status"] == NON_FINITE


@pytest.mark.parametrize("n_y", [1, 7, 8, 9, 31])
@pytest.mark.parametrize("width", [1, 4])
def test_an_infinity_is_found_in_every_row(n_y, width):
    y, p, u, c, _ = symbols(n_y)
    rows = [ca.if_else(p == k, y[k] * 1e308 * 10, y[k]) for k in range(n_y)]
    code = build({"step": ([y, p, u, c], [ca.vertcat(*rows), FINE])}, n_y, width)
    for k in range(n_y):
        plan = Plan(code, np.ones(n_y), 1, p=float(k))
        assert plan.run() == 0
        assert (plan.y == 1).all()
    assert Plan(code, np.ones(n_y), 1, p=-1.0).run() == 1


# ------------------------------------------------------------------ Newton


def root(tolerance=1e-9, inner=None, finish=FINE):
    """y[0] becomes √y[1] by Newton's iteration; then y[1] grows by 1."""
    y, p, u, c, w = symbols(2, n_w=2)
    new = (w[0] + y[1] / w[0]) / 2
    kernels = {
        "predict": ([y, p, u, c], [ca.vertcat(y[1], 0)]),
        "iterate": (
            [y, p, u, c, w],
            [ca.vertcat(new, w[1] + 1), ca.vertcat(ca.fabs(new - w[0]) / tolerance, 0)],
        ),
        "finish": ([y, p, u, c, w], [ca.vertcat(w[0], y[1] + 1), finish]),
    }
    return kernels | (inner([y, p, u, c, w]) if inner else {})


def turns(x, tolerance=1e-9):
    """Iterations that the square root of x takes in plain Python."""
    w, n = x, 0
    while True:
        new, n = (w + x / w) / 2, n + 1
        if abs(new - w) < tolerance:
            return n
        w = new


@pytest.mark.parametrize("width", WIDTHS)
def test_newton_finds_the_root_and_counts_its_turns(width):
    x = 2.0 + 700 * np.arange(width)
    plan = Plan(build(root(), 2, width), np.column_stack([0 * x, x]), 3, max_iterations=30)
    assert plan.run() == 3
    assert plan.states[0] == pytest.approx(np.sqrt(x + 2), rel=1e-15)
    counted = [[turns(value + k) for value in x] for k in range(3)]
    assert plan.info["iterations"] == np.sum(counted)
    assert plan.info["max_iterations"] == np.max(counted)
    assert plan.info["accepted"] == 0


def test_converged_lanes_have_the_bits_they_have_alone():
    x = np.array([2.0, 3e4, 17.0, 1e9])
    together = Plan(build(root(), 2, 4), np.column_stack([0 * x, x]), 5, max_iterations=40)
    together.run()
    for lane, value in enumerate(x):
        alone = Plan(build(root(), 2), [0.0, value], 5, max_iterations=40)
        alone.run()
        assert (alone.y == together.states[:, lane]).all()


def test_a_step_at_the_cap_is_accepted_within_ten_times_the_tolerance():
    n = turns(2.0) - 1  # the correction before the last is 1.6e-6, that is 1600 tolerances
    near = Plan(build(root(), 2), [0.0, 2.0], 1, max_iterations=n, accept=1e4)
    assert near.run() == 1
    assert near.info["accepted"] == 1
    far = Plan(build(root(), 2), [0.0, 2.0], 1, max_iterations=n)
    assert far.run() == 0
    assert far.info["status"] == NEWTON
    assert far.y.tolist() == [0.0, 2.0]


def test_lanes_that_do_not_converge_freeze_and_the_others_go_on():
    x = np.array([2.0, -3.0, 5.0, 1e200])
    plan = Plan(build(root(), 2, 4), np.column_stack([0 * x, x]), 4, max_iterations=20)
    assert plan.run() == 4
    assert plan.arguments.lane_status.tolist() == [0, NEWTON, 0, NEWTON]
    assert plan.states[1].tolist() == [6.0, -3.0, 9.0, 1e200]


def test_a_correction_that_is_no_number_fails_at_once():
    plan = Plan(build(root(), 2), [1.0, 0.0], 1, max_iterations=50)  # 0 / 0
    assert plan.run() == 0
    assert plan.info["status"] == NON_FINITE
    assert plan.info["iterations"] == 1


def test_the_health_after_newton_counts():
    plan = Plan(build(root(finish=ca.SX([0, -1])), 2, 2), [0.0, 2.0], 1, max_iterations=30)
    assert plan.run() == 0
    assert plan.info["status"] == GUARD


@pytest.mark.parametrize("width", WIDTHS)
def test_the_nested_iteration_runs_after_the_prediction_and_after_every_turn(width):
    def inner(given):  # makes w[1] odd, one at a time
        w = given[-1]
        even = ca.remainder(w[1], 2) == 0
        return {"inner": (given, [ca.vertcat(w[0], w[1] + even), ca.vertcat(ca.if_else(even, 2, 0), 0)])}

    plan = Plan(build(root(inner=inner), 2, width), [0.0, 2.0], 1, max_iterations=30, max_inner=5)
    plan.run()
    n = turns(2.0)
    assert plan.info["iterations"] == n * width
    assert plan.info["inner_iterations"] == 2 * (n + 1) * width  # one turn that changes w[1], one that finds it odd
    assert plan.info["max_inner"] == 2


def test_a_nested_iteration_that_does_not_end_fails_the_step():
    def inner(given):
        w = given[-1]
        return {"inner": (given, [w, ca.SX([1e3, 0])])}

    plan = Plan(build(root(inner=inner), 2, 2), [0.0, 2.0], 1, max_iterations=30, max_inner=4)
    assert plan.run() == 0
    assert plan.info["status"] == NEWTON
    assert plan.info["max_inner"] == 4


# ------------------------------------------------------------------ threads, allocation, refusals


def test_a_run_that_is_told_to_stop_ends_after_the_entry_under_way():
    plan = Plan(build(decay(), 2), [1.0, 0.0], 5)
    plan.arguments.stop[0] = 1
    assert plan.run() == 1
    assert plan.y[1] == 1


def test_another_thread_stops_a_run():
    y, p, u, c, _ = symbols(2)
    slow = y[0]
    for _ in range(300):  # some 10 ns each: the whole run would take seconds
        slow = ca.sqrt(1 + slow)
    plan = Plan(build({"step": ([y, p, u, c], [ca.vertcat(slow, y[1] + 1), FINE])}, 2), [1.0, 0.0], 2_000_000)
    done = []
    thread = threading.Thread(target=lambda: done.append(plan.run()))
    thread.start()
    time.sleep(0.02)
    plan.arguments.stop[0] = 1
    thread.join(timeout=60)
    assert 0 < done[0] < 2_000_000
    assert plan.y[1] == done[0]


def test_threads_share_the_code():
    code = build(decay(), 2, 4)
    plans = [Plan(code, [1.0, 0.0], 20_000, p=0.01 * (1 + k)) for k in range(4)]
    threads = [threading.Thread(target=plan.run) for plan in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, plan in enumerate(plans):
        alone = Plan(code, [1.0, 0.0], 20_000, p=0.01 * (1 + k))
        alone.run()
        assert (alone.y == plan.y).all()


def test_a_run_writes_nowhere_but_into_its_arguments():
    code = build(eventful(), 2, 4)
    plan = Plan(code, [0.0, 0.0], 50, flags=RECORD | JUMP, rows=50)
    scratch = plan.arguments.arrays["scratch"]
    guarded = np.full(len(scratch) + 64, 7.25)
    table = plan.arguments.table
    table[drivers.ARGS.index("scratch")] = guarded[32:].ctypes.data
    plan.run()
    assert (guarded[:32] == 7.25).all()
    assert (guarded[32 + len(scratch) :] == 7.25).all()


def test_kernels_that_fit_no_loop_are_refused():
    y, p, u, c, _ = symbols(2)
    with pytest.raises(CompileError, match="kernels observe: needs either step, or predict, iterate and finish"):
        build({"observe": ([y, p, u, c], [y])}, 2)
    with pytest.raises(
        CompileError, match=r"kernel step takes \(2, 1, 1, 2\) numbers; the loop gives it \(3, 1, 1, 2\)"
    ):
        build(decay(), 3)
    short = {"step": ([y, p, u, c], [y[0], FINE])}
    with pytest.raises(CompileError, match=r"kernel step gives \(1, 2\) numbers; the loop wants \(2, 2\)"):
        build(short, 2)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("y", np.zeros(1), "y has 1 numbers of float64 where 2 of float64"),
        ("flags", np.zeros(4), "flags has 4 numbers of float64 where 4 of int64"),
        ("t", np.zeros(3), "t has 3 numbers of float64 where 4"),
        ("u", np.zeros((1, 2), np.float32), "u has 2 numbers of float32 where 1 of float64"),
    ],
)
def test_arrays_that_machine_code_would_misread_are_refused(name, array, message):
    given = {"y": np.zeros(2), "p": np.zeros(1), "u": np.zeros(1), "t": np.zeros(4), "h": np.zeros(4),
             "flags": np.zeros(4, np.int64)} | {name: array}  # fmt: skip
    with pytest.raises(ValueError, match=message):
        build(decay(), 2).arguments(u_stride=0, n=4, **given)


def test_a_single_kernel_can_be_called_and_checks_its_inputs():
    code = build(eventful(), 2, 2)
    given = np.array([1.0, 2.0, 3.0, 4.0]), np.zeros(2), np.zeros(2), np.array([0.5, 0.5, 0.1, 0.1])
    assert code.call("restart_0", *given).tolist() == [1.0, 2.0, 35.0, 45.0]
    with pytest.raises(ValueError, match="restart_0: y has 2 numbers where 4 are needed"):
        code.call("restart_0", np.zeros(2), *given[1:])


@pytest.mark.parametrize("width", [1, 8])
def test_one_function_under_several_names_is_made_once_and_answers_to_each(width):
    y, p, u, c, _ = symbols(2)
    step = ca.Function("step", [y, p, u, c], [y + c[1], FINE])
    again = ca.Function("again", [y, p, u, c], [y * ca.sin(u) + p])
    kernels = {"step": step, "start": again, "restart_0": again, "restart_1": again, "sample_0": again}
    code = native.build(kernels, n_y=2, n_p=1, n_u=1, n_stage=1, width=width)
    given = [np.repeat(numbers, width) for numbers in ((2.0, 3.0), (0.25,), (0.7,), (0.0, 1e-3))]
    answers = [code.call(name, *given) for name in kernels if name != "step"]
    assert answers[0] == pytest.approx(np.repeat((2 * np.sin(0.7) + 0.25, 3 * np.sin(0.7) + 0.25), width), rel=1e-15)
    assert all(np.array_equal(answer, answers[0]) for answer in answers)
