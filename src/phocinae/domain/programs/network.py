"""Programs that reach other machines.

Asking another machine for something is never harmless by itself, since the address may carry
data out; sending secrets, and running what comes back, is denied.

Sources: curl(1), wget(1), aria2c(1), fetch(1) of FreeBSD, lwp-request(1), nc(1) of OpenBSD, ncat(1), socat(1), ssh(1), scp(1), sftp(1),
rsync(1), telnet(1), dig(1), ping(8).
"""

from __future__ import annotations

import re

from .. import effects
from ..calls import Call, joined
from ..knowledge import Program, Role, Style, program
from ..usage import Usage
from ..values import HOLE, NO_STREAM, Field, Stream, Taint
from . import sending

_URL_ENCODED = re.compile(r"[^=@]*@(.+)", re.S)
_FORM_FILES = re.compile(r"[^=]*=[@<](.+)", re.S)
_FILE_NAME = re.compile(r'\s*"((?:[^"\\]|\\.)*)"|([^;,]+)')
_MOST_NAMES = 20


def _curl_files(option: str, text: str) -> list[str]:
    """Return the files that curl sends for the argument of an option; `-` is standard input (curl(1))."""
    if option in ("-T", "--upload-file"):
        listed = text[1:-1].split(",") if text[:1] == "{" and text[-1:] == "}" else [text]
        return ["-" if name == "." else name for name in listed][:_MOST_NAMES]
    if option in ("-F", "--form"):
        match = _FORM_FILES.match(text)
        return [] if match is None else [one or two for one, two in _FILE_NAME.findall(match[1])][:_MOST_NAMES]
    if option in ("--data-urlencode", "--url-query", "--variable"):
        match = _URL_ENCODED.match(text)
        return [] if match is None else [match[1]]
    if option in ("-b", "--cookie"):
        return [] if "=" in text or text == "" else [text]
    return [text[1:]] if option in _AT_FILE and text[:1] == "@" else []


_AT_FILE = frozenset("-d --data --data-ascii --data-binary --json -H --header --proxy-header".split())
_CURL_DATA = frozenset(
    "-d --data --data-ascii --data-binary --data-raw --data-urlencode --json -F --form --form-string".split()
)
_CURL_SIGNS_IN = frozenset("-u --user -U --proxy-user --oauth2-bearer --pass --aws-sigv4".split())
_CURL_DETOURS = (
    "-x",
    "--proxy",
    "--preproxy",
    "--socks5",
    "--socks5-hostname",
    "--resolve",
    "--connect-to",
    "--doh-url",
)


def _curl_sends(call: Call, usage: Usage, addresses: list[Field]) -> None:
    """Weigh all that curl hands to the addresses, unless they are on this machine."""
    near = bool(addresses) and all(map(sending.is_near, addresses)) and not usage.has(*_CURL_DETOURS)
    for option, value in usage.options:
        if value is None or option.role in (Role.WRITE, Role.READ, Role.PATH):
            continue
        files = _curl_files(option.name, value.text) if value.stream is None else []
        for name in files:
            if not near:
                sending.file(call, value.with_text(name))
            elif name != "-":
                call.read(value.with_text(name), prints=False)
        if near or files or option.name in _CURL_SIGNS_IN:
            continue
        if option.name in ("-H", "--header"):
            sending.headers(call, [value])
        elif option.name in _CURL_DATA:
            sending.data(call, value)
        else:
            sending.words(call, [value])
    if not near:
        sending.words(call, usage.operands)


def _answer(call: Call, addresses: list[Field]) -> Stream:
    """Return what comes from addresses: a file of this machine, or what a cloud tells it, may be secret."""
    taint = Taint.REMOTE
    for address in addresses:
        if address.text.lower().startswith("file://"):
            call.read(address.with_text(address.text[len("file://") :]))
            taint |= call.taint & Taint.SECRET
        elif (secret := sending.tells_credentials(address)) is not None:
            call.note("prints-secret", address)
            taint |= Taint.SECRET if secret else Taint.NONE
    return Stream(None, taint)


def _about_itself(call: Call, usage: Usage) -> bool:
    """Return whether the call only asks the program for its version or its help."""
    asks = usage.has("-V", "--version", "--help") or (usage.has("-h") and call.name in ("curl", "wget", "nc", "ncat"))
    return asks and not usage.operands and len(usage.options) == 1


def _curl(call: Call, usage: Usage) -> Stream:
    if _about_itself(call, usage):
        return NO_STREAM
    call.note("uses-network")
    addresses = [*usage.operands, *usage.values("--url")]
    _curl_sends(call, usage, addresses)
    answer = _answer(call, addresses)
    targets = usage.values("-o", "--output")
    folders = usage.values("--output-dir")
    for target in targets:
        call.wrote(_in_folder(target, folders), answer)
    if usage.has("-O", "--remote-name", "--remote-name-all"):
        _saves(call, usage, folders)
    elif not targets or any(field.text in ("-", "/dev/stdout") for field in targets):
        return answer
    return NO_STREAM


_DOWNLOADED = Stream(None, Taint.REMOTE)
_LAST_NAME = re.compile(r"[^/?#]+(?=/?(?:[?#].*)?\Z)", re.S)


def _in_folder(name: Field, folders: list[Field]) -> Field:
    return name.with_text(f"{folders[-1].text}/{name.text}") if folders else name


def _saves(call: Call, usage: Usage, folders: list[Field]) -> None:
    """Weigh that what addresses lead to is saved in files under their last names."""
    for address in [*usage.operands, *usage.values("--url")]:
        name = _LAST_NAME.search(address.text)
        target = _in_folder(address.with_text(HOLE if name is None else name[0]), folders)
        effects.write(call.walker, target, call.state)
        call.wrote(target, _DOWNLOADED)


def _downloads(call: Call, usage: Usage) -> Stream:
    """aria2c and fetch save what an address leads to under a name, in a folder, or hand it on."""
    if _about_itself(call, usage):
        return NO_STREAM
    call.note("uses-network")
    sending.words(call, usage.operands)
    targets, folders = usage.values("-o", "--out"), usage.values("-d", "--dir")
    for target in targets:
        call.wrote(_in_folder(target, folders), _DOWNLOADED)
    if not targets:
        _saves(call, usage, folders)
    return _DOWNLOADED if any(target.text == "-" for target in targets) else NO_STREAM


def _wget(call: Call, usage: Usage) -> Stream:
    if _about_itself(call, usage):
        return NO_STREAM
    call.note("uses-network")
    if not usage.operands or not all(map(sending.is_near, usage.operands)):
        for field in usage.values("--post-file", "--body-file", "-i", "--input-file"):
            sending.file(call, field)
        for field in usage.values("--post-data", "--body-data"):
            sending.data(call, field)
        sending.headers(call, usage.values("--header"))
        sending.words(call, [*usage.operands, *usage.values(*_WGET_TELLS)])
    else:
        for field in usage.values("--post-file", "--body-file"):
            call.read(field, prints=False)
    answer = _answer(call, list(usage.operands))
    documents = usage.values("-O", "--output-document")
    for field in documents:
        effects.write(call.walker, field, call.state)
        call.wrote(field, answer)
    if any(field.text in ("-", "/dev/stdout") for field in documents):
        return answer
    if not documents and not usage.has("--spider"):
        _saves(call, usage, usage.values("-P", "--directory-prefix"))
    return NO_STREAM


_WGET_TELLS = ("-U", "--user-agent", "--referer", "--method", "--post-data", "--body-data", "-B", "--base")


_SHELLS = re.compile(r"(?:/usr)?(?:/bin/)?(?:ba|z|da|k|c|tc|fi)?sh\b|cmd(?:\.exe)?\b|powershell\b|pwsh\b")


def _netcat(call: Call, usage: Usage) -> Stream:
    if usage.has("-h") and _about_itself(call, usage):
        return NO_STREAM
    call.note("uses-network")
    for field in usage.values("-e", "-c", "--exec", "--sh-exec", "--lua-exec"):
        call.note(
            "reverse-shell" if _SHELLS.search(field.text) else "names-program",
            None if _SHELLS.search(field.text) else field,
        )
    near = bool(usage.operands) and sending.is_near(usage.operands[0]) and not usage.has("-x", "--proxy")
    if near or usage.has("-U", "--unixsock"):
        sending.hands_over(call)
    else:
        sending.words(call, usage.operands)
        _talks(call)
    return Stream(None, Taint.NONE if usage.has("-z") else Taint.SOCKET)


def _talks(call: Call) -> None:
    """Weigh that standard input goes over a connection whose other end may answer."""
    sending.from_stdin(call)
    sending.hands_over(call)


_SOCAT_FILE = re.compile(r"(?i)(?:(?:file|open|gopen|create):)?([^,!]+)")


def _socat(call: Call, usage: Usage) -> Stream:
    call.note("uses-network")
    runs = [word for word in call.args if re.match(r"(?i)(?:exec|system|shell):", word.text)]
    distant = any(
        re.match(r"(?i)(?:tcp|udp|sctp|openssl|ssl)[46]?(?:-|:)|(?i:tcp|udp|openssl)", word.text) for word in call.args
    )
    for word in runs:
        if distant:
            call.note("reverse-shell")
        else:
            call.note("names-program", word)
    _talks(call)
    sending.words(call, call.args)
    for word in call.args:
        if (opened := _SOCAT_FILE.match(word.text)) is not None:
            call.send(word.with_text(opened[1]))
    return Stream(None, Taint.SOCKET)


_SSH_RUNS = re.compile(r"(?i)(?:proxycommand|localcommand|knownhostscommand|permitlocalcommand|match)[ =]+(.*)\Z", re.S)


def _ssh_option(call: Call, field: Field) -> None:
    match = _SSH_RUNS.match(field.text)
    if match is not None:
        call.names_program(field.with_text(match[1]))
    elif not re.match(
        r"(?i)(?:stricthostkeychecking|connecttimeout|batchmode|serveralive[a-z]*|loglevel|port|user|identitiesonly)=",
        field.text,
    ):
        call.note("unknown-option", field)


def _ssh(call: Call, usage: Usage) -> Stream:
    if _about_itself(call, usage):
        return NO_STREAM
    call.note("uses-network")
    for field in usage.values("-o"):
        _ssh_option(call, field)
    if call.stdin.taint & Taint.SECRET:  # one value alone is often a password for what runs there
        call.note("sends-secret")
    sending.words(call, usage.operands)
    output = NO_STREAM
    shell = len(usage.operands) == 1 or _IS_SHELL.match(joined(list(usage.operands[1:]), call.word).text)
    if usage.operands and shell and call.stdin.taint & (Taint.REMOTE | Taint.DECODED):
        call.feed(call.stdin, call.word)
    if len(usage.operands) > 1:
        output = call.shell(joined(list(usage.operands[1:]), call.word))
    elif usage.operands and call.stdin.text:
        output = call.walker.text(call.stdin.text, call.word, call.state.child())
    return Stream(None, Taint.REMOTE | output.taint)


_IS_SHELL = re.compile(r"(?:sudo\s+)?(?:\S*/)?(?:ba|z|da|k)?sh(?:\s+-[slx]+|\s+-)*\s*(?:--\s.*)?\Z", re.S)
"""A shell that reads its commands from standard input."""
_DISTANT = re.compile(r"(?:[^/:@]+@)?[^/:]+::?|(?:scp|sftp|rsync|s3|gs)://")


def _copy(call: Call, usage: Usage) -> Stream:
    """scp and rsync: a secret that goes to another machine is sent away; a local target is written."""
    if [word.text for word in call.args] in (["--version"], ["--help"]):
        return NO_STREAM
    call.note("uses-network")
    for field in usage.values("-o"):
        _ssh_option(call, field)
    for field in usage.values("-e", "--rsh", "-S", "--rsync-path"):
        call.names_program(field)
    if not usage.operands:
        return NO_STREAM
    sending.words(call, usage.operands[-1:])
    *sources, target = usage.operands
    if _DISTANT.match(target.text):
        for word in sources:
            call.send(word)
    else:
        effects.write(call.walker, target, call.state)
        for word in sources:
            if _DISTANT.match(word.text):
                _arrives(call, word, target)
            call.read(word, prints=False)
        if usage.has("--delete", "--delete-before", "--delete-after", "--delete-during", "--del", "--delete-excluded"):
            effects.delete(call.walker, target, call.state, recursive=True)
    for word in sources if usage.has("--remove-source-files") else ():
        if not _DISTANT.match(word.text):
            effects.delete(call.walker, word, call.state, recursive=False)
    return NO_STREAM


def _arrives(call: Call, source: Field, target: Field) -> None:
    """Remember the file that comes from another machine, under its own name where the target is a folder."""
    name = source.text.rpartition(":")[2].rpartition("/")[2]
    for path in (target.text, f"{target.text.rstrip('/')}/{name}"):
        call.wrote(target.with_text(path), _DOWNLOADED)


def _sftp(call: Call, usage: Usage) -> Stream:
    """Weigh where a file is fetched to, and the commands that come in by standard input."""
    call.note("uses-network")
    for field in usage.values("-o"):
        _ssh_option(call, field)
    sending.words(call, usage.operands)
    for target in usage.operands[1:]:
        effects.write(call.walker, target, call.state)
    if call.stdin.text:
        sending.script(call, call.word, call.stdin.text)
    return Stream(None, Taint.REMOTE)


def _queries(call: Call, usage: Usage) -> Stream:
    call.note("uses-network")
    sending.words(call, call.args)
    return Stream(None, Taint.REMOTE)


_CURL = (
    "-# -0 -1 -2 -3 -4 -6 -A:text -a -b:text -B -C:text -c:write -D:write -d:text -e:text -E:read -f -F:text -G -g -H:text -h -I -i -J -j -k "
    "-K:risk -L -l -M -m:text -N -n -o:write -O -P:text -p -q -Q:risk -R -r:text -s -S -t:text -T:text -u:text -U:text -v -V -w:text -X:text -x:network "
    "-Y:text -y:text -z:text -Z --anyauth --basic --ca-native --cacert:path --capath:path --cert:read --cert-type:text --ciphers:text --compressed "
    "--connect-timeout:text --connect-to:text --cookie:text --cookie-jar:write --create-dirs --data:text --data-ascii:text --data-binary:text --data-raw:text "
    "--data-urlencode:text --digest --doh-url:network --dump-header:write --fail --fail-early --fail-with-body --form:text --form-string:text --ftp-pasv --get "
    "--globoff --head --header:text --http1.0 --http1.1 --http2 --http3 --include --insecure --interface:text --ipv4 --ipv6 --json:text --key:read --limit-rate:text "
    "--list-only --location --location-trusted --max-filesize:text --max-redirs:text --max-time:text --netrc --no-buffer --no-progress-meter --noproxy:text "
    "--output:write --output-dir:write --parallel --post301 --post302 --progress-bar --proto:text --proto-default:text --proxy:network --oauth2-bearer:text --pass:text --proxy-user:text --range:text --raw --referer:text "
    "--remote-header-name --remote-name --remote-name-all --remote-time --request:text --request-target:text --resolve:text --retry:text --retry-all-errors "
    "--retry-connrefused --retry-delay:text --retry-max-time:text --show-error --silent --socks5:network --socks5-hostname:network --ssl --ssl-reqd --stderr:write --tcp-nodelay "
    "--tlsv1 --tlsv1.2 --tlsv1.3 --trace:write --trace-ascii:write --trace-time --unix-socket:network --upload-file:text --url:network --url-query:text --user:text --user-agent:text "
    "--variable:text --verbose --write-out:text"
)
_WGET = (
    "-4 -6 -A:text -a:write -b -B:text -c -d -D:text -e:risk -E -F -H -h -I:text -i:read -k -K -L -l:text -m -N -n -nc -nd -nH -np -nv -O:text -o:write -P:write -p -Q:text -q "
    "-R:text -r -S -t:text -T:text -U:text -V -v -w:text -x -X:text --adjust-extension --auth-no-challenge --background --base:text --body-data:text --body-file:text --ca-certificate:path "
    "--config:risk --connect-timeout:text --content-disposition --continue --convert-links --cut-dirs:text --debug --directory-prefix:write --domains:text --execute:risk --force-directories "
    "--header:text --http-password:text --http-user:text --https-only --input-file:read --level:text --limit-rate:text --load-cookies:read --max-redirect:text --method:text --mirror "
    "--no-cache --no-check-certificate --no-clobber --no-directories --no-host-directories --no-parent --no-verbose --output-document:text --output-file:write --page-requisites --password:text "
    "--post-data:text --post-file:text --progress:text --quiet --quota:text --read-timeout:text --recursive --referer:text --reject:text --restrict-file-names:text --save-cookies:write "
    "--secure-protocol:text --server-response --show-progress --spider --timeout:text --timestamping --tries:text --use-askpass:program --user:text --user-agent:text --verbose --wait:text --waitretry:text"
)
_NC = (
    "-4 -6 -C -c:text -D -d -e:text -F -h -I:text -i:text -k -l -M:text -m:text -N -n -O:text -o:write -P:text -p:text -q:text -r -S -s:text -T:text -t -U -u -V:text -v -W:text -w:text "
    "-X:text -x:network -Z:write -z --unixsock --exec:text --sh-exec:text --lua-exec:text --listen --ssl --udp --recv-only --send-only --keep-open --verbose --wait:text --proxy:network --crlf --nodns"
)
_ARIA = "-o:text --out:text -d:write --dir:write -x:text -s:text -k:text -j:text -c -q --quiet -h -v --continue --allow-overwrite?text --split:text"
_FETCH = "-o:write -q -v -r -m -a -A -4 -6 -R -T:text -n -d -s -p"
_SSH = (
    "-1 -2 -4 -6 -A -a -B:text -b:text -C -c:text -D:text -E:write -e:text -F:risk -f -G -g -I:risk -i:path -J:network -K -k -L:text -l:text -M -m:text -N -n -O:text -o:text -P:text -p:text "
    "-Q:text -q -R:text -S:path -s -T -t -V -v -W:text -w:text -X -x -Y -y"
)
_RSYNC = (
    "-a -A -B:text -b -c -C -D -d -E -e:text -f:text -g -H -h -I -i -J -k -K -l -L -m -M:risk -n -N -o -O -p -P -q -r -R -s -S -t -T:write -u -U -v -W -x -X -y -z -0 -4 -6 -8 --acls --append --archive "
    "--backup --backup-dir:write --block-size:text --bwlimit:text --checksum --chmod:text --chown:text --compress --compress-level:text --copy-links --cvs-exclude --del --delete --delete-after "
    "--delete-before --delete-during --delete-excluded --devices --dirs --dry-run --exclude:text --exclude-from:read --executability --existing --files-from:read --filter:text --force --from0 "
    "--fuzzy --group --hard-links --human-readable --ignore-errors --ignore-existing --ignore-times --include:text --include-from:read --info:text --inplace --itemize-changes --keep-dirlinks "
    "--links --list-only --log-file:write --max-delete:text --max-size:text --min-size:text --modify-window:text --mkpath --no-motd --numeric-ids --omit-dir-times --one-file-system --out-format:text "
    "--owner --partial --partial-dir:write --password-file:read --perms --port:text --progress --prune-empty-dirs --quiet --recursive --relative --remove-source-files --rsh:text --rsync-path:text "
    "--safe-links --size-only --sparse --specials --stats --suffix:text --temp-dir:write --timeout:text --times --update --verbose --whole-file --xattrs"
)


PROGRAMS: dict[str, Program] = {
    "curl": program(_CURL, "text*", judge=_curl),
    "wget": program(_WGET, "text*", judge=_wget),
    "wget2": program(_WGET, "text*", judge=_wget),
    **dict.fromkeys(["nc", "ncat", "netcat", "nc.openbsd", "nc.traditional"], program(_NC, "text*", judge=_netcat)),
    "socat": program("", "text*", style=Style.NONE, judge=_socat),
    "ssh": program(_SSH, "", style=Style.POSIX, judge=_ssh),
    "scp": program(
        "-3 -4 -6 -A -B -C -c:text -D:text -F:risk -i:path -J:network -l:text -O -o:text -P:text -p -q -R -r -S:text -s -T -v -X:text",
        "",
        judge=_copy,
    ),
    "sftp": program(
        "-4 -6 -A -a -B:text -b:risk -C -c:text -D:risk -F:risk -f -i:path -J:network -l:text -N -o:text -P:text -p -q -R:text -r -S:program -s:text -v",
        "text text",
        judge=_sftp,
    ),
    "rsync": program(_RSYNC, "", judge=_copy),
    "telnet": program("-4 -6 -8 -E -K -L -a -d -e:text -l:text", "text text", judge=_netcat),
    **dict.fromkeys(
        "dig host nslookup whois ping ping6 traceroute tracepath mtr nmap arp-scan lwp-request GET HEAD POST lynx w3m links axel".split(),
        program("", "text*", style=Style.NONE, judge=_queries),
    ),
    "aria2c": program(_ARIA, "text*", judge=_downloads),
    "fetch": program(_FETCH, "text*", judge=_downloads),
}
