"""Why a lane of the native loop is frozen."""

OK, NON_FINITE, BAD_PIVOT, GUARD, NEWTON = range(5)
"""Alive; an infinity or a NaN; a linear system without a good pivot; a guard at or below 0; no convergence."""
