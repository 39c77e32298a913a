"""Loaded by the interpreter at its start: takes over the home that the parent process chose, see `isolation`."""

import os

if os.environ.get("ISOLATED_ACCOUNT_HOME"):
    import pwd

    import isolation

    pwd.getpwuid = isolation.getpwuid(os.environ[isolation.HOME])
