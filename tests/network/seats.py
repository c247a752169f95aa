"""Tables of real processes, one in each namespace, and ways to wait for what they tell."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

from p2pclimb.audit.audit import audit
from p2pclimb.store.logfile import read_log

PATIENCE = 30
NAMES = ("Ana", "Binh", "Chi", "Dung")
_PROGRAM = Path(__file__).with_name("seat_process.py")
_ROOT = Path(__file__).parents[2]


def eventually(condition, what, patience=PATIENCE):
    """Wait until a condition gives something, and return it."""
    end = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < end, what() if callable(what) else what
        time.sleep(0.02)
    return found


class SeatProcess:
    """A running `seat_process`; `told` is what it has printed."""

    def __init__(self, name, directory, *words, prefix=()):
        self.name = name
        self.log = directory / f"{name}.climb"
        self.told = []
        own = ["--name", name, "--log", self.log, *words]
        self.process = subprocess.Popen(
            [*prefix, sys.executable, str(_PROGRAM), *map(str, own)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(_ROOT), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.told.append(json.loads(line))

    def order(self, *words):
        """Give an order; it is not heard any more when the process has ended."""
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def heard(self, event, since=0.0, **fields):
        """Return what was told of one kind, with these fields, not before a moment."""
        return [
            each
            for each in list(self.told)
            if each["event"] == event
            and each["at"] >= since
            and all(each[key] == value for key, value in fields.items())
        ]

    def until(self, event, since=0.0, *, count=1, patience=PATIENCE, **fields):
        """Wait until something was told so many times, and return the last time."""

        def found():
            return len(self.heard(event, since, **fields)) >= count or self._gone(event)

        eventually(found, lambda: f"{self.name} does not tell {event} {fields}", patience)
        return self.heard(event, since, **fields)[-1]

    def _gone(self, event):
        if self.process.poll() is not None:
            self._reader.join(PATIENCE)
            last = [each["event"] for each in self.told[-5:]]
            said = self.process.stderr.read()[-2000:]
            assert self.heard(event), f"{self.name} ended with {self.process.poll()}: {last} {said}"
        return False

    def megabytes(self):
        """Return how much memory the process has now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * 4096 / 1e6

    def end(self, patience=PATIENCE):
        """Wait for the end by itself, without an error, and return the result that was told."""
        code = self.process.wait(patience)
        self._reader.join(PATIENCE)
        errors = self.process.stderr.read()
        assert (code, errors) == (0, ""), errors[-2000:]
        (result,) = self.heard("result")
        return result

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


class Seats:
    """The processes of one table; the first hosts it."""

    def __init__(self, directory):
        self.directory = directory
        self.all = []

    def sit(self, machines, *, pace=0.15, deals=1):
        """Start a process on each machine (None: on loopback), and wait until cards are dealt."""
        rules = ["--seats", len(machines), "--set", f"deals={deals}"]
        invitations = []
        for number, (name, machine) in enumerate(zip(NAMES, machines, strict=False)):
            own = ["--pace", pace, *(() if self.all else rules)]
            if machine is None:
                seat = SeatProcess(name, self.directory, *own, "--listen", "127.0.0.1")
            else:
                seat = SeatProcess(name, self.directory, *own, prefix=machine.prefix)
            self.all.append(seat)
            if number == 0:
                invitations = list(seat.until("opened")["invitations"])
            else:
                seat.order(invitations.pop())
                # The seats are numbered in the order in which they come.
                self.all[0].until("guest-came", seat=number)
        for seat in self.all:
            seat.until("cards-dealt")
        return self.all

    def until_everybody_goes_on(self, since, patience=PATIENCE):
        """Wait until every seat was told of a turn that began after a moment; return how long."""
        for seat in self.all:
            seat.until("turn-began", since, count=2, patience=patience)
        return time.monotonic() - since

    def until_told(self, event, about):
        """Wait until each seat that is named was told of an event about another seat."""
        for seat in self.all:
            if seat.name in about:
                seat.until(event, seat=about[seat.name])

    def end(self, patience=PATIENCE):
        """Play on without a pause to the end, and require one result and valid logs."""
        for seat in self.all:
            seat.order("pace", 0)
        results = [seat.end(patience) for seat in self.all]
        assert len({json.dumps(result["scores"]) for result in results}) == 1
        for seat in self.all:
            report = audit(record.payload for record in read_log(seat.log).records)
            assert report.verdict.value == "valid", (seat.name, report.verdict)
        return results

    def kill(self):
        for seat in self.all:
            seat.kill()
