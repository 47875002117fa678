"""Would play well, but the command that starts it names another file, which is not there."""

from decent import serve

serve()
