"""Command lines of clouds and their like: never harmless, and watched for the secrets that they print or send away.

Sources: the references of the AWS CLI, gcloud, the Azure CLI, doctl, Heroku, Vercel, Netlify, Firebase, flyctl, Railway,
Pulumi, the IBM Cloud CLI, Argo CD, kind, k3d, and of the other programs that are listed.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..usage import Usage
from ..values import Stream
from . import sending
from .judging import shows_secret
from .outlines import Descriptions, only_help, outline

_SHOWS = {
    "aws": r"configure get .*(?:secret|token|key)|configure export-credentials|secretsmanager (?:batch-)?get-secret-value|kms decrypt"
    r"|sts (?:get-session-token|get-federation-token|assume-role)|ecr(?:-public)? get-(?:login|authorization)|codeartifact get-authorization-token"
    r"|iam create-access-key|rds generate-db-auth-token|eks get-token|ec2 get-password-data|sso get-role-credentials|ssm get-parameter.*--with-decryption",
    "gcloud": r"auth (?:application-default )?print-|secrets versions access|config config-helper|sql generate-login-token",
    "az": r"get-access-token|keyvault secret (?:show|download)|credential (?:show|list)|keys list|show-connection-string|ad sp create-for-rbac"
    r"|appsettings list|--expose-token",
    "heroku": r"\bconfig(?::get)?\b|auth:token|authorizations",
    "vercel": r"env pull",
    "netlify": r"env:(?:get|list)",
    "firebase": r"login:ci|functions:config:get|functions:secrets:access",
    "fly": r"auth token|tokens? create|ssh issue",
    "flyctl": r"auth token|tokens? create|ssh issue",
    "doctl": r"auth token|registry docker-config|kubeconfig show",
    "railway": r"\bvariables\b",
    "pulumi": r"--show-secrets|config get|stack export",
    "ibmcloud": r"oauth-tokens|service-key\b",
    "argocd": r"generate-token|initial-password",
    "kind": r"get kubeconfig",
    "k3d": r"kubeconfig (?:get|print)",
    "eb": r"\bprintenv\b",
    "knife": r"data bag show|vault show",
    "virsh": r"secret-get-value",
    "wrangler": r"auth token",
}
"""What prints secrets, as a pattern of the words behind the program's name."""

_OWN_VERSION = frozenset(
    "aws gcloud bq az doctl heroku fly flyctl eksctl kops kind minikube k3d k3s kustomize buildah limactl colima pulumi cdk packer "
    "consul nomad boundary waypoint".split()
)
"""Programs that say their own version for that word; others ask a server, deploy a folder or run a file of that name."""
_MOST_WORDS = 40
_ACTIONS = {
    "aws": (re.compile(r"\bs3 (?:cp|mv|sync)\b"), re.compile(r"s3://")),
    "gcloud": (re.compile(r"\b(?:storage (?:cp|mv|rsync)|compute scp)\b"), re.compile(r"gs://|[\w.@-]+:")),
}
"""What copies files, and what a place elsewhere looks like there."""
_UPLOADED = ("--body", "--file", "-f", "--source", "-s", "--source-file")
_UPLOADS = re.compile(r"\bput-object\b|\bstorage (?:blob|file|fs file|fs directory) upload|\bappconfig kv import\b")


def _cloud(call: Call, usage: Usage) -> Stream | None:
    words = " ".join(word.text for word in call.args[:_MOST_WORDS])
    if only_help(usage) or (words == "version" and call.name in _OWN_VERSION) or words == "-v":
        return None
    call.note("uses-cloud")
    copying = _ACTIONS.get(call.name)
    if copying is not None and copying[0].search(words):
        sending.copies(call, call.args, copying[1])
    if _UPLOADS.search(words):
        _uploads(call)
    _runs_elsewhere(call)
    pattern = _SHOWS.get(call.name)
    return shows_secret(call) if pattern is not None and re.search(pattern, words) else None


_EXECUTES = frozenset("lxc incus multipass crictl colima limactl flyctl fly railway heroku vagrant gcloud az".split())


def _runs_elsewhere(call: Call) -> None:
    """Judge what runs in a container or on a machine: behind ``exec`` and a name, ``--`` or an option for it."""
    texts = [word.text for word in call.args[:_MOST_WORDS]]
    if call.name not in _EXECUTES:
        return
    if "--" in texts:
        call.run(call.args[texts.index("--") + 1 :])
    elif texts[:1] == ["exec"]:
        words = [word for word in call.args[1:] if word.text[:1] != "-"]
        call.run(call.args[call.args.index(words[1]) :] if len(words) > 1 else [])
    for place, text in enumerate(texts):
        name, equals, _ = text.partition("=")
        if name in ("--command", "-c", "-C"):
            for word in (
                [call.args[place].with_text(text[len(name) + 1 :])] if equals else call.args[place + 1 : place + 2]
            ):
                call.shell(word)


def _uploads(call: Call) -> None:
    """Weigh the files that options name."""
    for place, word in enumerate(call.args):
        name, _, attached = word.text.partition("=")
        if name in _UPLOADED:
            for file in [word.with_text(attached)] if attached else call.args[place + 1 : place + 2]:
                sending.file(call, file)


PROGRAMS = Descriptions(
    {
        "aws gcloud bq az doctl heroku vercel netlify firebase wrangler flyctl fly railway supabase ibmcloud oci linode-cli eksctl kops kind "
        "minikube k3d k3s k9s kustomize argocd flux istioctl linkerd cilium velero skopeo buildah crictl ctr lxc lxd incus virsh vboxmanage "
        "VBoxManage vagrant multipass limactl colima pulumi cdk sam serverless sls ansible ansible-playbook ansible-galaxy "
        "ansible-inventory salt puppet chef knife copilot eb amplify chalice packer consul nomad boundary waypoint": outline(
            "-h -v -V", judge=_cloud
        ),
    }
)
