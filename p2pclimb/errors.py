"""The one error tree of the program.

Every error that may reach a user is a `ClimbError`: it has a stable `code` for JSON output, an
`exit_code` for the command line and a text for a human (`diagnostics`).  Your own mistake
(`UsageError`, `PlayError`), a peer's offence (`ViolationError`), bytes that nobody can be blamed
for (`MalformedError`) and trouble with the machine (`StoreError`, `NetworkError`) are different
types.  Only this tree escapes a decoder, whatever the bytes.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "AdmissionError",
    "ClimbError",
    "IllegalPlayError",
    "InvalidPlayError",
    "InvitationError",
    "KeystoreError",
    "LockedError",
    "MalformedError",
    "NetworkError",
    "OptionsError",
    "PlayError",
    "ProofError",
    "SignatureError",
    "StoreError",
    "UnsupportedError",
    "UsageError",
    "ViolationError",
]


class ClimbError(Exception):
    """Base of every error of the program; never raised itself.

    `text` says what happened and to whom, `hint` what to do next.  Neither may ever contain an
    unrevealed card, a deal secret or a key.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, text: str, *, hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint

    def diagnostics(self) -> str:
        """Return the whole message for a human, one or two sentences."""
        return f"{self.text} {self.hint}".rstrip()


class UsageError(ClimbError):
    """A command, flag or argument that cannot be carried out as given."""

    code = "usage"
    exit_code = 2


class OptionsError(UsageError):
    """Unknown, contradictory or impossible rules options or seat counts."""

    code = "options"


class InvitationError(UsageError):
    """Text that is not a whole, undamaged invitation."""

    code = "invitation"


class PlayError(ClimbError):
    """A play that its player has to change; the table is as it was."""

    code = "play"
    exit_code = 2


class InvalidPlayError(PlayError):
    """Cards that are no combination at all, or text that names no cards."""

    code = "invalid-play"


class IllegalPlayError(PlayError):
    """A combination or a pass that the rules do not allow now."""

    code = "illegal-play"


class MalformedError(ClimbError):
    """Bytes that are not what they should be, with nobody to blame for them."""

    code = "malformed"
    exit_code = 4


class SignatureError(MalformedError):
    """A signature that does not verify, hence proves nothing about anybody."""

    code = "signature"


class UnsupportedError(ClimbError):
    """A newer format, protocol version or rules id than this program knows."""

    code = "unsupported"
    exit_code = 5


class ProofError(ClimbError):
    """A zero-knowledge proof that does not verify."""

    code = "proof"
    exit_code = 1


class ViolationError(ClimbError):
    """A signed entry that breaks a rule: its author is to blame, and the entry proves it.

    `seat` is the author, `step` the step of the entry, `rule` a stable slug that names the check.
    """

    code = "violation"
    exit_code = 1

    def __init__(self, text: str, *, seat: int, step: int, rule: str, hint: str = "") -> None:
        super().__init__(text, hint=hint)
        self.seat = seat
        self.step = step
        self.rule = rule


class NetworkError(ClimbError):
    """A peer or an address that cannot be reached or does not answer as it should."""

    code = "network"
    exit_code = 6


class AdmissionError(NetworkError):
    """The other side refused to let us in."""

    code = "refused"
    exit_code = 7


class StoreError(ClimbError):
    """A file that cannot be read or written."""

    code = "store"
    exit_code = 4


class KeystoreError(StoreError):
    """An identity file that cannot be opened."""

    code = "keystore"


class LockedError(StoreError):
    """A file that another process holds."""

    code = "locked"
    exit_code = 7
