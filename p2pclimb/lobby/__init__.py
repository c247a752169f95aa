"""The lobby before a table opens: the host's side and the guests' side, both sans-I/O."""

__all__: list[str] = []
