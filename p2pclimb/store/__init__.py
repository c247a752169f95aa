"""What a player's machine keeps: logs, locks, the sign guard, the identity and the contacts.

Each file of this package is one kind of file on disk.  Nothing here knows what a record means.
"""

__all__: list[str] = []
