from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pclimb.errors import ClimbError, MalformedError, StoreError
from p2pclimb.store import contacts
from p2pclimb.store.contacts import Acquaintance, Contact, Contacts, read_contacts, remember_contact

MONDAY, TUESDAY = date(2026, 1, 5), date(2026, 1, 6)
KEY, OTHER, THIRD = (bytes([number]) * 32 for number in (1, 2, 3))
ANA = Contact(KEY, "Ana", MONDAY)
BEA = Contact(OTHER, "Bea", MONDAY)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "home" / "contacts.toml"


@pytest.mark.parametrize(
    ("name", "key", "acquaintance", "because_of"),
    [
        ("Ana", KEY, Acquaintance.KNOWN, (ANA,)),
        ("ANA", KEY, Acquaintance.KNOWN, (ANA,)),
        ("Carl", THIRD, Acquaintance.NEW, ()),
        ("Anna", KEY, Acquaintance.RENAMED, (ANA,)),
        ("Ana", THIRD, Acquaintance.NAME_WITH_ANOTHER_KEY, (ANA,)),
        ("\uff21NA", THIRD, Acquaintance.NAME_WITH_ANOTHER_KEY, (ANA,)),
        ("A\u200dna", THIRD, Acquaintance.NAME_WITH_ANOTHER_KEY, (ANA,)),
        ("Bea", KEY, Acquaintance.NAME_WITH_ANOTHER_KEY, (BEA,)),
    ],
)
def test_how_well_a_player_is_known(name, key, acquaintance, because_of):
    recognition = Contacts((ANA, BEA)).known(name, key)
    assert recognition.acquaintance is acquaintance
    assert recognition.contacts == because_of


def test_a_second_key_of_the_same_name_is_known_once_it_was_remembered():
    both = Contacts((ANA,)).remembering("Ana", THIRD, TUESDAY)
    assert both.known("Ana", THIRD).acquaintance is Acquaintance.KNOWN
    assert both.known("Ana", KEY).acquaintance is Acquaintance.KNOWN


def test_contacts_are_on_disk_when_remember_returns(path):
    remember_contact(path, "Ana", KEY, MONDAY)
    remember_contact(path, "Bea", OTHER, MONDAY)
    assert read_contacts(path) == Contacts((ANA, BEA))


def test_a_key_keeps_its_first_day_under_a_new_name(path):
    remember_contact(path, "Ana", KEY, MONDAY)
    after = remember_contact(path, "Anna", KEY, TUESDAY)
    assert after == read_contacts(path) == Contacts((Contact(KEY, "Anna", MONDAY),))


@given(st.text(max_size=40))
def test_any_name_survives_the_file_as_it_is_shown(tmp_path_factory, name):
    path = tmp_path_factory.mktemp("home") / "contacts.toml"
    try:
        written = remember_contact(path, name, KEY, MONDAY)
    except ClimbError:
        return
    assert read_contacts(path) == written


@pytest.mark.parametrize("name", ['"', "\\", 'a"]\n[[contact]]', "\\u0041"])
def test_a_name_cannot_write_into_the_file(path, name):
    written = remember_contact(path, name, KEY, MONDAY)
    assert len(written.entries) == 1
    assert read_contacts(path) == written


def test_the_file_is_for_people_to_read(path):
    remember_contact(path, "Ana", KEY, MONDAY)
    assert path.read_text() == (
        "# Players you have met.  A name here that comes with another key is warned about.\n\n"
        f'[[contact]]\nname = "Ana"\nkey = "{KEY.hex()}"\nfirst_seen = 2026-01-05\n'
    )


GOOD = f'[[contact]]\nname = "Ana"\nkey = "{KEY.hex()}"\nfirst_seen = 2026-01-05\n'


@pytest.mark.parametrize(
    "text",
    [
        "[[contact]\n",
        "contact = 3\n",
        'contact = ["Ana"]\n',
        "[contact]\nname = 1\n",
        GOOD + GOOD,
        GOOD.replace("01", "0", 1),
        GOOD.replace(KEY.hex(), "zz" * 32),
        GOOD.replace("2026-01-05", '"monday"'),
        GOOD.replace('"Ana"', '""'),
        GOOD.replace('"Ana"', "[" * 5000),
        "\udcff",
    ],
)
def test_a_file_that_cannot_be_understood_is_refused_not_forgotten(path, text):
    path.parent.mkdir()
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(MalformedError, match=r"contacts.toml cannot be understood"):
        read_contacts(path)
    with pytest.raises(MalformedError):
        remember_contact(path, "Bea", OTHER, MONDAY)
    assert path.read_bytes() == text.encode("utf-8", "surrogateescape")


def test_the_number_of_contacts_is_bounded(monkeypatch):
    monkeypatch.setattr(contacts, "MAX_CONTACTS", 2)
    full = Contacts((ANA, BEA))
    with pytest.raises(StoreError, match="most there can be"):
        full.remembering("Carl", THIRD, MONDAY)
    assert full.remembering("Anna", KEY, MONDAY).entries[0].name == "Anna"
