"""What can go wrong, by whose hand: the six classes of error that oleodyn raises."""


class OleodynError(Exception):
    """Any error of ours: says where, what, the rule that was broken, and the remedy."""


class DeclarationError(OleodynError):
    """A part, a number or a machine file says something that cannot be."""


class WiringError(OleodynError):
    """Ports or signals are joined in a way that gives no, or more than one, law."""


class AssemblyError(OleodynError):
    """Sound parts that together make no sound set of equations (a loop that cannot close)."""


class CompileError(OleodynError):
    """The equations cannot become machine code."""


class StepError(OleodynError):
    """A run stopped: a step failed. Carries `result`, `state`, `time` and `signals`."""

    def __init__(self, message, *, time=None, signals=(), result=None, state=None):
        super().__init__(message)
        self.time = time
        self.signals = tuple(signals)
        self.result = result
        self.state = state


class DataError(OleodynError):
    """A file of results, a checkpoint or a table that cannot be used."""
