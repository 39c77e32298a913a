"""What is known about the shell's state at one point of a text: variables, functions, directory."""

from __future__ import annotations

from . import secrets
from .patterns import lazily
from .shell import Node
from .values import CWD, HOLE, HOME, LONGEST, NUMBER, Field, Taint

SECRET_NAME = lazily(
    r"(?s)\A(?!.*_(?:SOCK|DIR|PATH|FILE|HOST|PORT)\Z)(?:.*(?:TOKEN|SECRET|PASSW|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|WEBHOOK|(?<!PUBLIC)_KEY\Z)"
    r"|(?:.*_)?(?:AUTH|PAT|PWD|PASS|JWT|BEARER|COOKIE|DSN)(?:_|\Z)"
    r"|(?:.*_)?(?:DATABASE|DB|REDIS|MONGO|MONGODB|POSTGRES|POSTGRESQL|PG|MYSQL|AMQP|RABBITMQ|BROKER)_?(?:URL|URI|CONN|CONNECTION)(?:_|\Z))"
)
"""Names of variables that hold secrets by custom; PWD and OLDPWD are known and never asked about."""

Value = tuple[str, int]

_AT_FIRST: dict[str, Value] = {"HOME": (HOME, Taint.NONE), "IFS": (" \t\n", Taint.NONE)}
_NOTHING: frozenset[str] = frozenset()


class Variables:
    """A mutable state, copied where a shell would fork and joined where paths meet.

    `functions` holds all bodies that a name may have.  `exported` are the variables that
    the text itself hands to other programs.  `sockets` are the descriptors that are
    connections to other machines.  `merged` says that ways with different values have met;
    with `guesses`, the one that is worse to delete or to change is kept there.
    `undivided` are the variables whose values hold no blank, although they are not known.
    """

    __slots__ = (
        "cwd", "exported", "functions", "guesses", "ifs_changed", "merged", "positional", "sockets", "undivided",
        "values",
    )  # fmt: skip

    def __init__(self, cwd: str = CWD, *, guesses: bool = False) -> None:
        self.values: dict[str, Value] = _AT_FIRST.copy()
        self.functions: dict[str, tuple[Node, ...]] = {}
        self.positional: list[Field] | None = None
        self.cwd = cwd
        self.exported = _NOTHING
        self.sockets = _NOTHING
        self.undivided = _NOTHING
        self.ifs_changed = False
        self.guesses = guesses
        self.merged = False

    def copy(self) -> Variables:
        """Return a state of its own with the same contents."""
        other = Variables.__new__(Variables)
        other.become(self)
        other.values = self.values.copy()
        other.functions = self.functions.copy()
        return other

    def become(self, other: Variables) -> None:
        """Take over all that `other` holds."""
        self.values, self.functions = other.values, other.functions
        self.positional, self.cwd = other.positional, other.cwd
        self.exported, self.sockets, self.undivided = other.exported, other.sockets, other.undivided
        self.ifs_changed, self.guesses, self.merged = other.ifs_changed, other.guesses, other.merged

    def child(self) -> Variables:
        """Return the state of a shell of its own, which knows no more than its environment.

        A variable that may have been in the environment before is unknown there.
        """
        other = Variables(self.cwd, guesses=self.guesses)
        other.values.update({name: self.values[name] for name in self.exported | {"HOME"} if name in self.values})
        other.values["IFS"] = _AT_FIRST["IFS"]  # never taken from the environment (POSIX XCU 2.5.3)
        other.exported, other.sockets = self.exported, self.sockets
        return other

    def get(self, name: str) -> Value | None:
        """Return the value of a variable that the text itself has set, or that is known anyway."""
        if name == "PWD":
            return (self.cwd, Taint.NONE)
        return self.values.get(name)

    def set(self, name: str, value: Value) -> None:
        """Give a variable a value; one that is too long counts as unknown, and so does one of the shell's own."""
        if name == "IFS":
            self.ifs_changed = True
        elif name == "_":  # every command sets it anew (bash manual, "Special Parameters")
            value = (HOLE, value[1])
        self.values[name] = value if len(value[0]) <= LONGEST else (HOLE, value[1])
        if name in self.undivided:
            self.undivided -= {name}

    def forget(self, name: str, taint: int = Taint.NONE) -> None:
        """Make the value of a variable unknown, but for where it came from."""
        self.set(name, (HOLE, taint))

    def forget_all(self) -> None:
        """Make every variable that the text has set unknown, and the directory."""
        for name, (_, taint) in self.values.items():
            self.values[name] = (HOLE, taint)
        self.ifs_changed = True
        self.undivided = _NOTHING
        self.positional = None
        self.cwd = HOLE

    def join(self, other: Variables) -> None:
        """Keep only what this state and `other` agree on."""
        mine, theirs = self.values, other.values
        if mine != theirs:
            for name in mine.keys() | theirs.keys():
                left, right = mine.get(name), theirs.get(name)
                if left != right:
                    self.merged = self.merged or name != "OLDPWD"
                    mine[name] = self._met(left, right) or _either(left, right)
        if self.positional != other.positional:
            self.positional = None
        if self.cwd != other.cwd:
            worse = self._met((self.cwd, Taint.NONE), (other.cwd, Taint.NONE))
            self.cwd, self.merged = _folder_of(self.cwd, other.cwd) if worse is None else worse[0], True
        for name, bodies in other.functions.items():
            known = self.functions.get(name, ())
            self.functions[name] = known + tuple(body for body in bodies if all(body is not one for one in known))
        if self.exported is not other.exported:
            self.exported = self.exported | other.exported
        if self.sockets is not other.sockets:
            self.sockets = self.sockets | other.sockets
        self.undivided = self.undivided & other.undivided
        self.ifs_changed = self.ifs_changed or other.ifs_changed
        self.merged = self.merged or other.merged

    def _met(self, left: Value | None, right: Value | None) -> Value | None:
        """Return which of two values a second look keeps, or None for neither."""
        if not self.guesses:
            return None
        from . import guesses

        return guesses.worse(left, right)

    def same(self, other: Variables) -> bool:
        """Return whether the two states hold the same."""
        return all(getattr(self, slot) == getattr(other, slot) for slot in self.__slots__)


def _folder_of(one: str, other: str) -> str:
    """Return the working directory where it is one of two: one of secrets, in which a file may be one, or unknown."""
    return next((folder for folder in (one, other) if folder != HOLE and secrets.is_secret(folder + "/x")), HOLE)


def _either(left: Value | None, right: Value | None) -> Value:
    """Return what is known of a value that is one or the other; None is one that the text has not set."""
    if left is None or right is None:
        return (HOLE, (left or right or (HOLE, Taint.NONE))[1])
    both = Field(left[0]).numeric and Field(right[0]).numeric
    return (NUMBER if both else HOLE, left[1] | right[1])
