"""protocol.md says what the program does: its vectors, options, labels, rules and tests exist."""

import ast
import re
from pathlib import Path

import protocol_blocks
import pytest

import p2pclimb
from p2pclimb.audit.findings import EXPECTED
from p2pclimb.crypto import masking, shuffle
from p2pclimb.crypto.transcript import Item, Proof
from p2pclimb.ledger.entry import Kind
from p2pclimb.ledger.labels import Label

ROOT = Path(p2pclimb.__file__).parent
TEXT = protocol_blocks.DOCUMENT.read_text("utf-8")


def test_generated_blocks_are_as_the_program_computes_them():
    assert set(re.findall(r"generated: (\w+) -->", TEXT)) == set(protocol_blocks.BLOCKS)
    assert protocol_blocks.filled(TEXT) == TEXT, "run tests/protocol_blocks.py"


@pytest.mark.parametrize("name", protocol_blocks.LOGS)
def test_the_recorded_logs_are_what_the_honest_seats_would_sign_today(name):
    assert protocol_blocks.LOGS[name].read_bytes() == protocol_blocks.record_log(name)


def test_every_label_is_named():
    labels = [label.value for label in Label]
    labels += [masking._CARD_LABEL.decode(), shuffle._GENERATOR_LABEL.decode()]
    for label in labels:
        assert f"`{label}`" in TEXT
    for proof in Proof:
        assert f"`{proof.value.decode().removeprefix('p2pclimb/1 ')}`" in TEXT or (
            f"`{proof.value.decode()}`" in TEXT
        )
    for item in Item:
        assert f'"{item.value.decode()}"' in TEXT


def test_every_kind_of_step_has_a_section_and_every_rule_is_named():
    for kind in Kind:
        assert f"### `{kind.value}`" in TEXT
    for rule in {*EXPECTED, *rules_in_the_ledger()}:
        assert f"`{rule}`" in TEXT


def rules_in_the_ledger() -> set[str]:
    """The names of rules that the source of the ledger gives to errors."""
    rules = set()
    for path in (ROOT / "ledger").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "RuleError":
                rules |= {a.value for a in node.args[:1] if isinstance(a, ast.Constant)}
    assert {"commitment", "lowest", "result"} <= rules
    return rules


def test_the_tests_that_it_names_exist():
    known = {path.name for path in (ROOT.parent / "tests").rglob("*.py")}
    for name in re.findall(r"`(?:[\w/]+/)?(test_\w+\.py)`", TEXT):
        assert name in known
    for folder in re.findall(r"`(tests/[\w/]+)`", TEXT):
        assert (ROOT.parent / folder).exists()
