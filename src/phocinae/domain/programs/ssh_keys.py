"""Keys of ssh: ssh-keygen, ssh-add, ssh-copy-id.

Sources: ssh-keygen(1), ssh-add(1), ssh-copy-id(1).
"""

from __future__ import annotations

import re

from .. import effects
from ..calls import Call
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import Stream

_LISTS_KEY = re.compile(r"-v*l[lv]*[fE]?\Z")
_LISTING = re.compile(r"-[lv]+[fE]?\Z|-[fE]\Z")


def _makes_key(call: Call, usage: Usage) -> Stream | None:
    """Weigh the file that ssh-keygen writes, unless an option only looks at it (ssh-keygen(1))."""
    words = [word.text for word in call.args]
    options = [text for text in words if text[:1] == "-" != text]
    if any(map(_LISTS_KEY.match, options)) and all(map(_LISTING.match, options)):
        for word in call.args:
            call.read(word, prints=False)
        return None
    call.note("changes-files")
    if not {"-l", "-y", "-F", "-B", "-e"} & set(words):
        for place, word in enumerate(call.args):
            if words[place - 1 : place] == ["-f"]:
                effects.write(call.walker, word, call.state)
    return None


def _agent(call: Call, usage: Usage) -> Stream | None:
    """Only lists of fingerprints and of public keys change nothing in the agent (ssh-add(1))."""
    if usage.operands or not usage.names or not usage.names <= {"-l", "-L"}:
        call.note("changes-system")
    return None


PROGRAMS: dict[str, Program] = {
    "ssh-keygen": program("", "text*", style=Style.NONE, judge=_makes_key),
    "ssh-add": program("-l -L -D -d -k -K -t:text -x -X -A", "read*", judge=_agent),
    "ssh-copy-id": program("", "text*", style=Style.NONE, rule="uses-network"),
}
