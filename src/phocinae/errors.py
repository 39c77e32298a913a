"""Every exception that phocinae raises on purpose, in one tree.

    PhocinaeError
    ├── InvalidRequest      a command, a working directory or an option cannot be used
    ├── InvalidSettings     a settings file, a variable or a flag cannot be used
    ├── BackendError        a service or program that was asked gave no usable answer
    │   ├── Unreachable     nobody answered
    │   ├── TimedOut        the answer did not come within the deadline
    │   ├── Refused         it answered with a refusal or a failure of its own
    │   ├── BadAnswer       an answer came and cannot be used
    │   └── GuardFailed     the guard program gave no usable answer
    ├── InvalidRegistration something that a server is to offer cannot be offered so
    ├── CallFailed          a handler could not do what it was asked for
    ├── StateRejected       a requestState is not one that this server will accept
    └── AuditFailed         the decision log could not be written

An expected outcome (a denial, a text that does not parse) is a value, never an
exception.  Exceptions cross a port only as the base error of that port.
"""


class PhocinaeError(Exception):
    """The base of all errors that phocinae raises on purpose."""


class InvalidRequest(PhocinaeError):
    """A command, a working directory or an argument that cannot be judged; the text says what to change."""


class InvalidSettings(PhocinaeError):
    """A setting that cannot be used; the text names its source, its key and what would be right."""


class BackendError(PhocinaeError):
    """A service or program that was asked gave no usable answer; the text says what to do about it.

    `engine` is the word that a verdict carries which comes of it; empty where it is not known.
    """

    engine = ""


class Unreachable(BackendError):
    """No connection to the decision service."""


class TimedOut(BackendError):
    """The decision service did not answer within the deadline."""


class Refused(BackendError):
    """The decision service answered that it will not or cannot answer; the text says why, as far as it said so."""


class BadAnswer(BackendError):
    """The decision service answered, but an answer is missing, mistyped or out of range."""


class GuardFailed(BackendError):
    """The guard program gave no usable answer; the text says how it failed."""

    engine = "guard"


class InvalidRegistration(PhocinaeError, ValueError):
    """A tool, resource, template, prompt or completion that cannot be offered; the text says what to change."""


class CallFailed(PhocinaeError):
    """Raised by a handler that could not do what it was asked for; the text goes to the model and the person."""


class StateRejected(PhocinaeError):
    """A requestState that is forged, expired, spent or of another request; the text is for the log only."""


class AuditFailed(PhocinaeError):
    """The decision log could not be written; the text names the file and the cause."""
