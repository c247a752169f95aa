"""Climbing card games between friends' terminals, with no server and no trust."""

__version__ = "0.1.0"
