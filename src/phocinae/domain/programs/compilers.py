"""Compilers, virtual machines and other programs of which only the questions about themselves are known.

Sources: gcc(1), clang(1), java(1), javac(1), and the manuals of the programs that are listed.
A compilation writes files and may load plugins, so it is never harmless here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import evolve

from ..calls import Call
from ..knowledge import Option, Program, program
from ..usage import Usage
from ..values import Stream
from . import agents
from .judging import no_lists
from .outlines import Descriptions, Judge, Outline, only_help, outline, phrases


def _answers(rule: str, *, words: str = "version") -> Judge:
    """Return a judge for what is harmless only as a question: a flag that is listed, or one of `words`, and no more."""
    alone = frozenset(words.split())

    def judge(call: Call, usage: Usage) -> Stream | None:
        asked = len(call.args) == 1 and call.args[0].text in alone
        flags = bool(usage.names) and not usage.operands
        if not asked and not flags and not only_help(usage):
            call.note(rule)
        return None

    return judge


_GCC = (
    "-v -dumpversion -dumpfullversion -dumpmachine -dumpspecs -print-search-dirs -print-libgcc-file-name -print-multiarch "
    "-print-sysroot -print-resource-dir -print-target-triple -print-supported-cpus --target-help"
)


def _compiles(call: Call, usage: Usage) -> Stream | None:
    return _answers("changes-files", words="")(call, usage)


_JAVA_SHOWS = re.compile(
    r"-XshowSettings(?::[a-z:]+)?\Z|-XX:\+(?:PrintFlagsFinal|PrintFlagsInitial|PrintCommandLineFlags|Unlock(?:Diagnostic|Experimental)VMOptions)\Z"
)


_GCC_PRINTS = re.compile(r"-print-(?:file|prog)-name=[\w.+-]+\Z")


def _java(call: Call, usage: Usage) -> Stream | None:
    return _answers("runs-code", words="")(call, usage)


class _Questions(dict[str, Option]):
    """Options among which are questions that hold what they ask for in their own word."""

    def __init__(self, known: Mapping[str, Option], questions: re.Pattern[str]) -> None:
        super().__init__(known)
        self.questions = questions

    def get(self, name: str, default: Any = None, /) -> Any:
        """Return the option of that name."""
        return super().get(name) or (Option(name) if self.questions.match(name) else default)


def _asking(spec: str, questions: re.Pattern[str], judge: Judge) -> Outline:
    """Return an outline of a program whose questions are told by a pattern as well."""

    def make() -> Program:
        known = program(spec, judge=judge)
        return evolve(known, options=_Questions(known.options, questions))

    return make


def _class_files(call: Call, usage: Usage) -> Stream | None:
    """Judge a tool that takes class files apart."""
    no_lists(call, usage)
    for word in usage.operands:
        call.read(word)
    return None


_JAVAP = (
    "-h -help -version -v -verbose -l -c -s -p -private -public -protected -package -sysinfo -constants -cp:text -classpath:text "
    "--class-path:text -bootclasspath:text --module-path:text -m:text --module:text --system:text --multi-release:text"
)
_JDEPS = (
    "-h -help -version -v -verbose -s -summary -cp:text -classpath:text --class-path:text --module-path:text "
    "-m:text --module:text --add-modules:text --multi-release:text -R -recursive --recursive -q -quiet --ignore-missing-deps "
    "--list-deps --list-reduced-deps --print-module-deps -jdkinternals --jdk-internals -apionly --api-only -P -profile -I --inverse "
    "--compile-time -e:text -regex:text -f:text -filter:text -include:text"
)


PROGRAMS = Descriptions(
    {
        "gcc g++ cc c++ cpp clang clang++ clang-cpp gfortran gcc-11 gcc-12 gcc-13 gcc-14 g++-11 g++-12 g++-13 g++-14 clang-14 clang-15 "
        "clang-16 clang-17 clang-18 clang-19 tcc icc icx emcc em++ nvcc": _asking(
            _GCC + " -o:write -E -S -c -I:text -D:text -std:text", _GCC_PRINTS, _compiles
        ),
        "ld ld.gold ld.lld lld mold nasm yasm ranlib": outline("-v -V -version -o:write", judge=_compiles),
        "as": outline("-o:write", judge=_compiles),  # it prints its version and goes on to what comes in
        "java": _asking(
            "-version -h -help -fullversion -showversion --list-modules --show-version -X", _JAVA_SHOWS, _java
        ),
        "javap": outline(_JAVAP, judge=_class_files),
        "jdeps": outline(_JDEPS, judge=_class_files),
        "javac kotlinc kotlin scalac javadoc jshell jlink ecj": outline(
            "-version -h -help -fullversion", judge=_compiles
        ),
        "ghcup gnat fpc dmd ldc2 gdc ocamlc ocamlfind opam mlton idris2 agda lean coqc v odin elm purs "
        "swiftc csc mcs mono ilasm tinygo": outline("-v -V -version -dumpversion", judge=_answers("runs-code")),
        "sml": outline("", judge=_answers("runs-code")),
        "dune": outline("-h", judge=phrases("runs-code", project=("test", "runtest"))),
        "gleam": outline(
            "-h -V --check",
            judge=phrases("runs-code", project=("test", "check", "format --check", "format --check src test")),
        ),
        "nimble": outline(
            "-h -v -i", judge=phrases("runs-code", project=("test",), harmless=("-v", "list", "list -i"))
        ),
        "rebar3": outline(
            "-h -v",
            judge=phrases(
                "runs-code", project=("eunit", "ct", "dialyzer", "xref", "lint", "tree"), harmless=("-v", "version")
            ),
        ),
        "protoc buf flatc thrift cmake-gui qmake bison yacc swig antlr4 ragel": outline(
            "-V -v", judge=_answers("changes-files")
        ),
        "flex lex": outline("-V", judge=_answers("changes-files")),  # with ``-v`` it works on what comes in
        "rr gprof gcov": outline("-v -V", judge=_answers("runs-code")),
        "llvm-config": outline(
            "--prefix --src-root --obj-root --bindir --includedir --libdir --cmakedir --cppflags --cflags --cxxflags --ldflags "
            "--system-libs --libs --libnames --libfiles --components --targets-built --host-target --build-mode "
            "--assertion-mode --build-system --has-rtti --shared-mode --link-shared --link-static --ignore-libllvm",
            "text*",
        ),
        "ffmpeg ffprobe ffplay convert magick identify mogrify sox pandoc pdftotext pdflatex xelatex lualatex latex latexmk tex bibtex dot "
        "graphviz inkscape gimp libreoffice soffice tesseract exiftool wkhtmltopdf qpdf gs mutool typst asciidoctor rst2html "
        "markdown": outline("-version -v -V -h", judge=_answers("changes-files")),
        "gnuplot": outline("-V", judge=_answers("runs-code")),
        "nginx apache2 httpd apachectl haproxy redis-server": outline("-v -V", judge=_answers("changes-system")),
        "postgres mysqld memcached elasticsearch": outline(  # ``-v`` only makes them talkative
            "-V", judge=_answers("changes-system")
        ),
        "caddy traefik mongod rabbitmqctl": outline("", judge=_answers("changes-system")),
        "zellij byobu": outline("-V -v", judge=_answers("runs-code")),
        "starship zoxide atuin thefuck": outline("-V", judge=_answers("runs-code")),
        "ollama claude codex gemini cursor-agent opencode copilot-cli": outline("-v -V", judge=agents.judge),
        "llm aider goose": outline("-V", judge=agents.judge),  # for aider ``-v`` is a talkative session
        "pkg-config pkgconf": outline(
            "--modversion --exists --libs --cflags --list-all --variable:text --print-variables --atleast-version:text --static --print-errors "
            "--libs-only-L --libs-only-l --cflags-only-I --short-errors --silence-errors",
            "text*",
        ),
        "ccache sccache": outline("-s -V --show-stats", judge=_answers("runs-code")),
    }
)
