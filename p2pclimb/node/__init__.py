"""The node: sockets, files, clock and threads around the sans-I/O parts, in one event loop."""

__all__: list[str] = []
