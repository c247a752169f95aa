"""The bodies that a seat owes to the ledger, made from its secrets.

Most bodies are owed by the rules and made without asking anybody: `duty` returns the one for the
present stage.  Plays and other decisions come from a person or a bot; see `decisions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2pclimb.cards import Card
from p2pclimb.crypto.absence import prove_absence
from p2pclimb.crypto.entropy import Entropy
from p2pclimb.crypto.group import encode_points
from p2pclimb.crypto.masking import encode_deck, share
from p2pclimb.crypto.shares import prove_opening, prove_shares
from p2pclimb.crypto.shuffle import prove_shuffle, shuffle
from p2pclimb.crypto.transfer import prove_transfer
from p2pclimb.errors import IllegalPlayError
from p2pclimb.games.exchange import tribute
from p2pclimb.games.moves import Cards, LeadPass, Pass, Play
from p2pclimb.ledger.codec import Value
from p2pclimb.ledger.hands import Hands, Showing
from p2pclimb.ledger.position import Position
from p2pclimb.ledger.stage import Site
from p2pclimb.ledger.steps.agree import Agreeing
from p2pclimb.ledger.steps.choose import Choosing
from p2pclimb.ledger.steps.claim import DECLINE, FoursClaiming, InstantClaiming, write_claim
from p2pclimb.ledger.steps.close import Closing
from p2pclimb.ledger.steps.commit import Committing
from p2pclimb.ledger.steps.lowest import Seeking
from p2pclimb.ledger.steps.offer import OfferBody, Offering
from p2pclimb.ledger.steps.opening import Opening
from p2pclimb.ledger.steps.reveal import Revealing, commitment
from p2pclimb.ledger.steps.shares import Sharing
from p2pclimb.ledger.steps.shuffle import Shuffling
from p2pclimb.ledger.steps.tribute import GivingTribute
from p2pclimb.ledger.steps.turn import Turning, write_turn
from p2pclimb.seat.decisions import Choice, Claim, Decision, Offer
from p2pclimb.seat.secrets import DealSecrets, read_hand, read_offer

__all__ = ["Seat", "decision_body", "duty"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Whose duties are asked for: the seat's number and the source of its randomness."""

    number: int
    entropy: Entropy


def duty(
    seat: Seat, position: Position, secrets: DealSecrets | None, reachable: Sequence[int]
) -> list[Value]:
    """Return the body that the seat owes at this position.

    The position must wait for the seat, and not for a play.  `secrets` belong to this deal and
    attempt; `reachable` are the seats that this node is connected to, for `close`.
    """
    site = position.site
    assert site is not None
    stage = position.stage
    if isinstance(stage, Opening | Agreeing):
        return []
    assert secrets is not None
    match stage:
        case Committing():
            context = site.context(seat.number, stage.match.seats)
            key, possession = secrets.keys.public, secrets.possession
            return [commitment(context, secrets.coin, key, possession)]
        case Revealing():
            return [secrets.coin, bytes(secrets.keys.public), secrets.possession]
        case Shuffling():
            return _shuffle_body(seat, site, stage)
        case Sharing():
            return _shares_body(seat, site, stage, secrets)
        case Seeking():
            return _lowest_body(seat, site, stage, secrets)
        case GivingTribute():
            return _tribute_body(seat, site, stage, secrets)
        case Closing():
            return _close_body(seat, site, stage, secrets, reachable)
        case _:
            raise AssertionError(f"a {type(stage).__name__} asks for no duty")


def decision_body(
    seat: Seat,
    position: Position,
    secrets: DealSecrets,
    hand: Mapping[int, int],
    decision: Decision | None,
) -> list[Value]:
    """Return the body of what a player decided; `hand` is as `read_hand` gives it.

    None declines a claim.  Raises InvalidPlayError or IllegalPlayError, with the reason, for what
    the rules do not allow now, and for cards that are not in the seat's hand.
    """
    stage, site = position.stage, position.site
    assert site is not None
    match stage, decision:
        case Turning(), Pass() | Cards() | LeadPass():
            return _turn_body(seat, site, stage, secrets, hand, decision)
        case InstantClaiming() | FoursClaiming(), Claim(cards):
            return _claim_body(seat, site, stage, secrets, hand, cards)
        case InstantClaiming() | FoursClaiming(), None:
            return list(DECLINE)
        case Offering(), Offer(cards):
            return _offer_body(seat, site, stage, secrets, hand, cards)
        case Choosing(), Choice(card):
            return _choice_body(seat, site, stage, secrets, card)
        case _:
            raise IllegalPlayError("That is not asked for now.")


def _turn_body(
    seat: Seat,
    site: Site,
    stage: Turning,
    secrets: DealSecrets,
    hand: Mapping[int, int],
    play: Play,
) -> list[Value]:
    stage.state.check(play, seat.number)
    if isinstance(play, Pass):
        return write_turn(play, Showing((), (), b""))
    cards = play.hand if isinstance(play, LeadPass) else play.cards
    places = _places_of(stage.hands, seat.number, hand, cards)
    context = stage.cast.context(site, seat.number)
    return write_turn(play, _showing(seat, stage.hands, secrets, places, context))


def _claim_body(
    seat: Seat,
    site: Site,
    stage: InstantClaiming | FoursClaiming,
    secrets: DealSecrets,
    hand: Mapping[int, int],
    cards: tuple[Card, ...],
) -> list[Value]:
    stage.check_cards(seat.number, cards)
    places = _places_of(stage.hands, seat.number, hand, cards)
    context = stage.cast.context(site, seat.number)
    return write_claim(_showing(seat, stage.hands, secrets, places, context))


def _tribute_body(
    seat: Seat, site: Site, stage: GivingTribute, secrets: DealSecrets
) -> list[Value]:
    hands, cast = stage.hands, stage.cast
    hand = read_hand(hands, seat.number, secrets)
    card = tribute(cast.match.options, [hands.faces[index] for index in hand.values()])
    place = next(place for place, index in hand.items() if hands.faces[index] == card)
    context = cast.context(site, seat.number)
    showing = _showing(seat, hands, secrets, (place,), context)
    kept = [hands.residuals[other] for other in hands.closed(hand) if other != place]
    candidates = stage.unseen_above(card)
    proof = b""
    if kept and candidates:
        proof = prove_absence(secrets.keys, kept, candidates, context, seat.entropy)
    return [*showing.write(), proof]


def _offer_body(
    seat: Seat,
    site: Site,
    stage: Offering,
    secrets: DealSecrets,
    hand: Mapping[int, int],
    cards: tuple[Card, ...],
) -> list[Value]:
    hands, cast = stage.hands, stage.cast
    # Of two twins the closed one: what all have seen cannot be offered.
    closed = {place: card for place, card in hand.items() if place not in hands.known}
    places = _places_of(hands, seat.number, closed, cards)
    stage.check_places(places)
    context = cast.context(site, seat.number)
    residuals = [hands.residuals[place] for place in places]
    receiver = cast.keys[stage.exchange.giver]
    transfers, proof = prove_transfer(secrets.keys, residuals, receiver, context, seat.entropy)
    return OfferBody(places, transfers, proof).write()


def _choice_body(
    seat: Seat, site: Site, stage: Choosing, secrets: DealSecrets, card: Card
) -> list[Value]:
    offered = read_offer(stage, secrets)
    faces = stage.hands.faces
    place = next((place for place, index in offered.items() if faces[index] == card), None)
    if place is None:
        raise IllegalPlayError("That card was not offered.")
    context = stage.cast.context(site, seat.number)
    return _showing(seat, stage.taken(place), secrets, (place,), context).write()


def _shuffle_body(seat: Seat, site: Site, stage: Shuffling) -> list[Value]:
    cast = stage.cast
    context = cast.context(site, seat.number)
    after, witness = shuffle(stage.deck, cast.joint, seat.entropy)
    proof = prove_shuffle(stage.deck, after, witness, cast.joint, context, seat.entropy)
    return [encode_deck(after), proof]


def _shares_body(seat: Seat, site: Site, stage: Sharing, secrets: DealSecrets) -> list[Value]:
    cast = stage.cast
    context = cast.context(site, seat.number)
    ciphertexts = [stage.deck[place] for place in stage.owed_places(seat.number)]
    shares = [share(secrets.keys.secret, ciphertext) for ciphertext in ciphertexts]
    proof = prove_shares(secrets.keys, ciphertexts, shares, context, seat.entropy)
    return [encode_points(shares), proof]


def _lowest_body(seat: Seat, site: Site, stage: Seeking, secrets: DealSecrets) -> list[Value]:
    hands, cast = stage.hands, stage.cast
    context = cast.context(site, seat.number)
    copies = set(stage.copies())
    hand = read_hand(hands, seat.number, secrets)
    places = tuple(place for place, card in hand.items() if card in copies)
    if places:
        return [True, *_showing(seat, hands, secrets, places, context).write()]
    residuals = [hands.residuals[place] for place in hands.in_hand(seat.number)]
    proof = prove_absence(secrets.keys, residuals, stage.candidates(), context, seat.entropy)
    return [False, proof]


def _close_body(
    seat: Seat, site: Site, stage: Closing, secrets: DealSecrets, reachable: Sequence[int]
) -> list[Value]:
    context = stage.cast.context(site, seat.number)
    places = stage.owed_places(site, seat.number)
    showing = _showing(seat, stage.hands, secrets, places, context)
    payments = [[number, amount] for number, amount in stage.payments.items()]
    return [payments, list(reachable), *showing.write()]


def _showing(
    seat: Seat, hands: Hands, secrets: DealSecrets, places: tuple[int, ...], context: bytes
) -> Showing:
    residuals = [hands.residuals[place] for place in hands.closed(places)]
    if not residuals:
        return Showing(places, (), b"")
    shares = tuple(share(secrets.keys.secret, residual) for residual in residuals)
    proof = prove_opening(secrets.keys, residuals, shares, context, seat.entropy)
    return Showing(places, shares, proof)


def _places_of(
    hands: Hands, seat: int, hand: Mapping[int, int], cards: tuple[Card, ...]
) -> tuple[int, ...]:
    """Return the places of cards in the hand; of two twins the public one, else the first."""
    held = [place for place in hands.in_hand(seat) if place in hand]
    held.sort(key=lambda place: place not in hands.known)
    places = []
    for card in cards:
        place = next((p for p in held if hands.faces[hand[p]] == card), None)
        if place is None:
            raise IllegalPlayError(f"{card} is not in your hand.")
        held.remove(place)
        places.append(place)
    return tuple(sorted(places))
