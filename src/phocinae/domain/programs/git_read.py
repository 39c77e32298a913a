"""Subcommands of git that show what a repository holds.

Sources: the manual pages of the subcommands, and for the options that they share
git-diff(1) (diff-options.txt) and git-rev-list(1) (rev-list-options.txt).  The options that
run a program or write a file are left out or carry a role: ``--ext-diff``, ``--textconv``,
``--filters``, ``--open-files-in-pager``, ``--output``.
"""

from __future__ import annotations

from .. import places, secrets
from ..calls import Call
from ..usage import Usage
from ..values import Field, Stream
from .git_options import DIFF, LOG, REVISIONS
from .git_output import TRACKED, commit_names, ls_files, merge_base, names_secrets, ref_name, rev_list, rev_parse
from .git_push import judge_address
from .outlines import Descriptions, Judge, Outline, effect, group, only_help, options_apart, outline

_PATCH = (
    "-p -u --patch -U --unified -W --function-context --patch-with-raw --patch-with-stat --binary -c --cc -m --dd "
    "--diff-merges "
    "--remerge-diff --word-diff --word-diff-regex --color-words --check -L --full-diff -t -r"
).split()
_SUMMARY = (
    "-s --no-patch --raw --numstat --shortstat --dirstat -X --summary --name-only --name-status --stat --quiet"
).split()


def _path_of(word: Field) -> Field:
    """Return the path in ``revision:path``, or the word itself; magic signatures of pathspecs are taken off."""
    text = word.text
    if text.startswith(":("):
        return word.with_text(text.partition(")")[2])
    _, colon, path = text.rpartition(":")
    return word.with_text(path.lstrip("/")) if colon else word


def _excludes(word: Field) -> bool:
    magic = word.text.partition(")")[0]
    return word.text.startswith((":!", ":^")) or (magic.startswith(":(") and "exclude" in magic)


def contents(call: Call, words: tuple[Field, ...], *, prints: bool = True) -> None:
    """Weigh that what these revisions, objects or paths hold is printed, or what all files of the working folder do."""
    if secrets.is_secret(places.resolve("x", call.state.cwd)):
        call.note("reads-secret", call.word, ".")
    for word in words:
        if not _excludes(word):
            call.read(_path_of(word), prints=prints)


def strictly(judge: Judge | None) -> Judge:
    """Return a judge that also doubts words which git and this description might read differently.

    git takes ``--author --output=x`` apart in an order that depends on the subcommand and the
    version, so an argument or a path that looks like an option is never harmless.
    """

    def strict(call: Call, usage: Usage) -> Stream | None:
        options_apart(call, usage)
        for word in usage.operands:
            if word.text.startswith("-") and len(word.text) > 1:
                call.note("unclear-word", word)
        return None if judge is None else judge(call, usage)

    return strict


def shows(spec: str, operands: str = "", judge: Judge | None = None) -> Outline:
    """Return an outline of a subcommand that shows something; all its options are listed in `spec`."""
    return outline(spec, operands, judge=strictly(judge))


def _ranges(call: Call, usage: Usage) -> None:
    """Weigh the file of ``-L start,end:file``."""
    for value in usage.values("-L"):
        call.read(value.with_text(value.text.rpartition(":")[2]))


_MOST_NAMES = 500
"""Names from standard input that are looked at; a text of 20,000 characters can hold more, but not as paths."""


def shows_contents(*, patch: bool) -> Judge:
    """Return a judge for what shows differences; `patch` says that contents are shown unless a summary is asked for."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        _ranges(call, usage)
        if usage.has(*_PATCH) or (patch and not usage.has(*_SUMMARY)):
            contents(call, usage.operands)
        plain = usage.has("--name-only") and not usage.has(*_PATCH, "--no-index", "-z") and patch
        if plain and not names_secrets(usage.operands):
            return Stream(None, call.taint, item=TRACKED)
        return None

    return judge


def _blame(call: Call, usage: Usage) -> Stream | None:
    _ranges(call, usage)
    contents(call, usage.operands)
    return None


_NO_LINES = "-l --files-with-matches --name-only -L --files-without-match -q --quiet -c --count".split()


def _grep(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-O", "--open-files-in-pager"):
        call.note("names-program")
    patterns = 0 if usage.has("-e", "-f") else 1
    contents(call, usage.operands[patterns:], prints=False)
    from .searching import search_folder, shows_every_line  # kept off the path of the other subcommands

    everywhere = all(word.text in (".", "./", ":/") for word in usage.operands[patterns:])
    every_line = shows_every_line(usage, usage.values("-e") or list(usage.operands[:1]))
    if not usage.has(*_NO_LINES) and everywhere and every_line:
        call.note("may-read-secret", call.word, ".")
    for folder in (usage.operands[patterns:] or (None,)) if usage.has("--no-index") else ():
        search_folder(call, usage, folder, every_line)
    if (
        usage.has("-l", "--files-with-matches", "--name-only", "-L")
        and not usage.has(
            "--no-index",
            "--untracked",
            "-z",
        )
        and not names_secrets(usage.operands[patterns:])
    ):
        return Stream(None, call.taint, item=TRACKED)
    return None


def _cat_file(call: Call, usage: Usage) -> Stream | None:
    """``--batch`` prints the objects that standard input names."""
    if usage.has("--batch", "--batch-command") and not usage.has("--batch-all-objects"):
        if call.stdin.text is None:
            call.note("may-read-secret")
        else:
            contents(
                call, tuple(call.word.with_text(line) for line in call.stdin.text.split("\n")[:_MOST_NAMES] if line)
            )
    elif not usage.has("-t", "-s", "-e", "--batch-check"):
        contents(call, usage.operands)
    return None


def _archive(call: Call, usage: Usage) -> Stream | None:
    for address in usage.values("--remote"):
        judge_address(call, address)
    if not usage.has("--list", "-l"):
        contents(call, usage.operands)
    return None


def _format_patch(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("--stdout") and not only_help(usage):
        call.note("writes-file", shown="a file for each commit")
    contents(call, usage.operands)
    return None


def _reflog(call: Call, usage: Usage) -> Stream | None:
    if usage.has(*_PATCH):
        contents(call, usage.operands)
    return None


def _reflog_alone(call: Call, usage: Usage) -> Stream | None:
    """Without a subcommand its options are those of ``git reflog show``."""
    options_apart(call, usage)
    return _reflog(call, usage)


def _var(call: Call, usage: Usage) -> Stream | None:
    """``-l`` lists all settings as well, and addresses and headers among them may hold tokens."""
    if usage.has("-l"):
        call.note("prints-secret")
    return None


def _hash_object(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-w"):
        call.note("changes-repository")
    contents(call, usage.operands, prints=False)
    return None


def _fsck(call: Call, usage: Usage) -> Stream | None:
    if usage.has("--lost-found"):
        call.note("changes-repository")
    return None


_summaries = shows_contents(patch=False)
_diff = shows_contents(patch=True)


def _log(call: Call, usage: Usage) -> Stream | None:
    _summaries(call, usage)
    return commit_names(call, usage)


def _show(call: Call, usage: Usage) -> Stream | None:
    """Summaries are made of commits; what is in a file is printed all the same (git-show(1), "For plain blobs")."""
    if blobs := tuple(word for word in usage.operands if ":" in word.text):
        contents(call, blobs)
    return _diff(call, usage)


_DIFF_CORE = DIFF + "--cached --no-index --merge-base --staged --base --ours --theirs -0 -1 -2 -3 -q "
_LISTS_REFS = (
    "--count:text --format:text --sort:text --points-at:text --merged?text --no-merged?text --contains?text "
    "--no-contains?text --ignore-case --omit-empty --exclude:text --include-root-refs --stdin --color?text -s --shell "
    "-p "
    "--perl --python --tcl -h"
)

PARTS = Descriptions(
    {
        "status": shows(
            "-v --verbose -s --short -b --branch --no-branch --show-stash --no-show-stash --ahead-behind "
            "--no-ahead-behind --porcelain?text --long -z --null -u?text --untracked-files?text --ignored?text "
            "--ignore-submodules?text --column?text --no-column --no-renames --renames -M?text --find-renames?text -h",
            "path*",
        ),
        "diff": shows(_DIFF_CORE, judge=_diff),
        "log": shows(LOG, judge=_log),
        "whatchanged": shows(LOG, judge=_summaries),
        "show": shows(LOG, judge=_show),
        "diff-tree": shows(DIFF + REVISIONS + "--merge-base", judge=_diff),
        "diff-index diff-files": shows(_DIFF_CORE, judge=_diff),
        "range-diff": shows(
            DIFF + "--creation-factor:text --no-dual-color --left-only --right-only --notes?text --no-notes",
            judge=_diff,
        ),
        "shortlog": shows(
            REVISIONS + "-c --committer -n --numbered -s --summary -e --email -w?text --group:text -h",
            "text*",
        ),
        "rev-list": shows(
            DIFF + REVISIONS + "--objects --objects-edge --objects-edge-aggressive --indexed-objects --object-names "
            "--no-object-names --filter?text --no-filter --filter-print-omitted --missing?text --disk-usage?text "
            "--timestamp --bisect-vars "
            "--bisect-all --use-bitmap-index --progress?text --max-count:text",
            "text*",
            rev_list,
        ),
        "blame annotate": shows(
            REVISIONS
            + "-b --root --show-stats --progress --no-progress --score-debug -f --show-name -n --show-number -p "
            "--porcelain "
            "--line-porcelain --incremental -c -t -l -s -e --show-email -w --ignore-rev:text --ignore-revs-file:scan "
            "--color-lines --color-by-age --minimal --no-minimal -C?text -M?text -L:text --abbrev?text --contents:read "
            "--diff-algorithm:text -h",
            judge=_blame,
        ),
        "grep": outline(
            "--cached --no-index --untracked --exclude-standard --no-exclude-standard --recurse-submodules -v "
            "--invert-match -i --ignore-case -w --word-regexp -a --text --no-textconv -I --max-depth:text -r "
            "--recursive "
            "--no-recursive -E --extended-regexp -G --basic-regexp -F --fixed-strings -P --perl-regexp -n "
            "--line-number "
            "--column -h -H --full-name -l --files-with-matches --name-only -L --files-without-match -z --null -o "
            "--only-matching -c --count --color?text --no-color --break --heading -C:text --context:text -B:text "
            "--before-context:text -A:text --after-context:text --threads:text -p --show-function -W "
            "--function-context "
            "-f:scan -e:text --and --or --not -q --quiet --all-match -O?program --open-files-in-pager?program -m:text "
            "--max-count:text --no-line-number -0 -1 -2 -3 -4 -5 -6 -7 -8 -9",
            judge=_grep,
        ),
        "ls-files": shows(
            "-z -t -v -f -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -k --killed "
            "--directory --no-empty-directory --empty-directory --eol -u --unmerged --resolve-undo -x:text "
            "--exclude:text "
            "-X:scan --exclude-from:scan --exclude-per-directory:text --exclude-standard --full-name "
            "--recurse-submodules --error-unmatch --with-tree:text --abbrev?text --debug --deduplicate --sparse "
            "--format:text -h",
            judge=ls_files,
        ),
        "ls-tree": shows(
            "-d -r -t -z -l --long --name-only --name-status --object-only --full-name --full-tree --format:text "
            "--abbrev?text --no-abbrev -h",
            "text*",
        ),
        "cat-file": shows(
            "-e -p -t -s --allow-unknown-type --use-mailmap --no-use-mailmap --mailmap --batch?text --batch-check?text "
            "--batch-command?text --batch-all-objects --buffer --follow-symlinks --unordered -z -Z --filter?text -h",
            judge=_cat_file,
        ),
        "rev-parse": shows(
            "--parseopt --keep-dashdash --stop-at-non-option --stuck-long --sq-quote --revs-only --no-revs --flags "
            "--no-flags --default:text --prefix:text --verify -q --quiet --sq --short?text --not --abbrev-ref?text "
            "--symbolic --symbolic-full-name --output-object-format?text --all --branches?text --tags?text "
            "--remotes?text --glob?text --exclude?text --exclude-hidden?text --disambiguate?text --local-env-vars "
            "--path-format?text --git-dir --git-common-dir --resolve-git-dir:text --git-path:text --show-toplevel "
            "--show-superproject-working-tree --shared-index-path --absolute-git-dir --is-inside-git-dir "
            "--is-inside-work-tree --is-bare-repository --is-shallow-repository --show-cdup --show-prefix "
            "--show-object-format?text --show-ref-format --since?text --after?text --until?text --before?text",
            "text*",
            rev_parse,
        ),
        "describe": shows(
            "--all --tags --contains --debug --long --first-parent --abbrev?text --exact-match --candidates:text "
            "--match:text --exclude:text --always --dirty?text --broken?text -h",
            "text*",
            ref_name,
        ),
        "name-rev": shows(
            "--name-only --no-name-only --tags --refs:text --exclude:text --all --stdin --annotate-stdin --undefined "
            "--no-undefined --always -h",
            "text*",
        ),
        "show-ref": shows(
            "--tags --heads --branches --verify --head -d --dereference -s --hash?text --abbrev?text -q --quiet "
            "--exclude-existing?text --exists -h",
            "text*",
        ),
        "for-each-ref": shows(_LISTS_REFS, "text*"),
        "merge-base": shows("-a --all --octopus --independent --is-ancestor --fork-point -h", "text*", merge_base),
        "show-branch": shows(
            "-a --all -r --remotes --color?text --no-color --more?text --list --no-name --current --sha1-name "
            "--merge-base "
            "--independent --topo-order --topics --sparse --date-order -g?text --reflog?text -h",
            "text*",
        ),
        "cherry": shows("--abbrev?text -v --verbose -h", "text text text"),
        "archive": shows(
            "--format:text --prefix:text --add-file:read --add-virtual-file:text -o:write --output:write "
            "--worktree-attributes -v --verbose -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -l --list --remote:network "
            "--exec:program "
            "--mtime:text -h",
            judge=_archive,
        ),
        "format-patch": shows(
            DIFF + "--stdout -n --numbered -N --no-numbered -k --keep-subject -s --signoff --no-stat --no-binary "
            "--root -1 -2 -3 -4 -5 -6 -7 -8 -9 --zero-commit --cover-letter --rfc --no-signature --base:text --cc:text "
            "--subject-prefix:text --start-number:text -v:text --reroll-count:text --thread?text -o:write "
            "--output-directory:write",
            judge=_format_patch,
        ),
        "reflog": group(
            {
                "show list": shows(LOG, judge=_reflog),
                "exists": shows("-h", "text"),
                "expire": effect(
                    "discards-changes",
                    "--all --expire:text --expire-unreachable:text --verbose -n --dry-run",
                ),
                "delete drop": effect("discards-changes", "--rewrite --updateref -n --dry-run --verbose --all"),
                "write": effect("changes-repository"),
            },
            LOG,
            otherwise=shows(LOG, judge=_reflog),
            judge=_reflog_alone,
        ),
        "var": shows("-l -h", "text", _var),
        "version": shows("--build-options -h"),
        "help": shows("-a --all -g --guides -m --man -i --info -v --verbose --no-verbose -c --config -h", "text"),
        "count-objects": shows("-v --verbose -H --human-readable -h"),
        "fsck": shows(
            "-v --verbose --unreachable --dangling --no-dangling --tags --root --cache --reflogs --no-reflogs --full "
            "--no-full --connectivity-only --strict --lost-found --progress --no-progress --name-objects -h",
            judge=_fsck,
        ),
        "check-ignore": shows("-q --quiet -v --verbose --stdin -z -n --non-matching --no-index -h", "path*"),
        "check-attr": shows("-a --all --cached --stdin -z --source:text -h", "text*"),
        "check-mailmap": shows("--stdin -h", "text*"),
        "check-ref-format": shows(
            "--normalize --branch --allow-onelevel --no-allow-onelevel --refspec-pattern -h",
            "text*",
        ),
        "verify-commit verify-tag": shows("-v --verbose --raw --format:text -h", "text*"),
        "verify-pack": shows("-v --verbose -s --stat-only --object-format:text -h", "path*"),
        "stripspace": shows("-s --strip-comments -c --comment-lines -h"),
        "patch-id": shows("--stable --unstable --verbatim -h"),
        "column": shows(
            "--command:text --mode?text --raw-mode:text --width:text --indent:text --nl:text --padding:text -h",
        ),
        "get-tar-commit-id": shows("-h"),
        "hash-object": shows(
            "-t:text -w --stdin --stdin-paths --no-filters --literally --path:text -h",
            judge=_hash_object,
        ),
        "interpret-trailers": shows(
            "--trim-empty --where:text --if-exists:text --if-missing:text --only-trailers --only-input --unfold "
            "--parse "
            "--no-divider --trailer:text -h",
            "read*",
        ),
        "fmt-merge-msg": shows("--log?text --no-log -m:text --message:text --into-name:text -F:read --file:read -h"),
    }
)
