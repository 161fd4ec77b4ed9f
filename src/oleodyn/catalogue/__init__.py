"""Machines and parts with real numbers and their sources."""
