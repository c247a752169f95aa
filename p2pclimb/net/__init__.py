"""Sockets, frames and invitations; no module here knows the rules, the ledger or a secret card."""

__all__: list[str] = []
