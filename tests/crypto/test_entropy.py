"""Draws from handed-in randomness are exact and unbiased."""

from collections import Counter
from itertools import permutations

import pytest
from crypto_setup import Seeded

from p2pclimb.crypto.entropy import draw, random_below, random_permutation


def test_short_draw_is_refused():
    with pytest.raises(ValueError, match="31 bytes instead of 32"):
        draw(lambda size: bytes(size - 1), 32)


def test_words_beyond_the_last_whole_multiple_are_drawn_again():
    # 2^64 = 1 mod 3: the highest word alone would favour the value 0.
    words = iter([b"\xff" * 8, (4).to_bytes(8, "little")])
    assert random_below(3, lambda size: next(words)) == 1
    assert next(words, None) is None


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_impossible_bounds_are_refused(bound):
    with pytest.raises(ValueError, match="bound"):
        random_below(bound, Seeded("bound"))


def test_all_permutations_are_equally_frequent():
    entropy = Seeded("permutations")
    counts = Counter(random_permutation(4, entropy) for _ in range(4800))
    assert set(counts) == set(permutations(range(4)))
    # 24 cells of 200 each; 49.7 is the 99.9 % point of chi-square with 23 degrees of freedom
    assert sum((seen - 200) ** 2 / 200 for seen in counts.values()) < 49.7


def test_permutation_holds_every_place_once():
    for count in (0, 1, 2, 54, 108):
        assert sorted(random_permutation(count, Seeded("p"))) == list(range(count))
