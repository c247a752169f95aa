"""Cryptography of the deal: the group, the proofs, the shuffle, and the keys of players.

Everything here is pure: bytes, points and scalars in, the same out, and randomness only from the
`entropy` that is handed in.  Nothing is imported here, so that the parts stay cheap to import one
by one.
"""

__all__: list[str] = []
