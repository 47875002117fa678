-- The results file. One row a finished game: everything shown anywhere is derived from it.
CREATE TABLE tournament (
    key   TEXT PRIMARY KEY,             -- header | digest | complete
    value TEXT NOT NULL                 -- JSON
) WITHOUT ROWID;
-- header: every parameter and the seed. digest: the sum, modulo 2**256, of the digests of all rows of
-- blocks and games, as 64 hexadecimal digits. complete: true once the whole budget has been counted.
CREATE TABLE bots (
    number  INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    digest  TEXT NOT NULL,              -- SHA-256 of the content
    command TEXT NOT NULL,              -- as shown to people
    author  TEXT,
    version TEXT,
    said    TEXT                        -- the name it gives itself
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
    digest    TEXT NOT NULL             -- SHA-256 of this row's other columns
);
CREATE TABLE games (
    id        TEXT PRIMARY KEY,
    block     INTEGER NOT NULL REFERENCES blocks (number),
    game      INTEGER NOT NULL,         -- index in the block
    seats     TEXT NOT NULL,            -- JSON: bot number by seat
    places    TEXT NOT NULL,            -- JSON: place by seat
    winner    INTEGER,                  -- seat
    reason    TEXT NOT NULL,
    turns     INTEGER NOT NULL,
    faults    TEXT NOT NULL,            -- JSON: fault records
    forfeited TEXT NOT NULL,            -- JSON: seats out before the first turn
    tier      TEXT NOT NULL,
    seconds   REAL NOT NULL,
    log       BLOB NOT NULL,            -- zlib: JSON lines, one event a line
    debug     BLOB NOT NULL,            -- zlib: JSON, what bots said for their authors
    timing    BLOB NOT NULL,            -- zlib: JSON, [turn, seat, bank, used] a request
    digest    TEXT NOT NULL             -- SHA-256 of this row's other columns
);
CREATE UNIQUE INDEX games_by_block ON games (block, game);
CREATE TABLE decisions (
    point INTEGER NOT NULL,             -- block number of the decision point
    until INTEGER NOT NULL,             -- blocks from there to before this one are dropped
    kind  TEXT NOT NULL,                -- bench
    value TEXT NOT NULL,                -- JSON
    PRIMARY KEY (point, kind)
) WITHOUT ROWID;
