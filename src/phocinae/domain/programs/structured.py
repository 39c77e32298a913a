"""Programs that query JSON, YAML, XML and CSV.

Sources: the jq manual, the help of yq in both of its kinds, xmllint(1), the csvkit documentation, and the help
of xsv, gron, dasel, pup and htmlq, and the Miller documentation.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Role, Style
from ..usage import Usage
from ..values import Field, Stream
from .judging import code_file, decoded, reads, rearranged, settled, words
from .outlines import Descriptions, options_apart, outline

_JQ = (
    "-a -c -C -e -h -j -M -n -r -R -s -S -V --ascii-output --compact-output --color-output --exit-status "
    "--help-full --join-output --monochrome-output --null-input --raw-output --raw-output0 --raw-input "
    "--slurp --sort-keys --tab --indent:text --unbuffered --stream --stream-errors --seq --args --jsonargs "
    "-f:text --from-file:text -L:risk --library-path:risk --build-configuration --binary -b "
    "--debug-dump-disasm --debug-trace "
)
_JQ_PAIRS = {"--arg": Role.TEXT, "--argjson": Role.TEXT, "--slurpfile": Role.READ, "--rawfile": Role.READ}
_JQ_ENVIRONMENT = re.compile(r"\$(?:\s|#[^\n]*\n)*ENV\b|(?<![.\w$\"@])env\b(?!\s*:)")
_JQ_ELSEWHERE = re.compile(r"(?<![.\w$@\"])(?:import|include|modulemeta)\b")

_YQ = (
    "-C --colors -e --exit-status --front-matter:text -I:text --indent:text -i --inplace --in-place "
    "-M --no-colors -N --no-doc -n --null-input -o:text --output-format:text -p:text --input-format:text -P "
    "--prettyPrint --prettyprint -r --unwrapScalar?text -j --tojson --string-interpolation?text -v --verbose "
    "-h --header-preprocess -c --compact-output -y --yaml-output -Y --yaml-roundtrip -w:read --width:text -R "
    "-S -a -0 --nul-output --raw-output --raw-input --sort-keys --tab --arg:risk --argjson:risk -x "
    "--xml-output -t --toml-output "
)
_YQ_ELSEWHERE = re.compile(r"\b(?:\w*load\w*|system|eval|import|include|input_filename)\b")
_YQ_ENVIRONMENT = re.compile(r"\$ENV\b|(?<![.\w$\"])(?:env|strenv|envsubst)\b")
_YQ_COMMANDS = frozenset(["e", "eval", "ea", "eval-all"])

_XMLLINT = (
    "--auto --c14n --c14n11 --compress --copy --debug --debugent --dropdtd --encode:text --exc-c14n --format "
    "--html --htmlout --huge --maxmem:text --memory --nocatalogs --nocdata --nocompact --nodefdtd --noenc "
    "--noblanks --nodict --noent-off --nofixup-base-uris --nonet --noout --nowarning --nowrap --nsclean "
    "--oldxml10 --output:write -o:write --pattern:text --pedantic --pretty:text --push --quiet "
    "--recover --repeat --sax --schema:scan --relaxng:scan --schematron:scan --stream --strict-namespace "
    "--testIO --timing --verbose --walker --xmlout --xpath:text --version "
)
_CSV = (
    "-d:text --delimiter:text -t --tabs -q:text --quotechar:text -u:text --quoting:text -b --no-doublequote "
    "-p:text --escapechar:text -z:text --maxfieldsize:text -e:text --encoding:text -L:text --locale:text -S "
    "--skipinitialspace --blanks --null-value:text --date-format:text --datetime-format:text -H "
    "--no-header-row -K:text --skip-lines:text -v --verbose -l --linenumbers --add-bom --zero -c:text "
    "--columns:text -n --names -C:text --not-columns:text -x --delete-empty-rows --max-rows:text "
    "--max-columns:text --max-column-width:text --max-precision:text --no-number-ellipsis -y:text "
    "--snifflimit:text -I --no-inference -r:text --reverse -i --ignore-case --regex:text -m:text "
    "--match:text -f:text -a --any-match --invert-match -h --csv --json --type --nulls --nonnull --unique "
    "--min --max --sum --mean --median --stdev --len --max-precision --freq --freq-count:text --count "
    "--decimal-format:text -G --no-grouping-separator --outer --left --right -g:text --groups:text "
    "--filenames -D:text --out-delimiter:text -T --out-tabs -A --out-asv -Q:text --out-quotechar:text "
    "-U:text --out-quoting:text -B --out-no-doublequote -P:text --out-escapechar:text -M:text "
    "--out-lineterminator:text -E --skip-header -k:text --key:text --lat:text --lon:text --stream -s:text "
    "--sheet:text "
)
_XSV = (
    "-h -n --no-headers -d:text --delimiter:text -o:write --output:write -s:text --select:text -i -v "
    "--invert-match --everything --median --mode --cardinality --nulls -j:text --jobs:text -l:read --limit:text "
    "-a --asc -N --numeric -R --reverse -e:read --end:text --start:text --len:text --index:text -w:text "
    "--width:text -p:read --pad:text -c:read --condense:text -u --unique --no-nulls --left --right --full "
    "--cross --no-case --ignore-case --crlf --ascii --quote:text --quote-always --escape:text "
)
_XSV_COMMANDS = frozenset(
    "headers count stats select search slice sort table sample flatten frequency cat fmt fixlengths input "
    "join reverse".split()
)


def _filter(call: Call, program: Field) -> None:
    """Weigh a filter of jq: it may ask for the environment, and for other files."""
    text = settled(program.text)
    if Field(text).static is None:
        call.note("unclear-word", program)
    if _JQ_ENVIRONMENT.search(text):
        call.note("prints-secret", program, "env")
    if _JQ_ELSEWHERE.search(text):
        call.note("not-harmless", program)


def _jq(call: Call, _usage: Usage) -> Stream | None:
    """Take out the options that have two arguments, and read the rest as usual."""
    rest: list[Field] = []
    at = 0
    while at < len(call.args):
        word = call.args[at]
        if word.text == "--":  # the words behind it are no options
            rest += call.args[at:]
            break
        role = _JQ_PAIRS.get(word.text)
        if role is None:
            rest.append(word)
            at += 1
            continue
        pair = call.args[at + 1 : at + 3]
        if len(pair) < 2 or any(field.many or field.globbed for field in pair):
            call.note("unclear-word", word)
        elif role is Role.READ:
            call.take(role, pair[1])
        at += 3
    return call.described(_JQ_REST(), rest)


def _files(call: Call, usage: Usage, operands: list[Field]) -> tuple[list[Field], list[Field]]:
    """Return the operands that jq reads, and those behind ``--args`` or ``--jsonargs``, which it hands to the filter."""
    if not usage.has("--args", "--jsonargs"):
        return operands, []
    at = next((place for place, word in enumerate(call.args) if word.text in ("--args", "--jsonargs")), len(call.args))
    behind = {id(word) for word in call.args[at:]}
    files = [field for field in operands if id(field) not in behind]
    return files, [field for field in operands if id(field) in behind]


def _jq_rest(call: Call, usage: Usage) -> Stream | None:
    operands = list(usage.operands)
    for path in usage.values("-f", "--from-file"):
        code = code_file(call, path)
        if code is not None:
            _filter(call, code)
    if not usage.has("-f", "--from-file"):
        for program in operands[:1]:
            _filter(call, program)
        operands = operands[1:]
    files, arguments = _files(call, usage, operands)
    reads(call, files)
    for field in arguments:
        call.read(field, prints=False)
    if any("@base64d" in field.text for field in usage.operands[:1]):
        return decoded(call)
    return rearranged(call, Usage(operands=tuple(operands)))


def _yq(call: Call, usage: Usage) -> Stream | None:
    options_apart(call, usage)
    operands = list(usage.operands)
    if operands and operands[0].text in _YQ_COMMANDS:
        operands = operands[1:]
    for program in operands[:1]:
        text = settled(program.text)
        if Field(text).static is None:
            call.note("unclear-word", program)
        if _YQ_ELSEWHERE.search(text):
            call.note("not-harmless", program)
        if _YQ_ENVIRONMENT.search(text):
            call.note("prints-secret", program, "env")
    files = operands[1:] if len(operands) > 1 or usage.has("-n", "--null-input") else operands
    if usage.has("-i", "--inplace", "--in-place"):
        for field in files:
            call.take(Role.WRITE, field)
        return None
    reads(call, files)
    return None


_MLR = (
    "--icsv --ocsv --csv -c --itsv --otsv --tsv -t --ijson --ojson --json -j --ijsonl --ojsonl --jsonl --ixtab --oxtab "
    "--xtab --ipprint --opprint --pprint --inidx --onidx --nidx --idkvp --odkvp --dkvp --omd --imd --c2j --c2t --c2p --c2m "
    "--c2l --c2d --c2n --c2x --c2b --t2c --t2j --t2p --t2m --j2c --j2t --j2p --j2m --j2l --x2j --x2c --barred --right --ifs:text "
    "--ofs:text --fs:text --ips:text --ops:text --ps:text --irs:text --ors:text --rs:text --repifs --implicit-csv-header "
    "--headerless-csv-output --headerless-csv-input --hi --ho --allow-ragged-csv-input --ragged --csvlite --icsvlite "
    "--ocsvlite --from:read -n --nr-progress-mod:text --ofmt:text --records-per-batch:text --no-auto-flatten "
    "--no-auto-unflatten --infer-none -S -A -O --infer-octal --quote-all --quote-original --jvstack --no-jvstack --jlistwrap "
    "--no-color -M -C --always-color --no-fflush --fflush "
)
_MLR_VERBS = frozenset(
    "altkv bar bootstrap bottom cat count count-distinct count-similar cut decimate fill-down fill-empty flatten "
    "format-values fraction gap grep group-by group-like gsub having-fields head histogram json-parse json-stringify "
    "label latin1-to-utf8 least-frequent merge-fields most-frequent nest nothing regularize rename reorder repeat "
    "reshape sec2gmt sec2gmtdate seqgen shuffle skip-trivial-records sort sort-within-records sparsify stats1 stats2 "
    "step sub summary tac tail template top utf8-to-latin1 unflatten uniq unspace unsparsify put filter".split()
)
_MLR_EFFECT = re.compile(r"\b(?:system|exec|tee|os_type|hostname|split\w*)\b")
_MLR_PRINT = re.compile(r"\b(?:emit\w*|e?print\w*|e?dump)\b")


def _mlr_acts(program: str) -> bool:
    """Return whether a program of Miller runs commands, or may print to files or commands."""
    printed = _MLR_PRINT.search(program)
    redirected = printed is not None and any(sign in program[printed.end() :] for sign in ">|")
    return redirected or _MLR_EFFECT.search(program) is not None


def _mlr(call: Call, usage: Usage) -> Stream | None:
    """Judge Miller: verbs in a chain, of which two take a program, and then files."""
    words, chain = list(usage.operands), True
    while chain and words:
        verb, programs, chain = words.pop(0), False, False
        if verb.text not in _MLR_VERBS:
            call.note("unknown-subcommand", verb)
        if verb.text in ("put", "filter"):
            programs = True
        for place, word in enumerate(words):
            if word.text == "then":
                words, chain = words[place + 1 :], True
                break
            if programs and word.text in ("-f", "-s", "-x", "-q", "-S"):
                call.note("unknown-option", word)
            if programs and (word.unknown or _mlr_acts(word.text)):
                call.note("not-harmless", word)
            if programs and re.search(r"\bENV\b", word.text):
                call.note("prints-secret", word, "ENV")
            call.read(word)
    return None


_DASEL_CHANGES = frozenset(["put", "delete", "validate", "man", "completion"])


def _dasel(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands[:1]:
        if field.text in _DASEL_CHANGES:
            call.note("unknown-subcommand", field)
    return None


def _gron(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands:
        if "://" in field.text or field.unknown:
            call.note("uses-network", field)
    return None


def _xmllint(call: Call, usage: Usage) -> Stream | None:
    for field in [*usage.operands, *usage.values("--schema", "--relaxng", "--schematron")]:
        if "://" in field.text or field.unknown:
            call.note("uses-network", field)
    return None


def _xsv(call: Call, usage: Usage) -> Stream | None:
    if usage.operands and usage.operands[0].text not in _XSV_COMMANDS:
        call.note("unknown-subcommand", usage.operands[0])
    reads(call, usage.operands[1:])
    return None


def _csvgrep(call: Call, usage: Usage) -> Stream | None:
    for field in usage.values("-f"):
        call.read(field, prints=False)
    return None


def _json_pp(call: Call, usage: Usage) -> Stream | None:
    """Weigh the format that is read: one of them is code of Perl."""
    for field in usage.values("-f"):
        if field.text != "json":
            call.note("feeds-interpreter", field)
    return None


_JQ_REST = outline(_JQ, judge=_jq_rest)

PROGRAMS = Descriptions(
    {
        "jq gojq jaq": lambda: words(_jq),
        "yq tomlq xq": outline(_YQ, judge=_yq),
        "dasel": outline(
            "-f:read --file:read -r:text --read:text -p:text --parser:text -w:text --write:text -s:text --selector:text -n "
            "--null --plain -m --multiple -c --compact --colour --length --pretty --indent:text",
            "text*",
            judge=_dasel,
        ),
        "gron ungron": outline(
            "-u --ungron -v --values -c --colorize -m --monochrome -s --stream --no-sort -j --json",
            "read*",
            judge=_gron,
        ),
        "mlr": outline(_MLR, style=Style.POSIX, judge=_mlr),
        "pup": outline(
            "-c --color -f:read --file:read -h -i:text --indent:text -n --number -l:text --limit:text -p --plain --charset:text",
            "text*",
        ),
        "htmlq": outline(
            "-f:read --filename:read -o:write --output:write -p --pretty -t --text -a:text --attribute:text -b:text --base:text "
            "-B --detect-base -w --ignore-whitespace -r:text --remove-nodes:text",
            "text*",
        ),
        "xmllint": outline(_XMLLINT, "read*", judge=_xmllint),
        "csvsort": outline(_CSV.replace("-r:text", "-r"), "read*", safe_options=True),
        "csvcut csvlook csvstat csvgrep csvjoin csvstack csvformat csvjson": outline(
            _CSV, "read*", safe_options=True, judge=_csvgrep
        ),
        "in2csv": outline(_CSV, "read*"),
        "xsv": outline(_XSV, judge=_xsv),
        "json_pp": outline("-v -V -json_opt:text -f:text -t:text", judge=_json_pp),
    }
)
