"""Command lines of code forges: gh and glab.

Sources: the manuals of gh (cli.github.com/manual) and of glab (gitlab.com/gitlab-org/cli).
Nearly all they do is a request to a server; what is here tells apart what only looks at
local files, what hands out a token, and which files are sent.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Role
from ..usage import Usage
from ..values import Stream, Taint
from . import sending
from .outlines import Descriptions, does, effect, gets_setting, group, only_help, outline

_ONLINE = (
    "-R:text --repo:text -h --json:text -q:text --jq:text -t:text --template:text -L:text --limit:text -s:text "
    "--state:text "
    "-w --web -a:text --assignee:text -l:text --label:text -A:text --author:text -S:text --search:text -B:text "
    "--base:text "
    "-H:text --head:text -c --comments --name-only --patch --color:text --watch --required --failed --log --log-failed "
    "-v --verbose -d --draft --body:text -b:text --title:text --fill --squash --merge --rebase --delete-branch --auto "
    "-F:send --body-file:send -n:text --notes:text --notes-file:send --yes -y --reason:text --comment:text "
    "--hostname:text -m:text --message:text --description:text "
)


def _token(call: Call, usage: Usage) -> Stream | None:
    if only_help(usage):
        return None
    call.note("prints-secret")
    return Stream(None, call.taint | Taint.SECRET)


_SECRET_KEY = re.compile(r"(?i).*(?:token|passw|secret)")


def _status(call: Call, usage: Usage) -> Stream | None:
    """``gh auth status`` asks the server; with ``--show-token`` it prints the token as well."""
    call.note("uses-network")
    return _token(call, usage) if usage.has("-t", "--show-token") else None


def _api(call: Call, usage: Usage) -> Stream | None:
    """A field ``key=@file`` is read from that file and sent."""
    does("uses-network")(call, usage)
    for given in usage.values("-F", "--field"):
        _, _, value = given.text.partition("=")
        if value == "@-":
            sending.from_stdin(call)
        elif value.startswith("@"):
            call.send(given.with_text(value[1:]))
    _texts(call, usage)
    return Stream(None, call.taint | Taint.REMOTE)


_NOT_IN_TEXT = ("-H", "--header", "--hostname")
"""Options whose values are for the server itself: a token in a header is how one signs in."""


def _texts(call: Call, usage: Usage) -> None:
    """Weigh secrets in what is written to others, and those that come in where ``-`` stands for a file."""
    for option, value in usage.options:
        if value is None or option.name in _NOT_IN_TEXT:
            continue
        if value.text == "-" and option.role is Role.SEND:
            sending.from_stdin(call)
        else:
            sending.data(call, value)


def _gist(call: Call, usage: Usage) -> Stream | None:
    does("uses-network")(call, usage)
    _texts(call, usage)
    for file in usage.operands:
        if file.text == "-":
            sending.from_stdin(call)
        else:
            call.send(file)
    if not usage.operands:
        sending.from_stdin(call)
    return None


def _release(call: Call, usage: Usage) -> Stream | None:
    does("uses-network")(call, usage)
    _texts(call, usage)
    for file in usage.operands[1:]:
        call.send(file.with_text(file.text.partition("#")[0]))
    return None


def _alias_set(call: Call, usage: Usage) -> Stream | None:
    """An alias that starts with ``!`` is shell text; another one is words of gh."""
    call.note("changes-files")
    for value in usage.operands[1:2]:
        if value.text.startswith("!") or usage.has("-s", "--shell"):
            call.names_program(value)
    return None


def _connects(call: Call, usage: Usage) -> Stream | None:
    """Help on a command needs no server; ``-h`` is another option of some."""
    if usage.has("--help"):
        return None
    if not call.name.endswith((" secret", " variable")):  # keeping a secret there is what these are for
        _texts(call, usage)
    does("uses-network")(call, usage)
    return Stream(None, call.taint | Taint.REMOTE)


_online = outline(_ONLINE, judge=_connects)

_GH = Descriptions(
    {
        "auth": group(
            {
                "token": outline("-h -u:text --user:text --hostname:text --secure-storage", judge=_token),
                "status": outline("-h -t --show-token -a --active --hostname:text --json:text", judge=_status),
                "git-credential": outline("-h", judge=_token),
            },
            "-h",
            otherwise=effect("changes-files", "-h"),
        ),
        "gist": group(
            {"create new": outline("-p --public -d:text --desc:text -f:text --filename:text -w --web -h", judge=_gist)},
            "-h",
            otherwise=_online,
        ),
        "release": group(
            {
                "create upload": outline(
                    "-t:text --title:text -n:text --notes:text -F:send --notes-file:send -d --draft -p --prerelease "
                    "--target:text "
                    "--clobber --generate-notes --latest?text --verify-tag --notes-from-tag -R:text --repo:text -h",
                    judge=_release,
                ),
            },
            "-h",
            otherwise=_online,
        ),
        "api": outline(
            "-X:text --method:text -f:text --raw-field:text -F:text --field:text -H:text --header:text --input:send "
            "-q:text "
            "--jq:text -t:text --template:text --paginate --slurp -i --include --silent --cache:text -p:text "
            "--preview:text "
            "--hostname:text --verbose -h",
            judge=_api,
        ),
        "alias": group(
            {
                "list": outline("-h"),
                "set": outline("-s --shell --clobber -h", judge=_alias_set),
                "import delete": effect("changes-files"),
            },
            "-h",
        ),
        "config": group(
            {
                "list ls": outline("-h:text --host:text"),
                "get": outline("-h:text --host:text", judge=gets_setting(_SECRET_KEY)),
                "set clear-cache": effect("changes-files"),
            },
            "-h",
        ),
        "extension ext extensions": group(
            {
                "list ls": outline("-h"),
                "install upgrade remove create": effect("installs"),
                "search browse": effect("uses-network"),
                "exec": effect("runs-code"),
            },
            "-h",
        ),
        "completion": outline("-s:text --shell:text -h"),
        "help": outline("-h", "text*"),
        "version reference formatting environment": outline("-h"),
        "pr issue repo run workflow search browse status label milestone project org ruleset cache variable secret "
        "codespace "
        "ssh-key gpg-key attestation agent-task preview copilot": _online,
    }
)
_GLAB = Descriptions(
    {
        "version": outline("-h"),
        "help": outline("-h", "text*"),
        "completion": outline("-s:text --shell:text -h"),
        "snippet": group({"create": outline("-t:text -d:text -f:text -p -h", judge=_gist)}, "-h", otherwise=_online),
        "api": outline(
            "-X:text --method:text -f:text --raw-field:text -F:text --field:text -H:text --header:text --input:send "
            "--paginate "
            "-i --include --silent --hostname:text -h",
            judge=_api,
        ),
        "auth": group(
            {"status": outline("-h -t --show-token --hostname:text -a --all", judge=_status)},
            "-h",
            otherwise=effect("changes-files", "-h"),
        ),
        "config": group(
            {"get": outline("-h -g --global --host:text", judge=gets_setting(_SECRET_KEY))},
            "-h",
            otherwise=effect("changes-files"),
        ),
        "mr issue repo ci pipeline job release label milestone variable project user ssh-key incident cluster": _online,
        "alias": group(
            {"list": outline("-h"), "set": outline("-s --shell -h", judge=_alias_set)},
            "-h",
            otherwise=effect("changes-files"),
        ),
    }
)

PROGRAMS = Descriptions(
    {
        "gh": outline("-h", subcommands=_GH),
        "glab": outline("-h", subcommands=_GLAB),
    }
)
