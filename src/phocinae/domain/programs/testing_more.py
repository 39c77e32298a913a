"""Test runners of behaviour, of Perl and of Go that are programs of their own.

Sources: behave.readthedocs.io, cucumber.io, docs.nose2.io, prove(1), the manuals of gotestsum and
ginkgo, and the rules of `phocinae.domain.programs.testing`.
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream
from .outlines import Descriptions, mixed, only_help, outline, project_code
from .testing import own_files, runs_tests

_BEHAVE_FORMATS = frozenset(
    "plain pretty progress progress2 progress3 json json.pretty null steps steps.doc tags tags.location".split()
)
_CUCUMBER_FORMATS = frozenset("pretty progress progress-bar summary json snippets usage".split())


def _formats(call: Call, usage: Usage, known: frozenset[str]) -> Stream | None:
    """Any other format is a class that is loaded, or a report that is written."""
    for value in usage.values("-f", "--format"):
        if value.text not in known:
            call.note("runs-code", value)
    runs_tests(call, usage)
    return None


def _gotestsum(call: Call, usage: Usage) -> Stream | None:
    """What it does not know it passes to ``go test``."""
    if only_help(usage):
        return None
    for packages in usage.values("--packages"):  # it divides them at blanks, and go takes options among them
        if packages.text.startswith("-") or " -" in packages.text:
            call.note("unclear-word", packages)
    return call.run([call.word.with_text(word) for word in ("go", "test")] + list(usage.operands))


_GINKGO = outline(
    "-h -help -r -v -vv -p -race -cover -focus:text -skip:text -label-filter:text -focus-file:text -skip-file:text -fail-fast -nodes:text "
    "-procs:text -randomize-all -randomize-suites -seed:text -keep-going -timeout:text -no-color -trace -tags:text -dry-run -succinct "
    "-fail-on-pending -flake-attempts:text -repeat:text -skip-package:text -poll-progress-after:text -show-node-events -github-output",
    style=Style.LONG,
)


def _ginkgo(call: Call, usage: Usage) -> Stream | None:
    """A word that is no path is a subcommand, of which ``run`` is the one without a name."""
    whole = mixed(call, _GINKGO(), list(call.args))
    words = [word for word in whole.operands if word.text != "run"]
    for word in words:
        if not word.text.startswith("."):
            call.note("runs-code", word, f"ginkgo {word.text}")
    project_code(call)
    own_files(call, words)
    return None


PROGRAMS = Descriptions(
    {
        "behave": outline(
            "-h -v --verbose -t:text --tags:text -n:text --name:text --stop -k --no-skipped --no-capture --no-capture-stderr --no-logcapture "
            "-d --dry-run -c --no-color -C --no-snippets --no-multiline -m --no-source -s --no-summary -T --no-timings -q --quiet --expand "
            "--lang:text --wip -w -f:text --format:text --color:text --steps-catalog --tags-help --lang-list -e:text --exclude:text "
            "-i:text --include:text",
            judge=lambda call, usage: _formats(call, usage, _BEHAVE_FORMATS),
        ),
        "cucumber cucumber-js": outline(
            "-h -t:text --tags:text -n:text --name:text -d --dry-run --fail-fast -S --strict -q --quiet --no-color --color --no-strict -x "
            "--expand -b --backtrace --order:text --retry:text --exclude:text -f:text --format:text",
            judge=lambda call, usage: _formats(call, usage, _CUCUMBER_FORMATS),
        ),
        "nose2": outline(
            "-h -v --verbose -q --quiet -F --fail-fast -B --output-buffer -A:text --attribute:text --no-plugins",
            judge=lambda call, usage: _formats(call, usage, frozenset()),
        ),
        "prove": outline(
            "-h -l --lib -b --blib -r --recurse -v --verbose -q --quiet -Q --QUIET -j:text --jobs:text -s --shuffle --reverse --timer -f "
            "--failures -o --comments --color --nocolor -c -D --dry -w -W -t -T --trap --normalize -m --merge --count --nocount",
            judge=lambda call, usage: _formats(call, usage, frozenset()),
        ),
        "gotestsum": outline(
            "-h -f:text --format:text --format-hide-empty-pkg --format-icons:text --hide-summary:text --no-color --no-summary --debug "
            "--max-fails:text --packages:text",
            style=Style.POSIX,
            judge=_gotestsum,
        ),
        "ginkgo": outline(style=Style.NONE, judge=_ginkgo),
    }
)
