"""A quick audit for tests that run it hundreds of times over nearly the same log."""

from __future__ import annotations

import pytest

from p2pclimb.audit import replay as module
from p2pclimb.errors import ClimbError
from p2pclimb.ledger.position import check_entry

_results: dict[tuple[bytes, bytes], object] = {}


def _check_once(position, entry):
    # A check is a function of the head and the signed bytes: the head covers all that was before.
    key = (position.previous, entry.signed)
    if key not in _results:
        try:
            _results[key] = check_entry(position, entry)
        except ClimbError as error:
            _results[key] = error
    result = _results[key]
    if isinstance(result, ClimbError):
        raise result
    return result


@pytest.fixture(scope="module")
def quick_checks():
    """Check each entry at each place once in the whole test run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "check_entry", _check_once)
        yield
