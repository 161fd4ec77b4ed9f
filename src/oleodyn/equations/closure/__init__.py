"""Policies that close kinematic loops."""
