"""A node's disk and wire that fail for good at a chosen moment, and lose what was not synced.

Everything that the node does to its files and to its sockets goes through here; the files are real.
"""

import functools
import os
import random
from pathlib import Path

from p2pclimb.net.links import Links
from p2pclimb.store import files, keyedfile, logfile


class PowerCut(BaseException):
    """The machine has stopped: nothing that follows happens any more."""


class Machine:
    """The machine of one node, whose log is `log` and whose links have the CURVE key `key`.

    `arm` lets the power go at an operation counted from now on, before it or after it.  Then `lose`
    leaves on the disk what a machine without power may leave.
    """

    def __init__(self, log, key, monkeypatch, seed):
        self.log = log
        self.key = key
        self.source = random.Random(seed)
        self.is_cut = False
        self.counts = {}
        self.left = None
        self.is_after = False
        self.last = ""
        self._synced = 0
        self._before = {}
        self._is_writing = False
        self._wrap(monkeypatch)

    def arm(self, operations, *, after):
        self.left, self.is_after = operations, after

    def restart(self):
        self.is_cut, self.left = False, None

    def lose(self):
        """Drop what was not synced: all of it, some, or none, as the seed decides."""
        if self.log.exists():
            size = self.log.stat().st_size
            os.truncate(self.log, self.source.randint(min(self._synced, size), size))
        for path, data in self._before.items():
            if self.source.random() < 0.5:
                continue
            if data is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(data)
        self._before.clear()

    # -- operations ----------------------------------------------------------------------------

    def _do(self, name, operation, *, torn=lambda: None):
        """Carry out an operation, unless the power goes before it, in its midst or after it."""
        if self.is_cut:
            raise PowerCut
        self.counts[name] = self.counts.get(name, 0) + 1
        goes = self.left == 0
        if self.left is not None:
            self.left -= 1
        if goes and not self.is_after:
            torn()
            self._cut(f"before {name}")
        result = operation()
        if goes:
            self._cut(f"after {name}")
        return result

    def _cut(self, when):
        self.is_cut, self.last = True, when
        raise PowerCut

    def _wrap(self, monkeypatch):
        """Put this machine between the node and what it does to the log, its files, its links."""

        def between(owner, name, wrapper):
            monkeypatch.setattr(owner, name, functools.partial(wrapper, getattr(owner, name)))

        between(logfile, "write_all", self._append)
        between(logfile, "flush_to_disk", self._flush_log)
        between(keyedfile, "write_atomically", self._replace_file)
        between(files, "write_all", self._write_aside)
        between(files, "flush_to_disk", self._flush_aside)
        between(files, "sync_directory", self._sync_names)
        rename, send = Path.replace, Links.send
        monkeypatch.setattr(Path, "replace", lambda *paths: self._rename(rename, *paths))
        monkeypatch.setattr(Links, "send", lambda links, *what: self._send(send, links, *what))

    def _is_log(self, descriptor):
        return self.log.exists() and os.path.samestat(os.fstat(descriptor), self.log.stat())

    def _append(self, write_all, descriptor, data):
        if not self._is_log(descriptor):
            write_all(descriptor, data)
            return
        half = bytes(data)[: len(data) // 2]
        torn = functools.partial(write_all, descriptor, half)
        self._do("append", lambda: write_all(descriptor, data), torn=torn)

    def _flush_log(self, flush, descriptor):
        if not self._is_log(descriptor):
            flush(descriptor)
            return

        def flush_all():
            flush(descriptor)
            self._synced = self.log.stat().st_size

        self._do("flush the log", flush_all)

    def _replace_file(self, write_atomically, path, data):
        self._is_writing = path.name.startswith(f"{self.log.name}.")
        try:
            write_atomically(path, data)
        finally:
            self._is_writing = False

    def _write_aside(self, write_all, descriptor, data):
        self._do_writing("write aside", lambda: write_all(descriptor, data))

    def _flush_aside(self, flush, descriptor):
        self._do_writing("flush aside", lambda: flush(descriptor))

    def _rename(self, rename, source, target):
        def remember_and_rename():
            if self._is_writing:
                self._before.setdefault(target, target.read_bytes() if target.exists() else None)
            return rename(source, target)

        return self._do_writing("rename", remember_and_rename)

    def _sync_names(self, sync, directory):
        def sync_all():
            sync(directory)
            if self._is_writing:
                self._before.clear()

        self._do_writing("sync the directory", sync_all)

    def _do_writing(self, name, operation):
        """Carry out a part of replacing one of the node's files."""
        return self._do(name, operation) if self._is_writing else operation()

    def _send(self, send, links, peer, frame):
        if links._keys.public != self.key:
            return send(links, peer, frame)
        return self._do("send", lambda: send(links, peer, frame))
