"""What a person or a script meets: the view of the table, words, plain lines, JSON lines."""

__all__: list[str] = []
