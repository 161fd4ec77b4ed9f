"""Fluid-power parts."""
