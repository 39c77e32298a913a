"""The options of some programs, from their manual pages: all long ones, so that an abbreviation is certain.

One word for each long option, with its short ones behind a colon; ``=`` marks one that takes an
argument, ``?`` one that may have an attached argument.  A word of one hyphen lists short options without a long
one.  `apart` are groups of which only one option may be given, because the last of them would count.
"""

from __future__ import annotations

from attrs import frozen

_TABLES = {
    "rm": "force:f interactive? one-file-system no-preserve-root preserve-root? recursive:rR dir:d verbose:v -iI",
    "ls": "all:a almost-all:A author escape:b block-size= ignore-backups:B color? directory:d dired:D full-time "
    "group-directories-first no-group:G human-readable:h si dereference-command-line:H "
    "dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= inode:i ignore=:I kibibytes:k "
    "dereference:L numeric-uid-gid:n literal:N file-type hide-control-chars:q show-control-chars quote-name:Q "
    "quoting-style= reverse:r recursive:R size:s sort= time= time-style= tabsize=:T width=:w context:Z zero format= "
    "classify?:F -l1tSUXvfgoxmCcup",
    "cat": "show-all:A number-nonblank:b show-ends:E number:n squeeze-blank:s show-tabs:T show-nonprinting:v -etu",
    "wc": "bytes:c chars:m lines:l files0-from= max-line-length:L words:w total=",
    "head": "bytes=:c lines=:n quiet:q silent verbose:v zero-terminated:z",
    "tail": "bytes=:c follow?:f lines=:n max-unchanged-stats= pid= quiet:q silent retry sleep-interval=:s verbose:v "
    "zero-terminated:z -F",
    "sort": "ignore-leading-blanks:b dictionary-order:d ignore-case:f general-numeric-sort:g ignore-nonprinting:i "
    "month-sort:M human-numeric-sort:h numeric-sort:n random-sort:R random-source= reverse:r sort= version-sort:V "
    "batch-size= check? compress-program= debug files0-from= key=:k merge:m output=:o stable:s buffer-size=:S "
    "field-separator=:t temporary-directory=:T parallel= unique:u zero-terminated:z -cC",
    "uniq": "count:c repeated:d all-repeated? skip-fields=:f group? ignore-case:i skip-chars=:s unique:u "
    "zero-terminated:z check-chars=:w -D",
    "cut": "bytes=:b characters=:c delimiter=:d fields=:f complement only-delimited:s output-delimiter= "
    "zero-terminated:z -n",
    "grep": "extended-regexp:E fixed-strings:F basic-regexp:G perl-regexp:P regexp=:e file=:f ignore-case:i "
    "no-ignore-case word-regexp:w line-regexp:x null-data:z no-messages:s invert-match:v max-count=:m byte-offset:b "
    "line-number:n line-buffered with-filename:H no-filename:h label= only-matching:o quiet:q silent binary-files= "
    "text:a directories=:d devices=:D recursive:r dereference-recursive:R include= exclude= exclude-from= "
    "exclude-dir= files-without-match:L files-with-matches:l count:c initial-tab:T null:Z before-context=:B "
    "after-context=:A context=:C group-separator= no-group-separator color? colour? binary:U unix-byte-offsets:u -y",
    "chmod": "changes:c silent quiet:f verbose:v no-preserve-root preserve-root reference= recursive:R dereference "
    "no-dereference:h -HLP",
    "chown": "changes:c silent quiet:f verbose:v dereference no-dereference:h from= no-preserve-root preserve-root "
    "reference= recursive:R -HLP",
    "cp": "archive:a attributes-only backup? copy-contents debug dereference:L force:f interactive:i link:l no-clobber:n "
    "no-dereference:P no-target-directory:T one-file-system:x parents path preserve? no-preserve= recursive:rR reflink? "
    "remove-destination sparse= strip-trailing-slashes suffix=:S symbolic-link:s target-directory=:t update? verbose:v "
    "keep-directory-symlink context? -bdHpZu",
    "mv": "backup? debug exchange force:f interactive:i no-clobber:n no-copy strip-trailing-slashes suffix=:S "
    "target-directory=:t no-target-directory:T update? verbose:v context:Z -bu",
    "ln": "backup? directory:dF force:f interactive:i logical:L no-dereference:n physical:P relative:r symbolic:s "
    "suffix=:S target-directory=:t no-target-directory:T verbose:v -b",
    "du": "null:0 all:a apparent-size block-size=:B bytes:b total:c dereference-args:D max-depth=:d files0-from= "
    "human-readable:h inodes si dereference:L count-links:l no-dereference:P separate-dirs:S summarize:s threshold=:t "
    "time? time-style= exclude-from=:X exclude= one-file-system:x -kmHA",
    "df": "all:a block-size=:B human-readable:h si:H inodes:i local:l no-sync output? portability:P sync total type=:t "
    "print-type:T exclude-type=:x -kv",
    "free": "bytes:b kilo mega giga tera peta kibi:k mebi:m gibi:g tebi pebi human:h si lohi:l total:t seconds=:s count=:c "
    "wide:w committed:v line:L",
    "tee": "append:a ignore-interrupts:i output-error? -p",
    "shred": "force:f iterations=:n random-source= size=:s remove? exact:x zero:z verbose:v -u",
    "base64": "decode:d ignore-garbage:i wrap=:w",
    "nl": "body-numbering=:b section-delimiter=:d footer-numbering=:f header-numbering=:h line-increment=:i "
    "join-blank-lines=:l number-format=:n no-renumber:p number-separator=:s starting-line-number=:v number-width=:w",
    "readlink": "canonicalize:f canonicalize-existing:e canonicalize-missing:m no-newline:n quiet:q silent:s verbose:v zero:z",
    "git push": "all branches mirror delete:d tags dry-run:n porcelain force:f force-with-lease? force-if-includes repo= "
    "recurse-submodules? thin receive-pack= exec= set-upstream:u progress prune no-verify verbose:v quiet:q follow-tags "
    "signed? atomic push-option=:o ipv4:4 ipv6:6",
    "git status": "verbose:v short:s branch:b show-stash ahead-behind porcelain? long null:z untracked-files? ignored? "
    "ignore-submodules? column? no-renames renames find-renames? -uM",
    "git branch": "verbose:v quiet:q track? set-upstream-to=:u unset-upstream color? remotes:r contains= no-contains= abbrev? "
    "all:a delete:d move:m list:l show-current create-reflog edit-description merged? no-merged? column? sort= points-at= "
    "ignore-case:i recurse-submodules format= force:f copy:c omit-empty -tDMC",
    "git tag": "list:l delete:d verify:v annotate:a message=:m file=:F trailer= edit:e sign:s cleanup= local-user=:u force:f "
    "create-reflog column? contains= no-contains= merged? no-merged? omit-empty sort= points-at= format= color? "
    "ignore-case:i -n",
}
_APART = {
    "rm": ["fiI"],
    "ls": ["tSUXvfcu", "l1xmCgonf", "HL", "aAf"],
    "cp": ["finu", "LPHad", "ls"],
    "mv": ["finu"],
    "grep": ["EFGP", "rR", "Hh", "lLcoq"],
    "sort": ["gMhnRV", "cC", "di"],
    "chmod": ["HLP"],
    "chown": ["HLP"],
    "du": ["bkmhB", "DHLP", "as"],
    "df": ["khHB"],
    "free": ["bkmgh"],
}


@frozen
class Table:
    """The options of one program: long names by short letter, what takes an argument, and what goes apart."""

    long_of: dict[str, str]
    short_of: dict[str, str]
    names: tuple[str, ...]
    with_value: frozenset[str]
    perhaps_value: frozenset[str]
    letters: frozenset[str]
    apart: tuple[str, ...]

    def shortened(self, name: str) -> list[str]:
        """Return every abbreviation of a long option that can mean no other."""
        others = [other for other in (*self.names, "help", "version") if other != name]
        cuts = [name[:size] for size in range(1, len(name))]
        return [cut for cut in cuts if not any(other.startswith(cut) for other in others)]

    def reorders(self, letters: str) -> bool:
        """Return whether these options may be given in any order."""
        return all(sum(letter in group for letter in letters) < 2 for group in self.apart)


def _table(program: str) -> Table:
    long_of: dict[str, str] = {}
    short_of: dict[str, str] = {}
    names, with_value, perhaps = [], set(), set()
    letters: set[str] = set()
    for item in _TABLES[program].split():
        if item.startswith("-"):
            letters |= set(item[1:])
            continue
        name, _, shorts = item.partition(":")
        bare = name.rstrip("=?")
        names.append(bare)
        letters |= set(shorts)
        if shorts:
            short_of[bare] = shorts[0]
        long_of.update(dict.fromkeys(shorts, bare))
        if name.endswith("="):
            with_value |= {bare, *shorts}
        elif name.endswith("?"):
            perhaps |= {bare, *shorts}
    return Table(
        long_of, short_of, tuple(names), frozenset(with_value), frozenset(perhaps), frozenset(letters),
        tuple(_APART.get(program, ())),
    )  # fmt: skip


TABLES = {program: _table(program) for program in _TABLES}
