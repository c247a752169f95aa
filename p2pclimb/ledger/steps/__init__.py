"""The kinds of steps, one file each, in the order of a deal.

`opening`, then for every deal `commit`, `reveal`, `shuffle` (once a seat), `agree`, `shares`,
`claim` (hands that win at once), `lowest` (first deal) or `tribute`, `offer` and `choose` (later
ones), `turn` (until one seat holds cards, with a `claim` after a bomb) and `close`; at last
`ended`.  Which steps the game and its options ask for is decided in `flow`.
"""

__all__: list[str] = []
