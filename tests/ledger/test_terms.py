"""Terms: every field is checked, and every change of them is another table."""

import dataclasses

import pytest
from honest_table import new_terms

from p2pclimb.errors import ClimbError, MalformedError, OptionsError, UnsupportedError
from p2pclimb.games.options import Options
from p2pclimb.ledger import codec
from p2pclimb.ledger.labels import Label, digest
from p2pclimb.ledger.terms import MAX_TERMS_SIZE, SeatTerms, Terms

TERMS = new_terms(3)


def wire(terms: Terms = TERMS) -> list:
    return codec.decode(terms.encode(), MAX_TERMS_SIZE)


def with_seat(number: int, **changes: object) -> Terms:
    seats = [*TERMS.seats]
    seats[number] = dataclasses.replace(seats[number], **changes)
    return dataclasses.replace(TERMS, seats=tuple(seats))


@pytest.mark.parametrize("count", range(2, 9))
def test_terms_are_read_as_they_were_written(count):
    terms = new_terms(count, stake=7)
    assert Terms.decode(terms.encode()) == terms
    assert Terms.decode(terms.encode()).table_id == terms.table_id


def test_the_table_id_is_the_hash_of_the_terms():
    assert TERMS.table_id == digest(Label.TABLE, TERMS.encode())


def test_any_change_makes_another_table():
    changed = [
        dataclasses.replace(TERMS, nonce=bytes(16)),
        dataclasses.replace(TERMS, options=TERMS.options.with_setting("stake", 2)),
        with_seat(0, name="Anna"),
        with_seat(1, is_bot=True),
        with_seat(1, is_bot=True, operator=0),
        dataclasses.replace(TERMS, seats=TERMS.seats[::-1]),
        dataclasses.replace(TERMS, seats=TERMS.seats[:2]),
    ]
    assert len({TERMS.table_id, *(terms.table_id for terms in changed)}) == len(changed) + 1
    assert len({TERMS.words, *(terms.words for terms in changed)}) == len(changed) + 1


def test_six_words_say_the_first_twelve_bytes():
    vowels, consonants = "aiou", "bdfghjklmnprstvz"
    number = 0
    for word in TERMS.words:
        assert len(word) == 5
        for at, letter in enumerate(word):
            alphabet = vowels if at % 2 else consonants
            number = number * len(alphabet) + alphabet.index(letter)
    assert len(TERMS.words) == 6
    assert number.to_bytes(12, "big") == TERMS.table_id[:12]


@pytest.mark.parametrize(
    "names",
    [("Ana", "ANA"), ("Ana", "Ａｎａ"), ("straße", "STRASSE"), ("ﬁn", "FIN"), ("Bình", "BÌNH")],
    ids=["case", "width", "sharp s", "ligature", "accent"],
)
def test_names_are_unique_after_nfkc_and_casefold(names):
    terms = with_seat(0, name=names[0])
    seats = (terms.seats[0], dataclasses.replace(terms.seats[1], name=names[1]), terms.seats[2])
    with pytest.raises(MalformedError, match="same name"):
        Terms.decode(dataclasses.replace(terms, seats=seats).encode())


@pytest.mark.parametrize(
    ("changes", "saying"),
    [
        ({"identity": TERMS.seats[1].identity}, "same identity"),
        ({"curve": TERMS.seats[1].curve}, "same network key"),
        ({"identity": bytes(32)}, "small order"),
        ({"identity": (1).to_bytes(32, "little")}, "small order"),
        ({"identity": b"\xff" * 32}, "canonical"),
        ({"identity": (2**255 - 19 + 3).to_bytes(32, "little")}, "canonical"),
        ({"identity": bytes(31)}, "bytes"),
        ({"curve": bytes(33)}, "bytes"),
        ({"operator": 3, "is_bot": True}, "not at the table"),
        ({"operator": 8, "is_bot": True}, "integer"),
        ({"operator": 1}, "a person's"),
        ({"name": ""}, "printable"),
        ({"name": "\u200b"}, "printable"),
        ({"name": "A\x1b[2J"}, "cannot be shown"),
        ({"name": "a\u202eb"}, "cannot be shown"),
        ({"name": " Ana"}, "cannot be shown"),
        ({"name": "A" * 25}, "cannot be shown"),
        ({"name": "e\u0301"}, "cannot be shown"),
        ({"name": "A" * 97}, "text"),
    ],
)
def test_a_bad_seat_is_refused(changes, saying):
    with pytest.raises(MalformedError, match=saying):
        Terms.decode(with_seat(0, **changes).encode())


def test_an_operator_runs_its_own_seat():
    chain = with_seat(1, is_bot=True, operator=0)
    assert Terms.decode(chain.encode()) == chain
    seats = (chain.seats[0], chain.seats[1], dataclasses.replace(chain.seats[2], operator=1))
    seats = (*seats[:2], dataclasses.replace(seats[2], is_bot=True))
    with pytest.raises(MalformedError, match="another seat runs"):
        Terms.decode(dataclasses.replace(chain, seats=seats).encode())


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_seats_are_refused(count):
    with pytest.raises(OptionsError):
        Terms.decode(dataclasses.replace(TERMS, seats=TERMS.seats[:count]).encode())


def test_nine_seats_are_refused():
    eight = new_terms(8)
    nine = dataclasses.replace(eight, seats=(*eight.seats, eight.seats[0]))
    with pytest.raises(MalformedError):
        Terms.decode(nine.encode())


def test_options_for_another_number_of_seats_are_refused():
    three = new_terms(3, deal="17")
    assert Terms.decode(three.encode()) == three
    with pytest.raises(OptionsError):
        Terms.decode(dataclasses.replace(three, seats=three.seats[:2]).encode())


@pytest.mark.parametrize("version", [0, 2, 2**32])
def test_another_version_is_told_from_damage(version):
    with pytest.raises(UnsupportedError, match=str(version)):
        Terms.decode(codec.encode([version, *wire()[1:]]))


def test_an_unknown_game_is_told_from_damage():
    with pytest.raises(UnsupportedError, match="rules"):
        Terms.decode(codec.encode([1, bytes(16), ["whist/1", []], wire()[3]]))


@pytest.mark.parametrize("field", range(4))
@pytest.mark.parametrize("bad", [-1, "", b"", [], [[]], True, b"x" * 17, [[[1]]]])
def test_a_field_of_another_kind_is_refused(field, bad):
    value = wire()
    value[field] = bad
    with pytest.raises(ClimbError):
        Terms.decode(codec.encode(value))


def test_missing_fields_and_additional_ones_are_refused():
    for value in ([], wire()[:3], [*wire(), 0], 7, "x", b""):
        with pytest.raises(ClimbError):
            Terms.decode(codec.encode(value))
    for short in ([], [b""], [*wire()[3][0], 1]):
        value = wire()
        value[3] = [short, *value[3][1:]]
        with pytest.raises(MalformedError):
            Terms.decode(codec.encode(value))


def test_terms_of_the_largest_table_fit():
    longest = new_terms(
        8, stake=1_000_000, deals=10_000, between=3_600, turn_seconds=86_400, duty_seconds=600
    )
    seats = tuple(
        SeatTerms("\U0001f0a1" * 23 + str(n), s.identity, s.curve, 0, is_bot=n > 0)
        for n, s in enumerate(longest.seats)
    )
    terms = dataclasses.replace(longest, seats=seats)
    assert len(terms.encode()) < MAX_TERMS_SIZE
    assert Terms.decode(terms.encode()) == terms


def test_options_are_part_of_the_terms_in_full():
    value = wire()[2]
    assert value == TERMS.options.to_wire()
    assert [key for key, _ in value[1]] == [
        s.key for s in Options.make("tienlen/1").preset.settings
    ]
