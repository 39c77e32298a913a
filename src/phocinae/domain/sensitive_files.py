"""Which files decide what programs run: those of git, builds, editors, package managers, agents, and search paths.

One table for the tools of agents that write files and for commands that do.  Paths are resolved
values (`phocinae.domain.values`).  Case is of no account, as in `phocinae.domain.places`.

Sources: gitrepository-layout(5), githooks(5), the manuals of the services, editors and package managers
that are named, the documentation of Python's site module, and that of each agent.
"""

from __future__ import annotations

from .patterns import lazily
from .values import HOME

_GIT = lazily(r"/\.git(?:\Z|/)")
_GIT_RUNS = lazily(
    r"/[^/]*\.git/(?:modules/.+/|worktrees/[^/]+/)?(?:config(?:\.worktree)?|commondir|gitdir|hooks(?:/.*)?)\Z"
)
"""Hooks and settings, which name programs; also those of a bare repository, whose folder ends in ``.git``."""

_BUILDS = lazily(
    r"/(?:\.(?:github|gitea|forgejo)/(?:workflows|actions)/.+|\.gitlab-ci[^/]*\.ya?ml|\.gitlab/ci/.+|[^/]*jenkinsfile[^/]*|\.jenkins/.+"
    r"|\.circleci/.+|azure-pipelines[^/]*\.ya?ml|\.(?:azure-pipelines|azuredevops|pipelines)/.+|\.buildkite/.+"
    r"|\.drone(?:\.(?:ya?ml|jsonnet|star)|/.+)|\.woodpecker(?:\.ya?ml|/.+)|\.travis(?:\.ya?ml|/.+)|bitbucket-pipelines\.ya?ml"
    r"|\.?appveyor\.ya?ml|\.cirrus\.(?:ya?ml|star)|\.semaphore/.+|\.teamcity/.+|\.tekton/.+|\.harness/.+|\.builds?/[^/]+\.ya?ml"
    r"|\.build\.ya?ml|buildspec[^/]*\.ya?ml|cloudbuild[^/]*\.(?:ya?ml|json)|codeship-[^/]+\.ya?ml|wercker\.yml)\Z"
)
_PROGRAMS = lazily(
    rf"(?:/(?:\.?v?env|virtualenv|\.virtualenvs/[^/]+|\.(?:tox|nox)/[^/]+|(?:mini|ana)?conda[23]?|(?:micro)?mamba|miniforge3?|envs/[^/]+)"
    rf"/(?:bin|scripts)|/node_modules/\.bin|/usr/local/s?bin|/opt/(?:homebrew|local)/s?bin|/\.linuxbrew/s?bin|/(?:shims|\.local/bin|\.cargo/bin)"
    rf"|(?:{HOME}|/home/[^/]+|/users/[^/]+|/root|/var/root)/(?:bin|go/bin|\.(?:bun|deno|volta|krew|yarn|npm-global|pyenv|rbenv|asdf|poetry|dotnet/tools|nvm/.+|local/share/pnpm)(?:/bin)?"
    r"|library/pnpm|scoop/shims|appdata/local/(?:microsoft/windowsapps|programs/python/.+|pnpm)|appdata/roaming/npm))/[^/]+\Z"
)
"""Files right in a folder in which shells look for programs by name, as these folders are usually called."""

_RUNS_FOLDERS = lazily(
    r"/(?:\.vscode/(?:tasks|launch|settings)\.json|[^/]+\.code-workspace|(?:code(?: - insiders)?|code-oss|vscodium|cursor|windsurf)/user/(?:settings|tasks"
    r"|launch|keybindings)\.json|\.zed/(?:settings|tasks|debug)\.json|\.config/zed/[^/]+\.json|\.fleet/run\.json|\.idea/(?:runconfigurations/.+|watchertasks\.xml"
    r"|workspace\.xml|tools/.+)|\.run/[^/]+\.run\.xml|\.devcontainer(?:\.json|/.+)|\.husky/.+|\.config/(?:nvim|vim|git|mise|direnv|pip|uv|containers|ripgrep)/.+"
    r"|\.vim/.+|\.emacs\.d/.+|\.(?:mise|cargo)/config(?:\.toml)?|\.yarn/(?:releases|plugins)/.+|\.bundle/config|\.m2/settings[^/]*\.xml|\.mvn/.+"
    r"|\.gradle/(?:init\.(?:gradle|gradle\.kts)|init\.d/.+|gradle\.properties)|(?:site|dist)-packages/(?:[^/]+\.(?:pth|egg-link)|__editable__[^/]*)"
    r"|etc/conda/(?:de)?activate\.d/.+|\.ipython/profile_[^/]+/.+|\.jupyter/.+|\.docker/cli-plugins/.+)\Z"
)
_RUNS_NAMES = frozenset(
    """
    .envrc .npmrc .yarnrc .yarnrc.yml .yarnrc.yaml .pnpmfile.cjs pip.conf pip.ini .pypirc .pydistutils.cfg uv.toml bunfig.toml .bunfig.toml
    .condarc .gemrc .terraformrc terraform.rc nuget.config mise.toml .mise.toml mise.local.toml .mise.local.toml .gitpod.yml
    .exrc .vimrc .gvimrc .nvimrc .nvim.lua .vim.lua .emacs .dir-locals.el .dir-locals-2.el .editrc .gdbinit .lldbinit .pdbrc .pythonrc .pythonstartup
    .irbrc .pryrc .rprofile .renviron .psqlrc .sqliterc .screenrc .tmux.conf .wgetrc .curlrc _curlrc .ackrc .lessfilter .mailcap .lesskey
    sitecustomize.py usercustomize.py pyvenv.cfg
    """.split()
)
"""Names of files that some program looks for in a home or in a project, and that can name programs or their sources."""

_AGENTS = lazily(
    r"/(?:\.claude/(?:(?:agents|commands|skills|output-styles|rules|workflows)/.+|[^/]+\.(?:sh|py|js|mjs|cjs|ts|ps1|bat|cmd))|\.codex/(?:prompts|agents|skills)/.+"
    r"|\.agents/(?:skills|agents)/.+|\.gemini/(?:commands|agents|skills)/.+|\.gemini/\.env|\.github/(?:agents|prompts|chatmodes)/.+|\.cursor/(?:commands|agents|skills)/.+"
    r"|\.opencode/(?:agents?|commands?|tools?|skills?)/.+|\.qwen/(?:agents|commands|extensions)/.+|\.kiro/(?:agents|steering)/.+|\.roo/.+|\.roomodes)\Z"
)
"""Instructions of agents whose front matter may give them tools, and scripts that their settings name."""


def rule(full: str) -> str:
    """Return the rule about writing to the file at a resolved path, or the empty text if there is none here.

    What belongs to the gate, to the system and to start-up is not among them (`phocinae.domain.places`), nor are
    secrets.
    """
    low = full.casefold()
    if ".git" in low:
        if _GIT_RUNS.search(low):
            return "write-git"
        if _GIT.search(low):
            return "write-repository"
    if _BUILDS.search(low):
        return "write-build"
    if _AGENTS.search(low):
        return "write-agent"
    if low.rpartition("/")[2] in _RUNS_NAMES or _RUNS_FOLDERS.search(low):
        return "write-runs"
    return "write-program" if _PROGRAMS.search(low) else ""
