"""Corridor 1, declare: parts, machines and machine files."""
