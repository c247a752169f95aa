"""`p2pclimb host --again`: a person and a bot play on with the scores of their last table."""

import re

from commands import run

from p2pclimb.cards import FACES
from p2pclimb.games.words import card_in_words

LETTERS = {card_in_words(card): str(card) for card in FACES}


def play(program):
    """Begin the table and play what the first hint says, until it ends."""
    program.shows(r"2 of 2 seats are taken\.")
    program.type("start")
    program.shows("type yes or no")
    program.type("yes")
    done = 0
    while True:
        found = program.shows(rf"(?s)(?:Your turn\..*?){{{done + 1}}}|The table has ended")
        if found[0].startswith("The table"):
            return
        program.type("hint")
        hints = program.shows(rf"(?s)(?:\n1\. [^\n]+\n.*?){{{done + 1}}}|The table has ended")
        if hints[0].startswith("The table"):
            return
        best = re.findall(r"\n1\. ([^\n(]+)", program.text)[done].split(" (")[0].strip()
        program.type(" ".join(LETTERS.get(card, card) for card in best.split(", ")))
        done += 1


def scores(text):
    """What the last line about a result says: Ana's points, and the bot's."""
    return re.findall(r"Scores: you (\S+), Binh-bot (\S+)\.", text)[-1]


def test_friends_play_on_with_their_scores(tmp_path, start):
    words = ["--plain", "--listen", "127.0.0.1", "--seed", "1"]
    first = start(
        "home", "host", "--name", "Ana", "--seats", 2, "--bots", 1, "--set", "deals=1", *words
    )
    play(first)
    assert first.end() == 0
    (log,) = (tmp_path / "home" / "tables").glob("*.climb")
    ana, binh = scores(first.text)
    second = start("home", "host", "--again", log.stem, *words)
    play(second)
    assert second.end() == 0
    brought = f"you {ana}, Binh-bot {binh}."
    assert re.search(
        rf"Scores carried on from the table [a-z ]+: {re.escape(brought)}", second.text
    )
    won = {"+1": 1, "-1": -1}[re.findall(r"Deal 1 is over: .*?you ([+-]1)", second.text)[-1]]
    assert int(scores(second.text)[0]) == int(ana) + won
    (other,) = {*(tmp_path / "home" / "tables").glob("*.climb")} - {log}
    code, out, _ = run(tmp_path / "home", "audit", other)
    assert code == 0
    assert f"carried   Ana {ana}, Binh-bot {binh}, from table " in out


def test_a_table_that_is_not_there_is_refused_with_the_reason(tmp_path):
    code, out, err = run(tmp_path, "host", "--again", "no-such-table")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "There is no log" in err
    assert "p2pclimb log list" in err
