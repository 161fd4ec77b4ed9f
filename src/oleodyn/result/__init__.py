"""Corridor 5, keep: named signals, energy accounts, reports."""
