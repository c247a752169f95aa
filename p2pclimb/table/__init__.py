"""The table as a sans-I/O machine: events in, effects out; no sockets, files or clock."""

__all__: list[str] = []
