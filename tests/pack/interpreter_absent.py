"""Would play well, but the command that starts it names a Python that is not there."""

from decent import serve

serve()
