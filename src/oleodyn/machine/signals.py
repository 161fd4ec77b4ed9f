"""Which signals a machine declares: the units of its inputs and of all that has a start value."""

from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Parameter, Part


def input_units(machine: Machine) -> dict[str, str]:
    """Unit of every input and of its aliases, by path."""
    units = {
        f"{path}.{name}": declared.unit
        for path, part in _parts(machine)
        for name, declared in part.declaration().inputs.items()
    }
    return _with_aliases(units, machine)


def start_units(machine: Machine) -> dict[str, str]:
    """Unit of all that can be given by path: states, coordinates, what ports share, parameters."""
    units: dict[str, str] = {}
    for path, part in _parts(machine):
        declared = part.declaration()
        units |= {
            f"{path}.{name}": spec.unit
            for name, spec in part.fields.items()
            if isinstance(spec, Parameter) and not spec.shape
        }
        for states in (declared.states, declared.coordinates, declared.speeds):
            units |= {f"{path}.{name}": state.unit for name, state in states.items()}
        units |= {
            f"{path}.{port}.{name}": quantity.unit
            for port, declaration in declared.ports.items()
            for name, quantity in declaration.across.items()
            if not quantity.shape
        }
    return _with_aliases(units, machine)


def _parts(machine: Machine) -> list[tuple[str, Part]]:
    return [(path, part) for path, part in machine.walk() if isinstance(part, Part)]


def _with_aliases(units: dict[str, str], machine: Machine) -> dict[str, str]:
    return units | {alias: units[path] for alias, path in machine.aliases.items() if path in units}
