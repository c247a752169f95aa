"""Networks and tables that are gone with their test."""

import os

import pytest
from netns import Network, why_impossible
from seats import Seats


@pytest.fixture
def network():
    """A network of namespaces; where the system makes none, only a developer may go without."""
    reason = why_impossible()
    if reason is not None and not os.environ.get("CI"):
        pytest.skip(f"no network namespaces: {reason}")
    assert reason is None
    made = Network()
    yield made
    made.close()


@pytest.fixture
def seats(tmp_path):
    """The processes of a table."""
    made = Seats(tmp_path)
    yield made
    made.kill()
