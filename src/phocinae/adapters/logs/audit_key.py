"""The key of a decision log: a file of one line that only its owner can read, made by the first who needs it."""

from __future__ import annotations

import contextlib
import os

from ...domain.audit_chain import KEY_BYTES
from .private_file import open_private, open_to_read


def read_key(path: str, *, mend: bool = False) -> bytes | None:
    """Return the key in the file `path`, or None where there is no such file; to `mend` it is to close it to others.

    Raises:
        OSError: it cannot be read, or holds no key; the text repeats nothing of it.
        ValueError: there is a null character in the path.
    """
    try:
        descriptor = open_to_read(path, mend=mend)
    except FileNotFoundError:
        return None
    try:
        content = os.read(descriptor, 4 * KEY_BYTES).rstrip(b"\r\n")
    finally:
        os.close(descriptor)
    with contextlib.suppress(ValueError):
        key = bytes.fromhex(content.decode("ascii"))
        if len(key) == KEY_BYTES and len(content) == 2 * KEY_BYTES and len(set(key)) > 1:
            return key
    raise OSError(f"the key file {path} does not hold {2 * KEY_BYTES} hexadecimal digits on one line; move it away")


def make_key(path: str) -> bytes:
    """Return the key in the file `path`, which is made unless another process was faster.

    It is complete before it has its name, and survives a loss of power.

    Raises:
        OSError: it cannot be made.
        ValueError: there is a null character in the path.
    """
    draft = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    descriptor = open_private(draft)
    try:
        try:
            line = os.urandom(KEY_BYTES).hex().encode() + b"\n"
            if os.write(descriptor, line) != len(line):
                raise OSError("the key was written in part only; is the device full?")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        _name(draft, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
    key = read_key(path)
    if key is None:
        raise OSError(f"the key file {path} is gone as soon as it is made")
    return key


def _name(draft: str, path: str) -> None:
    """Give the draft its name, unless there is a file of that name."""
    try:
        os.link(draft, path, follow_symlinks=False)
    except FileExistsError:
        return
    except (OSError, NotImplementedError):  # no links here: the lock of the log is what keeps others away
        if not os.path.lexists(path):
            os.rename(draft, path)
