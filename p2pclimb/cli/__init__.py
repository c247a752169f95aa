"""The command line: one thin module a command, and the frame around them.

A command module has `EXAMPLES`, `configure(parser)` for its arguments and `run(args) -> int` for
its exit code.  It is imported only when its command is called.
"""

__all__: list[str] = []
