"""Bots that say nothing, or say what they should not."""

from broken_bots import HANDLED, LOOP, NOTED, PERL, RIGHT, UNFLUSHED, Broken, answering, raw, serving

SPEECH = {
    # silent
    "no flush": Broken(UNFLUSHED, "starts", "start-timeout", "not flushed", "print(answer, flush=True)", "{"),
    "no flush in Perl": Broken(PERL, "starts", "start-timeout", "not flushed", "$| = 1", file="bot.pl"),
    "reads to the end": Broken(
        RIGHT
        + "say = lambda one: print(json.dumps(one), flush=True)\n"
        + LOOP.format(do="say(answer(ask))").replace("sys.stdin", "sys.stdin.read().splitlines()"),
        "starts",
        "start-timeout",
        "only when its stdin ends: its answer is not flushed, or it reads to the end of stdin",
        "read line by line",
        "{",
    ),
    "no line end": Broken(
        serving("sys.stdout.write(json.dumps(answer(ask))); sys.stdout.flush()"),
        "starts",
        "start-timeout",
        "no newline",
        "newline",
        "",
    ),
    "reads nothing": Broken(
        "import time\ntime.sleep(60)\n", "starts", "start-timeout", "never read a line", "read a line"
    ),
    "loads for ever": Broken(
        "import sys\nsys.stdin.readline()\nwhile True: pass\n",
        "starts",
        "start-timeout",
        "still computing",
        "hello first",
    ),
    "answers no challenge": Broken(
        serving("if ask['type'] != 'challenge': say(answer(ask))"),
        "answers",
        "timeout",
        "has read challenge and says nothing",
        'every line that has an "id"',
    ),
    "too slow": Broken(
        serving("if ask['type'] == 'play': import time; time.sleep(1.0)\nsay(answer(ask))"),
        "answers",
        "timeout",
        "0.8 s (0.6 s for a move, and 0.2 s of the bank) were allowed",
        "use less than",
        '{"id"',
    ),
    "slower and slower": Broken(
        serving(
            "import time; time.sleep(0.65 * (ask['type'] == 'play') + 0.3 * (ask.get('bank', 9) < 0.19))\n"
            "say(answer(ask))"
        ),
        "answers",
        "timeout",
        "that earlier answers had left of the bank of 0.2 s) were allowed",
        "sleeps and waits included",
        '{"id"',
    ),
    "much too slow": Broken(
        serving("if ask['type'] == 'play': import time; time.sleep(8)\nsay(answer(ask))"),
        "answers",
        "timeout",
        "says nothing in 0.8 s (0.6 s for a move, and 0.2 s of the bank): it waits for more, does not answer "
        "this kind of line, or is too slow",
        'every line that has an "id"',
    ),
    "hangs once": Broken(
        serving("if ask['type'] == 'play' and ask['turn'] > 4: import time; time.sleep(8)\nsay(answer(ask))"),
        "answers",
        "timeout",
        "is too slow, or hangs in this position: it has read play and said nothing in 0.8 s",
        "sleeps and waits included",
    ),
    "late when its stdin ends": Broken(
        serving("if ask.get('turn', 0) > 4: import time; time.sleep(1.4)\nsay(answer(ask))"),
        "answers",
        "timeout",
        "came, but too late after ",
        "sleeps and waits included",
        '{"id"',
    ),
    "endless loop": Broken(
        serving("while ask['type'] == 'challenge': pass\nsay(answer(ask))"),
        "answers",
        "timeout",
        "still computing",
        "endless loop",
    ),
    "sleeps, after an exception that it caught": Broken(
        HANDLED.format(do="{}['x']") + answering("import time; time.sleep(20)"),
        "answers",
        "timeout",
        "has read play and says nothing in 0.8 s",
        'every line that has an "id"',
    ),
    "computes, after a note": Broken(
        "import sys\n" + NOTED + "sys.stdin.readline()\nwhile True: pass\n",
        "starts",
        "start-timeout",
        "still computing",
        "PermissionError reading config",
    ),
    # on stdout
    "greets": Broken(
        "print('My Bot 1.0', flush=True)\n" + serving("say(answer(ask))"),
        "speaks",
        "bad-json/unsolicited",
        'no answer: "My Bot 1.0"',
        "file=sys.stderr",
        "My Bot",
    ),
    "greets after hello": Broken(
        serving("if ask['type'] == 'hello': print('My Bot 1.0', flush=True)\nsay(answer(ask))"),
        "speaks",
        "bad-json",
        'no answer: "My Bot 1.0"',
        "file=sys.stderr",
        "My Bot",
    ),
    "chats": Broken(
        serving("say(answer(ask)); print('my move is', answer(ask), flush=True)"),
        "speaks",
        "unsolicited",
        "what is no answer",
        "file=sys.stderr",
        "my move is",
    ),
    "chats in play": Broken(
        serving("if ask['type'] == 'play': print('thinking', flush=True)\nsay(answer(ask))"),
        "answers",
        "bad-json",
        'no answer: "thinking"',
        "file=sys.stderr",
        "thinking",
    ),
    "answers twice": Broken(
        serving("say(answer(ask)); say(answer(ask))"),
        "speaks",
        "unsolicited",
        "answers twice",
        "one line for each",
        "{",
    ),
    "answers events": Broken(
        RIGHT + "for line in sys.stdin:\n    ask = json.loads(line)\n"
        "    print(json.dumps(answer(ask) if 'id' in ask else {'ok': True}), flush=True)\n",
        "answers",
        "bad-shape",
        "answers the event start",
        'only the lines that have an "id"',
    ),
    "answers events with null": Broken(
        RIGHT + "for line in sys.stdin:\n    ask = json.loads(line)\n"
        "    print(json.dumps(answer({'id': None, **ask})), flush=True)\n",
        "answers",
        "bad-type",
        "answers the event start",
        'only the lines that have an "id"',
        "null",
    ),
    "byte order mark": Broken(
        serving(raw(r"b'\xef\xbb\xbf' + json.dumps(answer(ask)).encode() + b'\n'")),
        "speaks",
        "bad-json",
        "byte order mark",
        "utf-8",
        r"\xef\xbb\xbf",
    ),
    "UTF-16": Broken(
        serving(raw(r"(json.dumps(answer(ask)) + '\n').encode('utf-16')")),
        "speaks",
        "bad-json",
        "UTF-16",
        "UTF-8",
        r"\xff",
    ),
    "Latin-1": Broken(
        serving(raw(r"json.dumps(answer(ask))[:-1].encode() + b', \"name\": \"M\xfcller\"}\n'")),
        "speaks",
        "bad-json",
        "not UTF-8",
        "UTF-8",
        r"\xfcller",
    ),
    "prints a dict": Broken(
        serving("print(answer(ask), flush=True)"), "speaks", "bad-json", "Python dict", "json.dumps", "'id'"
    ),
    "indented": Broken(
        serving("print(json.dumps(answer(ask), indent=2), flush=True)"),
        "speaks",
        "bad-json",
        "several lines",
        "without indent",
    ),
    "two on a line": Broken(
        serving("print(json.dumps(answer(ask)), json.dumps({'ok': 1}), flush=True)"),
        "speaks",
        "bad-json",
        "on the same line",
        "one object a line",
        '{"ok"',
    ),
    "a prompt": Broken(
        RIGHT + "while line := input('> '):\n    ask = json.loads(line)\n"
        "    if 'id' in ask: print(json.dumps(answer(ask)), flush=True)\n",
        "speaks",
        "bad-json/unsolicited",
        '">',
        "no prompt before it: input() without words",
        "> ",
    ),
    "a prompt for the next": Broken(
        serving("print(json.dumps(answer(ask))); print('next> ', end='', flush=True)"),
        "speaks",
        "unsolicited",
        "prints a prompt on stdout",
        "no prompt before it",
        "next>",
    ),
    "in colours": Broken(
        serving("print('\\x1b[32m' + json.dumps(answer(ask)) + '\\x1b[0m', flush=True)"),
        "speaks",
        "bad-json",
        "answer in colours",
        "without codes",
        r"\x1b",
    ),
    "in single quotes": Broken(
        serving("print(repr(json.dumps(answer(ask))), flush=True)"),
        "speaks",
        "bad-json",
        "answer in quotes: ' stands before it, and ' behind",
        "no repr()",
        "'",
    ),
    "as bytes": Broken(
        serving("print(json.dumps(answer(ask)).encode(), flush=True)"),
        "speaks",
        "bad-json",
        "answer in quotes: b' stands before it",
        "no bytes",
        "b'",
    ),
    "encoded twice": Broken(
        serving("say(json.dumps(answer(ask)))"),
        "speaks",
        "bad-shape",
        "answer stands in quotes",
        "json.dumps(answer)",
        '"',
    ),
    "without end": Broken(
        "read -r line\nexec yes '{}'\n",
        "speaks",
        "bad-shape/flood/unsolicited",
        "It prints without end",
        "one line for one request",
        file="bot.sh",
    ),
    "much, and ends": Broken(
        serving("print('x\\n' * 20000, flush=True); exit()"),
        "speaks",
        "bad-json",
        'no answer: "x"',
        "file=sys.stderr",
        "x",
    ),
    "never ends a line": Broken(
        serving("while True: sys.stdout.write('x' * 1000)"),
        "speaks",
        "flood",
        "never ends the line",
        "one line",
    ),
    "talks to stderr without end": Broken(
        serving(
            "say(answer(ask))\nif ask['type'] == 'play':\n    while True: sys.stderr.write('x' * 100000)"
        ),
        "answers",
        "flood-stderr",
        "stderr",
        "less to stderr",
    ),
    # the answer itself
    "no id": Broken(answering("del one['id']", "hello"), "speaks", "bad-shape", "no id", '"id"', "}"),
    "no id in play": Broken(
        answering("del one['id']"), "answers", "bad-shape", "Its answer has no id", '"id" of the request', "}"
    ),
    "an id of its own": Broken(
        answering("one['id'] = 'abc'", "hello"), "speaks", "wrong-id", "id of its own", "send back", '"abc"'
    ),
    "the last id again": Broken(
        serving("one = answer(ask)\nif ask['type'] != 'hello': one['id'] = last\nlast = ask['id']\nsay(one)"),
        "answers",
        "unsolicited",
        "has answered already",
        "no more",
        '"',
    ),
    "a list": Broken(serving("say([answer(ask)])"), "speaks", "bad-shape", "no JSON object", '"id"', "["),
    "ten as 10": Broken(
        answering("one['rank'] = '10'"), "answers", "bad-shape", "ten as 10", "ten is T", '"10"'
    ),
    "small letters": Broken(
        answering("one['cards'] = [c.lower() for c in one['cards']]"),
        "answers",
        "bad-shape",
        "in capitals",
        "list such as",
        '"',
    ),
    "cards as text": Broken(
        answering("one['cards'] = one['cards'][0]"),
        "answers",
        "bad-type",
        '"cards" must be a list',
        "list such as",
        '"',
    ),
    "true as 1": Broken(
        answering("one['challenge'] = 1", "challenge"),
        "answers",
        "bad-type",
        "true or false",
        "true or false",
        "1",
    ),
    "challenge as text": Broken(
        answering("one['challenge'] = 'false'", "challenge"),
        "answers",
        "bad-type",
        "true or false",
        "no quotes",
        '"false"',
    ),
    "no challenge": Broken(
        answering("del one['challenge']", "challenge"),
        "answers",
        "bad-shape",
        'must have "challenge"',
        "true or false",
        "}",
    ),
    "cards it has not": Broken(
        answering("one['cards'] = [next(r + 'S' for r in 'A23456789TJQK' if r + 'S' not in ask['hand'])]"),
        "answers",
        "illegal",
        "held not at all",
        "`hand`",
        '"',
    ),
    "the rank of its cards": Broken(
        answering("one['cards'] = ask['hand'][-1:]; one['rank'] = one['cards'][0][0]"),
        "answers",
        "illegal",
        "may not be claimed",
        "`ranks`",
        '"',
    ),
    "no cards": Broken(
        answering("one['cards'] = []"), "answers", "illegal", "at least one card", "lay cards", "[]"
    ),
    "all its cards": Broken(
        answering("one['cards'] = ask['hand']"), "answers", "illegal", "at most 4 cards", "max_cards", "["
    ),
    "passes": Broken(
        answering("one = {'id': ask['id'], 'pass': True}"),
        "answers",
        "illegal",
        "no passing",
        "passing",
        "true",
    ),
}
"""By what is wrong with it."""
