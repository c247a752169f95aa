"""Forged shuffles: attacks that were carried out, each against the check that stops it.

Every forgery runs twice: with its check taken out of the real code it must succeed, so that the
attack is known to be one, and with the code as it is it must fail.  The items that proofs absorb
are taken out one label at a time, in prover and verifier alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from crypto_setup import (
    CONTEXT,
    Seeded,
    cards_of,
    new_table,
    without_item,
)

from p2pclimb.crypto import shuffle as module
from p2pclimb.crypto.group import (
    ORDER,
    Point,
    add,
    base_point,
    combine,
    multiply,
    multiply_base,
    subtract,
    total,
)
from p2pclimb.crypto.masking import (
    Ciphertext,
    Deck,
    card_index,
    card_points,
    initial_deck,
    share,
    unmask,
)
from p2pclimb.crypto.shuffle import prove_shuffle, shuffle, verify_shuffle
from p2pclimb.crypto.transcript import Item
from p2pclimb.errors import ClimbError

COUNT = 8
TABLE = new_table(count=COUNT)
JOINT = TABLE.joint
BEFORE = initial_deck(JOINT, COUNT)


def masked(card: Point, factor: int) -> Ciphertext:
    return Ciphertext(multiply_base(factor), add(card, multiply(factor, JOINT)))


def combined(scalars, places) -> Ciphertext:
    """The same combination of the points A and of the points B."""
    return Ciphertext(
        combine(scalars, [place.a for place in places]),
        combine(scalars, [place.b for place in places]),
    )


def minus(left: Ciphertext, right: Ciphertext) -> Ciphertext:
    return Ciphertext(subtract(left.a, right.a), subtract(left.b, right.b))


def plus(left: Ciphertext, right: Ciphertext) -> Ciphertext:
    return Ciphertext(add(left.a, right.a), add(left.b, right.b))


def refused(before: Deck, after: Deck, proof: bytes) -> bool:
    try:
        verify_shuffle(before, after, proof, JOINT, CONTEXT)
    except ClimbError:
        return True
    return False


@dataclass
class Cheat:
    """The prover of shuffles with its choices laid open; honest unless told otherwise.

    `permuted` are the weights that it uses for the output, `columns` its commitments; the other
    arguments are what it needs to answer the four sums.
    """

    before: Deck
    after: Deck
    seed: str = "cheat"

    def __post_init__(self) -> None:
        self.count = len(self.before)
        self.transcript = module._transcript(self.before, self.after, JOINT, CONTEXT)
        self.nonces = self.transcript.nonces(b"", Seeded(self.seed))
        self.openings = [next(self.nonces) for _ in self.before]

    def columns(self) -> tuple[Point, ...]:
        return module._commit_permutation(range(self.count), self.openings)

    def weights(self, columns) -> list[int]:
        return module._weights(self.transcript, columns)

    def finish(self, columns, permuted, sums) -> bytes:
        """Answer, given the openings of the row sum, the chain, the image and the masks."""
        chain_openings = [next(self.nonces) for _ in permuted]
        chain = module._Chain.of(permuted, chain_openings)
        links = chain.commit(module.generators(self.count)[0])
        module._absorb_chain(self.transcript, links)
        masks = module._Masks.drawn(self.count, self.nonces)
        commitments = masks.commit(self.after, JOINT, chain)
        challenge = module._challenge(self.transcript, commitments)
        rows, product, image, masking_sum = sums
        secrets = (rows, chain.openings[-1] + product, image, masking_sum)
        return module._encode(
            module._ShuffleProof(
                columns,
                links,
                challenge,
                module._respond(masks.sums, challenge, secrets),
                module._respond(masks.chain, challenge, chain_openings),
                module._respond(masks.weights, challenge, permuted),
            )
        )


def honest_sums(cheat: Cheat, weights, masking_sum: int):
    image = sum(r * u for r, u in zip(cheat.openings, weights, strict=True))
    return sum(cheat.openings), 0, image, masking_sum


def test_the_laid_open_prover_is_the_real_one():
    after, witness = shuffle(BEFORE, JOINT, Seeded("honest"))
    cheat = Cheat(BEFORE, after)
    columns = module._commit_permutation(witness.permutation, cheat.openings)
    weights = cheat.weights(columns)
    permuted = [weights[source] for source in witness.permutation]
    masking_sum = sum(r * u for r, u in zip(witness.factors, permuted, strict=True))
    proof = cheat.finish(columns, permuted, honest_sums(cheat, weights, masking_sum))
    assert not refused(BEFORE, after, proof)


# ------------------------------------------------------------------ the shuffle's transcript

CHOSEN = (7, 7, 6, 6, 7, 5, 5)


def stacked_deck() -> tuple[Deck, Deck, bytes]:
    """Deal chosen cards, twice over, to all places but the first, which takes up the rest."""
    factors = range(101, 101 + len(CHOSEN))
    chosen = [masked(card_points(COUNT)[c], r) for c, r in zip(CHOSEN, factors, strict=True)]
    # Without the output in the transcript the weights are known before the output is chosen.
    first = Cheat(BEFORE, (BEFORE[0], *chosen))
    weights = first.weights(first.columns())
    rest = minus(combined(weights, BEFORE), combined(weights[1:], chosen))
    rest = plus(rest, Ciphertext(multiply_base(9), multiply(9, JOINT)))
    inverse = pow(weights[0], -1, ORDER)
    after = (combined([inverse], [rest]), *chosen)
    cheat = Cheat(BEFORE, after)
    columns = cheat.columns()
    weights = cheat.weights(columns)
    return BEFORE, after, cheat.finish(columns, weights, honest_sums(cheat, weights, 9))


def test_stacked_deck_needs_weights_that_ignore_the_output(monkeypatch):
    assert refused(*stacked_deck())
    without_item(monkeypatch, Item.OUTPUT)
    before, after, proof = stacked_deck()
    assert not refused(before, after, proof)
    assert cards_of(after, TABLE.keys, COUNT)[1:] == list(CHOSEN)
    monkeypatch.undo()
    assert refused(before, after, proof)


def chosen_input() -> tuple[Deck, Deck, bytes]:
    """Take an output first, and make up an input that it seems to come from."""
    after = tuple(masked(card_points(COUNT)[7], 50 + place) for place in range(COUNT))
    first = Cheat(BEFORE, after)
    weights = first.weights(first.columns())
    zero = Ciphertext(multiply_base(9), multiply(9, JOINT))
    rest = minus(minus(combined(weights, after), zero), combined(weights[1:], BEFORE[1:]))
    before = (combined([pow(weights[0], -1, ORDER)], [rest]), *BEFORE[1:])
    cheat = Cheat(before, after)
    columns = cheat.columns()
    weights = cheat.weights(columns)
    return before, after, cheat.finish(columns, weights, honest_sums(cheat, weights, 9))


def test_made_up_input_needs_weights_that_ignore_the_input(monkeypatch):
    assert refused(*chosen_input())
    without_item(monkeypatch, Item.INPUT)
    before, after, proof = chosen_input()
    assert not refused(before, after, proof)
    assert cards_of(after, TABLE.keys, COUNT) == [7] * COUNT
    monkeypatch.undo()
    assert refused(before, after, proof)


def marked_deck() -> tuple[Deck, Deck, bytes]:
    """Add a point to one card and take it from another: the sum of the deck stays."""
    mark = Ciphertext(multiply_base(3000), multiply_base(5))
    after = (plus(BEFORE[0], mark), minus(BEFORE[1], mark), *BEFORE[2:])
    after = tuple(
        plus(place, Ciphertext(multiply_base(r), multiply(r, JOINT)))
        for r, place in enumerate(after, start=60)
    )
    cheat = Cheat(BEFORE, after)
    columns = cheat.columns()
    weights = cheat.weights(columns)
    masking_sum = sum(r * u for r, u in enumerate(weights, start=60))
    return BEFORE, after, cheat.finish(columns, weights, honest_sums(cheat, weights, masking_sum))


def test_marked_cards_need_equal_weights(monkeypatch):
    """Each weight is absorbed before the next is squeezed; otherwise all would be equal."""
    assert refused(*marked_deck())
    without_item(monkeypatch, Item.WEIGHT)
    before, after, proof = marked_deck()
    assert not refused(before, after, proof)
    monkeypatch.undo()
    assert refused(before, after, proof)


def scaled_deck() -> tuple[Deck, Deck, bytes]:
    """Double one card and halve another, with commitments made up after the weights are known."""
    half = pow(2, -1, ORDER)
    after = tuple(
        plus(combined([scale], [place]), Ciphertext(multiply_base(r), multiply(r, JOINT)))
        for r, (scale, place) in enumerate(
            zip((2, half, *(1,) * (COUNT - 2)), BEFORE, strict=True), start=60
        )
    )
    cheat = Cheat(BEFORE, after)
    honest = cheat.columns()
    weights = cheat.weights(honest)
    permuted = [weights[0] * half, weights[1] * 2, *weights[2:]]
    permuted = [weight % ORDER for weight in permuted]
    # Two columns are solved from the row sum and the image; the other columns stay honest.
    _, *others = module.generators(COUNT)
    rows = add(multiply_base(sum(cheat.openings)), total(others))
    opened = sum(r * u for r, u in zip(cheat.openings, weights, strict=True))
    image = combine((opened, *permuted), (base_point(), *others))
    rest_rows = subtract(rows, total(honest[2:]))
    rest_image = subtract(image, combine(weights[2:], honest[2:]))
    difference = pow(weights[1] - weights[0], -1, ORDER)
    second = multiply(difference, subtract(rest_image, multiply(weights[0], rest_rows)))
    columns = (subtract(rest_rows, second), second, *honest[2:])
    masking_sum = sum(r * u for r, u in enumerate(permuted, start=60))
    return BEFORE, after, cheat.finish(columns, permuted, honest_sums(cheat, weights, masking_sum))


def test_scaled_cards_need_weights_that_ignore_the_commitments(monkeypatch):
    assert refused(*scaled_deck())
    without_item(monkeypatch, Item.PERMUTATION_COMMITMENT)
    before, after, proof = scaled_deck()
    assert not refused(before, after, proof)
    assert cards_of(after, TABLE.keys, COUNT)[:2] == [None, None]
    monkeypatch.undo()
    assert refused(before, after, proof)


def simulated_shuffle() -> tuple[Deck, Deck, bytes]:
    """Choose all answers first; the verifier computes fitting commitments itself."""
    after = tuple(masked(card_points(COUNT)[7], 50 + place) for place in range(COUNT))
    columns = tuple(multiply_base(3 + place) for place in range(COUNT))
    transcript = module._transcript(BEFORE, after, JOINT, CONTEXT)
    module._weights(transcript, columns)
    module._absorb_chain(transcript, columns)
    challenge = module._challenge(transcript, [])
    answers = tuple(range(11, 11 + COUNT))
    parts = module._ShuffleProof(columns, columns, challenge, answers[:4], answers, answers)
    return BEFORE, after, module._encode(parts)


def test_simulated_shuffle_needs_a_challenge_that_ignores_the_commitments(monkeypatch):
    assert refused(*simulated_shuffle())
    without_item(monkeypatch, Item.SHUFFLE_COMMITMENT)
    before, after, proof = simulated_shuffle()
    assert not refused(before, after, proof)
    monkeypatch.undo()
    assert refused(before, after, proof)


# ------------------------------------------------------------------ generators and cards

ETA = tuple(range(1001, 1002 + COUNT))


def plant_generators(monkeypatch) -> None:
    """Let the cheat know the logarithms of all generators."""
    monkeypatch.setattr(module, "generators", lambda count: tuple(map(multiply_base, ETA)))
    monkeypatch.setattr(module, "_generators_total", lambda count: multiply_base(sum(ETA[1:])))


def trapdoor_shuffle(cards) -> tuple[Deck, Deck, bytes]:
    """Deal copies of the highest card, with cards and generators of known logarithms."""
    before = tuple(Ciphertext(base_point(), add(multiply_base(card), JOINT)) for card in cards)
    dealt = [cards[-1]] * (COUNT - 2) + [cards[0], cards[1]]
    factors = range(50, 50 + COUNT)
    after = tuple(masked(multiply_base(c), r) for c, r in zip(dealt, factors, strict=True))
    cheat = Cheat(before, after)
    gammas = cheat.openings
    columns = tuple(map(multiply_base, gammas))
    weights = cheat.weights(columns)
    # The output's weights are free but for one equation: the sums of the cards agree.
    permuted = list(range(301, 301 + COUNT))
    known = sum(u * c for u, c in zip(weights, cards, strict=True))
    others = sum(u * c for u, c in zip(permuted[1:], dealt[1:], strict=True))
    permuted[0] = (known - others) * pow(dealt[0], -1, ORDER) % ORDER
    masking_sum = sum(u * r for u, r in zip(permuted, factors, strict=True)) - sum(weights)
    sums = trapdoor_sums(gammas, weights, permuted, masking_sum)
    return before, after, cheat.finish(columns, permuted, sums)


def trapdoor_sums(gammas, weights, permuted, masking_sum: int):
    """The openings of all sums for columns gamma G, whatever the permuted weights."""
    image = sum(u * r for u, r in zip(weights, gammas, strict=True)) - sum(
        u * eta for u, eta in zip(permuted, ETA[1:], strict=True)
    )
    product = (module._product(permuted) - module._product(weights)) * ETA[0]
    return sum(gammas) - sum(ETA[1:]), product, image, masking_sum


def test_copies_of_one_card_need_trapdoor_generators(monkeypatch):
    """The whole transcript is hashed here: only hashing the generators to the group helps."""
    cards = range(1, 1 + COUNT)
    assert refused(*trapdoor_shuffle(cards))
    plant_generators(monkeypatch)
    before, after, proof = trapdoor_shuffle(cards)
    assert not refused(before, after, proof)
    secret = sum(keys.secret for keys in TABLE.keys)
    opened = [unmask(place, share(secret, place)) for place in after]
    assert opened.count(multiply_base(COUNT)) == COUNT - 2
    monkeypatch.undo()
    assert refused(before, after, proof)


def test_trapdoor_without_known_cards_gives_no_card(monkeypatch):
    """With cards hashed to the group the same trapdoor can only mix them to points of no card."""
    plant_generators(monkeypatch)
    factors = range(50, 50 + 3 * COUNT, 3)
    mixed = (plus(BEFORE[0], BEFORE[1]), *BEFORE[1:])
    after = tuple(
        plus(place, Ciphertext(multiply_base(r), multiply(r, JOINT)))
        for place, r in zip(mixed, factors, strict=True)
    )
    cheat = Cheat(BEFORE, after)
    columns = tuple(map(multiply_base, cheat.openings))
    weights = cheat.weights(columns)
    permuted = [weights[0], (weights[1] - weights[0]) % ORDER, *weights[2:]]
    masking_sum = sum(u * r for u, r in zip(permuted, factors, strict=True))
    sums = trapdoor_sums(cheat.openings, weights, permuted, masking_sum)
    proof = cheat.finish(columns, permuted, sums)
    assert not refused(BEFORE, after, proof)
    assert cards_of(after, TABLE.keys, COUNT) == [None, *range(1, COUNT)]
    monkeypatch.undo()
    assert refused(BEFORE, after, proof)


# ------------------------------------------------------------------ checks on the decks


def test_equal_masks_need_a_verifier_that_ignores_them(monkeypatch):
    """All masks of the first deck are equal: a shuffler can keep two cards linked for ever."""
    _, witness = shuffle(BEFORE, JOINT, Seeded("linked"))
    witness = replace(witness, factors=(witness.factors[1], *witness.factors[1:]))
    after = tuple(
        module._mask_anew(BEFORE[source], JOINT, factor)
        for source, factor in zip(witness.permutation, witness.factors, strict=True)
    )
    proof = prove_shuffle(BEFORE, after, witness, JOINT, CONTEXT, Seeded("proof"))
    assert refused(BEFORE, after, proof)
    monkeypatch.setattr(module, "_check_decks", lambda *_: None)
    assert not refused(BEFORE, after, proof)


def test_unmasked_card_needs_a_verifier_that_allows_the_identity(monkeypatch):
    """Taking the first mask away puts a card on the table for all to see."""
    _, witness = shuffle(BEFORE, JOINT, Seeded("bare"))
    witness = replace(witness, factors=(ORDER - 1, *witness.factors[1:]))
    after = tuple(
        module._mask_anew(BEFORE[source], JOINT, factor)
        for source, factor in zip(witness.permutation, witness.factors, strict=True)
    )
    assert card_index(after[0].b, COUNT) == witness.permutation[0]
    proof = prove_shuffle(BEFORE, after, witness, JOINT, CONTEXT, Seeded("proof"))
    assert refused(BEFORE, after, proof)
    monkeypatch.setattr(module, "_check_decks", lambda *_: None)
    assert not refused(BEFORE, after, proof)
