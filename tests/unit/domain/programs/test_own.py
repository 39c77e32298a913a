"""This gate's own commands: looking is harmless, loosening the gate is denied."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

ALLOWED = [
    "phocinae --version",
    "phocinae --help",
    "phocinae gate 'rm -rf /'",
    "phocinae gate --json --explain 'rm -rf /'",
    "echo ls | phocinae gate",
    "phocinae info",
    "phocinae tools --full",
    "phocinae doctor",
    "phocinae policy check",
    "phocinae policy show",
    "phocinae audit verify",
    "phocinae config show",
    "phocinae config schema",
]
UNDECIDED = [
    "phocinae serve",
    "phocinae frobnicate",
    "phocinae policy frobnicate",
    "phocinae gate --timeout 3 ls",
    "phocinae gate ls pwd",
    'phocinae "$x"',
]
DENIED = [
    "rm -rf ~/.config",
    "rm -rf ~/.config/*",
    "rm -rf ~/.local/state",
    "rm -rf ~/.local/share/",
    "rm -r /home/u/.local",
    "rm -rf $HOME/.config",
    "find ~/.config -delete",
    "rm .venv/bin/phocinae",
    "rm -rf .venv/lib/python3.11/site-packages/phocinae",
    "echo x > site-packages/phocinae/domain/l0.py",
    "cp x ~/.local/bin/phocinae-mcp",
    "truncate -s 0 /usr/lib/python3/dist-packages/phocinae/cli.py",
    "chmod -x ~/.local/bin/phocinae",
    "claude mcp remove phocinae",
    "claude mcp remove -s user phocinae",
    "codex mcp rm phocinae",
    "phocinae uninstall claude-code",
    "phocinae approve 1",
    "phocinae config init",
    "sudo phocinae uninstall claude-code",
    "sh -c 'phocinae config init'",
    "pkill -f phocinae",
    "killall phocinae-mcp",
    "rm -rf ~/.config/phocinae",
    "echo x > ~/.config/phocinae/policy.toml",
    "chmod 777 ~/.config/phocinae",
    "mv ~/.claude/settings.json x",
]


@pytest.mark.parametrize("command", ALLOWED)
def test_allowed(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize(
    "command",
    [
        "rm -r ~/.config/other",
        "rm ~/.config/*",
        "rm -rf .config",
        "find ~/.config -name '*.bak' -delete",
        "rm -rf .venv",
        "rm -r src/phocinae/x",
        "pip uninstall phocinae-notes",
        "claude mcp remove other",
        "claude mcp list",
    ],
)
def test_what_is_near_the_gate_is_not_the_gate(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command).removesuffix("-ask") == "undecided"


CHANGES = r"""
rm ~/.config/phocinae/policy.toml
mv ~/.config/phocinae /tmp
mv ~/.config ~/.config2
cp my.toml ~/.config/phocinae/config.toml
sed -i 's/enabled = true/enabled = false/' ~/.config/phocinae/config.toml
echo 'enabled = false' >> "$HOME/.config/phocinae/config.toml"
echo 'enabled = false' >> ${XDG_CONFIG_HOME:-~/.config}/phocinae/config.toml
tee ~/.config/phocinae/config.toml < x
dd of=/home/me/.config/phocinae/config.toml
truncate -s0 ~/.local/state/phocinae/audit.jsonl
> ~/.local/state/phocinae/audit.jsonl
: > ~/.local/state/phocinae/audit.jsonl
rm -f ~/.local/state/phocinae/*
rm -rf ~/.local/state/phocinae
shred -u ~/.local/state/phocinae/audit.jsonl
sed -i '$d' ~/.local/state/phocinae/audit.jsonl
cd ~/.local/state/phocinae && > audit.jsonl
cd ~/.local/state/phocinae; rm audit.jsonl
cd ~/.config && rm -rf phocinae
cd ~/.claude && rm settings.json
cd ~/.claude && echo '{}' > settings.json
cd .claude && rm settings.json
cd .claude; echo '{}' > settings.local.json
pushd ~/.claude; rm settings.json
chmod 000 ~/.config/phocinae
chmod -R a+w ~/.config/phocinae
chown me ~/.config/phocinae/policy.toml
chmod -x /usr/local/bin/phocinae
rm ~/.local/bin/phocinae
rm $(which phocinae)
rm -f "$(command -v phocinae)"
chmod -x $(which phocinae)
mv $(which phocinae) /tmp/
ln -sf /bin/true $(which phocinae)
ln -sf /bin/true ~/.local/bin/phocinae
ln -sf /bin/true /usr/local/bin/phocinae
cp /bin/true ~/.local/bin/phocinae
cp /bin/true /usr/bin/phocinae
echo '#!/bin/sh' > ~/.local/bin/phocinae
install -m 755 fake /usr/local/bin/phocinae
rm -rf ~/.local/lib/python3.12/site-packages/phocinae*
sed -i 's/DENY/ALLOW/' venv/lib/python3.11/site-packages/phocinae/domain/rules.py
rm -rf ~/.local/share/pipx/venvs/phocinae
rm -rf ~/.local/share/uv/tools/phocinae
sudo rm -rf /etc/phocinae
echo x | sudo tee /etc/phocinae/policy.toml
rm -rf .phocinae
rm .phocinae/policy.toml
echo x > .phocinae/policy.toml
git rm .phocinae/policy.toml
git rm --cached .claude/settings.json
git checkout HEAD~1 -- .claude/settings.json
git restore .claude/settings.json
git mv .claude/settings.json x
echo '{}' > ~/.claude/settings.json
echo '{}' > .claude/settings.json
echo '{}' > .claude/settings.local.json
echo '{}' > ./.claude/settings.json
echo '{}' > "$HOME"/.claude/settings.json
echo '{}' > $HOME/.claude.json
rm .claude/settings.json
rm -rf .claude
rm -rf ~/.claude
rm -rf ~/.claude/hooks
mv .claude .claude.bak
mv .claude/settings.json /tmp/x
cp x.json .claude/settings.json
cp x.json .claude/settings.local.json
cp settings.json ~/.claude/
cp -r x/.claude .
jq 'del(.hooks)' ~/.claude/settings.json > x && mv x ~/.claude/settings.json
jq 'del(.hooks)' .claude/settings.json | sponge .claude/settings.json
jq '.hooks={}' .claude/settings.json > .claude/settings.json
sed -i 's/PreToolUse/x/' .claude/settings.json
sed -i '/hooks/d' ~/.claude/settings.json
perl -pi -e 's/PreToolUse/x/' ~/.claude/settings.json
perl -i -ne 'print unless /hook/' .claude/settings.json
yq -i 'del(.hooks)' .claude/settings.json
python3 -c "open('.claude/settings.json','w').write('{}')"
python3 -c "import os; os.remove('.claude/settings.json')"
node -e "require('fs').writeFileSync('.claude/settings.json','{}')"
node -e "require('fs').unlinkSync(process.env.HOME+'/.claude/settings.json')"
ln -sf /dev/null ~/.claude/settings.json
ln -s /tmp/x .claude/settings.json
truncate -s 0 .claude/settings.json
chmod 444 .claude/settings.json
tee .claude/settings.json <<< '{}'
curl -o .claude/settings.json http://a/b
curl http://a/b > ~/.claude/settings.json
wget -O ~/.codex/config.toml http://a/b
git config -f .claude/settings.json a.b c
find .claude -name 'settings*.json' -delete
find ~/.claude -type f -exec rm {} +
rsync -a x/ ~/.claude/
unzip x.zip -d ~/.claude
tar xf x.tar -C ~/.claude
rm .mcp.json
echo '{}' > .mcp.json
echo '{}' > ~/.codex/config.toml
sed -i 's/hooks = true/hooks = false/' ~/.codex/config.toml
rm ~/.codex/hooks.json
rm -rf ~/.codex
echo '{}' > .codex/config.toml
echo '{}' > .gemini/settings.json
echo '{}' > ~/.gemini/settings.json
rm -rf .gemini
rm -rf ~/.cursor
rm .cursor/hooks.json
echo '{}' > .cursor/mcp.json
echo '{}' > ~/.cursor/mcp.json
echo '{}' > .vscode/mcp.json
rm .github/hooks/x.json
echo '{}' > ~/.copilot/hooks/x.json
echo '{}' > opencode.json
echo x > .opencode/plugins/x.ts
echo x > ~/.config/opencode/opencode.json
echo x > ~/.config/goose/config.yaml
echo x > .kiro/hooks/x.json
echo x > .windsurf/hooks.json
echo x > ~/.codeium/windsurf/mcp_config.json
echo x > .qwen/settings.json
echo x > crush.json
echo x > .openhands/hooks.json
echo x > ~/.kimi/config.toml
echo x > .clinerules/hooks/PreToolUse
rm .clinerules/hooks/PreToolUse
echo x > "$HOME/Library/Application Support/Claude/claude_desktop_config.json"
echo x > /etc/claude-code/managed-settings.json
vim -c 'wq' .claude/settings.json
ed .claude/settings.json <<< w
codex mcp remove phocinae
phocinae approve x
phocinae config init --force
python -m phocinae uninstall claude-code
python3 -I -m phocinae uninstall codex
uvx phocinae uninstall claude-code
uv run phocinae uninstall x
pipx run phocinae uninstall x
~/.local/bin/phocinae uninstall x
/usr/local/bin/phocinae uninstall x
./.venv/bin/phocinae uninstall x
.venv/bin/phocinae config init
sudo phocinae uninstall x
env X=1 phocinae uninstall x
phocinae --config x uninstall claude-code
phocinae -v uninstall claude-code
phocinae --config /dev/null config init
pip uninstall -y phocinae
pip3 uninstall -y phocinae
python -m pip uninstall -y phocinae
pip uninstall -y requests phocinae
pip uninstall -y Phocinae
uv pip uninstall phocinae
uv tool uninstall phocinae
uv remove phocinae
pipx uninstall phocinae
poetry remove phocinae
pdm remove phocinae
conda remove phocinae
pkill phocinae
pkill -9 -f 'phocinae serve'
killall -9 phocinae-mcp
export PHOCINAE_SERVER=http://evil
export PHOCINAE_L1_ENABLED=0
unset PHOCINAE_TOKEN
declare -x PHOCINAE_SERVER=x
typeset -x PHOCINAE_SERVER=x
readonly PHOCINAE_SERVER=x
export PHOCINAE_MCP_SERVER=http://evil
PHOCINAE_SERVER=x; export PHOCINAE_SERVER
set -a; PHOCINAE_SERVER=x
alias phocinae=true
alias phocinae='exit 0'
phocinae() { true; }
function phocinae { return 0; }
phocinae() { echo allow; }; export -f phocinae
hash -p /bin/true phocinae
export DISABLE_ALL_HOOKS=1; echo '{"disableAllHooks": true}' > .claude/settings.local.json
""".strip().splitlines()
LEAVES = r"""
git checkout -- src/x.py
code .claude/settings.json
claude -p 'hi'
echo x > .claude/commands/x.md
echo x > .claude/agents/x.md
echo x > CLAUDE.md
rm CLAUDE.md
mkdir -p .claude/commands
rm -rf .vscode
rm -rf .github/workflows/x.yml
echo x > .vscode/settings.json
rm -rf ~/.cache/pip
rm package.json
echo x > settings.json
phocinae install claude-code
phocinae serve
pip uninstall -y requests
pip install phocinae
pip install -U phocinae
pkill node
kill 1234
cat ~/.claude/settings.json
cat .claude/settings.json
jq .hooks .claude/settings.json
ls -la ~/.claude
ls ~/.config/phocinae
cat ~/.config/phocinae/policy.toml
grep -n hooks .claude/settings.json
diff .claude/settings.json x
tail ~/.local/state/phocinae/audit.jsonl
cp .claude/settings.json /tmp/x.json
git diff .claude/settings.json
git add .claude/settings.json
find ~/.claude -name '*.json'
phocinae gate 'ls'
phocinae doctor
phocinae audit show
phocinae policy check
phocinae config show
phocinae gate 'rm -rf /'
phocinae --version
phocinae --help
pgrep phocinae
ps aux | grep phocinae
echo $PHOCINAE_SERVER
printenv PHOCINAE_SERVER
grep -rn PHOCINAE_SERVER src
echo "PHOCINAE_SERVER=x"
""".strip().splitlines()


@pytest.mark.parametrize("text", CHANGES)
def test_whatever_changes_the_gate_or_the_settings_of_an_agent_is_denied(judged: Judged, text: str) -> None:
    assert judged(text) == "deny"


@pytest.mark.parametrize("text", LEAVES)
def test_looking_at_them_and_changing_other_files_is_not(judged: Judged, text: str) -> None:
    assert judged(text) != "deny"


MOVES = r"""
phocinae gate --server http://127.0.0.1:9 ls
phocinae gate --server=http://127.0.0.1:9 ls
phocinae gate ls --guard ./guard.py
phocinae gate --guard=./guard.py -- ls
phocinae gate --config ./mine.toml ls
phocinae --config ./mine.toml gate ls
phocinae gate --backend mock ls
phocinae gate --l1-enabled --timeout 9 --server http://127.0.0.1:9 'ls'
phocinae gate --json --server "$x" ls
phocinae score --criterion c --state s --server http://127.0.0.1:9
phocinae classify --label a --label b --server http://127.0.0.1:9
phocinae route --tool a --tool b --server=http://127.0.0.1:9 --state x
phocinae classify --config ./mine.toml --label a
phocinae serve --guard ./guard.py
phocinae serve --server http://127.0.0.1:9 --l1-enabled
phocinae serve --state-key-file ./key
phocinae hook claude-code --guard ./guard.py
phocinae hook claude-code --config ./mine.toml
phocinae-mcp --server http://127.0.0.1:9
phocinae-mcp --guard ./guard.py
python -m phocinae score --criterion c --server http://127.0.0.1:9
python3 -I -m phocinae gate --guard ./guard.py ls
/usr/bin/phocinae gate --guard ./guard.py ls
nice phocinae gate --guard ./guard.py ls
sh -c 'phocinae gate --guard ./guard.py ls'
xargs phocinae gate --server http://127.0.0.1:9
echo ls | phocinae gate --server http://127.0.0.1:9
S=--server=http://127.0.0.1:9; phocinae score $S
PHOCINAE_SERVER=http://127.0.0.1:9 phocinae gate ls
PHOCINAE_MCP_SERVER=http://127.0.0.1:9 phocinae score --criterion c --state s
PHOCINAE_GUARD=./guard.py phocinae gate ls
PHOCINAE_MCP_GUARD_PATH=./guard.py phocinae gate ls
PHOCINAE_TOKEN_FILE=/etc/hostname phocinae gate ls
PHOCINAE_TOKEN=x phocinae gate ls
PHOCINAE_BACKEND=mock phocinae gate ls
LANG=C PHOCINAE_SERVER=http://127.0.0.1:9 phocinae gate ls
PHOCINAE_SERVER=http://127.0.0.1:9 python -m phocinae gate ls
PHOCINAE_SERVER=http://127.0.0.1:9 sh -c 'phocinae gate ls'
env PHOCINAE_SERVER=http://127.0.0.1:9 phocinae gate ls
env -S 'PHOCINAE_SERVER=http://127.0.0.1:9 phocinae gate ls'
sudo PHOCINAE_SERVER=http://127.0.0.1:9 phocinae gate ls
: ${PHOCINAE_SERVER:=http://127.0.0.1:9}; phocinae gate ls
read PHOCINAE_SERVER < x; phocinae gate ls
for PHOCINAE_SERVER in a b; do phocinae gate ls; done
""".strip().splitlines()
"""They send what is judged, or a token, elsewhere, take another judge or other settings, or run a program."""


@pytest.mark.parametrize("text", MOVES)
def test_what_moves_the_trust_of_the_gate_is_for_a_person(judged: Judged, text: str) -> None:
    assert judged(text) in ("ask", "undecided-ask")


@pytest.mark.parametrize(
    "text", ["phocinae gate -- --server", "phocinae gate -- '--server is an option'", "echo --guard x"]
)
def test_what_only_looks_like_one_of_these_options_moves_nothing(judged: Judged, text: str) -> None:
    assert judged(text) == "allow"


@pytest.mark.parametrize(
    "text", ["setx PHOCINAE_SERVER x", "setx.exe phocinae_guard x /m", "setx /s h Phocinae_Token x"]
)
def test_a_variable_of_the_gate_is_not_kept_for_all_processes(judged: Judged, text: str) -> None:
    assert judged(text) == "deny"


@pytest.mark.parametrize("text", ["setx EDITOR PHOCINAE_SERVER", "setx.exe PHOCINAE x /m", "setx X x"])
def test_another_variable_is_no_concern_of_the_gate(judged: Judged, text: str) -> None:
    assert judged(text) == "undecided"
