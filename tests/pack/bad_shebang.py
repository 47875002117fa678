#!/no/such/interpreter
"""Would play well, but its first line names an interpreter that nobody has."""

from decent import serve

serve()
