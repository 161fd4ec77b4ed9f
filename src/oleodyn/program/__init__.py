"""Corridor 3, compile: equations and a stepper as machine code."""
