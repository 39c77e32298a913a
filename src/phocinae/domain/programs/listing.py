"""Programs that list files and say what kind they are; none of them prints what is in a file.

Sources: the GNU coreutils manual (ls, du, df, stat, readlink, realpath, basename, dirname, pwd),
ls(1) and stat(1) of BSD, tree(1), file(1), eza(1), and the help of lsd, dust and duf.
"""

from __future__ import annotations

import re

from .. import places
from ..calls import Call
from ..usage import Usage
from ..values import HOLE, LISTED, SPLIT, STAR, Field, Stream, Taint
from .judging import DIGITS, reads, unclear, words
from .outlines import Descriptions, outline

_LS = (
    "-a -A -b -B -c -C -d -D -e -f -F -g -G -h -H -i -I:text -k -l -L -m -n -N -o -O -p -P -q -Q -r -R -s -S "
    "-t -T:text -u -U -v -w:text "
    "-W -x -X -y -Z -1 -@ -% --all --almost-all --author --block-size:text --classify?text --color?text "
    "--colour?text --context "
    "--dereference --dereference-command-line --dereference-command-line-symlink-to-dir --directory --dired --escape "
    "--file-type --format:text --full-time --group-directories-first --hide:text --hide-control-chars "
    "--human-readable "
    "--hyperlink?text --ignore:text --ignore-backups --indicator-style:text --inode --kibibytes --literal --no-group "
    "--numeric-uid-gid --quote-name --quoting-style:text --recursive --reverse --show-control-chars --si --size "
    "--sort:text --tabsize:text --time:text --time-style:text --width:text --zero"
)
_EZA = (
    "-1 --oneline -l --long -G --grid -x --across -R --recurse -T --tree -X --dereference -F --classify?text "
    "--color?text "
    "--colour?text --color-scale?text --colour-scale?text --color-scale-mode:text --icons?text --no-icons "
    "--no-quotes "
    "--hyperlink --absolute?text -w:text --width:text -a --all -A --almost-all -d --list-dirs --treat-dirs-as-files "
    "-L:text --level:text -D --only-dirs -f --only-files --show-symlinks --no-symlinks -r --reverse -s:text "
    "--sort:text "
    "--group-directories-first --group-directories-last -I:text --ignore-glob:text --git-ignore -b --binary "
    "-B --bytes "
    "-g --group --smart-group -h --header -H --links -i --inode -m --modified -M --mounts -n --numeric -O --flags -S "
    "--blocksize --blocks -t:text --time:text -u --accessed -U --created -Z --context -@ --extended --changed --git "
    "--git-repos --git-repos-no-status --no-git --time-style:text --total-size --no-permissions -o "
    "--octal-permissions "
    "--no-filesize --no-user --no-time --stdin -v"
)
_LSD = (
    "-a --all -A --almost-all -F --classify -l --long -1 --oneline -R --recursive -h --human-readable --tree -d "
    "--directory-only -t --timesort -S --sizesort -X --extensionsort -G --gitsort -v --versionsort -U --no-sort -r "
    "--reverse -g --git -i --inode -I:text --ignore-glob:text -L --dereference -Z --context -N --literal "
    "--color:text "
    "--icon:text --icon-theme:text --depth:text --blocks:text --date:text --size:text --permission:text --sort:text "
    "--group-dirs:text --group-directories-first --total-size --header --hyperlink:text --classic --no-symlink "
    "--ignore-config --truncate-owner-after:text"
)
_TREE = (
    "-a -d -l -f -x -L:text -P:text -I:text -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -i -A -S -n -C -X "
    "-J -H:text "
    "-T:text -o:write --gitignore --gitfile:scan --infofile:read --ignore-case --matchdirs --metafirst --info "
    "--noreport --charset:text --filelimit:text --si --du --prune --timefmt:text --inodes --device --sort?text "
    "--dirsfirst --filesfirst --nolinks --hintro:read --houtro:read --fflinks --fromfile --fromtabfile --opt-toggle "
    "--hyperlink --scheme:text --authority:text --compress:text"
)
_DU = (
    "-a -A -b -B:text -c -d:text -D -g -h -H -I:text -k -l -L -m -n -P -r -s -S -t:text -x -X:scan -y -0 "
    "--all --apparent-size "
    "--block-size:text --bytes --total --dereference-args --max-depth:text --files0-from:read "
    "--human-readable --inodes "
    "--count-links --dereference --no-dereference --separate-dirs --si --summarize --threshold:text --time?text "
    "--time-style:text --exclude-from:scan --exclude:text --one-file-system --null"
)
_DF = (
    "-a -b -B:text -c -g -h -H -i -I -k -l -m -n -P -t:text -T -x:text -Y --all --block-size:text "
    "--human-readable --si "
    "--inodes --local --no-sync --output?text --portability --print-type --sync --total --type:text "
    "--exclude-type:text"
)
_STAT = (
    "-L -f -F -l -n -q -r -s -x -t -c:text -Z --dereference --file-system --cached:text --format:text "
    "--printf:text --terse"
)
_FILE = (
    "-b -c -d -D -e:text -E -F:text -f:read -h -i -I -k -l -L -N -n -p -P:text -r -s -S -v -z -Z -0 --apple "
    "--brief --debug "
    "--checking-printout --exclude:text --exclude-quiet:text --extension --files-from:read --separator:text "
    "--no-dereference --mime "
    "--mime-type --mime-encoding --keep-going --list --dereference --no-buffer --no-pad --preserve-date "
    "--parameter:text --raw --special-files --uncompress --uncompress-noreport --print0 --no-sandbox"
)

_NAMES_ONLY = frozenset(
    "-1 -a -A -d -t -r -S -U -f -v -X -u -c -N --all --almost-all --directory --reverse --sort --time "
    "--literal --color".split()
)


def _ls(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands:
        if field.text.lower().startswith("env:"):  # a drive of PowerShell, in which ls is a name for Get-ChildItem
            call.note("prints-secret")
            call.taint |= Taint.SECRET
    if not usage.names <= _NAMES_ONLY:
        return None
    if not usage.operands:
        return Stream(None, call.taint, STAR)
    only = usage.operands[0] if len(usage.operands) == 1 else None
    if only is None or only.unknown:
        return None
    if only.globbed or usage.has("-d", "--directory"):
        return Stream(None, call.taint, only.text)
    call.walker.listed.add(places.resolve(only.text, call.state.cwd))
    return Stream(None, call.taint, SPLIT + LISTED)


def _du(call: Call, usage: Usage) -> Stream | None:
    unclear(call, usage)
    return None


_LEVEL = re.compile(r"=?\d+")


def _apart(words: list[Field]) -> list[Field]:
    """Return the words of tree with each letter by itself: one that takes an argument takes the next free word.

    Only the number of levels may be attached (tree(1), ``-L``).
    """
    apart: list[Field] = []
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        letters = word.text[1:]
        if word.text[:1] != "-" or letters[:1] in ("", "-"):
            apart.append(word)
            continue
        while letters:
            letter, letters = letters[0], letters[1:]
            level = _LEVEL.match(letters) if letter == "L" else None
            apart.append(word.with_text(f"-{letter}{level[0] if level else ''}"))
            letters = letters[level.end() :] if level else letters
            if letter in "LPIHTo" and level is None and rest:
                apart.append(rest.pop())
    return apart


def _tree(call: Call, usage: Usage) -> Stream | None:
    return call.described(_TREE_WORDS(), _apart(call.args))


def _tree_words(call: Call, usage: Usage) -> Stream | None:
    if usage.has("--fromfile", "--fromtabfile"):
        reads(call, usage.operands)
    return None


_PLAIN_NAME = re.compile(r"[\w.+-]+\Z")


def _pwd(call: Call, usage: Usage) -> Stream | None:
    return None if HOLE in call.state.cwd else Stream(call.state.cwd + "\n", call.taint)


def _one(call: Call, usage: Usage) -> Field | None:
    """Return the one operand of a call without options, if no part of it is unknown."""
    if usage.names or len(usage.operands) != 1:
        return None
    only = usage.operands[0]
    return None if only.unknown or only.globbed or not only.text else only


def _dirname(call: Call, usage: Usage) -> Stream | None:
    only = _one(call, usage)
    if only is None:
        return None
    folder, slash, _ = only.text.rstrip("/").rpartition("/")
    return Stream((folder or ("/" if slash or only.text.startswith("/") else ".")) + "\n", call.taint)


def _basename(call: Call, usage: Usage) -> Stream | None:
    only = _one(call, usage)
    if only is None or only.static is None:
        return None
    return Stream((only.text.rstrip("/").rpartition("/")[2] or "/") + "\n", call.taint)


def _resolved(call: Call, usage: Usage) -> Stream | None:
    """Return the full path of the one file that is named; which file a link leads to is not known."""
    if len(usage.operands) != 1 or usage.operands[0].unknown or usage.operands[0].globbed:
        return None
    return Stream(places.resolve(usage.operands[0].text, call.state.cwd) + "\n", call.taint)


def _which(call: Call, usage: Usage) -> Stream | None:
    only = _one(call, usage)
    if only is None or not _PLAIN_NAME.match(only.text):
        return None
    return Stream(f"/usr/bin/{only.text}\n", call.taint)


_ANY_LS = outline(_LS, "path*", safe_options=True, judge=_ls)
_TREE_WORDS = outline(_TREE, "path*", judge=_tree_words)
_ANY_EZA = outline(_EZA, "path*", safe_options=True)

PROGRAMS = Descriptions(
    {
        "ls dir vdir gls": _ANY_LS,
        "eza exa": _ANY_EZA,
        "lsd": outline(_LSD, "path*"),
        "tree": lambda: words(_tree),
        "du gdu": outline(_DU, "path*", safe_options=True, judge=_du),
        "df": outline(_DF, "path*", safe_options=True),
        "dust": outline(
            "-d:text --depth:text -n:text --number-of-lines:text -p --full-paths -X:text "
            "--ignore-directory:text -L -x -s --apparent-size "
            "-r --reverse -c --no-colors -b --no-percent-bars -z:text -R -f --filecount -i --ignore_hidden "
            "-v:text -e:text -t --file_types "
            "-w:text -H -P -D --only-dir -F --only-file -o:text -j",
            "path*",
        ),
        "duf": outline(
            "-a --all --hide:text --hide-fs:text --hide-mp:text --inodes --json --only:text --only-fs:text "
            "--only-mp:text --output:text "
            "--sort:text --style:text --theme:text --width:text --warnings",
            "path*",
        ),
        "stat gstat": outline(_STAT, "path*", safe_options=True),
        "file": outline(_FILE, "path*"),
        "readlink greadlink": outline(
            "-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing "
            "--no-newline --quiet --silent --verbose --zero",
            "path*",
            safe_options=True,
            judge=_resolved,
        ),
        "realpath grealpath": outline(
            "-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --physical "
            "--quiet --relative-to:path "
            "--relative-base:path --strip --no-symlinks --zero",
            "path*",
            safe_options=True,
            judge=_resolved,
        ),
        "basename": outline(
            "-a -s:text -z --multiple --suffix:text --zero", "text*", safe_options=True, judge=_basename
        ),
        "dirname": outline("-z --zero", "text*", safe_options=True, judge=_dirname),
        "pwd": outline("-L -P -W --logical --physical", safe_options=True, judge=_pwd),
        "which": outline(
            "-a -s -i -p -v -x --all --skip-alias --skip-functions --skip-dot --skip-tilde --show-dot "
            "--show-tilde --read-alias --tty-only " + DIGITS,
            "text*",
            safe_options=True,
            judge=_which,
        ),
        "whereis": outline("-b -m -s -u -B:path -M:path -S:path -f -l -g -q -a -x", "text*", safe_options=True),
        "locate plocate mlocate slocate": outline(
            "-A -a -b -c -d:scan -e -E -i -l:text -L -m -n:text -N -p -P -q -r:text -s -S -w -0 --all "
            "--basename --count --database:scan "
            "--existing --follow --ignore-case --ignore-spaces --limit:text --literal --nofollow --null "
            "--quiet --regexp:text --regex "
            "--statistics --transliterate --wholename",
            "text*",
        ),
    }
)
