"""The private side of one seat: its secrets of the present deal, and the bodies that it owes."""

__all__: list[str] = []
