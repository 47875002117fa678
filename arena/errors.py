"""The one error whose text is written for people: every command prints it alone and exits with 2."""


class BadInput(Exception):
    """Something the user gave cannot be used. The message names the thing, the rule and the mend."""
