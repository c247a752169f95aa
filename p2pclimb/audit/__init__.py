"""Judging finished logs: replay through the ledger, findings, verdict, and reports of them."""

__all__: list[str] = []
