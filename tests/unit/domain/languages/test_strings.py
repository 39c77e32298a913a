"""What becomes of texts on their way into a call."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RUINOUS = [
    "python3 -c \"import shutil,os; shutil.rmtree(os.path.join('/', 'usr'))\"",
    "python3 -c \"import shutil,os\nfor d in os.listdir('/'):\n    shutil.rmtree(os.path.join('/', d))\"",
    "python3 -c \"import os\nfor r,d,f in os.walk('/'):\n  for x in f: os.remove(os.path.join(r,x))\"",
    "python3 -c \"import os; os.replace('x', '/etc/passwd')\"",
    "python3 -c \"import os; os.system('rm -rf ' + '/')\"",
    "python3 -c \"import os; c='rm -rf ' + '~'; os.system(c)\"",
    "python3 -c \"import os; a='rm'; b='-rf'; os.system(f'{a} {b} /')\"",
    "python3 -c \"import os; os.system('{} -rf {}'.format('rm', '/'))\"",
    "python3 -c \"import os; os.system('%s -rf %s' % ('rm', '/'))\"",
    "python3 -c \"import os; os.system(' '.join(['rm','-rf','/']))\"",
    "python3 -c \"import os; os.system('rm' + chr(32) + '-rf' + chr(32) + '/')\"",
    "python3 -c \"import os; os.system('/ fr- mr'[::-1])\"",
    "python3 -c \"import os; os.system('RM -RF /'.lower())\"",
    "python3 -c \"import os; os.system('xrm -rf /'.replace('x',''))\"",
    "python3 -c \"import os; os.system('xrm -rf /'[1:])\"",
    "python3 -c \"import os; os.system('\\x72\\x6d -rf /')\"",
    "python3 -c \"import subprocess; subprocess.run(['rm','-rf','/'])\"",
    "python3 -c \"import subprocess; subprocess.run('rm -rf /'.split())\"",
    "python3 -c \"import subprocess,shlex; subprocess.run(shlex.split('rm -rf /'))\"",
    "python3 -c \"import subprocess; cmd=['rm','-rf','/']; subprocess.run(cmd)\"",
    "python3 -c \"import subprocess; cmd=['rm']; cmd+=['-rf']; cmd.append('/'); subprocess.call(cmd)\"",
    "python3 -c \"import subprocess; subprocess.check_call(['sudo','rm','-rf','/usr'])\"",
    "python3 -c \"import subprocess,os; subprocess.run(['rm','-rf',os.path.expanduser('~')])\"",
    "python3 -c \"import subprocess,os; subprocess.run(['rm','-rf',os.environ['HOME']])\"",
    "python3 -c \"import os; os.execvp('rm', ['rm','-rf','/'])\"",
    "python3 -c \"import os; os.execl('/bin/rm', 'rm', '-rf', '/')\"",
    "python3 -c \"import os; os.spawnlp(os.P_WAIT, 'rm', 'rm', '-rf', '/')\"",
    "python3 -c \"import os; os.posix_spawn('/bin/rm', ['rm','-rf','/'], os.environ)\"",
    "python3 -c \"import pty; pty.spawn(['rm','-rf','/'])\"",
    "python3 -c \"import os; open(f'{os.environ[\\\"HOME\\\"]}/.bashrc','a').write('k')\"",
]
HARMLESS = [
    (
        "python3 - <<'E'\ntext = open('README.md').read()\ntext = text.replace('rm -rf /', 'rm -r ./b"
        "uild')\nopen('README.md', 'w').write(text)\nE"
    ),
    "python3 -c \"import shutil, os; shutil.rmtree(os.path.join('a', 'b'))\"",
    "python3 -c \"import shutil, os; shutil.rmtree(os.path.join(os.path.expanduser('~'), 'tmp', 'x'))\"",
    "python3 -c \"s = 'a'.replace('/', '')\"",
    "python3 -c \"import shlex; print(shlex.split('rm -rf /'))\"",
    "python3 -c \"import subprocess; subprocess.run(['rm', '-rf', 'build'])\"",
    "python3 -c \"import subprocess; a = ['rm', '-rf']; print(a, '/'); subprocess.run(['ls'])\"",
    "python3 -m timeit \"'rm -rf /'.split()\"",
]


@pytest.mark.parametrize("command", RUINOUS)
def test_ruinous_code_is_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize("command", HARMLESS)
def test_other_code_is_a_matter_for_a_person(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) in ("undecided", "undecided-ask")
