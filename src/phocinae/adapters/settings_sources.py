"""Finds and reads the sources of settings: files, environment variables, the account's own folders.

A source that is missing is fine.  One that is there and cannot be used is an error,
never a silent default: a policy that does not load must not mean a looser gate.

Homes come from the password database.  HOME and the XDG variables belong to whoever
starts the process, which may be the agent that is being judged.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InvalidSettings
from ..settings import KEYS, Given, Source

MANAGED_FILE = "/etc/phocinae/policy.toml"
"""The file of whoever runs the machine; it must be root's."""

PROJECT_FILE = os.path.join(".phocinae", "policy.toml")
"""The file of a project, relative to the working directory; it can only tighten."""

SIZE_LIMIT = 1 << 20
"""The largest settings file that is read, in bytes."""

TOKEN = "PHOCINAE_TOKEN"
"""The variable that holds the bearer token for the decision service."""

_TOKEN_LIMIT = 4096


def gather(
    flags: Iterable[Given] = (),
    *,
    config: str | None = None,
    folders: Iterable[str] = ("",),
    environment: Mapping[str, str] | None = None,
    managed: str | None = None,
) -> tuple[Given, ...]:
    """Return every value that is set anywhere, for `phocinae.settings.merge`.

    `config` names the user file; None looks for it in the account's home.  `folders` are
    the working directories whose project file counts; the empty text is the current one.
    `environment` is None for that of the process, `managed` for `MANAGED_FILE`.

    Raises:
        InvalidSettings: a source is there and cannot be used.
    """
    found = [*flags, *from_file(MANAGED_FILE if managed is None else managed, Source.MANAGED)]
    if config == "":  # an empty variable in a script: not the file that was meant, and not the account's own
        raise InvalidSettings("the name of the settings file is empty; --config needs a FILE")
    user = config if config is not None else user_file()
    if user is not None:
        found += from_file(user, Source.USER, required=config is not None)
    found += from_environment(os.environ if environment is None else environment)
    for folder in folders:
        found += from_file(os.path.join(folder, PROJECT_FILE), Source.PROJECT)
    return tuple(found)


def files(config: str | None = None) -> tuple[str, ...]:
    """Return where `gather` looks for files, whether they are there or not; `config` is as it is there."""
    user = config if config is not None else user_file()
    return (MANAGED_FILE, *([user] if user else []), PROJECT_FILE)


def from_environment(environment: Mapping[str, str]) -> list[Given]:
    """Return the values that variables set; an empty variable counts as unset."""
    found = []
    for key in KEYS:
        for name in key.environment:
            text = environment.get(name)
            if text:
                found.append(Given(Source.ENVIRONMENT, key.field, text, f"environment variable {name}"))
                break
    return found


def from_file(path: str, source: Source, *, required: bool = False) -> list[Given]:
    """Return the values that the TOML file `path` sets; none if there is no such file and none is `required`.

    Raises:
        InvalidSettings: the file cannot be read, is not what its source must be, is no
            TOML, or holds a key that does not exist.
    """
    shown = _shown(path)
    raw = _content(path, shown, source, required=required)
    if raw is None or _says_nothing(raw):
        return []
    import tomllib  # only where there is something to read: most calls of the gate have no file, or comments alone

    try:
        text = raw.decode("utf-8")
        tables = tomllib.loads(text)
        return list(_values(tables, _places(text), shown, source))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InvalidSettings(f"{shown}, line {line} is not UTF-8 text") from None
    except ValueError as error:  # that of TOML is one, and so is that of a number with too many digits
        from ..domain.toml_places import fault

        raise InvalidSettings(f"{shown}, {_shown(fault(text, str(error)))}") from None
    except RecursionError:
        raise InvalidSettings(f"{shown} is nested too deeply") from None


def _says_nothing(raw: bytes) -> bool:
    """Tell whether there are only plain comments and blank lines, as in a file that was made to be filled in."""
    return raw.isascii() and all(not line or line.startswith(b"#") for line in map(bytes.strip, raw.splitlines()))


def bearer_token(path: str, environment: Mapping[str, str] | None = None) -> str:
    """Return the token for the decision service: that of the variable `TOKEN`, or what the file `path` holds.

    An empty `path` names no file, and without a token the text is empty.  `environment`
    is None for that of the process.

    Raises:
        InvalidSettings: the file is missing, somebody else can read or write it, or what
            is there is no token; the text never repeats any of it.
    """
    text = (os.environ if environment is None else environment).get(TOKEN, "").strip()
    where = f"environment variable {TOKEN}"
    if not text and not path:
        return ""
    if not text:
        where = _shown(path)
        text = secret_file(path).decode("utf-8", "replace").strip()
    # what may stand in a header (RFC 9110, section 11.2), and so cannot add another one
    if not 0 < len(text) <= _TOKEN_LIMIT or not all("!" <= sign <= "~" for sign in text):
        raise InvalidSettings(f"{where} holds no token: one line of printable ASCII without blanks is expected")
    return text


def secret_file(path: str) -> bytes:
    """Return what is in the file `path`, which only this user can read.

    Raises:
        InvalidSettings: it is missing, or somebody else can read or write it.
    """
    return _content(path, _shown(path), Source.USER, required=True, private=True) or b""


def check_way(path: str) -> None:
    """Raise InvalidSettings for a file that another user could put something else in the place of."""
    if sys.platform == "win32":
        return
    from ..domain.trusted_paths import UntrustedPath, resolved  # which most commands do without

    try:
        resolved(os.path.join(os.getcwd(), path), os.getuid(), os.lstat, os.readlink)
    except UntrustedPath as error:
        raise InvalidSettings(f"{_shown(path)} cannot be trusted: {error}") from None
    except OSError as error:
        raise InvalidSettings(f"{_shown(path)} cannot be reached: {error.strerror}") from None


def user_file() -> str | None:
    """Return where the user's settings file stands if there is one; None without a home."""
    if sys.platform == "win32":
        import platformdirs  # asks the system for the known folder, not the environment

        return os.path.join(platformdirs.user_config_dir("phocinae", appauthor=False), "config.toml")
    home = account_home()
    return os.path.join(home, ".config", "phocinae", "config.toml") if home else None


def state_folder() -> str | None:
    """Return the folder for what phocinae keeps between runs; None without a home."""
    if sys.platform == "win32":
        import platformdirs

        return platformdirs.user_state_dir("phocinae", appauthor=False)
    home = account_home()
    if not home:
        return None
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "phocinae")
    return os.path.join(home, ".local", "state", "phocinae")


def account_home() -> str | None:
    """Return the home that the password database has for this account, or None if it has no such account."""
    if sys.platform == "win32":
        return None
    import pwd

    try:
        home = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return None
    return home if os.path.isabs(home) else None


def _content(path: str, shown: str, source: Source, *, required: bool, private: bool = False) -> bytes | None:
    """Return the bytes of a file that is what its source must be, or None if there is none.

    A `private` one must not be readable by others.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    if source is Source.PROJECT:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        return _regular(os.open(path, flags), shown, source, private=private)
    except (FileNotFoundError, NotADirectoryError):
        if os.path.islink(path):
            raise InvalidSettings(f"{shown} is a link to a file that does not exist") from None
        if required:
            raise InvalidSettings(f"{shown} does not exist") from None
        return None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        why = getattr(error, "strerror", None) or "not a path"
        raise InvalidSettings(f"{shown} cannot be read: {why}") from None


def _regular(descriptor: int, shown: str, source: Source, *, private: bool) -> bytes:
    """Return what is in an open file, and close it; refuse what is no plain file of the right owner."""
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidSettings(f"{shown} is not a regular file")
        _check_owner(status, shown, source)
        if private and sys.platform != "win32" and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            # one of root's may be one that everybody must read, such as /etc/passwd
            own = status.st_uid and status.st_uid == os.getuid()
            advice = f"run: chmod 600 {shown}" if own else "name a file of mode 600 that is there for this alone"
            raise InvalidSettings(f"{shown} can be read by others; {advice}")
        raw = b""
        while piece := os.read(descriptor, SIZE_LIMIT + 1 - len(raw)):
            raw += piece
    finally:
        os.close(descriptor)
    if len(raw) > SIZE_LIMIT:
        raise InvalidSettings(f"{shown} is larger than {SIZE_LIMIT} bytes")
    return raw


def _check_owner(status: os.stat_result, shown: str, source: Source) -> None:
    """Refuse a file that somebody else could have written, where the file may loosen the gate."""
    if source is Source.PROJECT or sys.platform == "win32":
        return
    owners = {0} if source is Source.MANAGED else {0, os.getuid()}
    if status.st_uid not in owners:
        whose = "root" if source is Source.MANAGED else "you or root"
        raise InvalidSettings(f"{shown} must belong to {whose}; it belongs to user id {status.st_uid}")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise InvalidSettings(f"{shown} can be written by others; run: chmod go-w {shown}")


def _values(
    tables: dict[str, Any], places: Mapping[tuple[str, ...], int], shown: str, source: Source
) -> Iterable[Given]:
    by_name = {key.toml: key for key in KEYS}
    for table, content in tables.items():
        known = [name for name in by_name if name.startswith(f"{table}.")]
        place = _place(shown, places, table)
        if not known:
            names = sorted({name.partition(".")[0] for name in by_name})
            raise InvalidSettings(f"{place}: unknown key {_shown(table)}; the tables are {', '.join(names)}")
        if not isinstance(content, dict):
            raise InvalidSettings(f"{place}: {table} must be a table, [{table}]")
        for name, value in content.items():
            place = _place(shown, places, table, name)
            key = by_name.get(f"{table}.{name}")
            if key is None:
                raise InvalidSettings(f"{place}: unknown key {_shown(f'{table}.{name}')}; there are {', '.join(known)}")
            yield Given(source, key.field, value, f"{place}: {key.toml}")


def _places(text: str) -> dict[tuple[str, ...], int]:
    """Return the line in which each name stands first; `text` is TOML."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip(" \t\r")
        if not line or line.startswith("#"):
            continue
        name, _, value = line.partition("=")
        header = line.startswith("[") and line.endswith("]")
        name = line[1:-1] if header else name.rstrip(" \t")
        if not _is_bare(name) or (not header and any(sign in value for sign in ("[", "{", '"' * 3, "'" * 3))):
            from ..domain.toml_places import places  # takes longer to load than such a file to read

            return places(text)
        table = (name,) if header else table
        found.setdefault(table if header else (*table, name), number)
    return found


def _is_bare(name: str) -> bool:
    return name.isascii() and name.replace("_", "").replace("-", "").isalnum()


def _place(shown: str, places: Mapping[tuple[str, ...], int], *name: str) -> str:
    line = places.get(name)
    return shown if line is None else f"{shown}, line {line}"


def _shown(text: str) -> str:
    """Return text from outside so that it cannot drive a terminal, and not without end."""
    from ..domain.visible import visible  # needed by errors alone, and not by a gate that runs once per command

    return visible(text if len(text) <= 300 else text[:300] + "…")
