"""Verdicts on the programs of `phocinae.domain.programs.databases`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
psql --version
sqlite3 -version
""",
    "undecided": r"""
psql -c 'select 1'
sqlite3 app.db 'select 1'
redis-cli get key
createdb x
psql -h prod
redis-cli -h x
sqlite3 x.db '.output x.txt'
psql -c 'select a || b from x'
psql -c 'SELECT program FROM x'
psql -c "COPY x TO PROGRAM 'gzip -c'"
mysql -e 'select system from x'
""",
    "undecided-ask": r"""
sqlite3 ~/.config/google-chrome/Default/Cookies 'select * from cookies'
sqlite3 ~/.config/gcloud/credentials.db .dump
""",
    "deny": r"""
sqlite3 x.db '.shell rm -rf /'
psql -c '\! rm -rf ~'
echo '.system rm -rf /' | sqlite3
mysql -e 'system rm -rf /'
psql -c "COPY x TO PROGRAM 'rm -rf /'"
psql -c "\copy x from program 'rm -rf ~'"
sqlite3 x.db '.once |rm -rf /'
sqlite3 x.db '.output "|rm -rf /"'
sqlite3 x.db '.import "|rm -rf ~" t'
psql -c '\o |rm -rf /'
psql -c 'select 1 \g |rm -rf ~'
mysql -e 'pager rm -rf /'
mysql -e '\P rm -rf /'
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
