"""Steppers, one file each."""
