"""Two players at a table of their own, each a command with pipes, and what is read off them."""


def way_back(program):
    """Return the words that a program gives to come back with."""
    return program.shows(r"Come back to the table: p2pclimb (resume \S+)\n")[1].split()


def two_players(start, *words):
    """Let Ana host and Binh join, and wait until somebody leads."""
    ana = start("ana", "host", "--listen", "127.0.0.1", "--name", "Ana", "--seats", 2, *words)
    binh = start("binh", "join", "-", "--listen", "127.0.0.1", "--name", "Binh")
    binh.type(ana.invitations()[0])
    binh.shows("seats are taken")
    ana.type("start", "yes")
    binh.shows("type yes or no")
    binh.type("yes")
    for program in (ana, binh):
        program.shows("lead")
        program.shows(r"Your hand, 13 cards")
    return ana, binh


def hand(program):
    """Return the cards that are shown last as the hand."""
    return sorted(program.shows(r"Your hand, 13 cards: (.*)\n")[1].split(","))


def the_log(program):
    (log,) = (program.home / "tables").glob("*.climb")
    return log
