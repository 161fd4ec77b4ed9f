"""Corridor 2, assemble: a machine's equations, flat, named, printable."""
