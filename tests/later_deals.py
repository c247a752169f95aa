"""Tables that open before their second deal, so that no test has to play a first one."""

from __future__ import annotations

import dataclasses

import pytest

from p2pclimb.games.match import Match

__all__ = ["begin_after"]


def begin_after(patch: pytest.MonkeyPatch, order: tuple[int, ...] | None) -> None:
    """Let tables open before their second deal, as if the first had been finished in this order."""
    start = Match.start

    def later(*args: object, **kwargs: object) -> Match:
        match = start(*args, **kwargs)
        if order is None:
            return match
        return dataclasses.replace(match, deal=2, named_dealer=order[-1], last_order=order)

    patch.setattr(Match, "start", later)
