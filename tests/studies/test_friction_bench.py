"""The friction bench: every check of the study, and what it is there to show."""

import functools

from oleodyn.studies.friction_bench import study
from oleodyn.studies.friction_laws import DISCONTINUOUS


@functools.cache
def done():
    return study(lambda share: None)


def computed(name):
    return next(check.computed for check in done().checks if check.name.startswith(name))


def test_every_check_of_the_friction_bench_holds():
    assert [f"{check.name}: {check.computed}" for check in done().checks if check.ok is False] == []


def test_only_the_discontinuous_law_stalls_newton_and_chatters():
    assert computed(f"{DISCONTINUOUS}: steps done") == 0
    assert computed(f"{DISCONTINUOUS}: jumps of the force") > 100  # 1/s; the four others: 0, checked above


def test_bristles_shake_at_slower_creep_than_smooth_laws():
    slowest = {name: computed(f"{name}: slowest") for name in ("LuGre", "modified LuGre", "Bengisu-Akay")}
    assert max(slowest["LuGre"], slowest["modified LuGre"]) < 0.5 * slowest["Bengisu-Akay"]
