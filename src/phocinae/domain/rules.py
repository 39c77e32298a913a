"""All rules of the offline layer: what each says, how heavy it is, and what to do instead.

A reason is a sentence about ``{it}``, the part of the command that the rule is about.
A remedy names a command that no rule denies.  It may be undecided, and settings that fail
closed deny that where nobody decides it.
"""

from __future__ import annotations

from attrs import frozen

from .verdict import Weight


@frozen(slots=False, eq=False, repr=False)
class Rule:
    """One rule; `remedy` is empty unless it denies."""

    id: str
    weight: Weight
    reason: str
    remedy: str = ""


RULES: dict[str, Rule] = {}


def _rules(weight: Weight, table: str) -> None:
    for line in table.strip().splitlines():
        name, reason, remedy = (*(cell.strip() for cell in line.split("|")), "")[:3]
        RULES[name] = Rule(name, weight, reason, remedy)


_rules(
    Weight.NOTE,
    """
runs-project-code     | {it} runs code of the project, which is not judged here.
""",
)
_rules(
    Weight.UNSURE,
    """
unknown-program       | Nothing is known of the program {it}.
unknown-option        | {it} is not among the options that are known to be harmless here.
unknown-subcommand    | Nothing is known of the subcommand {it}.
unclear-word          | {it} is not known before the command runs, and may be an option.
too-many-operands     | {it} is one operand more than is known of here.
writes-file           | It writes to {it}.
deletes-file          | It deletes {it}.
changes-files         | {it} changes files.
changes-rights        | It changes the rights or the owner of {it}.
changes-repository    | {it} changes the repository or its working tree.
discards-changes      | {it} may throw away work that is not committed.
publishes             | {it} sends commits or packages to others.
installs              | {it} installs or removes packages.
runs-code             | {it} runs code that is not judged here.
uses-network          | {it} uses the network.
changes-system        | {it} changes processes, services or settings of the system.
uses-database         | {it} talks to a database.
uses-cloud            | {it} acts on containers, a cluster or a cloud.
as-another-user       | {it} runs a command with the rights of another user.
sets-variable         | The variable {it} may change what the programs behind it do.
shells-differ         | Shells disagree on whether {it} is one word or several.
starts-jobs           | {it} is started in the background again and again, and nobody knows how often.
not-harmless          | {it} is not known to be harmless.
windows-command       | {it} is a command of a Windows shell that is not known to be harmless.
""",
)
_rules(
    Weight.PERSON,
    """
unread                | The text cannot be read to the end: {it}.
does-not-parse        | The text cannot be read as shell: {it}.
other-reading         | Another shell, or the eye, reads this in another way: {it}.
unknown-name          | Which program {it} runs is not known before the command runs.
local-program         | {it} is a program outside the system's folders.
reads-secret          | {it} holds secrets.
reads-device          | {it} is a device, and reading it shows what is stored on it or typed into it.
may-read-secret       | Which file {it} is cannot be known before the command runs, and its contents would be printed.
secret-variable       | The variable {it} is named like a secret.
may-hold-secret       | {it} may hold addresses with passwords or tokens in them.
prints-secret         | {it} prints values that may hold secrets.
feeds-interpreter     | {it} runs code that it is given.
moves-gate            | {it} is a setting of this gate, and may change whom it trusts or what it runs.
changes-agent         | {it} changes what an agent asks about, runs or trusts.
names-program         | {it} names a program that is run.
changes-shell         | {it} changes the shell in which later commands run.
evaluates-text        | {it} is evaluated as an expression, and the shell may run commands in it.
too-many-words        | {it} is given more words than are judged here.
too-deep              | Commands are nested too deeply in {it} to be judged.
write-secret          | It writes to {it}, a place for secrets.
write-git             | It writes to {it}, which names programs that git runs by itself.
write-repository      | It writes to {it}, which git keeps for itself.
write-build           | It writes to {it}, which tells a build service what to run, often with secrets at hand.
write-runs            | It writes to {it}, from which programs learn what to run or where to get packages.
write-program         | It writes to {it}, in a folder in which programs are looked for by their names.
write-agent           | It writes to {it}, which tells an agent what to do and may give it tools.
unclear-path          | It cannot be told where {it} leads.
""",
)
_rules(
    Weight.DENY,
    """
delete-root           | It deletes {it}, the root of the file system or all that is in it. | delete one named folder, as in: rm -r ./build
delete-home           | It deletes {it}, a home directory or all that is in it. | delete one named folder, as in: rm -r ./build
delete-system         | It deletes {it}, which belongs to the system. | let the package manager do it, or delete one named folder, as in: rm -r ./build
delete-working-folder | It deletes {it}, the whole working directory or all that is in it. | name what is to go, as in: rm -r ./build
delete-parent         | It deletes {it}, a folder that holds the working directory. | name what is to go, as in: rm -r ./build
write-device          | It writes to the device {it}, which destroys what is stored there. | write to a file, as in: dd if=/dev/zero of=./disk.img bs=1M count=10
format-device         | {it} formats or wipes a storage device. | list devices first, as in: lsblk
write-system          | It writes to {it}, which belongs to the system. | write a copy in the project, as in: cp notes.txt ./notes.bak
write-startup         | It writes to {it}, which a shell or a service runs or trusts when it starts. | write a copy in the project, as in: cp notes.txt ./notes.bak
write-gate            | It changes {it}, which belongs to this gate or to the agent's own settings. | look at it, as in: ls -la
remote-code           | {it} runs what comes from another machine, unseen. | download to a file and read it first, as in: curl -o ./install.sh https://example.com/install.sh
decoded-code          | {it} runs text that has been decoded or rewritten, so that it cannot be read here. | decode to a file and read it first, as in: base64 -d code.b64 > ./code.txt
reverse-shell         | {it} hands a shell to another machine. | to test a connection use: nc -z localhost 5432
sends-secret          | {it} sends secrets to another machine. | send a file without secrets, as in: curl -d @body.json http://localhost:3000/api
force-push            | {it} overwrites history that others may have. | push without force, as in: git push origin topic
deletes-branch        | {it} deletes a published branch that others build on, or overwrites all of them. | push a branch, as in: git push origin topic
halts-machine         | {it} stops or restarts the machine. | look at it, as in: uptime
fork-bomb             | {it} starts copies of itself without end. | run the work once, as in: sleep 1
opens-permissions     | It opens or changes the rights of {it}, which belongs to the system. | change one file of the project, as in: chmod u+x ./build.sh
sets-uid              | It makes {it} run with more rights than those who start it have. | change one file of the project, as in: chmod u+x ./build.sh
disables-protection   | {it} switches off a protection of the system. | look at its state, as in: systemctl status firewalld
hides-traces          | {it} clears a log of the system. | look at what is in it, as in: Get-EventLog -List
starts-by-itself      | {it} makes a program start by itself, at a time or with the system. | look at what does so already, as in: schtasks /query
changes-account       | {it} creates an account or weakens how one is protected. | look at it, as in: id
removes-schedule      | {it} deletes scheduled jobs. | list them, as in: crontab -l
plants-schedule       | {it} replaces the table of scheduled jobs by its input. | write a table to look at, as in: crontab -l > ./jobs.txt
takes-host            | {it} gives a container the whole file system of the host. | mount one folder, as in: docker run --rm -v ./src:/src alpine ls
kills-everything      | {it} ends every process that it can reach. | end one process by its number, as in: kill 1234
destroys-windows      | {it} destroys data or protections of a Windows system. | delete one named folder, as in: Remove-Item -Recurse ./build
destroys-code         | The code that {it} runs destroys files or runs a command that is denied. | write the code to a file and read it first, as in: python3 ./script.py
""",
)
