"""Containers and clusters: their local queries, and what a container is given of its host.

Sources: docs.docker.com (docker CLI), docs.podman.io, kubernetes.io (kubectl), helm.sh,
developer.hashicorp.com (terraform).
"""

from __future__ import annotations

import re

from .. import places
from ..calls import Call
from ..hits import Hits
from ..knowledge import Style
from ..usage import Usage
from ..values import CWD, HOLE, HOME, Field, Stream
from ..verdict import Weight
from . import sending
from .judging import shows_secret
from .outlines import Descriptions, Outline, effect, group, only_help, outline, runs_project

_ROOT_SOURCE = re.compile(r"(?:source|src)=/+(?:\.)*(?:,|\Z)")
_SOURCE = re.compile(r"(?:\A|,)(?:source|src)=([^,]+)")
_CLOUD = "uses-cloud"


def _mounts_root(text: str) -> bool:
    """Return whether ``host:container[:options]`` binds the root of the host."""
    source, colon, _ = text.partition(":")
    return bool(colon) and source.startswith("/") and source.strip("/.") == ""


def _host(call: Call, usage: Usage) -> None:
    for mount in usage.values("-v", "--volume"):
        if _mounts_root(mount.text):
            call.note("takes-host", mount)
        call.read(mount.with_text(mount.text.partition(":")[0]), prints=False)
    for mount in usage.values("--mount"):
        if "type=bind" in mount.text.replace(" ", "") and _ROOT_SOURCE.search(mount.text):
            call.note("takes-host", mount)
        if (source := _SOURCE.search(mount.text)) is not None:
            call.read(mount.with_text(source[1]), prints=False)


_TARGET = re.compile(r"(?:\A|,)(?:target|dst|destination)=([^,]+)")
_READ_ONLY = re.compile(r"(?:\A|[,:])(?:ro|readonly)(?:=(?:true|1))?(?:,|\Z)")
_HOST_PATHS = ("/", ".", HOME, CWD)


def _mounts(call: Call, usage: Usage) -> dict[str, str]:
    """Return for each folder of the container that may be written the folder of the host that it is."""
    found = [mount.text.split(":")[:3] for mount in usage.values("-v", "--volume") if not _READ_ONLY.search(mount.text)]
    for mount in usage.values("--mount"):
        source, target = _SOURCE.search(mount.text), _TARGET.search(mount.text)
        if source is not None and target is not None and not _READ_ONLY.search(mount.text):
            found.append([source[1], target[1]])
    return {
        words[1].rstrip("/"): places.resolve(words[0], call.state.cwd)
        for words in found
        if len(words) > 1 and words[0].startswith(_HOST_PATHS) and words[1].startswith("/") and words[1].strip("/")
    }


_FIRST_PROCESS = re.compile(r"(?:-[a-zA-Z]*t|--target=?)1?\Z")


def _on_host(call: Call, usage: Usage, started: list[Field]) -> None:
    """Keep what the command would be denied for on the host, whose folders it finds in other places."""
    words = [word.text for word in started]
    namespaces = [value.text for value in usage.values("--pid")] == ["host"] or usage.has("--privileged")
    if namespaces and words[:1] == ["nsenter"] and any(map(_FIRST_PROCESS.match, words)):
        call.note("takes-host")
    mounts = _mounts(call, usage)
    if not mounts or not started:
        return
    inside = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, sorted(mounts, reverse=True)))})(?![\w.-])")
    there = [word.with_text(inside.sub(lambda found: mounts[found[0]], word.text)) for word in started]
    folder = "".join(value.text for value in usage.values("-w", "--workdir")[-1:])
    walker, outer = call.walker, call.state.cwd
    before, walker.hits = walker.hits, Hits()
    call.state.cwd = inside.sub(lambda found: mounts[found[0]], folder) or HOLE
    try:
        call.run(there)
    finally:
        call.state.cwd = outer
        inner, walker.hits = walker.hits, before
    walker.hits.add_heavy(inner, Weight.DENY)


def _run(call: Call, usage: Usage) -> Stream | None:
    """The first operand is an image; what follows runs in the container and is judged for its denials."""
    if only_help(usage):
        return None
    call.note(_CLOUD)
    _host(call, usage)
    started = usage.values("--entrypoint")[-1:] + list(usage.operands[1:])
    _on_host(call, usage, started)
    return Stream(None, call.taint | call.run(started).taint) if started else None


def _exec(call: Call, usage: Usage) -> Stream | None:
    """The first operand is a container or pod, unless the command stands behind ``--``."""
    if only_help(usage):
        return None
    call.note(_CLOUD)
    divider = next((at for at, word in enumerate(call.args) if word.text == "--"), None)
    words = list(usage.operands[1:]) if divider is None else call.args[divider + 1 :]
    return Stream(None, call.taint | call.run(words).taint) if words else None


_DOCKER_RUN = (
    "-h:text -d --detach -i --interactive -t --tty --rm -v:text --volume:text --mount:text -e:text --env:text --env-file:scan -p:text --publish:text -P "
    "--publish-all --name:text -w:text --workdir:text -u:text --user:text --network:text --net:text --entrypoint:text --platform:text --pull:text "
    "-q --quiet --init --restart:text -m:text --memory:text --cpus:text --gpus:text -l:text --label:text --link:text --hostname:text "
    "--add-host:text --dns:text --tmpfs:text --read-only --shm-size:text --ulimit:text --log-driver:text --health-cmd:text --sig-proxy?text "
    "--cap-drop:text --cap-add:risk --privileged?risk --pid:risk --ipc:risk --uts:risk --userns:risk --device:risk --security-opt:risk "
    "--volumes-from:risk --cgroupns:text --no-healthcheck --stop-timeout:text --expose:text -a:text --attach:text --runtime:risk "
)
_DOCKER_EXEC = "-h -d --detach -i --interactive -t --tty -e:text --env:text --env-file:scan -w:text --workdir:text -u:text --user:text --privileged -T --index:text "
_LIST = "-h -a --all -q --quiet -f:text --filter:text --format:text --no-trunc -n:text --last:text -l --latest -s --size --digests --tree -v --verbose "
_run_outline = outline(_DOCKER_RUN, style=Style.POSIX, judge=_run)
_exec_outline = outline(_DOCKER_EXEC, style=Style.POSIX, judge=_exec)
_cloud = effect(
    _CLOUD, "-h -f --force -a --all -q --quiet -t:text --tag:text -n:text --namespace:text -v -d --detach -o:text"
)


def _parts(queries: str, otherwise: Outline = _cloud) -> Outline:
    return group({queries: outline(_LIST, "text*")}, "-h", otherwise=otherwise)


_CONFIG_PARTS = "-h -q --quiet --services --volumes --images --profiles --networks --hash:text "


def _compose_config(call: Call, usage: Usage) -> Stream | None:
    """All that is configured comes out, with the values of variables and of environment files in it."""
    call.note(_CLOUD)
    if usage.names.isdisjoint(_CONFIG_PARTS.replace(":text", "").split()):
        call.note("prints-secret")
    return None


def _cp(call: Call, usage: Usage) -> Stream | None:
    """A file of a container may be copied to standard output."""
    call.note(_CLOUD)
    for word in usage.operands[:1] if usage.operands[1:] else ():
        _, colon, path = word.text.partition(":")
        call.read(word.with_text(path if colon else word.text), prints=False)
    return Stream(None, call.taint)


_LOGS = "--tail:text --since:text --until:text -t --timestamps --details --follow"
_COMPOSE = {
    "ps ls images top version port": outline(_LIST + "--services --status:text", "text*"),
    "logs": effect("uses-cloud", _LIST + _LOGS + "--no-color --no-log-prefix", "text*"),
    "config convert": outline(
        _CONFIG_PARTS + "--format:text --no-interpolate -o:write", "text*", judge=_compose_config
    ),
    "run": outline(_DOCKER_RUN + "--no-deps --service-ports -T --build", style=Style.POSIX, judge=_run),
    "exec": _exec_outline,
}
_DISTANT = re.compile(r"[a-z0-9+.-]+://|[^/@]+@[^/:]+:", re.IGNORECASE)


def _compose_files(call: Call, usage: Usage) -> Stream | None:
    """A file may be fetched from a registry or a repository."""
    for value in usage.values("-f", "--file"):
        if _DISTANT.match(value.text) or value.unknown:
            call.note("uses-network", value)
    return None


_compose = outline(
    "-h -v -f:text --file:text -p:text --project-name:text --profile:text --env-file:scan --project-directory:text --ansi:text",
    subcommands=Descriptions(_COMPOSE, _cloud),
    judge=_compose_files,
)
_DOCKER = Descriptions(
    {
        "ps images": outline(_LIST, "text*"),
        "version info": outline(_LIST),
        "top port diff history": outline(_LIST + "-H --human?text", "text*"),
        "inspect": effect("prints-secret", _LIST + "--type:text", "text*"),
        "stats": outline(_LIST + "--no-stream", "text*"),
        "logs": effect("uses-cloud", _LIST + _LOGS, "text*"),
        "search": effect("uses-network", _LIST + "--limit:text"),
        "help": outline("-h", "text"),
        "run create": _run_outline,
        "exec": _exec_outline,
        "unshare": outline("-h --rootless-netns", "argv", style=Style.POSIX, rule=_CLOUD),
        "container": group(
            {
                "ls list ps top port diff stats": outline(_LIST, "text*"),
                "inspect": effect("prints-secret", _LIST, "text*"),
                "logs": effect("uses-cloud", _LIST + _LOGS, "text*"),
                "run create": _run_outline,
                "exec": _exec_outline,
            },
            "-h",
            otherwise=_cloud,
        ),
        "image": _parts("ls list inspect history"),
        "volume network context plugin": _parts("ls list inspect show"),
        "system": _parts("df info"),
        "secret": group(
            {"inspect": effect("prints-secret", "-h --pretty --showsecret", "text*")}, "-h", otherwise=_cloud
        ),
        "buildx": group({"version": outline("-h")}, "-h", otherwise=_cloud),
        "manifest builder node service stack swarm trust checkpoint scout sbom": _cloud,
        "machine pod generate play kube": _cloud,
        "compose": _compose,
        "cp": outline("-h -a --archive -L --follow-link -q --quiet", "text text", judge=_cp),
        "build push pull rm rmi start stop restart kill pause unpause rename update wait attach commit save load import export tag login "
        "logout events": _cloud,
    }
)
_docker = outline(
    "-h -v -D --debug -l:text --log-level:text -H:network --host:network -c:network --context:network --config:risk --tls",
    subcommands=_DOCKER,
)

_KUBE = "-h -n:text --namespace:text -A --all-namespaces -o:text --output:text -l:text --context:text --kubeconfig:text -v:text --request-timeout:text "


def _version(call: Call, usage: Usage) -> Stream | None:
    """Without ``--client`` the server is asked."""
    client = usage.has("--client") and all(value.text == "true" for value in usage.values("--client"))
    if not client and not only_help(usage):
        call.note(_CLOUD)
    return None


def _config_view(call: Call, usage: Usage) -> Stream | None:
    """Secrets are left out unless ``--raw`` is given, or ``--flatten``, which puts the keys in files in their place."""
    for value in usage.values("-o", "--output"):
        kind, equals, path = value.text.partition("=")
        if equals and kind.endswith("-file"):
            call.read(value.with_text(path))
    return shows_secret(call) if usage.has("--raw", "--flatten") else None


_kube_other = effect(_CLOUD, _KUBE + "-f:text --all --force -w --watch")
_PLAIN_OUTPUT = ("name", "wide")
_KINDS = re.compile(r"(?:[^,/]+,)*secrets?(?:[,/.]|\Z)")
_POD = re.compile(r"[\w./-]+:")


def _kube_get(call: Call, usage: Usage) -> Stream | None:
    """Secrets come out where their contents are asked for, not in a list of them."""
    call.note(_CLOUD)
    whole = any(value.text not in _PLAIN_OUTPUT for value in usage.values("-o", "--output", "--template"))
    return shows_secret(call) if whole and any(_KINDS.match(word.text) for word in usage.operands) else None


def _kube_cp(call: Call, usage: Usage) -> Stream | None:
    call.note(_CLOUD)
    sending.copies(call, usage.operands, _POD)
    return None


def _whoami(call: Call, usage: Usage) -> Stream | None:
    call.note(_CLOUD)
    return shows_secret(call) if usage.has("-t", "--show-token") else None


_KUBECTL = {
    "get": outline(_KUBE + "-w --watch --no-headers --sort-by:text --show-labels --template:text", judge=_kube_get),
    "cp rsync": outline(_KUBE + "-c:text --container:text --no-preserve --retries:text", judge=_kube_cp),
    "create": group({"token": outline(_KUBE + "--duration:text", judge=shows_secret)}, _KUBE, otherwise=_kube_other),
    "whoami": outline(_KUBE + "-t --show-token --show-server --show-context", judge=_whoami),
    "extract": effect("prints-secret", _KUBE + "--to:write --keys:text --confirm"),
    "version": outline(_KUBE + "--client?text --short?text", judge=_version),
    "config": group(
        {
            "view": outline(_KUBE + "--raw?text --minify?text --flatten?text --merge?text", judge=_config_view),
            "current-context get-contexts get-clusters get-users": outline(_KUBE + "--no-headers?text", "text*"),
        },
        _KUBE,
        otherwise=effect("changes-files", _KUBE + "--current"),
    ),
    "options help": outline("-h", "text*"),
    "explain": effect(_CLOUD, _KUBE + "--recursive?text --api-version:text"),
    "completion": outline("-h", "text"),
    "kustomize": effect("runs-code", _KUBE),
    "plugin": group({"list": outline("-h --name-only")}, "-h"),
    "exec": outline(_KUBE + "-i --stdin -t --tty -c:text --container:text -q --quiet", style=Style.POSIX, judge=_exec),
    "run": outline(
        _KUBE
        + "--image:text -i --stdin -t --tty --rm --restart:text --command --env:text --labels:text --overrides:risk --dry-run:text",
        judge=_exec,
    ),
    "debug": effect(_CLOUD, _KUBE + "--image:text -it --target:text"),
}
_kubectl = outline(
    _KUBE + "--server:network -s:network --token:text",
    subcommands=Descriptions(_KUBECTL, _kube_other),
)


def _terraform_fmt(call: Call, usage: Usage) -> Stream | None:
    checks = usage.has("-check") or [value.text for value in usage.values("-write")][-1:] == ["false"]
    if not checks and not only_help(usage):
        call.note("changes-files")
    return None


_TERRAFORM = Descriptions(
    {
        "version": outline("-h -json", style=Style.LONG),
        "fmt": outline(
            "-h -check -diff -recursive -list?text -write?text -no-color",
            "path*",
            style=Style.LONG,
            judge=_terraform_fmt,
        ),
        "validate": outline("-h -json -no-color -no-tests", style=Style.LONG, judge=runs_project),
        "workspace": group(  # a list of them is kept where the state is
            {"show": outline("-h", style=Style.LONG)},
            "-h",
            otherwise=effect(_CLOUD, style=Style.LONG),
            style=Style.LONG,
        ),
        "state": group(
            {"pull show": effect("prints-secret", "-h -state:text", style=Style.LONG)},
            "-h",
            otherwise=effect(_CLOUD, style=Style.LONG),
            style=Style.LONG,
        ),
        "graph": effect(_CLOUD, "-h -type:text", style=Style.LONG),
        "output show": effect("prints-secret", "-h -json -raw -no-color", style=Style.LONG),
        "console": effect("runs-code", "-h", style=Style.LONG),
    },
    effect(
        _CLOUD,
        "-h -auto-approve -var:text -var-file:text -out:text -target:text -input:text -no-color -lock:text -refresh:text -upgrade -destroy",
        style=Style.LONG,
    ),
)


def _elsewhere(call: Call, usage: Usage) -> Stream | None:
    """Look at the folder that it changes to first, whose code and providers are run."""
    for folder in usage.values("-chdir"):
        call.state.cwd = places.resolve(folder.text, call.state.cwd)
    return None


def _lint_values(call: Call, usage: Usage) -> Stream | None:
    for value in (*usage.values("-f", "--values"), *usage.operands):
        if _DISTANT.match(value.text):
            call.note("uses-network", value)
    return None


PROGRAMS = Descriptions(
    {
        "docker podman nerdctl": _docker,
        "docker-compose podman-compose": _compose,
        "kubectl oc": _kubectl,
        "helm": outline(
            "-h -n:text --namespace:text",
            subcommands=Descriptions(
                {
                    "version": outline("-h --short --template:text -c --client"),
                    "env": effect("prints-secret", "-h"),  # a token is among what it prints
                    "help completion": outline("-h", "text"),
                    "lint": outline(
                        "-h --strict --quiet --with-subcharts -f:scan --values:scan --set:text",
                        "scan*",
                        judge=_lint_values,
                    ),
                    "repo": group({"list ls": outline("-h -o:text")}, "-h", otherwise=effect("uses-network")),
                    "plugin": group({"list ls": outline("-h")}, "-h", otherwise=effect("installs")),
                    "get": effect("prints-secret", "-h -n:text --namespace:text -o:text -a --all --revision:text"),
                    "template": effect("runs-code", "-h -f:scan --values:scan --set:text"),
                },
                effect(_CLOUD, "-h -n:text --namespace:text -f:scan --set:text"),
            ),
        ),
        "terraform tofu": outline("-h -v -chdir:text", style=Style.LONG, subcommands=_TERRAFORM, judge=_elsewhere),
        "terragrunt": effect(
            "runs-code", "-h -v -version", style=Style.LONG
        ),  # its settings may run commands at any call
    }
)
