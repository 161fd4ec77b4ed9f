"""Corridor 4, run: scenarios, runs, real time, batches."""
