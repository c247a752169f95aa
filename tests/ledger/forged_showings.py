"""Openings, proofs of absence and transfers of a modified client: right but for one thing."""

from __future__ import annotations

import dataclasses

from honest_table import HonestTable, seeded

from p2pclimb.crypto.absence import prove_absence
from p2pclimb.crypto.group import encode_points
from p2pclimb.crypto.masking import share
from p2pclimb.crypto.shares import prove_opening
from p2pclimb.crypto.transfer import encode_transfers, prove_transfer
from p2pclimb.ledger.entry import Kind

__all__ = ["absence_of", "context_of", "elsewheres", "opening", "transfers"]


def elsewheres(table: HonestTable) -> list[dict]:
    """Changes of the place that a proof is made for, one for everything that its context names."""
    kind = table.kind
    return [
        {"table": bytes(32)},
        {"deal": table.stage.deal + 1},
        {"attempt": table.stage.attempt + 1},
        {"step": table.position.step - 1},
        {"previous": bytes(32)},
        {"kind": Kind.CLOSE if kind is not Kind.CLOSE else Kind.TURN},
    ]


def context_of(table: HonestTable, author: int, elsewhere: dict | None = None) -> bytes:
    """The context of a proof by `author` here, or somewhere else."""
    cast = table.stage.cast
    site = dataclasses.replace(table.position.site, **(elsewhere or {}))
    return site.context(author, cast.seats, cast.keys)


def opening(
    table: HonestTable,
    seat: int,
    places: tuple,
    *,
    hands: object = None,
    author: int | None = None,
    elsewhere: dict | None = None,
) -> list:
    """The fields `places, shares, proof` by which a seat's key opens closed places."""
    hands = hands or table.position.hands
    keys = table.secrets[seat].keys
    residuals = [hands.residuals[place] for place in places]
    shares = [share(keys.secret, residual) for residual in residuals]
    context = context_of(table, seat if author is None else author, elsewhere)
    proof = prove_opening(keys, residuals, shares, context, seeded("opening"))
    return [list(places), encode_points(shares), proof]


def absence_of(
    table: HonestTable,
    seat: int,
    places: tuple,
    candidates: tuple,
    *,
    author: int | None = None,
    elsewhere: dict | None = None,
) -> bytes:
    """A proof by a seat's key that these places hold none of the candidates."""
    hands = table.position.hands
    context = context_of(table, seat if author is None else author, elsewhere)
    residuals = [hands.residuals[place] for place in places]
    keys = table.secrets[seat].keys
    return prove_absence(keys, residuals, candidates, context, seeded("absence"))


def transfers(
    table: HonestTable,
    seat: int,
    places: tuple,
    receiver: int,
    *,
    author: int | None = None,
    elsewhere: dict | None = None,
) -> list:
    """The body by which a seat's key offers places to a receiver."""
    hands, cast = table.position.hands, table.stage.cast
    context = context_of(table, seat if author is None else author, elsewhere)
    residuals = [hands.residuals[place] for place in places]
    keys = table.secrets[seat].keys
    made, proof = prove_transfer(keys, residuals, cast.keys[receiver], context, seeded("transfer"))
    return [list(places), encode_transfers(made), proof]
