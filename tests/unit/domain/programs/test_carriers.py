"""Programs that watch, gather or set up something and run the commands that their words carry."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

FORMS = [
    "nodemon --exec '{}'",
    "nodemon -w src -x '{}'",
    "npx nodemon --exec '{}'",
    "watchexec -- {}",
    "watchexec -e py,rs -r '{}'",
    "chokidar '*.js' -c '{}'",
    "npx chokidar-cli '*.js' --command='{}'",
    "onchange '*.js' -- {}",
    "concurrently -n a,b 'ls' '{}'",
    "npx concurrently '{}'",
    "cross-env NODE_ENV=test {}",
    "cross-env-shell NODE_ENV=test '{}'",
    "npx shx {}",
    "pm2 start '{}'",
    "nix-shell -p hello --run '{}'",
    "nix-shell --pure --command '{}'",
    "nix develop --command {}",
    "nix shell nixpkgs#hello -c {}",
    "cargo watch -s '{}'",
    "cargo watch -x test -s '{}'",
    "cargo watch --shell='{}'",
    "cargo watch -- {}",
    "just --command {}",
    "mise exec node@20 -- {}",
    "mise x -- {}",
    "asdf exec {}",
    "npx -c '{}'",
    "machinectl shell root@.host /bin/{}",
    "podman unshare {}",
    "lxc exec box -- {}",
    "incus exec box --cwd=/x {}",
    "multipass exec box -- {}",
    "gcloud compute ssh box --command='{}'",
    "vagrant ssh -c '{}'",
]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_carried_is_judged(form: str, judged: Judged) -> None:
    assert judged(form.format("rm -rf /")) == "deny"
    assert judged(form.format("rm -r /etc")) == "deny"


@pytest.mark.parametrize("form", FORMS)
def test_none_of_them_is_vouched_for(form: str, judged: Judged) -> None:
    assert judged(form.format("ls")) in ("undecided", "undecided-ask")


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("nodemon --version", "allow"),
        ("nodemon app.js", "undecided"),
        ("concurrently 'npm:watch' 'npm run x'", "undecided"),
        ("cargo watch -x test", "undecided"),
        ("pm2 start app.js", "undecided"),
        ("npx rimraf dist build", "undecided"),
        ("rimraf", "undecided"),
        ("npx rimraf /", "deny"),
        ("npx -y rimraf ~", "deny"),
        ("yarn dlx rimraf .", "deny"),
    ],
)
def test_others_of_their_calls(command: str, answer: str, judged: Judged) -> None:
    assert judged(command) == answer
