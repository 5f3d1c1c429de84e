"""The ``osculate`` command: ``python -m osculate`` and the console script."""

import sys

from osculate._osculate import main as _main


def main() -> int:
    """Run the command with the arguments of the process, and return its exit code."""
    return _main(["osculate", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
