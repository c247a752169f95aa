"""Small networks of namespaces: machines with one interface each, all joined by one switch.

The switch is a namespace too, so nothing here touches an interface of the host.  What breaks a
network is done as it happens in life: an interface goes down, an address changes, a firewall drops.
"""

import contextlib
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

_NAMES = f"climb{os.getpid()}"
_BAD_CABLE = Path(__file__).with_name("bad_cable.py")


def _run(*words, given=None):
    done = subprocess.run(
        [*map(str, words)], input=given, text=True, capture_output=True, check=False, timeout=20
    )
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def why_impossible():
    """Return why this system makes no network namespaces, or None if it does."""
    probe = f"{_NAMES}-probe"
    try:
        _run("ip", "netns", "add", probe)
        try:
            _run("ip", "netns", "exec", probe, "nft", "list", "ruleset")
        finally:
            _run("ip", "netns", "del", probe)
    except OSError as error:
        return str(error)
    return None


@dataclass
class Machine:
    """A namespace with an interface `eth0`; `ports` is the namespace of the switch."""

    name: str
    ports: str
    addresses: list[str]
    _closed: list[str] = field(default_factory=list)

    @property
    def namespace(self):
        return f"{_NAMES}-{self.name}"

    @property
    def prefix(self):
        """The words that run a command on this machine."""
        return ["ip", "netns", "exec", self.namespace]

    def ip(self, *words):
        return _run("ip", "-n", self.namespace, *words)

    def take_addresses(self, *addresses):
        """Have these addresses (with their prefix lengths) and no others."""
        self.addresses = [address.partition("/")[0] for address in addresses]
        self.ip("addr", "flush", "dev", "eth0", "scope", "global")
        for address in addresses:
            without_checks = ["nodad"] if ":" in address else []
            self.ip("addr", "add", address, "dev", "eth0", *without_checks)
            family = "-6" if ":" in address else "-4"
            self.ip(family, "route", "replace", "default", "dev", "eth0")

    def unplug(self):
        """Pull the cable out of the switch: this machine's interface stays up."""
        _run("ip", "-n", self.ports, "link", "set", self.name, "down")

    def plug(self):
        _run("ip", "-n", self.ports, "link", "set", self.name, "up")

    @property
    def hardware_address(self):
        (line,) = [each for each in self.ip("link", "show", "eth0").splitlines() if "ether" in each]
        return line.split()[1]

    def drop_from(self, other):
        """Hear nothing of another machine any more, until `pass_all`."""
        self._drop(f"ether saddr {other.hardware_address}")

    def _drop(self, rule):
        table = (
            "table inet broken {\n chain in {\n"
            f" type filter hook input priority 0; policy accept;\n {rule} drop\n }}\n}}\n"
        )
        _run(*self.prefix, "nft", "-f", "-", given=table)

    def refuse_connections(self):
        """Be behind a router that lets connections out only, and says nothing to those who call."""
        self._drop("iifname eth0 tcp flags & (syn | ack) == syn")

    def break_connections(self):
        """Break off all that stand, as a router does that has forgotten them."""
        _run(*self.prefix, "ss", "-K", "-t", "state", "established")

    def pass_all(self):
        _run(*self.prefix, "nft", "delete", "table", "inet", "broken")

    def slow_down(self, bytes_per_second):
        """Send no faster than this."""
        rate = f"{8 * bytes_per_second}bit"
        shape = ["root", "tbf", "rate", rate, "burst", 3000, "latency", "2s"]
        _run(*self.prefix, "tc", "qdisc", "replace", "dev", "eth0", *shape)


class Network:
    """A switch and the machines on it; everything is gone after `close`."""

    def __init__(self):
        self.machines = []
        self._cables = []
        self._switch = f"{_NAMES}-switch"
        _remove_leftovers()
        _run("ip", "netns", "add", self._switch)
        _run("ip", "-n", self._switch, "link", "add", "bridge", "type", "bridge")
        _run("ip", "-n", self._switch, "link", "set", "bridge", "up")

    def machine(self, name, *, families=(4, 6), cable=()):
        """Add a machine with an address of each family.

        `cable` are the words for a `bad_cable` between it and the switch; without, it has a good
        one.
        """
        machine = Machine(name, self._switch, [])
        self.machines.append(machine)
        _run("ip", "netns", "add", machine.namespace)
        if cable:
            self._lay_bad_cable(machine, cable)
        else:
            plug = ["type", "veth", "peer", "name", name]
            machine.ip("link", "add", "eth0", *plug)
            machine.ip("link", "set", name, "netns", self._switch)
        _run("ip", "-n", self._switch, "link", "set", name, "master", "bridge", "up")
        for interface in ("lo", "eth0"):
            machine.ip("link", "set", interface, "up")
        number = len(self.machines)
        usual = {4: f"10.77.0.{number}/24", 6: f"fd77::{number}/64"}
        machine.take_addresses(*(usual[family] for family in families))
        return machine

    def _lay_bad_cable(self, machine, words):
        """Join a machine to the switch by a program that forwards its packets as badly as asked."""
        command = [sys.executable, str(_BAD_CABLE), "far", machine.name, *map(str, words)]
        program = subprocess.Popen(
            ["ip", "netns", "exec", self._switch, *command], stdout=subprocess.PIPE
        )
        self._cables.append(program)
        assert program.stdout.readline() == b"laid\n"
        _run("ip", "-n", self._switch, "link", "set", "far", "netns", machine.namespace)
        machine.ip("link", "set", "far", "name", "eth0")

    def close(self):
        for cable in self._cables:
            cable.kill()
            cable.wait()
            cable.stdout.close()
        for name in [*(each.namespace for each in self.machines), self._switch]:
            with contextlib.suppress(OSError):
                _run("ip", "netns", "del", name)


def _remove_leftovers():
    """Remove the namespaces of test runs that were killed."""
    for line in _run("ip", "netns", "list").splitlines():
        name = line.split()[0]
        owner = name.partition("-")[0].removeprefix("climb")
        if name.startswith("climb") and owner.isdigit() and not Path(f"/proc/{owner}").exists():
            _run("ip", "netns", "del", name)
