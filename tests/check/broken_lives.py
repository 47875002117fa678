"""Bots that end when they should not, or do not when they should, and bots that are not whole."""

from pathlib import Path

from broken_bots import HANDLED, NOTED, RIGHT, Broken, answering, meeting, serving

from arena import bot as helper

HELPER = {"arena_bot.py": Path(helper.__file__).read_text("utf-8")}
LIVES = {
    # ends
    "left after hello": Broken(
        RIGHT + "print(json.dumps(answer(json.loads(input()))), flush=True)\n",
        "speaks/answers",
        "exit",
        "left after 1 answer",
        "keep reading",
    ),
    "one game only": Broken(
        RIGHT + "for line in sys.stdin:\n    ask = json.loads(line)\n"
        "    if ask['type'] == 'end' and ask['reason'] == 'won': break\n"
        "    if 'id' in ask: print(json.dumps(answer(ask)), flush=True)\n",
        "plays",
        "exit",
        "left after",
        "keep reading",
    ),
    "does nothing": Broken(RIGHT, "starts", "exit", "ended at once", "main part"),
    "closes stdout": Broken(
        serving("import os, time; os.close(1); time.sleep(60)"),
        "starts",
        "exit",
        "closed its stdout",
        "never close stdout",
    ),
    "exception": Broken(
        answering("1 / 0"),
        "answers",
        "crash",
        "line 17 of bot.py: ZeroDivisionError: division by zero",
        "stderr",
    ),
    "no return, with the helper": Broken(
        "from arena_bot import run\ndef mine(ask):\n    print('Error 7')\nrun(mine)\n",
        "answers",
        "crash",
        "mine of bot.py, line 2, returned None; it must return a list of cards, Lay(...) or PASS.",
        "mend what it names",
        beside=HELPER,
        toml='run = "bot.py"',
    ),
    "an illegal play, with the helper": Broken(
        "from arena_bot import *\nclass Mine(Bot):\n    def play(self, ask):\n"
        "        return Lay(ask.hand[:1], 'Q')\nMine().run()\n",
        "answers",
        "crash",
        "'Q'), which cannot be played: Q may not be claimed now, but A.",
        "mend what it names",
        beside=HELPER,
        toml='run = "bot.py"',
    ),
    "a misspelt method, with the helper": Broken(
        "from arena_bot import Bot\nclass Mine(Bot):\n    def paly(self, ask): pass\nMine().run()\n",
        "starts",
        "crash",
        "Mine has neither play nor challenge, but paly; paly is no method of Bot: is play meant?",
        "mend what it names",
        beside=HELPER,
        toml='run = "bot.py"',
    ),
    "an exception in what the helper was given": Broken(
        "from arena_bot import held, run\ndef mine(ask):\n    return held(None, 'A')\nrun(mine)\n",
        "answers",
        "crash",
        "in line 3 of bot.py: TypeError",
        "stderr",
        beside=HELPER,
        toml='run = "bot.py"',
    ),
    "an exception in the third game": Broken(
        meeting("ENDS['games'] = ENDS.get('games', 0) + (ask['type'] == 'start'); 1 / (ENDS['games'] < 3)"),
        "answers",
        "crash",
        "ZeroDivisionError",
        "may need the games before it",
    ),
    "an exit code in the third game": Broken(
        meeting(
            "ENDS['games'] = ENDS.get('games', 0) + (ask['type'] == 'start'); ENDS['games'] < 3 or exit(7)"
        ),
        "answers",
        "crash",
        "with exit code 7",
        "the line `sent` alone may not bring it about: it was in game 3 of one process",
    ),
    "an exception of its own in code.py": Broken(
        answering("{}['hearts']"),
        "answers",
        "crash",
        "line 17 of code.py: KeyError: 'hearts'",
        "stderr",
        file="code.py",
    ),
    "an exception after one that it caught": Broken(
        HANDLED.format(do="import numpyy") + answering("raise ValueError('real bug here')"),
        "answers",
        "crash",
        "line 20 of bot.py: ValueError: real bug here",
        "mend the line",
    ),
    "an exit code after a note": Broken(
        "import sys\n" + NOTED + answering("sys.exit(3)"),
        "answers",
        "crash",
        " with exit code 3",
        "stderr",
    ),
    "an exit code after an exception that it caught": Broken(
        HANDLED.format(do="import numpyy") + "raise SystemExit(3)\n",
        "starts",
        "crash",
        "with exit code 3, and said on stderr: ModuleNotFoundError",
        "stderr",
    ),
    "takes events for requests": Broken(
        RIGHT + "for line in sys.stdin:\n    print(json.dumps(answer(json.loads(line))), flush=True)\n",
        "answers",
        "crash",
        "takes an event for a request",
        'lines that have an "id"',
    ),
    "takes later events for requests": Broken(
        serving("say(answer(ask))").replace('if "id" in ask', "if ask['type'] != 'start'"),
        "answers",
        "crash",
        'takes an event for a request: outcome has no "id"',
        'lines that have an "id"',
    ),
    "wants ranks in challenge": Broken(
        answering("ask['ranks']", "challenge"),
        "answers",
        "crash",
        "ended by KeyError: 'ranks' in line 17 of bot.py: challenge has no `ranks`; it has `rank`",
        "the type of a line",
    ),
    "wants the rules in play": Broken(
        answering("rules = ask['rules']"),
        "answers",
        "crash",
        "play has no `rules`; hello has it",
        "the type of a line",
    ),
    "lacks a key of its own": Broken(
        answering("ask['turn'] < 9 or {}['hand']"),
        "answers",
        "crash",
        "nobody caught in line 17 of bot.py: KeyError: 'hand'",
        "mend the line",
    ),
    "segmentation fault": Broken(
        answering("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"),
        "answers",
        "crash",
        "SIGSEGV, a segmentation fault",
        "stderr",
    ),
    "exit code": Broken(
        "raise SystemExit(7)\n", "starts", "crash", "without a single answer with exit code 7", "stderr"
    ),
    # where it runs
    "a module left behind": Broken(
        "import strategy\n" + serving("say(answer(ask))"),
        "starts",
        "crash",
        '"strategy.py", which lies beside it',
        "bot.toml",
        beside={"strategy.py": ""},
    ),
    "a file left behind": Broken(
        "open('weights.json')\n" + serving("say(answer(ask))"),
        "starts",
        "crash",
        '"weights.json", which lies beside it',
        "bot.toml",
        beside={"weights.json": "{}"},
    ),
    "a file of elsewhere": Broken(
        "open('/home/me/weights.json')\n", "starts", "crash", "which is not there", "bot.toml"
    ),
    "a module that nobody has": Broken(
        "import nosuchmodule\n", "starts", "crash", "not installed for", "interpreter that has it"
    ),
    "another Python": Broken(
        "#!/usr/bin/python3\nimport trio\n",
        "starts",
        "crash",
        "not installed for /usr/bin/python3",
        "leave the first line (#!) out",
        executable=True,
    ),
    "Python 2": Broken('print "hello"\n', "starts", "crash", "written for Python 2", "Python 3"),
    "Python run by a shell": Broken(
        "import sys\nprint('x')\n",
        "starts",
        "crash",
        "the wrong interpreter",
        "#!/usr/bin/env python3",
        file="bot.sh",
    ),
    "a program that is not there": Broken(
        'set -e\nread -r line\nid=$(echo "$line" | jqq .id)\necho "{\\"id\\":$id}"\n',
        "starts",
        "bad-exec",
        'calls "jqq", which is not there',
        "do without it",
        file="bot.sh",
    ),
    "Bash run by sh": Broken(
        "set -e\n[[ 1 == 1 ]]\n", "starts", "bad-exec", "the wrong interpreter", "env bash", file="bot.sh"
    ),
    "a syntax error": Broken(
        "for line in\n", "starts", "crash", "cannot read the program: SyntaxError", "stderr"
    ),
    "its own random.py": Broken(
        "import random, sys\nrandom.seed(1)\n" + serving("say(answer(ask))"),
        "starts",
        "crash",
        "hides the standard module random",
        "something else than random.py",
        beside={"random.py": "x = 1\n"},
        toml='run = "bot.py"\n',
    ),
    "called json.py": Broken(
        serving("say(answer(ask))"),
        "starts",
        "crash",
        "hides the standard module json",
        "something else than json.py",
        file="json.py",
    ),
    "writes beside itself": Broken(
        "raise OSError(30, 'Read-only file system', 'log.txt')\n",
        "starts",
        "crash",
        "folder is read-only",
        "HOME or TMPDIR",
    ),
    "says that it may not write": Broken(
        "import sys\nsys.exit(\"[Errno 30] Read-only file system: 'log.txt'\")\n",
        "starts",
        "crash",
        "folder is read-only",
        "HOME or TMPDIR",
    ),
    "an exception in Node, and its line": Broken(
        "{ throw new RangeError('real bug') } // Error\n",
        "starts",
        "crash",
        "said on stderr: RangeError: real bug",
        "stderr",
        file="bot.js",
    ),
    "an exception in Node": Broken(
        "nobody.knows();\n",
        "starts",
        "crash",
        "ReferenceError: nobody is not defined",
        "stderr",
        file="bot.js",
    ),
    "a Node module left behind": Broken(
        "require('./strategy');\n",
        "starts",
        "crash",
        '"strategy.js", which lies beside it',
        "bot.toml",
        file="bot.js",
        beside={"strategy.js": ""},
    ),
    # what is not a request
    "no unknown fields": Broken(
        meeting("if 'weather' in ask: raise ValueError('unknown field weather')"),
        "tolerates",
        "crash",
        "does not know trip it",
        "pass over",
    ),
    "no unknown events": Broken(
        meeting("{'hello': 1, 'start': 1, 'play': 1, 'challenge': 1, 'outcome': 1, **ENDS}[ask['type']]"),
        "tolerates",
        "crash",
        "does not know trip it",
        "pass over",
    ),
    "stays": Broken(
        serving("say(answer(ask))") + "import time\ntime.sleep(60)\n",
        "leaves",
        "leaves",
        "does not leave",
        "says that there is no more",
    ),
    "says goodbye": Broken(
        meeting("if ask['type'] == 'goodbye': print('bye', flush=True)"),
        "leaves",
        "leaves",
        "prints something after goodbye",
        "wants no answer",
        "bye",
    ),
}
"""By what is wrong with it."""
