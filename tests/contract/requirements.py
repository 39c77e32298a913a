"""What the MCP server has to do, one row for each requirement, and where it comes from.

M is the modern revision, L the handshake revisions, D telling them apart, J the edges of
JSON, S the transport over standard input and output, R what others got wrong.  The specification's pages are those
of 2026-07-28 unless a row says otherwise.  A test says which rows it holds by
``@pytest.mark.requirement("M-001")``, and ``test_requirements.py`` holds the two against each other.
"""

from __future__ import annotations

from enum import Enum

from attrs import frozen


class Seen(Enum):
    """Where a requirement has to be seen."""

    EVERYWHERE = "over every arm"
    STDIO = "with a server process"
    SOMEWHERE = "in one place"


@frozen
class Requirement:
    """One row: `source` is a page of the specification, ``own choice`` or ``regression``; `gap` what does not hold."""

    source: str
    behaviour: str
    seen: Seen = Seen.EVERYWHERE
    gap: str = ""


R = Requirement
ONCE, STDIO = Seen.SOMEWHERE, Seen.STDIO
OWN = "own choice"

JSON: dict[str, Requirement] = {
    "J-001": R("JSON-RPC 2.0", "What is no JSON is answered with -32700, and the next message is served."),
    "J-002": R("schema of 2025-11-25", "An error to a message without a readable id has no id, not even null."),
    "J-003": R("basic/index", "Bytes that are not UTF-8, and a byte order mark, are a parse error."),
    "J-004": R("RFC 8259", "NaN and infinities are a parse error, and are never written."),
    "J-005": R(OWN, "Nesting without end is answered, and ends nothing."),
    "J-006": R(OWN, "Half of a surrogate pair is refused, and is never written."),
    "J-007": R("basic/index", "Whole numbers of any size that Python reads come back as ids; fractions are no ids."),
    "J-008": R(OWN, "A key that stands twice in an object is refused, because somebody else may read the other one."),
    "J-009": R("basic/transports of 2025-06-18", "An array of messages is refused outside of 2025-03-26."),
    "J-010": R("JSON-RPC 2.0", "JSON that is no object is an invalid request; null does not end the session."),
    "J-011": R("JSON-RPC 2.0", "A response is never answered; unknown members of a message are ignored."),
}

MESSAGES: dict[str, Requirement] = {
    "M-001": R("basic/index", "A message says that it is JSON-RPC 2.0, or is an invalid request."),
    "M-002": R("basic/index", "An id is a text or a whole number, or the request is invalid."),
    "M-003": R("basic/index", "A reply has the id of its request, of the same type."),
    "M-004": R("basic/index", "An error has a whole number and a text, and no result beside it."),
    "M-005": R("basic/index", "Every modern result says whether it is complete or needs input."),
    "M-006": R("basic/index", "A message without an id is never answered, whatever its method."),
    "M-007": R("basic/index", "The id is left out of an error only where it could not be read."),
    "M-008": R("basic/index", "No error has a code that is retired, or reserved and not defined."),
    "M-009": R("basic/index", "Codes of our own would lie outside of the reserved range; there are none."),
    "M-010": R("patterns/index", "A modern client is sent no request."),
    "M-011": R("transports", "A response that nobody waits for is ignored."),
    "M-012": R("basic/index", "Nothing that an earlier request said counts for a later one."),
    "M-013": R("schema", "A request without a method, or with one that is no text, is invalid."),
    "M-014": R("schema", "Parameters that are no object are refused."),
    "M-020": R("basic/index", "A request that does not say its version and capabilities is refused with -32602."),
    "M-021": R("basic/index", "Who the client is may be left out."),
    "M-022": R("basic/index", "Who the client is changes nothing."),
    "M-023": R("versioning", "A version that is not served gets -32022 with what was asked for and what is served."),
    "M-024": R(
        "basic/index", "Nothing rests on a capability that the request does not declare; the gate then says ask."
    ),
    "M-025": R("basic/index", "Every result names the server."),
    "M-026": R("basic/index", "Nothing that we put into _meta takes a reserved prefix of others for our own keys."),
    "M-027": R("basic/index", "Members of _meta that we do not know are ignored."),
    "M-030": R("server/discover", "Discovery tells versions, capabilities, instructions and how long it may be kept."),
    "M-031": R(OWN, "The versions that are told are the ones that a request can be sent in, so modern ones only."),
    "M-032": R("server", "What is declared is served, and what is not declared is -32601."),
    "M-033": R("versioning", "No extension is declared."),
}

FEATURES: dict[str, Requirement] = {
    "M-040": R("server/tools", "Tools are declared; that their list changes is declared only where that is told."),
    "M-041": R("server/tools", "The list of tools has the members of the specification."),
    "M-042": R("server/tools", "The list of tools has a fixed order."),
    "M-043": R("server/tools", "The list of tools does not depend on the connection or on what was asked before."),
    "M-044": R("server/tools", "The schema of arguments is a schema of 2020-12 with an object at its root."),
    "M-045": R("server/tools", "A structured value satisfies the schema that its tool declares."),
    "M-046": R("server/tools", "A text block repeats the structured value as JSON."),
    "M-047": R("server/tools", "An unknown tool is -32602."),
    "M-048": R("server/tools", "A call without a name, or whose arguments are no object, is -32602."),
    "M-049": R(OWN, "Arguments that do not fit the schema are -32602, and nothing is decided about them."),
    "M-050": R("server/tools", "A service that fails is a result with isError; the gate denies instead.", STDIO),
    "M-051": R("server/tools", "Names of tools have letters that every client takes, and are there once."),
    "M-052": R("server/tools", "Calls are bounded in number, and what they say is free of control characters.", ONCE),
    "M-053": R("server/tools", "Every hint is said: the tools only read and may be called twice."),
    "M-054": R("server/tools", "No argument asks for a header, which would have to be a token of its own."),
    "M-055": R("server/tools", "No sensitive argument is put into a header."),
    "M-060": R("server/resources", "Resources are declared."),
    "M-061": R("server/resources", "The list of resources has a URI and a name for each."),
    "M-062": R("server/resources", "A resource is read as texts under its URI."),
    "M-063": R("server/resources", "An unknown URI is -32602 and repeated in the error; there is no empty answer."),
    "M-064": R(OWN, "The list of templates is served, empty as it is."),
    "M-065": R("server/resources", "URIs are those of RFC 3986, and what is none names nothing."),
    "M-070": R("utilities/caching", "What may be kept says for how long, and whether it may be shared."),
    "M-071": R("utilities/caching", "All pages of a list may be shared in the same way.", ONCE),
    "M-073": R("utilities/caching", "A result that needs input says nothing of being kept."),
    "M-075": R("utilities/pagination", "A cursor that was not given out is -32602."),
    "M-076": R("utilities/pagination", "The empty text is a cursor like any other, and the last page has none."),
    "M-115": R(
        "basic/index", "Schemas of 2020-12 are understood; nothing is fetched, and what has no end is refused.", ONCE
    ),
}

ROUNDS: dict[str, Requirement] = {
    "M-080": R("patterns/mrtr", "Input is asked for only where the specification has it: here, by a call."),
    "M-081": R("patterns/mrtr", "A result that needs input has the requests, the state, or both."),
    "M-082": R(
        "patterns/mrtr", "Nothing is asked for that this very request does not declare, in a form that it takes."
    ),
    "M-083": R("patterns/mrtr", "Each request for input has a key of its own, a method and parameters, and no id."),
    "M-084": R("patterns/mrtr", "A state that was changed is rejected, and the answer beside it is not used."),
    "M-085": R("patterns/mrtr", "A state counts for its client, for ten minutes, and for the same call only.", ONCE),
    "M-086": R(OWN, "A state counts once."),
    "M-087": R("patterns/mrtr", "An answer that is missing is asked for again."),
    "M-088": R("patterns/mrtr", "Answers that cannot be read are never an approval."),
    "M-089": R("patterns/mrtr", "Answers to what was not asked are ignored."),
    "M-090": R("patterns/mrtr", "Nothing waits for the second round."),
    "M-091": R("patterns/mrtr", "The second round has an id of its own and stands alone."),
    "M-092": R("client/elicitation", "A form is flat and uses the few keywords that forms have."),
    "M-093": R("client/elicitation", "No secret is asked for, and no link of ours stands in the message.", ONCE),
    "M-094": R("client/elicitation", "A form that was accepted and does not approve is no approval."),
    "M-095": R(OWN, "Accept with an approving form allows; reject, decline and cancel deny and are told apart."),
    "M-096": R(
        "client/elicitation", "A person who declines, cancels or cannot be asked is not taken for one who agrees."
    ),
    "M-097": R("client/elicitation", "An approval belongs to the client that was asked.", ONCE),
}

REST: dict[str, Requirement] = {
    "M-100": R("patterns/cancellation", "A call that is cancelled gives up its place.", ONCE),
    "M-101": R("patterns/cancellation", "A cancellation of nothing, or of no shape, is ignored."),
    "M-102": R("patterns/cancellation", "A modern client is sent no cancellation.", ONCE),
    "M-103": R(
        "patterns/progress", "Progress goes to a token that the request gave, and only forward; else there is none."
    ),
    "M-104": R("utilities/logging", "A modern client is sent no log lines, because logging is not declared."),
    "M-105": R("utilities/logging", "A log level that is none is -32602."),
    "M-106": R("utilities/logging", "No log line holds a secret.", STDIO),
    "M-107": R(
        "patterns/subscriptions",
        "A subscription is acknowledged first, tells only what was asked for, names itself in all of it and ends in "
        "order; where nothing can change, listening is -32601.",
    ),
    "M-110": R("versioning", "Methods that were removed are -32601, with the versions that are served."),
    "M-111": R("deprecated", "Nothing deprecated is declared to a modern client."),
}

LEGACY: dict[str, Requirement] = {
    "L-001": R("basic/lifecycle of all four", "The handshake tells the version, the capabilities and the server."),
    "L-002": R("basic/lifecycle", "A version that is served is agreed on."),
    "L-003": R("basic/lifecycle", "For any other version the newest handshake revision is offered, never an error."),
    "L-004": R("basic/lifecycle", "After the handshake its revision is spoken."),
    "L-005": R("schema of all four", "No modern member stands in a result, and a state in a call is ignored."),
    "L-006": R("basic/utilities/ping", "A ping is answered with nothing, before the handshake too."),
    "L-007": R("basic/lifecycle", "Nobody is asked before the client is ready.", ONCE),
    "L-008": R("server/tools", "An unknown tool is -32602, and an unknown method -32601."),
    "L-009": R("server/resources", "An unknown resource is -32002 with its URI."),
    "L-010": R("basic/lifecycle", "What the handshake declares is served without modern members."),
    "L-011": R("basic/index", "An id that comes again is answered again."),
    "L-012": R("basic/index of 2025-03-26", "An array of messages is answered with one of replies, or with nothing."),
    "L-013": R("basic/lifecycle of 2025-03-26", "The handshake cannot be part of an array."),
    "L-014": R("basic/transports of 2025-06-18", "From 2025-06-18 on an array is refused."),
    "L-015": R("server/tools of 2025-06-18", "Where a revision has structured values they fit the tool's schema."),
    "L-016": R("schema of 2025-06-18", "The schema of a structured value has an object at its root."),
    "L-017": R(OWN, "A tool shows only what the revision knows of it."),
    "L-019": R("server/utilities/logging", "A level can be set, and one that is none is -32602."),
    "L-020": R("server/utilities/logging", "Log lines come only after the client has set a level.", STDIO),
    "L-021": R("client/elicitation of 2025-06-18", "A client that declares forms is asked during the call."),
    "L-022": R("basic/utilities/cancellation", "A call that is cancelled is not answered any more."),
    "L-023": R(
        "basic/utilities/tasks", "Tasks are not declared: that part of a call is ignored, and there is no method."
    ),
    "L-032": R("basic/transports", "A call goes on when its HTTP connection breaks.", ONCE),
    "L-034": R("basic/lifecycle", "A handshake without a version is -32602."),
    "L-038": R(OWN, "A shutdown, which is no method of any revision, gets an empty result and never null."),
    "L-039": R("client/elicitation of 2025-11-25", "No URL is shown to a person, so -32042 never comes.", ONCE),
    "L-040": R(OWN, "Arguments that do not fit are -32602 in every revision."),
}

ERAS: dict[str, Requirement] = {
    "D-001": R(OWN, "Which era a request belongs to is decided for each request; a handshake changes no modern one."),
    "D-002": R("versioning", "A _meta alone makes no request modern."),
    "D-003": R("versioning", "Four exact keys make a request modern; others with the same prefix do not."),
    "D-004": R(OWN, "Without a handshake the first revision is spoken, and resources are modern."),
}

PIPES: dict[str, Requirement] = {
    "S-001": R("transports/stdio", "Standard output has one message on a line, and nothing else.", STDIO),
    "S-003": R("transports/stdio", "Log lines go to standard error.", STDIO),
    "S-004": R("transports/stdio", "At the end of input the server ends with status 0.", STDIO),
    "S-005": R("transports/stdio", "A modern client is written no requests.", STDIO),
    "S-006": R("transports/stdio", "A line that cannot be used is answered, and the session goes on.", STDIO),
    "S-007": R(OWN, "Blank lines are skipped.", STDIO),
    "S-011": R("transports/stdio", "Nothing is sent for a request after it was cancelled.", STDIO),
    "S-012": R(OWN, "The last line needs no end.", STDIO),
    "S-013": R(OWN, "A line may end with CR and LF.", STDIO),
    "S-014": R(OWN, "A line past the limit is refused without being kept, and the next one is served.", STDIO),
    "S-015": R("transports/stdio", "A slow call holds up nobody.", ONCE),
    "S-016": R("transports/stdio", "A signal ends the server in good order.", STDIO),
    "S-018": R("basic/index", "Each request gets exactly one reply.", STDIO),
}

REGRESSIONS: dict[str, Requirement] = {
    "R-001": R("regression", "A form that was accepted and says reject approves nothing."),
    "R-002": R("regression", "A state binds the working directory and the service, not the command alone."),
    "R-003": R("regression", "What is refused is not run: nothing is decided and nothing recorded.", ONCE),
    "R-004": R("regression", "A text that nobody can parse is never allowed."),
    "R-005": R("regression", "The service's yes means that the command may run, and its no that it may not.", ONCE),
}
"""What published servers of this kind get wrong."""

REQUIREMENTS = JSON | MESSAGES | FEATURES | ROUNDS | REST | LEGACY | ERAS | PIPES | REGRESSIONS
