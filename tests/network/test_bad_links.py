"""Real processes behind links that break, fall silent, crawl, lose and change: the game goes on."""

import signal
import time

BACK_WITHIN = 15  # seconds from the end of the cause


def friends(network, count=3, **settings):
    return [network.machine(f"m{number}", **settings) for number in range(1, count + 1)]


def losses(seats, since=0.0):
    """Return how often each seat was told that another is away."""
    return {seat.name: len(seat.heard("link-down", since)) for seat in seats.all}


def require_that_the_others_lost_chi_once(seats):
    """Chi itself may find them connected anew before it notices that the old connections broke."""
    told = losses(seats)
    assert (told["Ana"], told["Binh"]) == (1, 1)
    assert told["Chi"] <= 2


def until(moment):
    """Wait for a moment of the monotonic clock: what is tested is how long something lasts."""
    time.sleep(max(0.0, moment - time.monotonic()))


def test_a_cable_that_is_pulled_out_and_plugged_in_again(network, seats):
    machines = friends(network, 4)
    seats.sit(machines, deals=3)
    cut = time.monotonic()
    machines[2].unplug()
    for seat in seats.all:
        seat.until("link-down", cut, patience=12)
    until(cut + 10)
    machines[2].plug()
    assert seats.until_everybody_goes_on(time.monotonic()) < BACK_WITHIN
    seats.end()
    assert losses(seats) == {"Ana": 1, "Binh": 1, "Chi": 3, "Dung": 1}


def test_a_short_cut_is_no_loss_at_all(network, seats):
    machines = friends(network)
    seats.sit(machines, deals=3)
    cut = time.monotonic()
    machines[0].unplug()
    until(cut + 5)
    machines[0].plug()
    assert seats.until_everybody_goes_on(time.monotonic()) < BACK_WITHIN
    seats.end()
    assert losses(seats) == {"Ana": 0, "Binh": 0, "Chi": 0}


def test_an_interface_that_goes_down_and_comes_up(network, seats):
    machines = friends(network)
    seats.sit(machines, deals=3)
    cut = time.monotonic()
    machines[1].ip("link", "set", "eth0", "down")
    for seat in seats.all:
        seat.until("link-down", cut, patience=12)
    machines[1].ip("link", "set", "eth0", "up")
    machines[1].take_addresses("10.77.0.2/24", "fd77::2/64")
    assert seats.until_everybody_goes_on(time.monotonic()) < BACK_WITHIN
    seats.end()
    assert losses(seats) == {"Ana": 1, "Binh": 2, "Chi": 1}


def test_silence_in_one_direction(network, seats):
    machines = friends(network)
    seats.sit(machines, pace=0.8, deals=3)
    deaf = time.monotonic()
    # Binh hears nothing of Ana any more, while Ana hears Binh, and both hear Chi.
    machines[1].drop_from(machines[0])
    for seat, other in ((seats.all[0], 1), (seats.all[1], 0)):
        seat.until("link-down", deaf, patience=12, seat=other)
    # Chi passes on what they say.
    seats.until_everybody_goes_on(time.monotonic())
    machines[1].pass_all()
    mended = time.monotonic()
    for seat, other in ((seats.all[0], 1), (seats.all[1], 0)):
        seat.until("link-up", mended, patience=BACK_WITHIN, seat=other)
    seats.end()
    assert losses(seats) == {"Ana": 1, "Binh": 1, "Chi": 0}


def test_delay_jitter_reordering_and_loss(network, seats):
    bad = ("--delay", 0.3, "--jitter", 0.05, "--loss", 2)
    machines = [*friends(network, 2), network.machine("m3", cable=bad)]
    seats.sit(machines, pace=0)
    seats.end(patience=60)
    assert losses(seats) == {"Ana": 0, "Binh": 0, "Chi": 0}


def test_ten_kilobytes_a_second(network, seats):
    machines = friends(network)
    machines[2].slow_down(10_000)
    seats.sit(machines, pace=0)
    seats.end(patience=60)
    assert losses(seats) == {"Ana": 0, "Binh": 0, "Chi": 0}


def test_a_laptop_that_sleeps(network, seats):
    seats.sit(friends(network), deals=3)
    chi = seats.all[2]
    asleep = time.monotonic()
    chi.process.send_signal(signal.SIGSTOP)
    for seat in seats.all[:2]:
        seat.until("link-down", asleep, patience=12, seat=2)
    until(asleep + 16)
    chi.process.send_signal(signal.SIGCONT)
    assert seats.until_everybody_goes_on(time.monotonic()) < BACK_WITHIN
    seats.end()
    require_that_the_others_lost_chi_once(seats)


def test_a_laptop_that_wakes_up_in_another_network(network, seats):
    machines = friends(network)
    seats.sit(machines, deals=3)
    chi = seats.all[2]
    asleep = time.monotonic()
    chi.process.send_signal(signal.SIGSTOP)
    for seat in seats.all[:2]:
        seat.until("link-down", asleep, patience=12, seat=2)
    machines[2].take_addresses("10.77.0.99/24", "fd77::99/64")
    chi.process.send_signal(signal.SIGCONT)
    assert seats.until_everybody_goes_on(time.monotonic()) < BACK_WITHIN
    seats.end()
    require_that_the_others_lost_chi_once(seats)


def test_an_address_that_changes_in_mid_deal(network, seats):
    machines = friends(network)
    seats.sit(machines, deals=3)
    machines[0].take_addresses("10.77.0.99/24", "fd77::99/64")
    # The old address is gone at once, but nobody is told: both ends must notice by themselves.
    changed = time.monotonic()
    for seat in seats.all[1:]:
        seat.until("link-down", changed, patience=12, seat=0)
    assert seats.until_everybody_goes_on(time.monotonic()) < BACK_WITHIN
    seats.end()
    assert losses(seats) == {"Ana": 2, "Binh": 1, "Chi": 1}
