"""The games: rules as data, and one engine that plays them.

Pure: no module below asks for a clock, a file, a terminal or randomness of its own.
"""

__all__: list[str] = []
