"""Steps `commit` and `reveal`: coins and keys that nobody can copy, cancel or change."""

import pytest
from honest_table import HonestTable, reached, seeded

from p2pclimb.crypto.group import ORDER, encode_scalars, multiply_base, subtract, total
from p2pclimb.crypto.masking import key_pair
from p2pclimb.crypto.possession import prove_possession
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.events import DealBegan, DealerDrawn, DealRestarted, TableEnded
from p2pclimb.ledger.labels import Label, digest
from p2pclimb.ledger.steps.reveal import commitment
from p2pclimb.seat.secrets import draw_secrets


def commits(table: HonestTable, seat: int, coin: bytes, key: object, possession: bytes) -> None:
    """The seat commits, rightly, to whatever it likes; the others are honest."""
    context = table.position.site.context(seat, table.stage.match.seats)
    for other in table.position.waiting():
        body = [commitment(context, coin, key, possession)] if other == seat else None
        table.put(table.sign(other, body))


def own_context(table: HonestTable, seat: int) -> bytes:
    return table.position.site.context(seat, table.stage.match.seats)


@pytest.mark.parametrize("field", range(3))
def test_what_is_revealed_must_be_what_was_committed_to(field):
    table = reached(Kind.REVEAL)
    body = table.body(0)
    keys = key_pair(5)
    proof = prove_possession(keys, table.stage.context(0), seeded("other"))
    body[field] = [bytes(32), bytes(keys.public), proof][field]
    table.forge(0, body, "commitment")


def test_a_copied_commitment_cannot_be_opened_with_what_its_owner_reveals():
    """Row 20: whoever commits last cannot come by another's coin or key."""
    table = reached(Kind.COMMIT)
    first = table.sign(0)
    table.put(first, table.sign(1, first.body))
    revealed = table.sign(0)
    table.put(revealed)
    table.forge(1, revealed.body, "commitment")


def test_a_key_without_a_proof_of_its_secret_is_refused():
    table = reached(Kind.COMMIT)
    forged = encode_scalars((3, 4))
    key = multiply_base(5)
    commits(table, 1, bytes(32), key, forged)
    table.forge(1, [bytes(32), bytes(key), forged], "proof")


def replayed_possessions():
    """A proof of a secret that was made for another seat, attempt, deal, step or table."""
    table = reached(Kind.COMMIT)
    keys = key_pair(77)
    site, seats = table.position.site, table.stage.match.seats
    yield "seat", prove_possession(keys, site.context(0, seats), seeded(1))
    for name, change in {
        "attempt": {"attempt": 1},
        "deal": {"deal": 2},
        "step": {"step": 5},
        "table": {"table": bytes(32)},
        "head": {"previous": bytes(32)},
        "kind": {"kind": Kind.REVEAL},
    }.items():
        other = type(site)(
            **{name: getattr(site, name) for name in site.__slots__ if name not in change}, **change
        )
        yield name, prove_possession(keys, other.context(1, seats), seeded(1))
    yield "seats", prove_possession(keys, site.context(1, (0, 1, 2)), seeded(1))


@pytest.mark.parametrize(
    "proof", dict(replayed_possessions()).values(), ids=dict(replayed_possessions())
)
def test_a_possession_proof_of_elsewhere_is_refused(proof):
    table = reached(Kind.COMMIT)
    key = key_pair(77).public
    commits(table, 1, bytes(32), key, proof)
    table.forge(1, [bytes(32), bytes(key), proof], "proof")


def test_a_rogue_key_cannot_be_revealed():
    """Row 3: the last seat chooses a key that cancels the others' out of the joint key."""
    table = reached(Kind.REVEAL, 3)
    others = [table.secrets[seat].keys.public for seat in (0, 1)]
    known = key_pair(99)
    rogue = subtract(known.public, total(others))
    again = reached(Kind.COMMIT, 3)
    proof = prove_possession(known, own_context(again, 2), seeded("rogue"))
    commits(again, 2, bytes(32), rogue, proof)
    again.put(again.sign(0), again.sign(1))
    assert total([*others, rogue]) == known.public
    again.forge(2, [bytes(32), bytes(rogue), proof], "proof")


def test_the_identity_is_no_key():
    table = reached(Kind.REVEAL)
    coin, _, proof = table.body(1)
    table.forge(1, [coin, bytes(32), proof], "form")


def reveal_with_secrets(table: HonestTable, secrets: dict[int, int]) -> None:
    """Every seat commits to and reveals the key of a given secret."""
    seats = table.stage.match.seats
    bodies = {}
    for seat in seats:
        context = own_context(table, seat)
        drawn = draw_secrets(table.stage.deal, table.stage.attempt, context, seeded(seat))
        keys = key_pair(secrets[seat]) if seat in secrets else drawn.keys
        proof = prove_possession(keys, context, seeded(seat))
        bodies[seat] = [drawn.coin, bytes(keys.public), proof]
        table.put(table.sign(seat, [commitment(context, drawn.coin, keys.public, proof)]))
    for seat in seats:
        table.put(table.sign(seat, bodies[seat]))


def test_seats_with_one_key_are_out_and_the_others_begin_anew():
    table = reached(Kind.COMMIT, 4)
    reveal_with_secrets(table, {1: 5, 3: 5})
    assert DealRestarted(1, 1, (1, 3)) in table.events
    assert (table.kind, table.stage.attempt, table.position.waiting()) == (Kind.COMMIT, 1, (0, 2))


def test_keys_that_cancel_each_other_end_the_deal_without_an_error():
    table = reached(Kind.COMMIT)
    reveal_with_secrets(table, {0: 5, 1: ORDER - 5})
    assert table.kind is None
    assert table.events[-1] == TableEnded("fewer than two players are left")


def test_all_coins_together_draw_the_first_dealer():
    dealers = set()
    for seed in "abcdefghijkl":
        table = reached(Kind.REVEAL, 3, seed)
        coins = [table.secrets[seat].coin for seat in range(3)]
        expected = int.from_bytes(digest(Label.COIN, coins), "big") % 3
        table.go(Kind.SHUFFLE)
        assert table.events[-1] == DealerDrawn(1, expected, by_coin=True)
        assert table.stage.cast.match.dealer == expected
        dealers.add(expected)
    assert dealers == {0, 1, 2}


def test_later_deals_are_dealt_by_the_loser_and_keys_are_never_used_twice():
    table = reached(Kind.SHUFFLE, deals=2)
    keys = table.stage.cast.keys
    table.go(lambda t: t.kind is Kind.SHUFFLE and t.stage.deal == 2)
    loser = next(e for e in table.events if type(e).__name__ == "DealEnded").order[-1]
    assert table.events[-1] == DealerDrawn(2, loser, by_coin=False)
    assert not set(keys.values()) & set(table.stage.cast.keys.values())


def test_a_deal_begins_when_all_have_committed():
    table = reached(Kind.REVEAL, 3)
    assert table.events[-1] == DealBegan(1, 0, (0, 1, 2))
