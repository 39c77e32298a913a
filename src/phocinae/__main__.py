"""``python -I -m phocinae`` runs the command line.

Without ``-I`` Python looks for modules in the working directory first (sys.flags.safe_path aside), and a
project could bring a package of this name, or of the name of any module that this one imports.
"""

from __future__ import annotations

import os
import sys


def is_from_here() -> bool:
    """Tell whether this package was found below the working directory, by an interpreter that looks there."""
    if sys.flags.isolated:
        return False
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # a working directory that is gone holds no package
        return False
    return os.path.realpath(__file__).startswith(here.rstrip(os.sep) + os.sep)


def main() -> None:
    """Run the command line of this process, unless the project that it stands in may be what is run."""
    if is_from_here():
        where = ascii(os.path.dirname(os.path.realpath(__file__)))
        sys.stderr.write(
            f"phocinae: the package at {where} was found below the working directory, so it may be the project's "
            "and not the installed one; run it as: python -I -m phocinae\n"
        )
        sys.exit(2 if sys.argv[1:2] == ["hook"] else 3)  # for an agent's hook, only 2 blocks
    from .cli.entry import main as run

    run()


if __name__ == "__main__":
    main()
