"""Nodes stay as they are, however long a table plays; 200 deals: `python -m bench endurance`."""

from bench.endurance import LIMIT_MB, measure


def test_memory_and_open_files_stay_flat_over_many_deals():
    samples = measure(deals=24, seats=2)
    assert len(samples) == 2
    for held in samples.values():
        warm, last = held[10], held[-1]
        assert last.megabytes - warm.megabytes < LIMIT_MB
        assert last.files <= warm.files + 1
