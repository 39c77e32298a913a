"""Options that subcommands of git share.

Sources: git-diff(1), git-log(1) and git-rev-list(1).  Whether an argument may stand apart is
as git reads it: ``--format`` and ``--pretty`` take one only behind ``=``.
"""

from __future__ import annotations

DIFF = (
    "-p -u --patch -s --no-patch -U?text --unified?text -W --function-context --no-function-context --raw "
    "--patch-with-raw --patch-with-stat --numstat --shortstat -X?text --dirstat?text --cumulative "
    "--dirstat-by-file?text --check --summary --name-only --name-status --stat?text --stat-width:text "
    "--stat-name-width:text --stat-graph-width:text --stat-count:text --compact-summary --no-compact-summary --binary "
    "--full-index --no-full-index --color?text --no-color --ws-error-highlight:text -z --abbrev?text --no-abbrev "
    "--src-prefix:text --dst-prefix:text --line-prefix:text --no-prefix --default-prefix --inter-hunk-context:text "
    "--output-indicator-new:text --output-indicator-old:text --output-indicator-context:text -B?text "
    "--break-rewrites?text -M?text --find-renames?text -D --irreversible-delete -C?text --find-copies?text "
    "--find-copies-harder --no-find-copies-harder --no-renames --rename-empty --no-rename-empty --follow --no-follow "
    "-l:text --minimal --no-minimal -w -b --ignore-all-space --ignore-space-change --ignore-space-at-eol "
    "--ignore-cr-at-eol --ignore-blank-lines -I:text --ignore-matching-lines:text --no-ignore-matching-lines "
    "--indent-heuristic --no-indent-heuristic --patience --histogram --diff-algorithm:text --anchored:text "
    "--word-diff?text --word-diff-regex:text --color-words?text --color-moved?text --no-color-moved "
    "--color-moved-ws:text --no-color-moved-ws --relative?text --no-relative -a --text --no-text -R --exit-code "
    "--no-exit-code --quiet --no-quiet --no-ext-diff --no-textconv --ignore-submodules?text --submodule?text "
    "--ita-invisible-in-index --ita-visible-in-index -S:text -G:text --pickaxe-all --pickaxe-regex -O:scan "
    "--rotate-to:text --skip-to:text --find-object:text --diff-filter:text --output:write -c --cc -m --dd "
    "--combined-all-paths --diff-merges:text --no-diff-merges --remerge-diff -t -r -h "
)
REVISIONS = (
    "-n:text --max-count:text -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --skip:text --since:text --after:text --until:text "
    "--before:text --since-as-filter:text --max-age:text --min-age:text --author:text --committer:text "
    "--grep-reflog:text --grep:text --all-match --invert-grep -i --regexp-ignore-case --basic-regexp -E "
    "--extended-regexp -F --fixed-strings -P --perl-regexp --remove-empty --merges --no-merges --min-parents?text "
    "--max-parents?text --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all "
    "--branches?text --tags?text --remotes?text --glob:text --exclude:text --exclude-hidden?text --reflog "
    "--alternate-refs --single-worktree --ignore-missing --stdin --bisect --cherry-mark --cherry-pick --left-only "
    "--right-only --cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history "
    "--dense --sparse --simplify-merges --ancestry-path?text --date-order --author-date-order --topo-order --reverse "
    "--no-walk?text --do-walk --pretty?text --format?text --abbrev-commit --no-abbrev-commit --oneline --encoding:text "
    "--expand-tabs?text --no-expand-tabs --notes?text --no-notes --show-notes?text --standard-notes "
    "--no-standard-notes --show-signature --no-show-signature --relative-date --date:text --parents --children "
    "--left-right --graph --no-graph --show-linear-break?text --full-diff --log-size --root --no-commit-id --always "
    "--header -v --unpacked --in-commit-order --count --cherry --commit-header --no-commit-header --exclude-promisor-objects "
)
LOG = (
    DIFF
    + REVISIONS
    + "-q -L:text --source --no-source --use-mailmap --no-use-mailmap --mailmap --no-mailmap --decorate?text "
    "--no-decorate "
    "--decorate-refs:text --decorate-refs-exclude:text --clear-decorations "
)
