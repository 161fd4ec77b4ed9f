"""Steppers and policies in words: `hht`, `hht(alpha=-0.05)`, `penalty(alpha=1e8, omega=20)`."""

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import nearest

WORDED = re.compile(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*")


def worded(text: str, classes: Mapping[str, type[Any]], what: str) -> Any:
    """The stepper or policy that a text names, with the numbers in its brackets, else with its defaults.

    >>> from oleodyn.simulation.steppers.hht import HHT
    >>> worded("hht(alpha=-0.05)", {"hht": HHT}, "stepper")
    HHT(alpha=-0.05)
    """
    match = WORDED.fullmatch(text)
    name = match[1] if match else text
    if name not in classes:
        raise DeclarationError(
            f"there is no {what} {name!r}{nearest(name, classes) or '.'} There are {', '.join(classes)}."
        )
    made = classes[name]()
    known = {field.name: getattr(made, field.name) for field in dataclasses.fields(made)}
    numbers = {key: value for key, value in known.items() if isinstance(value, int | float)}
    given: dict[str, Any] = {}
    for item in filter(None, (item.strip() for item in ((match and match[2]) or "").split(","))):
        key, _, value = (part.strip() for part in item.partition("="))
        if key not in numbers:
            names = ", ".join(numbers) or "none"
            raise DeclarationError(
                f"{text}: {name} has no number {key!r}{nearest(key, numbers) or '.'} It has {names}."
            )
        try:
            given[key] = type(numbers[key])(value)
        except ValueError:
            raise DeclarationError(f"{text}: {key} = {value!r} must be a number, such as {numbers[key]:g}") from None
    return dataclasses.replace(made, **given)
