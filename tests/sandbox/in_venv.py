"""Does nothing wrong, with a package that is installed where its interpreter is and nowhere else."""

import only_here
from decent import serve

serve(only_here.nothing)
