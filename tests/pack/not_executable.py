"""Would play well, but it is started as a program and may not be executed."""

from decent import serve

serve()
