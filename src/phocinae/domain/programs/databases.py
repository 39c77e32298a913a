"""Clients of databases.

Sources: psql(1), mysql(1), sqlite3(1), redis-cli(1), mongosh, and their like.  What they do
is a matter of the statement and the server; what is looked for here is a shell command in it.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..usage import Usage
from ..values import Field, Stream
from .outlines import Descriptions, only_help, outline

_ESCAPES = ("\\!", ".shell", ".system")
"""What starts a shell command in psql and mysql, and in sqlite3."""


_PROGRAM = re.compile(r"(?i)\bprogram\s+'((?:[^']|'')*)'")
"""``COPY ... PROGRAM`` of PostgreSQL."""
_PIPED = re.compile(
    r"(?:^\s*\.(?:once|output|import)\s+(?:-\S+\s+)*['\"]?\||\\(?:o|out|g|gx|w|write)\s*\||^\s*pager\s+|\\P\s+)([^'\"\n;]+)",
    re.M,
)
"""Commands of sqlite3, psql and mysql that pipe to or from a shell command."""
_MOST_WORDS = 50
"""Words and lines that are looked at for shell commands."""


def _database(call: Call, usage: Usage) -> Stream | None:
    if only_help(usage) and not usage.operands:
        return None
    call.note("uses-database")
    for word in usage.operands:
        call.read(word, prints=False)
    for word in call.args[:_MOST_WORDS]:
        _statement(call, word, word.text)
    if call.stdin.text:
        _statement(call, call.word, call.stdin.text)
    return None


def _statement(call: Call, place: Field, text: str) -> None:
    """Judge the shell commands that a statement's lines start with."""
    for match in list(_PROGRAM.finditer(text))[:_MOST_WORDS]:
        call.shell(place.with_text(match[1].replace("''", "'")))
    for match in list(_PIPED.finditer(text))[:_MOST_WORDS]:
        call.shell(place.with_text(match[1].strip()))
    escapes = (*_ESCAPES, "system ", "SYSTEM ") if call.name in ("mysql", "mariadb") else _ESCAPES
    for line in text.split("\n")[:_MOST_WORDS]:
        stripped = line.strip()
        for escape in escapes:
            if stripped.startswith(escape):
                call.shell(place.with_text(stripped[len(escape) :].strip()))
                break


_ANYTHING = (
    "-c:text --command:text -f:scan --file:scan -d:text --dbname:text -U:text --username:text -h:text --host:text -p?text --port:text -l --list -t -A -q -x -X -w "
    "-W --no-psqlrc -e:text --execute:text -u:text --user:text -P:text -D:text --database:text -n:text -a:text --csv -json -header -readonly -column -o:write -V -version --help"
)
_client = outline(_ANYTHING, judge=_database)

PROGRAMS = Descriptions(
    {
        "psql mysql mariadb sqlite3 sqlite redis-cli valkey-cli mongosh mongo pg_dump pg_dumpall pg_restore mysqldump mysqladmin "
        "mysqlimport createdb dropdb createuser dropuser vacuumdb reindexdb clusterdb pg_basebackup pg_ctl initdb pgbench mongodump "
        "mongorestore mongoexport mongoimport sqlcmd bcp isql sqlplus cqlsh influx clickhouse-client duckdb cockroach usql litecli pgcli "
        "mycli etcdctl": _client,
        "pg_isready": outline(
            "-h:text --host:text -p:text --port:text -d:text --dbname:text -U:text -t:text -q --quiet", judge=_database
        ),
        "pg_config": outline("--bindir --includedir --libdir --configure --sharedir --pkglibdir --cflags --libs"),
    }
)
