"""`python -m p2pclimb` is the `p2pclimb` command."""

import sys

from p2pclimb.cli.main import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
