"""Programs that say something about the machine, the time, the users and the manual.

Sources: the GNU coreutils, util-linux and procps manuals, their manual pages of BSD, man(1), info(1), tldr(1), lsof(8),
pciutils, usbutils, journalctl(1), dmesg(1), getent(1), nvidia-smi(1), lshw(1), sensors(1).
"""

from __future__ import annotations

import re

from ..assignments import names_gate
from ..calls import Call
from ..knowledge import Role, Style
from ..usage import Usage
from ..values import NUMBER, OWN_PROCESS, SPLIT, Field, Stream, Taint
from ..variables import SECRET_NAME
from .judging import DIGITS, words
from .outlines import Descriptions, outline

_DATE = (
    "-u -R -I?text -d:text -r:path -f:read -j -n -v:text -s:risk -z:text --date:text --file:read --iso-8601?text "
    "--rfc-email --rfc-2822 --rfc-3339:text --reference:path --resolution --set:risk --utc --universal --debug "
)
_CAL = (
    "-1 -3 -n:text -S -s -m?text -j -y -Y -w -v -h -b -C -N -J -A:text -B:text -d:text -H:text -M -W:text -e -o "
    "-p -c:text --one --three --months:text --span --sunday --monday --julian --reform:text --iso --year "
    "--twelve --week?text --vertical --columns:text --color?text "
)
_PS = (
    "-a -A -c -C:text -d -e -f -F -g:text -G:text -H -j -l -L -M -m -n:text -N -o:text -O:text -p:text -P "
    "-q:text -r -s:text -S -t:text -T -u:text -U:text -v -V -w -x -X -y -Z --cols:text --columns:text "
    "--cumulative --deselect --forest --format:text --group:text --Group:text --headers --lines:text "
    "--no-headers --no-heading --noheader --noheaders --pid:text --ppid:text --quick-pid:text --rows:text "
    "--sid:text --sort:text --tty:text --user:text --User:text --width:text --context --info " + DIGITS
)
_PS_LETTERS = re.compile(r"[aAcfFghHjlLmnrsSTuvwxXZ]*(?:[ptUk]\Z|[oO]\Z)?\Z")
_TOP = (
    "-b -c -E:text -e:text -H -i -l:text -n:text -o:text -O:text -p:text -s:text -S -u?text -U:text -w?text -1 "
    "-d:text -h -v -V -a -F -R -r -ncols:text -stats:text -pid:text -user:text --batch --delay:text "
    "--iterations:text --pid:text --sort-override:text --width?text --threads-show --cmdline-toggle "
    "--idle-toggle --filter-only-euser:text --filter-any-user:text "
)
_LSOF = (
    "-a -b -C -c:text -d:text -E -F?text -g?text -h -i?text -K?text -k:text -l -L?text -M -n -N -o?text -O "
    "-p:text -P -Q -R -r?text -s?text -S?text -t -T?text -u:text -U -v -V -w -W -x?text -X -z?text -Z?text "
    "-e:text -f?text "
)
_LSBLK = (
    "-a -A -b -d -D -e:text -E:text -f -h -I:text -i -J -l -L -m -M -n -N -v -o:text -O -p -P -Q:text -r -s -S "
    "-t -T?text -V -w:text -x:text -y -z --all --bytes --nodeps --discard --dedup:text --exclude:text --fs "
    "--include:text --ascii --json --list --merge --perms --noheadings --nvme --output:text --output-all --paths "
    "--pairs --raw --inverse --scsi --topology --tree?text --virtio --width:text --sort:text --shell --zoned "
)
_FINDMNT = (
    "-A -a -b -C -c -D -d:text -e -F:scan -f -i -J -k -l -M:path -m -N:text -n -O:text -o:text -P -p?text -R -r "
    "-S:text -s -T:path -t:text -U -u -v -w:text -x -y --all --ascii --bytes --df --fstab --mtab --kernel --json "
    "--list --noheadings --output:text --pairs --raw --real --pseudo --source:text --target:path --types:text "
    "--tree --verify "
)
_JOURNAL = (
    "-a -b?text -c:text -D:path -e -f -F:text -g:text -i:path -k -l -m -M:text -n?text -N -o:text -p:text -q -r "
    "-S:text -t:text -T:text -u:text -U:text -x -h --all --boot?text --cursor:text --after-cursor:text "
    "--show-cursor --case-sensitive?text --catalog --directory:path --disk-usage --dmesg --dump-catalog "
    "--facility:text --field:text --fields --file:path --follow --no-follow --full --no-full --grep:text "
    "--header --identifier:text --exclude-identifier:text --lines?text --list-boots --list-catalog "
    "--machine:text --merge --namespace:text --no-hostname --no-pager --no-tail --output:text "
    "--output-fields:text --pager-end --priority:text --quiet --reverse --root:path --image:path --since:text "
    "--system --unit:text --until:text --user --user-unit:text --utc --truncate-newline --verify "
)
_DMESG = (
    "-d -e -F:read -f:text -h -H -k -l:text -L?text -P -p -r -s:text -S -t -T -u -w -W -x -J --color?text "
    "--decode --ctime --facility:text --file:read --follow --follow-new --human --json --kernel --level:text "
    "--noescape --nopager --notime --raw --reltime --show-delta --since:text --syslog --time-format:text "
    "--until:text --userspace --buffer-size:text "
)
_MAN = (
    "-7 -a -c -d -D -e:text -E:text -f -h -H?program -i -I -k -K -l -L:text -m:text -M:risk -P:program -R:text "
    "-s:text -S:text -t -T?text -w -W --all --local-file --troff --ascii --apropos --browser:program --debug --default "
    "--encoding:text --extension:text --global-apropos --html?program --ignore-case --locale:text --location "
    "--path --location-cat --manpath:risk --match-case --names-only --no-hyphenation --no-justification "
    "--no-subpages --pager:program --preprocessor:risk -p:risk -r:risk --prompt:risk -C:risk --config-file:risk "
    "--recode:text --regex --sections:text --systems:text --troff-device?text --usage --warnings?text "
    "--where --whatis --wildcard "
)
_INFO = (
    "-a -d:path -f:read -h -I:text -k:text -n:text -o:write -O -w -v:text --all --apropos:text --directory:path "
    "--file:read --index-search:text --node:text --output:write --raw-escapes --show-options "
    "--strict-node-location --subnodes --usage --vi-keys --where --location --restore:risk --init-file:risk "
)
_NVIDIA = (
    "-L -q -i:text -d:text -l?text -x -f:write -a -B -lms:text -h -V --list-gpus --list-blocklist-gpus --query "
    "--unit --id:text --filename:write --xml-format --display:text --loop:text --loop-ms:text --query-gpu:text "
    "--query-compute-apps:text --query-accounted-apps:text --query-supported-clocks:text "
    "--query-retired-pages:text --query-remapped-rows:text --format:text --help-query-gpu "
    "--help-query-compute-apps "
)


def _date(call: Call, usage: Usage) -> Stream | None:
    """Weigh operands: a format begins with a plus sign, anything else sets the clock."""
    for field in usage.operands:
        if not field.text.startswith("+") and not usage.has("-j"):
            call.note("changes-system", field)
    return None


def _printenv(call: Call, usage: Usage) -> Stream | None:
    for name in usage.operands:
        shown = name.text not in ("PWD", "OLDPWD") and (name.static is None or SECRET_NAME.search(name.text.upper()))
        if shown:
            call.note(
                "prints-secret" if name.static is None else "secret-variable", None if name.static is None else name
            )
            call.taint |= Taint.SECRET
    if not usage.operands and not usage.has("--help", "--version"):
        call.note("prints-secret")
        call.taint |= Taint.SECRET
    return None


def _ps(call: Call, usage: Usage) -> Stream | None:
    """Weigh ps: the letter e without a hyphen, and E on macOS, show the environment of processes."""
    rest = list(usage.operands)
    while rest:
        word = rest.pop(0).text
        if "," in word or word.replace(" ", "").isdigit():
            continue
        if not _PS_LETTERS.match(word):
            if word.isalpha() and "e" in word:
                call.note("prints-secret")
                call.taint |= Taint.SECRET
            else:
                call.note("unknown-option", usage.operands[0])
        elif word[-1:] in ("p", "t", "U", "k", "o", "O") and rest:
            _columns(call, rest.pop(0))
    for field in usage.values("-o", "-O", "--format"):
        _columns(call, field)
    for field in usage.unlisted:
        if field.text[:1] == "-" != field.text[1:2] and "E" in field.text:
            call.note("prints-secret", field)
            call.taint |= Taint.SECRET
    _old_letters(call, usage)
    for field in usage.values("-C"):
        if field.text.startswith("-"):  # on macOS that letter takes no argument
            call.note("unclear-word", field)
    return None


_OLD_LETTERS = re.compile(r"[aAcCeEfFghHjlLmnrsSTuvwxXZ]+\Z")


def _old_letters(call: Call, usage: Usage) -> None:
    """Weigh that ps reads all words as letters without a hyphen, if a user or group of that name is not known.

    With ``-auxe`` it looks for a user "xe" first (ps(1), "NOTES").
    """
    names = usage.values("-u", "-U", "-g", "-G", "-s")
    letters = "".join(word.text for word in call.args if word.text[:2] != "--")
    if "e" in letters and any(_OLD_LETTERS.match(field.text) for field in names):
        call.note("prints-secret")
        call.taint |= Taint.SECRET


def _columns(call: Call, field: Field) -> None:
    if "env" in field.text or field.unknown:
        call.note("prints-secret", field)


_NEAR = frozenset(["localhost", "127.0.0.1", "::1"])


def _getent(call: Call, usage: Usage) -> Stream | None:
    names = [field.text for field in usage.operands]
    if names and names[0].startswith(("hosts", "ahosts", "networks")) and set(names[1:]) - _NEAR:
        call.note("uses-network")
        if any(field.taint & Taint.SECRET for field in usage.operands):
            call.note("sends-secret")
    if usage.operands and (usage.operands[0].static is None or "shadow" in usage.operands[0].text):
        call.note("reads-secret", usage.operands[0])
    return None


def _man(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-H", "--html"):
        call.note("names-program", shown="a browser")
    return _pages(call, usage)


def _pages(call: Call, usage: Usage) -> Stream | None:
    """Weigh names of pages: one with a slash is a file."""
    for field in usage.operands:
        if "/" in field.text or field.text[:1] == "." or field.unknown or usage.has("-l", "--local-file"):
            call.take(Role.READ, field)
    return None


def _nvidia(call: Call, usage: Usage) -> Stream | None:
    """Weigh nvidia-smi, whose only operand is how long it waits between two reports."""
    for field in [*usage.operands, *usage.values("-l")]:
        if not field.numeric:
            call.note("unknown-subcommand", field)
    return None


def _mount(call: Call, _usage: Usage) -> Stream | None:
    """Judge mount, which lists when it names nothing to mount."""
    rest = [word.text for word in call.args if word.text not in ("-l", "-v", "--show-labels", "--verbose")]
    asks = len(rest) == 1 and rest[0] in ("-h", "-V", "--help", "--version")
    if rest and not asks and not (rest[0] in ("-t", "--types") and len(rest) == 2 and rest[1][:1] != "-"):
        call.note("changes-system")
    return None


def _stty(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands:
        if field.text != "size" and field.text != "speed":
            call.note("changes-shell", field)
    return None


_LS_THINGS = (
    "-a -b -B -c -d:text -D -e?text -E -f -g -h -H -i -I -J -k -l -L -m -M -n -N -o:text -p -P -q -r -s -S -t -T "
    "-u -v -V -x -y -z --all --bytes --caches?text --extended?text --json --list --noheadings --online --offline "
    "--output:text --output-all --parse?text --pairs --raw --summary?text --sysroot:path --hex --physical "
)
_NAMES = outline(
    "-a -b -c -d -e -f -g -G -h -H -i -l -m -n -p -q -r -s -t -T -u -U -v -w -y -z -Z --all --group --groups "
    "--name --real --user --zero --context",
    "text*",
    safe_options=True,
)
_PLAIN = outline("-a -h -q", safe_options=True)


def _processes(call: Call, usage: Usage) -> Stream | None:
    """Print numbers of processes; those of this gate are told from others."""
    own = any(names_gate(word.text) for word in usage.operands)
    if own:
        return Stream(None, call.taint, SPLIT + OWN_PROCESS)
    beside = usage.has("-a", "-l", "-c", "-d", "-S", "--list-full", "--list-name", "--count", "--delimiter")
    return None if beside else Stream(None, call.taint, NUMBER)


PROGRAMS = Descriptions(
    {
        "date gdate": outline(_DATE, judge=_date),
        "cal ncal": outline(_CAL, "text text text"),
        "uptime": outline("-p -s -h -V -r --pretty --since --raw --container"),
        "uname": outline(
            "-a -b -i -K -m -n -o -p -r -s -U -v --all --kernel-name --nodename --kernel-release "
            "--kernel-version --machine --processor --hardware-platform --operating-system",
            safe_options=True,
        ),
        "nproc logname hostid": outline("-h --all --ignore:text"),
        "sw_vers": outline("-productName -productVersion -buildVersion --productName --productVersion --buildVersion"),
        "vm_stat": outline("", "text"),
        "hostname": outline(
            "-a -A -d -f -i -I -s -y -h -V --alias --all-fqdns --all-ip-addresses --domain --fqdn --long "
            "--ip-address --short --yp --nis"
        ),
        "domainname dnsdomainname": _PLAIN,
        "whoami tty": outline("-s --silent --quiet", safe_options=True),
        "id groups": _NAMES,
        "who": outline(
            "-a -b -d -H -l -m -p -q -r -s -t -T -u -w --all --boot --count --dead --heading --login "
            "--lookup --message --mesg --process --runlevel --short --time --users --writable",
            "text text text",
        ),
        "w": outline(
            "-f -h -i -o -p -s -u -V --no-header --from --ip-addr --old-style --pids --short --no-current", "text"
        ),
        "users": outline("", "path"),
        "last lastb lastlog": outline(
            "-a -d -f:scan -F -h -i -n:text -p:text -R -s:text -t:text -u:text -b:text -w -x -y -T "
            "--fulltimes --limit:text --since:text --until:text --system --time-format:text --user:text "
            "--time:text " + DIGITS,
            "text*",
        ),
        "pinky": outline("-b -f -h -i -l -p -q -s -w -m", "text*"),
        "free": outline(
            "-b -c:text -g -h -k -l -L -m -s:text -t -v -V -w --bytes --kibi --mebi --gibi --tebi --kilo "
            "--mega --giga --tera --human --si --lohi --line --committed --total --wide --seconds:text "
            "--count:text"
        ),
        "vmstat": outline(
            "-a -d -D -f -m -n -p:text -s -S:text -t -V -w -y --active --stats --disk --wide --timestamp "
            "--unit:text --one-header",
            "text text",
        ),
        "iostat mpstat pidstat sar": outline(
            "-A -b -B -c -C:text -d -D -h -H -I?text -j:text -k -l -m -n:text -N -o:risk -p?text -P:text "
            "-q?text -r -R -s -S -t -T:text -u -U?text -v -w -W -x -y -z --dec:text --human --pretty -g:text",
            "text text text",
        ),
        "lscpu lsmem lsns lsipc lslocks lsirq lsfd": outline(_LS_THINGS + "-C", "text*"),
        "lsblk": outline(_LSBLK, "path*"),
        "findmnt": outline(_FINDMNT, "path path"),
        "lsusb": outline("-v -s:text -d:text -D:path -t -V --verbose --tree"),
        "lspci": outline(
            "-b -d:text -D -i:scan -k -m -mm -n -nn -P -PP -s:text -t -v -vv -vvv -vmm -x -xxx -F:read -A:text -G"
        ),
        "lsmod": outline(),
        "modinfo": outline(
            "-a -d -F:text -l -n -p -k:text -0 -b:path --author --description --field:text --license "
            "--parameters --filename",
            "text*",
        ),
        "lsb_release": outline("-a -c -d -i -r -s -v --all --codename --description --id --release --short"),
        "lshw": outline(
            "-html -xml -json -short -businfo -C:text -c:text -class:text -disable:text -enable:text -quiet "
            "-sanitize -numeric -notime"
        ),
        "dmidecode": outline("-q -s:text -t:text -u -H:text --quiet --string:text --type:text --no-sysfs"),
        "sensors": outline("-A -f -j -u -h -v", "text*"),
        "acpi": outline(
            "-a -b -B -c -d:path -f -i -k -s -t -V -v --battery --thermal --ac-adapter --cooling --everything"
        ),
        "nvidia-smi": outline(_NVIDIA, style=Style.LONG, judge=_nvidia),
        "lsof": outline(_LSOF, "path*"),
        "ps": outline(_PS, judge=_ps),
        "pgrep": outline(
            "-a -c -d:text -f -F:scan -g:text -G:text -i -I -l -L -n -o -O:text -P:text -q -r:text -s:text "
            "-S -t:text -u:text -U:text -v -w -x --list-name --list-full --full --count --newest --oldest "
            "--ignore-case --inverse --exact --parent:text --euid:text --uid:text --group:text --pgroup:text "
            "--session:text --terminal:text --delimiter:text --pidfile:scan --runstates:text --lightweight",
            "text",
            judge=_processes,
        ),
        "pidof": outline("-c -n -o:text -q -s -S:text -w -x -z -d:text", "text*", judge=_processes),
        "pstree": outline(
            "-a -A -c -C:text -g -G -h -H:text -l -n -N:text -p -s -S -t -T -u -U -V -Z -w --arguments "
            "--ascii --compact-not --long --numeric-sort --show-pids --show-parents --uid-changes --unicode",
            "text",
        ),
        "pwdx": outline("", "text*"),
        "pmap": outline("-A:text -d -p -q -V -x -X -XX --extended --device --quiet --show-path", "text*"),
        "top": outline(_TOP),
        "mount": lambda: words(_mount),
        "getconf": outline("-a -v:text", "text path"),
        "locale": outline("-a -c -k -m -v --all-locales --charmaps --category-name --keyword-name --verbose", "text*"),
        "getent": outline("-A -i -s:risk --no-idn --no-addrconfig --service:risk", "text text*", judge=_getent),
        "stty": outline("-a -g -F:path --all --save --file:path", judge=_stty),
        "printenv": outline("-0 --null", judge=_printenv),
        "dmesg": outline(_DMESG),
        "journalctl": outline(_JOURNAL + DIGITS, "text*"),
        "man": outline(_MAN, judge=_man),
        "info": outline(_INFO, judge=_pages),
        "apropos whatis": outline(
            "-a -d -e -f -k -l -L:text -m:text -M:path -r -s:text -S:text -v -w -C:risk --and --exact --long "
            "--regex --wildcard --sections:text --section:text --systems:text --manpath:path --locale:text "
            "--verbose --debug",
            "text*",
        ),
        "tldr": outline(
            "-p:text -L:text -l -c -s:text -r -m -o:text -q --platform:text --language:text --list "
            "--short-options --long-options --color:text --search:text --render:read",
            "text*",
        ),
        "tzselect zdump": outline("-v -V -c:text -t:text", "text*"),
    }
)
