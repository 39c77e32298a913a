"""What code does to files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RUINOUS = [
    "python3 -c \"import os; os.remove('/etc/passwd')\"",
    "python3 -c \"import os; os.unlink('/etc/shadow')\"",
    "python3 -c \"open('/etc/passwd','w')\"",
    "python3 -c \"open('/etc/passwd','w').write('x')\"",
    "python3 -c \"p='/etc/passwd'; open(p,'w').write('x')\"",
    "python3 -c \"import io; io.open('/etc/passwd', 'w')\"",
    "python3 -c \"import os; os.open('/etc/passwd', os.O_WRONLY|os.O_TRUNC)\"",
    "python3 -c \"import pathlib; pathlib.Path.home().joinpath('.zshrc').open('a').write('x')\"",
    'python3 -c "import shutil, pathlib; shutil.rmtree(pathlib.Path.home())"',
    "python3 -c \"import shutil; shutil.rmtree('/', ignore_errors=True)\"",
    "python3 -c \"import shutil,os; shutil.rmtree(os.path.expanduser('~'))\"",
    "python3 -c \"import shutil,os; shutil.rmtree(os.environ['HOME'])\"",
    "python3 -c \"import shutil,os; shutil.rmtree(os.environ.get('HOME'))\"",
    "python3 -c \"import shutil,os; shutil.rmtree(os.getenv('HOME'))\"",
    "python3 -c \"import shutil,os; p=os.path.expanduser('~'); shutil.rmtree(p)\"",
    "python3 -c \"import shutil,os; p='/'; shutil.rmtree(p)\"",
    "python3 -c \"import shutil; p='/'+'etc'; shutil.rmtree(p)\"",
    'python3 -c "import shutil,os; shutil.rmtree(os.sep)"',
    "python3 -c \"import shutil; shutil.move('/etc/passwd','/tmp/x')\"",
    "python3 -c \"import shutil; shutil.copy('/tmp/x','/etc/passwd')\"",
    "python3 -c \"import shutil; shutil.copyfile('evil', '/etc/sudoers.d/x')\"",
    "python3 -c \"import os; os.rename('x', '/etc/passwd')\"",
    "python3 -c \"import os; os.symlink('/tmp/x', '/etc/passwd')\"",
    "python3 -c \"import os; os.chmod('/etc/shadow', 0o777)\"",
    "python3 -c \"import os; os.chown('/etc/shadow', 1000, 1000)\"",
    "python3 -c \"import os; os.truncate('/etc/passwd', 0)\"",
    "python3 -c \"import os; os.rmdir('/etc')\"",
    "python3 -c \"import os; os.removedirs('/usr')\"",
    "python3 -c \"import subprocess; subprocess.Popen(['bash','-c','rm -rf ~'])\"",
    "env python3 -c \"import shutil; shutil.rmtree('/etc')\"",
    "sudo python3 -c \"import shutil; shutil.rmtree('/etc')\"",
    "python3 -c \"open('/dev/sda','wb').write(b'0'*512)\"",
    "python3 -c \"import os; open(os.path.expanduser('~/.ssh/authorized_keys'),'a').write('k')\"",
    "python3 -c \"import os; open(os.environ['HOME']+'/.bashrc','a').write('k')\"",
    "python3 -c \"import json; json.dump({}, open('.claude/settings.json','w'))\"",
    "pypy3 -c \"import shutil; shutil.rmtree('/')\"",
    "/usr/bin/python3 -c \"import shutil; shutil.rmtree('/')\"",
    "nohup python3 -c \"import shutil; shutil.rmtree('/')\" &",
    "timeout 5 python3 -c \"import shutil; shutil.rmtree('/')\"",
]
HARMLESS = [
    "python3 -c \"import shutil; shutil.rmtree('build')\"",
    "python3 -c \"import shutil; shutil.rmtree('/tmp/x')\"",
    "python3 -c \"import shutil; shutil.rmtree('build'); print('/')\"",
    "python3 -c \"import shutil; shutil.rmtree('build'); open('/etc/hosts').read()\"",
    "python3 -c \"import shutil, os; shutil.rmtree(os.path.expanduser('~/.cache/foo'))\"",
    "python3 -c \"import os; print(os.path.expanduser('~')); import shutil; shutil.rmtree('x')\"",
    "python3 -c \"import os; os.remove('x'); print('/etc/passwd')\"",
    "python3 -c \"import os; os.remove('notes.txt')\"",
    "python3 -c \"l = ['/etc/passwd']; l.remove('/etc/passwd')\"",
    "python3 -c \"s = {'/'}; s.remove('/')\"",
    "python3 -c \"import json; d = json.load(open('x.json')); d.pop('/'); print(d)\"",
    "python3 -c \"import shutil; shutil.copy('/etc/hosts', 'hosts.bak')\"",
    "python3 -c \"import shutil; shutil.move('a', 'b')\"",
    "python3 -c \"import os; os.rename('a', 'b')\"",
    "python3 -c \"import os; os.chmod('run.sh', 0o755)\"",
    "python3 -c \"open('/etc/passwd').read()\"",
    "python3 -c \"print(open('/etc/os-release', 'r').read())\"",
    "python3 -c \"open('out.txt','w').write('/etc/passwd')\"",
    "python3 -c \"import ast; ast.parse(open('x.py').read())\"",
    "python3 -c \"compile(open('x.py').read(), 'x.py', 'exec')\"",
    "python3 -c \"assert 'rm -rf /' in open('README.md').read()\"",
    'python3 -c "import tempfile, shutil; d = tempfile.mkdtemp(); shutil.rmtree(d)"',
    "python3 -c \"import textwrap; print(textwrap.dedent('''os.remove(\\\"/etc/passwd\\\")'''))\"",
    'python3 -c "s=\'open(\\"/etc/passwd\\",\\"w\\")\'; print(s)"',
    "python3 -c \"f = open('x', 'w'); f.write('rm -rf /')\"",
    "python3 -c \"import os; print(os.listdir('/')); os.remove('x')\"",
    "python3 -c \"import sys; print(sys.path); sys.path.remove('/usr')\"",
    "python3 -c \"import os; os.path.exists('/etc/passwd') and os.remove('x')\"",
]


@pytest.mark.parametrize("command", RUINOUS)
def test_ruinous_code_is_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize("command", HARMLESS)
def test_other_code_is_a_matter_for_a_person(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) in ("undecided", "undecided-ask")
