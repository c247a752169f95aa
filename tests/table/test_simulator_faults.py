"""Whole tables to which seeded things happen: crashes, old backups, cut links, absence, lies.

What is asked of each is in `sim_judge`: no seat that keeps to the protocol is ever convicted, signs
twice, holds two things for final, or ends elsewhere than the others.  A seed that fails is played
again by `python -m bench simulator --faults KIND --first SEED --runs 1`.
"""

import pytest
from sim_liars import ATTACKS
from sim_scenarios import KINDS, judged

from p2pclimb.table.notices import RuleBroken, SeatElsewhere


@pytest.mark.parametrize("seed", range(40))
def test_a_table_survives_crashes_partitions_and_absence(seed):
    judged(seed, "trouble").play()


@pytest.mark.parametrize("kind", sorted(set(KINDS)))
@pytest.mark.parametrize("seed", range(1000, 1003))
def test_a_table_survives_each_kind_of_fault(kind, seed):
    judge = judged(seed, kind)
    judge.play()


@pytest.mark.parametrize("attack", sorted(ATTACKS))
@pytest.mark.parametrize("seed", range(2))
def test_a_table_survives_each_lie(attack, seed):
    judged(seed, attack).play()


def test_lies_are_told_and_found():
    """The attacks are no empty gestures: liars are convicted by all the others."""
    for attack in ("equivocation", "bad-body"):
        found = 0
        for seed in range(100, 104):
            judge = judged(seed, attack)
            judge.play()
            (liar,) = judge.liars
            lies = judge.sim.counts[f"lies: {attack}"]
            convicted = [liar in node.session.ledger.convictions for node in judge.honest]
            told = [n for node in judge.honest for n in node.told if isinstance(n, RuleBroken)]
            assert all(convicted) if lies and told else not any(convicted)
            found += any(convicted)
        assert found


@pytest.mark.parametrize("seed", range(6))
def test_one_identity_on_two_machines_is_told_to_its_owner_or_convicted(seed):
    judge = judged(seed, "twin")
    judge.play()
    ((seat, twin),) = judge.sim.twins.items()
    told = [*judge.sim.nodes[seat].told, *twin.told]
    is_convicted = [seat in node.session.ledger.convictions for node in judge.honest]
    assert all(is_convicted) or any(isinstance(notice, SeatElsewhere) for notice in told)


@pytest.mark.parametrize("seed", [7000, 7098])
def test_an_audit_takes_a_notice_that_came_too_late_for_what_it_was(seed):
    """The liar leaves from a step that is signed, and everybody goes on from there."""
    judge = judged(seed, "after-leaving")
    judge.play()
    assert all(judge.liars == set(node.session.ledger.convictions) for node in judge.honest)


def test_a_seed_with_faults_plays_the_same_game_again():
    one, two = judged(11, "trouble"), judged(11, "trouble")
    one.play()
    two.play()
    assert [node.log for node in one.sim.nodes] == [node.log for node in two.sim.nodes]
    assert (one.sim.clock, one.sim.counts) == (two.sim.clock, two.sim.counts)
