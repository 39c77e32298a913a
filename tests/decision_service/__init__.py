"""A decision service on loopback that answers whatever a test wants: well, wrongly, slowly, or not at all.

`stub` is the server, `replies` what it can say, `faults` every way to fail as a table, and
``python -m decision_service`` the same server in a process of its own that can be killed.
It speaks the wire form of `POST /v1/systemone` over plain sockets, so that it can break
every rule of HTTP on purpose, and it shares no code with the client under test.
"""

from .replies import Reply, Script, answering, body_of, drip, good, in_turn, json_reply, plain
from .stub import DecisionStub, Logged, Received

__all__ = [
    "DecisionStub",
    "Logged",
    "Received",
    "Reply",
    "Script",
    "answering",
    "body_of",
    "drip",
    "good",
    "in_turn",
    "json_reply",
    "plain",
]
