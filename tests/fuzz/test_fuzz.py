"""Every decoder, given what is nearly valid: only the error tree escapes, in little time and room.

More of the same, for as long as one likes: `python -m bench fuzz`.
"""

import time
from collections.abc import Callable
from random import Random

import file_targets
import pytest
import record_targets
import target
import typed_targets
import wire_targets
from hypothesis import given, settings
from hypothesis import strategies as st
from target import Target, counted_memory, probe

from p2pclimb.ledger import codec

TARGETS = (
    *record_targets.TARGETS,
    *wire_targets.TARGETS,
    *file_targets.TARGETS,
    *typed_targets.TARGETS,
)


@pytest.mark.parametrize("fuzzed", TARGETS, ids=lambda fuzzed: fuzzed.name)
def test_only_the_error_tree_escapes(fuzzed):
    samples = fuzzed.samples()

    @settings(max_examples=fuzzed.examples, database=None)
    @given(st.integers(0, 2**64 - 1))
    def nearly_valid(seed):
        probe(fuzzed, fuzzed.draw(samples, Random(seed)))

    # What is made once, such as tables and constants, is made before memory is counted.
    assert any(probe(fuzzed, fuzzed.seal(sample)) for sample in samples)
    with counted_memory():
        nearly_valid()


PATIENCE = 0.2  # seconds


# -- what looks for faults finds them -----------------------------------------------------------


def _lets_another_error_escape(value: object) -> None:
    if isinstance(value, bool):
        raise KeyError(value)


def _believes_a_length(value: object) -> None:
    if isinstance(value, int) and value > 0:
        bytearray(min(value, 2**24))


def _goes_on_and_on(value: object) -> None:
    deadline = time.process_time() + 2 * PATIENCE
    while isinstance(value, str) and time.process_time() < deadline:
        pass


def _is_found_out(fault: Callable[[object], None]) -> bool:
    def decode(data: bytes) -> None:
        fault(codec.fields(codec.decode(data, 70_000), 2)[1])

    samples = [codec.encode([1, b"two"])]
    faulty = Target("faulty", lambda: samples, decode)
    try:
        for seed in range(3000):
            probe(faulty, faulty.draw(samples, Random(seed)))
    except (AssertionError, KeyError):
        return True
    return False


@pytest.mark.parametrize("fault", [_lets_another_error_escape, _believes_a_length, _goes_on_and_on])
def test_a_decoder_with_a_fault_is_found_out(fault, monkeypatch):
    monkeypatch.setattr(target, "MOST_SECONDS", PATIENCE)
    with counted_memory():
        assert _is_found_out(fault)
        assert not _is_found_out(lambda value: None)


def test_names_of_targets_are_unique():
    assert len({fuzzed.name for fuzzed in TARGETS}) == len(TARGETS)
