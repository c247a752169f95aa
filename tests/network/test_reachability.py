"""Who can dial whom: one reachable player is enough, and one family of addresses is."""

import pytest


def test_a_table_where_only_the_host_can_be_dialled(network, seats):
    machines = [network.machine(f"m{number}") for number in (1, 2, 3)]
    for machine in machines[1:]:
        machine.refuse_connections()
    seats.sit(machines, pace=0.6)
    seats.until_told("link-down", {"Binh": 2, "Chi": 1})
    seats.end()
    assert not seats.all[0].heard("link-down")


def test_a_table_where_only_a_guest_can_be_dialled_once_it_is_open(network, seats):
    machines = [network.machine(f"m{number}") for number in (1, 2, 3)]
    machines[2].refuse_connections()
    seats.sit(machines, pace=0.6)
    # The host's connections are lost, and nobody can dial it any more; it can dial Binh.
    machines[0].refuse_connections()
    for machine in (machines[0], machines[2]):
        machine.break_connections()
    seats.until_told("link-down", {"Ana": 2, "Chi": 0})
    seats.end()


@pytest.mark.parametrize("family", [4, 6])
def test_a_table_with_one_family_of_addresses(network, seats, family):
    machines = [network.machine(f"m{number}", families=(family,)) for number in (1, 2, 3)]
    seats.sit(machines, pace=0)
    seats.end()
    for seat in seats.all:
        assert not seat.heard("link-down")
