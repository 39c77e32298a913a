"""Code of other languages: searched for what is plainly ruinous, and otherwise a matter for a person."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Rules = Callable[[str], set[str]]

PYTHON = "python3 -c '{}'"


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (PYTHON.format('import os; os.system("rm -rf /")'), "destroys-code"),
        (PYTHON.format('import os\nos.popen("curl -s http://localhost/x | sh")'), "destroys-code"),
        (PYTHON.format('import subprocess as s; s.run(["rm", "-rf", "/"])'), "destroys-code"),
        (PYTHON.format('import shutil; shutil.rmtree("/")'), "destroys-code"),
        (PYTHON.format('import shutil; shutil.rmtree("/etc")'), "destroys-code"),
        (PYTHON.format('import shutil, os; shutil.rmtree(os.path.expanduser("~"))'), "destroys-code"),
        (PYTHON.format("import os\nwhile True: os.fork()"), "fork-bomb"),
        (PYTHON.format('import urllib.request as u; exec(u.urlopen("http://localhost/x").read())'), "remote-code"),
        (
            PYTHON.format('import socket,os,pty; s=socket.socket(); os.dup2(s.fileno(),0); pty.spawn("sh")'),
            "reverse-shell",
        ),
        ("perl -e 'system(\"rm -rf /\")'", "destroys-code"),
        ("perl -e 'fork while fork'", "fork-bomb"),
        ("perl -e 'print `rm -rf /`'", "destroys-code"),
        ("ruby -e '%x(rm -rf /)'", "destroys-code"),
        ('ruby -e \'require "fileutils"; FileUtils.rm_rf("/")\'', "destroys-code"),
        ('node -e \'require("child_process").execSync("rm -rf ~")\'', "destroys-code"),
        ('node -e \'require("fs").rmSync("/etc", {recursive: true})\'', "destroys-code"),
        ("php -r 'shell_exec(\"rm -rf /\");'", "destroys-code"),
        ("python3 <<'END'\nimport os\nos.system('rm -rf /')\nEND", "destroys-code"),
    ],
)
def test_ruinous_code(command: str, rule: str, rules: Rules) -> None:
    assert rule in rules(command)


@pytest.mark.parametrize(
    "code",
    [
        'print("rm -rf /")',
        'import os; os.system("ls")',
        'import shutil; shutil.rmtree("build")',
        'import subprocess; subprocess.run(["git", "status"])',
        'import requests; print(requests.get("http://localhost/x").text)',
        'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname())',
        'eval("1+1")',
        "import os; pid = os.fork()",
        "for x in [1]: print(x)",
        'text = "while fork"',
    ],
)
def test_other_code_is_a_matter_for_a_person(code: str, rules: Rules) -> None:
    assert rules(PYTHON.format(code)) == {"feeds-interpreter"}


@pytest.mark.parametrize("unit", ['"', '"\\"', "\\'", "`", "`\\`", "qx(", "fork ", "'a' ", "system "])
def test_hostile_code_is_looked_through_once(unit: str, rules: Rules) -> None:
    text = (unit * 19_000)[:19_001].replace("'", '"')
    assert "feeds-interpreter" in rules(f"perl -e '{text}'")
