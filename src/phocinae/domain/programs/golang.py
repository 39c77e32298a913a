"""The go command.

Source: ``go help`` and its topics (build, test, testflag, list, env, vet, mod).  Flags are
single words behind one hyphen or two.  ``-exec``, ``-toolexec`` and ``-vettool`` name
programs; ``-overlay``, ``-modfile``, ``-ldflags`` and their like change what is built.
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..usage import read as usage_of
from ..values import Stream
from .outlines import Descriptions, Judge, Outline, effect, group, mixed, only_help, outline, project_code
from .testing import own_files

_BUILD = (
    "-h -help -v -x -n -a -race -msan -asan -cover -covermode:text -coverpkg:text -tags:text -p:text -mod:text -trimpath -buildvcs:text "
    "-json -o:write -C:text -exec:program -toolexec:program -vettool:program -overlay:risk -modfile:risk -ldflags:risk -gcflags:risk "
    "-asmflags:risk -gccgoflags:risk -pkgdir:risk -compiler:text -linkshared -modcacherw -buildmode:text -pgo:risk "
)
_TEST = _BUILD + (
    "-run:text -skip:text -bench:text -benchmem -benchtime:text -count:text -cpu:text -failfast -fullpath -short -timeout:text -parallel:text "
    "-list:text -shuffle:text -vet:text -fuzz:risk -fuzztime:text -c -coverprofile:write -cpuprofile:write -memprofile:write -blockprofile:write "
    "-mutexprofile:write -trace:write -outputdir:write -args -test.v -test.run:text "
)
_VET = _BUILD + (
    "-c:text -fix -diff -assign -atomic -bools -buildtag -composites -copylocks -errorsas -httpresponse -loopclosure -lostcancel -nilfunc "
    "-printf -shift -stdmethods -structtag -tests -unmarshal -unreachable -unsafeptr -unusedresult -shadow -all "
)
_LIST = _BUILD + "-json?text -f:text -m -u -versions -deps -test -e -find -export -compiled -retracted -reuse:scan "
_TEST_FLAGS, _VET_FLAGS = outline(_TEST, style=Style.LONG), outline(_VET, style=Style.LONG)


def _module_mode(call: Call, usage: Usage) -> None:
    """``-mod=mod`` lets the command change go.mod."""
    for mode in usage.values("-mod"):
        if mode.text not in ("readonly", "vendor"):
            call.note("changes-files", mode)


def _packages(flags: Outline, *forbidden: str) -> Judge:
    """Return a judge for what builds and runs packages of the project; flags may stand behind packages."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        if only_help(usage):
            return None
        words = list(call.args)
        place = next((at for at, word in enumerate(words) if word.text in ("test", "vet")), 0)
        whole = mixed(call, flags(), words[place + 1 :])
        project_code(call)
        own_files(call, [*whole.operands, *whole.values("-C")])
        _module_mode(call, whole)
        for name in forbidden:
            if whole.has(name):
                call.note("unknown-option", shown=name)
        return None

    return judge


def _list(call: Call, usage: Usage) -> Stream | None:
    """``-m -u`` and ``-versions`` ask a server; ``-export`` builds."""
    _module_mode(call, usage)
    if usage.has("-u", "-versions"):
        call.note("uses-network")
    if usage.has("-export", "-compiled", "-test"):
        call.note("runs-code")
    return None


def _env(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-w", "-u"):
        call.note("changes-files")
    return None


def _tool(call: Call, usage: Usage) -> Stream | None:
    """Without a name the tools are listed; of ``cover`` only the summary of a profile is harmless."""
    if [word.text for word in usage.operands] == ["dist", "list"]:
        return None
    if usage.operands and usage.operands[0].text == "cover":
        found = usage_of(_COVER(), list(usage.operands[1:]))
        if found.has("-func") and not found.unlisted and not found.operands:
            for file in found.values("-func"):
                call.read(file, prints=False)
            return None
    if usage.operands:
        call.note("runs-code")
    return None


_COVER = outline("-func:text", style=Style.LONG)


def _mod_edit(call: Call, usage: Usage) -> Stream | None:
    """``-json`` and ``-print`` print what would be written (go help mod edit)."""
    if not usage.has("-json", "-print") and not only_help(usage):
        call.note("changes-files")
    return None


def _folder(call: Call, usage: Usage) -> Stream | None:
    own_files(call, usage.values("-C"))
    return None


_MOD = {
    "graph": outline("-h -C:text -go:text -x", style=Style.LONG),
    "why": outline("-h -C:text -m -vendor", "text*", style=Style.LONG),
    "verify": outline("-h -C:text", style=Style.LONG),
    "edit": outline(
        "-json -print -fmt -require:text -droprequire:text -go:text", "scan", style=Style.LONG, judge=_mod_edit
    ),
    "tidy download vendor init": effect("installs", "-h -v -x -e -C:text -go:text -json", style=Style.LONG),
}
_GO = Descriptions(
    {
        "test": outline(_TEST, style=Style.LONG, judge=_packages(_TEST_FLAGS, "-c", "-args")),
        "vet": outline(_VET, style=Style.LONG, judge=_packages(_VET_FLAGS, "-fix")),
        "list": outline(_LIST, "text*", style=Style.LONG, judge=_list),
        "env": outline("-h -json -w -u -changed", "text*", style=Style.LONG, judge=_env),
        "version": outline("-h -m -v -json", "path*", style=Style.LONG),
        "doc": outline("-h -all -c -cmd -short -src -u -C:text", "text text", style=Style.LONG),
        "help": outline("-h", "text text", style=Style.LONG),
        "mod": group(_MOD, "-h", style=Style.LONG),
        "work": group({}, "-h", otherwise=effect("changes-files"), style=Style.LONG),
        "build run generate bug telemetry": effect("runs-code", _BUILD, style=Style.LONG),
        "tool": outline("-h -n", style=Style.LONG, judge=_tool),
        "install get": effect("installs", _BUILD + "-u -t -d", style=Style.LONG),
        "fmt fix clean": effect(
            "changes-files", "-h -n -x -cache -testcache -modcache -i -r -mod:text", style=Style.LONG
        ),
    }
)

PROGRAMS = Descriptions({"go": outline("-h -C:text", style=Style.LONG, subcommands=_GO, judge=_folder)})
