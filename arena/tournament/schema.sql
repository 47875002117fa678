-- The results file. One row a finished game: everything shown anywhere is derived from it.
CREATE TABLE whole (
    digest TEXT NOT NULL                -- sum of the digests of all rows below, modulo 2**256, in hexadecimal
);
-- In every table below, digest is the SHA-256 of the row's other columns: each as its kind (n null, i integer,
-- f float, s text, b bytes), the length of its bytes in decimal, a colon, and its bytes; numbers in decimal.
CREATE TABLE tournament (
    key    TEXT PRIMARY KEY,            -- header | counted_to | complete
    value  TEXT NOT NULL,               -- JSON
    digest TEXT NOT NULL
) WITHOUT ROWID;
-- header: every parameter, and the seed. counted_to: the first block number that does not count yet,
-- the next decision point. complete: true once nothing more is to be played.
CREATE TABLE bots (
    number  INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL,              -- SHA-256 of the bot's content
    command TEXT NOT NULL,              -- as shown to people
    author  TEXT,
    version TEXT,
    said    TEXT,                       -- the name it gives itself
    digest  TEXT NOT NULL
);
CREATE TABLE blocks (
    number    INTEGER PRIMARY KEY,
    seatings  TEXT NOT NULL,            -- JSON: bot numbers by game and seat
    state     TEXT NOT NULL,            -- begun | played | dropped
    tier      TEXT NOT NULL,
    contended INTEGER NOT NULL,
    voided    TEXT NOT NULL,            -- JSON: for each void try, the bot whose answer was late
    started   REAL NOT NULL,            -- seconds since the epoch
    seconds   REAL NOT NULL,
    requests  INTEGER NOT NULL,
    change    INTEGER NOT NULL,         -- number of the last change made before it was played; 0: none
    digest    TEXT NOT NULL
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
    forfeited TEXT NOT NULL,            -- JSON: seats out before the first turn
    conduct   TEXT NOT NULL,            -- JSON: by seat [plays, lies, caught, asked, calls, right]
    windows   TEXT NOT NULL,            -- 8 hexadecimal digits a challenge window
    tier      TEXT NOT NULL,
    seconds   REAL NOT NULL,
    faults    TEXT NOT NULL,            -- JSON: fault records
    log       BLOB NOT NULL,            -- zlib: JSON lines, one event a line
    debug     BLOB NOT NULL,            -- zlib: JSON, what bots said for their authors
    timing    BLOB NOT NULL,            -- zlib: JSON, [turn, seat, bank, used] a request
    digest    TEXT NOT NULL
);
CREATE UNIQUE INDEX games_by_block ON games (block, game);
CREATE TABLE decisions (
    point  INTEGER NOT NULL,            -- block number of the decision point
    kind   TEXT NOT NULL,               -- bench
    until  INTEGER NOT NULL,            -- blocks from the point to before this one are dropped
    value  TEXT NOT NULL,               -- JSON
    digest TEXT NOT NULL,
    PRIMARY KEY (point, kind)
) WITHOUT ROWID;
CREATE TABLE changes (
    number  INTEGER PRIMARY KEY,        -- from 1
    made    TEXT NOT NULL,              -- when, in UTC
    arena   TEXT NOT NULL,              -- version of arena
    block   INTEGER NOT NULL,           -- the first block that was not stored yet
    altered TEXT NOT NULL,              -- JSON: a list of {option, bot, old, new}
    digest  TEXT NOT NULL
);
CREATE VIEW counted_blocks AS
    SELECT * FROM blocks
    WHERE state = 'played' AND number < (SELECT CAST(value AS INTEGER) FROM tournament WHERE key = 'counted_to');
CREATE VIEW counted_games AS
    SELECT * FROM games WHERE block IN (SELECT number FROM counted_blocks);
