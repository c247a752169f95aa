"""Whole deals come out as they did when people last read them (tests/golden)."""

import pytest
from playthrough import GOLDEN, PLAYTHROUGHS, playthrough


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name):
    assert playthrough(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_there_is_no_other_playthrough_of_these_games():
    on_disk = {path.stem for path in GOLDEN.glob("*.txt")}
    assert on_disk == set(PLAYTHROUGHS)
