"""The public judge: the fold of all entries, with no secrets, no I/O and no point of view."""

__all__: list[str] = []
