"""The example in docs/ratings.md runs and prints what the page says."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "ratings.md"


def test_the_example_prints_what_the_page_says():
    text = PAGE.read_text(encoding="utf-8")
    program = re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1)
    printed = re.search(r"```text\n(.*?)```", text, re.DOTALL).group(1)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PAGE.parents[1], capture_output=True, text=True, check=True
    )
    assert done.stdout == printed
