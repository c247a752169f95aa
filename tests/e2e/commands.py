"""Real commands in processes and terminals of their own, and ways to wait for what they show."""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

PROGRAM = [sys.executable, "-m", "p2pclimb"]
PATIENCE = 90  # seconds, on a very busy machine
SUITS = str.maketrans("♠♣♦♥", "scdh")


def eventually(condition, what, patience=PATIENCE):
    """Wait until a condition gives something, and return it."""
    end = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < end, what() if callable(what) else what
        time.sleep(0.02)
    return found


def environment(home, **more):
    """Return the environment of a program whose files live under `home`."""
    kept = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    return {**kept, "P2PCLIMB_HOME": str(home), "PYTHONUNBUFFERED": "1", **more}


def run(home, *words, given=None, **more):
    """Run a command to its end; returns its exit code, standard output and error."""
    done = subprocess.run(
        [*PROGRAM, *map(str, words)],
        input=given, text=True, capture_output=True, check=False,
        timeout=PATIENCE, env=environment(home), **more,
)  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def processes_with(path, command="p2pclimb bot"):
    """Return the ids of living processes that name a path, such as the bots of a data directory."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,args="], capture_output=True, check=True
    )
    lines = listed.stdout.decode(errors="replace").splitlines()
    return [int(line.split()[0]) for line in lines if str(path) in line and command in line]


class Program:
    """A command that runs on with pipes: lines go in, what it prints is collected.

    `under` is a command that runs it.
    """

    def __init__(self, home, *words, under=()):
        self.home = Path(home)
        self.process = subprocess.Popen(
            [*under, *PROGRAM, *map(str, words)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment(home), start_new_session=True,
        )  # fmt: skip
        self.text = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        while data := os.read(self.process.stdout.fileno(), 65_536):
            self.text += data.decode()

    def type(self, *lines):
        for line in lines:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()

    def quit(self):
        """Leave the table, unless it has ended by itself, and return the exit code."""
        with contextlib.suppress(BrokenPipeError):
            self.type("quit", "yes")
        return self.end()

    def shows(self, pattern):
        """Wait until the output has what a pattern finds, and return the last match."""

        def found():
            return [*re.finditer(pattern, self.text)]

        return eventually(found, lambda: f"{pattern!r} is not in\n{self.text}")[-1]

    def invitations(self, count=1):
        """Return the invitations that a host prints."""
        wanted = r"(p2pclimb1:\S+)\n"
        eventually(lambda: len(re.findall(wanted, self.text)) >= count, lambda: self.text)
        return re.findall(wanted, self.text)

    def send(self, number):
        self.process.send_signal(number)

    def end(self, patience=PATIENCE):
        """Wait for the end and return the exit code; no traceback was printed."""
        code = self.process.wait(patience)
        self._reader.join(PATIENCE)
        assert "Traceback" not in self.text, self.text
        assert code != 1, self.text  # nobody breaks a rule, and the program makes no mistake
        return code

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self._reader.join(PATIENCE)
        self.process.stdout.close()


class Terminal:
    """A shell in a tmux window of its own; commands are typed, the screen is read."""

    def __init__(self, home, server):
        self.home = Path(home)
        self._tmux = ["tmux", "-L", server, "-f", "/dev/null"]
        settings = environment(home, LC_ALL="C.UTF-8", TERM="xterm-256color")
        subprocess.run(
            [*self._tmux, "new-session", "-d", "-x", "120", "-y", "40", "-s", "table", "sh"],
            env=settings, check=True,
        )  # fmt: skip

    def _ask(self, *words):
        done = subprocess.run([*self._tmux, *words], capture_output=True, check=True)
        return done.stdout.decode()

    @property
    def text(self):
        """Everything on the screen and above it, long lines unbroken."""
        return self._ask("capture-pane", "-p", "-J", "-S", "-", "-t", "table")

    def type(self, line):
        self._ask("send-keys", "-t", "table", "-l", line)
        self.key("Enter")

    def key(self, name):
        self._ask("send-keys", "-t", "table", name)

    def run(self, *words):
        self.type(shlex.join([*PROGRAM, *map(str, words)]))

    def shows(self, pattern):
        """Wait until the text has what a pattern finds, and return the last match."""

        def found():
            return [*re.finditer(pattern, self.text, re.MULTILINE)]

        return eventually(found, lambda: f"{pattern!r} is not in\n{self.text}")[-1]

    def exit_code(self):
        """Wait for the shell to be back, and return the exit code of what it ran."""
        self.shows(r"^[$#] ?$")
        self.type("echo the exit code was $?")
        return int(self.shows(r"^the exit code was (\d+)")[1])

    def is_sane(self):
        """Whether the terminal echoes, edits lines and shows its cursor, as before."""
        self.type("stty -a | tr -s ' ;' '\\n\\n' | grep -cxE 'echo|icanon|isig|icrnl|opost'")
        modes = self.shows(r"^(\d)$")[1]
        flags = self._ask("display-message", "-p", "-t", "table", "#{cursor_flag}#{alternate_on}")
        return (modes, flags.strip()) == ("5", "10")

    def kill(self):
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)
