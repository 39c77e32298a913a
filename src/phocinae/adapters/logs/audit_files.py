"""Where the files of one decision log are: the log, its head, its key, and the logs that were set aside."""

from __future__ import annotations

import os

from ...domain.audit_chain import Head, end_of

_LOG = ".jsonl"


class AuditFiles:
    """The paths that belong to the log at `path`; `given_key` is a key elsewhere, empty for one beside the log.

    For ``audit.jsonl`` they are ``audit.head``, ``audit.key`` and ``audit-0000000001.jsonl``, the
    first sequence number in the name; a log of any other ending lends its whole name.
    """

    def __init__(self, path: str, given_key: str = "") -> None:
        self.path, self._given_key = path, given_key

    @property
    def head(self) -> str:
        """The file that is locked while the log is written to, and says where it ends."""
        return self._stem + ".head"

    @property
    def key(self) -> str:
        """The file of the key."""
        return self._given_key or self._stem + ".key"

    def aside(self, first: int) -> str:
        """Return the name of a log that was set aside, by its first sequence number."""
        return f"{self._stem}-{first:010d}{_LOG}"

    def set_aside(self) -> list[int]:
        """Return the first sequence numbers of the logs that were set aside, the oldest first.

        Raises:
            OSError: the folder cannot be read.
            ValueError: there is a null character in the path.
        """
        folder, stem = os.path.split(self._stem)
        found = []
        for name in os.listdir(folder or os.curdir):
            digits = name[len(stem) + 1 : -len(_LOG)]
            if digits.isascii() and digits.isdigit() and os.path.basename(self.aside(int(digits))) == name:
                found.append(int(digits))
        return sorted(found)

    @property
    def _stem(self) -> str:
        return self.path.removesuffix(_LOG)


def ends(descriptor: int, head: Head) -> bool:
    """Tell whether an open file has the last record that `head` knows where it says that it ends."""
    end = end_of(head.mac)
    if head.size < len(end):
        return False
    os.lseek(descriptor, head.size - len(end), os.SEEK_SET)
    return os.read(descriptor, len(end)) == end
