"""The public judge: canonical encoding, entries, and the fold that checks them; no secrets here."""

__all__: list[str] = []
