"""Does nothing wrong."""

from decent import serve

serve()
