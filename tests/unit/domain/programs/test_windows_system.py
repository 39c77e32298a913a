"""Services, accounts, the registry and other settings of Windows: verdicts in a text for cmd."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "ipconfig",
    "ipconfig /all",
    "systeminfo",
    "tasklist",
    'tasklist /v /fi "imagename eq node.exe"',
    "reg query HKCU\\Software\\MyApp",
    'reg query "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion" /v ProductName',
    "sc query",
    "sc query Spooler",
    "sc qc Spooler",
    "sc query type= service state= all",
    "net user",
    "net user bob",
    "net localgroup administrators",
    "net start",
    "net share",
    "schtasks /query",
    "schtasks /query /fo list /v",
    "netsh interface show interface",
    "netsh advfirewall show allprofiles",
    "driverquery",
    "getmac",
]
UNDECIDED = [
    "taskkill /f /im node.exe",
    "taskkill /pid 1234",
    "taskkill /f /im python.exe /t",
    "net start MSSQLSERVER",
    "net stop MSSQLSERVER",
    "net use Z: \\\\server\\share",
    "sc start x",
    "sc stop Spooler",
    "reg add HKCU\\Software\\MyApp /v x /d 1",
    "reg delete HKCU\\Software\\MyApp /f",
    "reg import x.reg",
    "schtasks /run /tn x",
    "schtasks /delete /tn MyTask /f",
    "setx FOO bar",
    "netsh advfirewall firewall add rule name=x dir=in action=allow protocol=TCP localport=80",
    "shutdown /a",
    "shutdown /l",
    "net config server /autodisconnect:1",
    "net share c=C:\\ /grant:everyone,full",
    "sc config Spooler start= disabled",
    "powercfg /h off",
    'reg delete "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run" /v x /f',
    "taskkill /f /im explorer.exe",
]
ASKED = [
    "netsh wlan show profile name=x key=clear",
    "reg query HKLM\\SAM",
    "reg save HKLM\\SAM sam.hiv",
    "reg query HKLM /s",
]
DENIED = [
    "reg delete HKLM\\Software /f",
    "reg delete HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet /f",
    "reg delete HKCU /f",
    "reg delete HKCU\\Software /f",
    "reg add HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v x /d C:\\x.exe",
    'reg add "HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\RunOnce" /v x /t REG_SZ /d x',
    'reg add "HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows Defender" /v DisableAntiSpyware /t REG_DWORD /d 1 /f',
    "reg add HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Policies\\System /v EnableLUA /t REG_DWORD /d 0 /f",
    'reg add "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Winlogon" /v Shell /d x',
    'reg add "HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options\\x.exe" /v Debugger',
    "schtasks /create /tn x /tr calc /sc onlogon",
    "schtasks /delete /tn * /f",
    "sc delete WinDefend",
    "sc create evil binPath= C:\\x.exe",
    "sc config WinDefend start= disabled",
    "sc stop WinDefend",
    "net user hacker P@ss /add",
    "net user bob newpass",
    "net localgroup administrators bob /add",
    "net stop WinDefend",
    'net stop "Windows Defender Antivirus Service"',
    "netsh advfirewall set allprofiles state off",
    "netsh firewall set opmode disable",
    "shutdown /s /t 0",
    "shutdown /r /f",
    "shutdown -s -t 0",
    "shutdown /p",
    "taskkill /f /im *",
    "taskkill /im lsass.exe /f",
    "taskkill /f /im MsMpEng.exe",
    "net1 user x y /add",
    "NET USER x y /ADD",
    "sc failure x command= c.exe",
    'schtasks /create /sc minute /tn x /tr "cmd /c rd /s /q C:\\"',
    'net localgroup "Remote Desktop Users" bob /add',
    "net accounts /lockoutthreshold:0",
    "reg add HKLM\\SYSTEM\\CurrentControlSet\\Services\\x /v ImagePath /d y",
    'taskkill /f /fi "pid ge 1000"',
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
        *((command, "undecided-ask") for command in ASKED),
        *((command, "deny") for command in DENIED),
    ],
)
def test_verdict(judged_cmd: Callable[[str], str], command: str, answer: str) -> None:
    assert judged_cmd(command) == answer
