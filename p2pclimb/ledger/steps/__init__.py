"""The kinds of steps, one file each, in the order of a deal.

`opening`, then for every deal `commit`, `reveal`, `shuffle` (once a seat), `agree`, `shares`,
`lowest` (first deal), `turn` (until one seat holds cards) and `close`; at last `ended`.
"""

__all__: list[str] = []
