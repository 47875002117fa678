"""The errors whose texts are written for people: a command prints one of them alone and exits."""


class BadInput(Exception):
    """Something the user gave cannot be used. The message names the thing, the rule and the mend."""


class Unfinished(Exception):
    """What was begun cannot be finished now. The message tells why, what is kept, how to go on. Exit 1."""
