-- The results file. One row a finished game; everything shown anywhere is derived from it.
CREATE TABLE tournament (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL                 -- JSON
) WITHOUT ROWID;
-- keys: format (version of this layout), arena (version), seed (32 hexadecimal digits), seed_given,
-- rules (every knob), rules_name, seats, terms (limits and switches), schedule (budget), created,
-- digest (running order-free digest of all rows of games and blocks), complete (true when the budget is played)
CREATE TABLE bots (
    number  INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    digest  TEXT NOT NULL,              -- SHA-256 of the content
    command TEXT NOT NULL,              -- as shown to people
    said    TEXT NOT NULL               -- JSON: name, version, author from hello and bot.toml
);
CREATE TABLE blocks (
    number    INTEGER PRIMARY KEY,
    seatings  TEXT NOT NULL,            -- JSON: bot numbers by game and seat
    state     TEXT NOT NULL,            -- played | dropped
    tier      TEXT NOT NULL,
    contended INTEGER NOT NULL,
    tries     INTEGER NOT NULL,
    started   REAL NOT NULL,
    seconds   REAL NOT NULL,
    requests  INTEGER NOT NULL,
    digest    TEXT NOT NULL
);
CREATE TABLE games (
    id      TEXT PRIMARY KEY,
    block   INTEGER NOT NULL REFERENCES blocks (number),
    game    INTEGER NOT NULL,           -- index in the block
    seats   TEXT NOT NULL,              -- JSON: bot number by seat
    places  TEXT NOT NULL,              -- JSON: place by seat
    winner  INTEGER,                    -- seat
    reason  TEXT NOT NULL,
    turns   INTEGER NOT NULL,
    faults  TEXT NOT NULL,              -- JSON: fault records
    tier    TEXT NOT NULL,
    seconds REAL NOT NULL,
    log     BLOB NOT NULL,              -- zlib: JSON lines, one event a line
    timing  BLOB NOT NULL,              -- zlib: JSON, [turn, seat, bank, used] a request
    digest  TEXT NOT NULL               -- SHA-256 of this row's other columns
);
CREATE INDEX games_by_block ON games (block);
CREATE TABLE decisions (
    point INTEGER NOT NULL,             -- block number of the decision point
    kind  TEXT NOT NULL,                -- bench
    value TEXT NOT NULL,                -- JSON
    PRIMARY KEY (point, kind)
) WITHOUT ROWID;
