"""Whether a results file still holds what was written: rows against their digests, all against their sum."""

from collections.abc import Iterator

from arena.tournament.rows import COLUMNS, MODULUS, digest_of
from arena.tournament.store import Store


def damage(store: Store) -> Iterator[str]:
    """A sentence for every row that was changed behind arena's back, and one if any was added or taken away.

    The digests are no signature: they tell of accidents and of careless hands, not of somebody who computes
    them anew.
    """
    total = 0
    for table, columns in COLUMNS.items():
        for values, digest in store.rows(table):
            written = digest_of(values)
            if written != digest:
                yield f"{table}: the row with {columns[0]} {values[0]!r} is not what was written"
            total += int(written, 16)
    if f"{total % MODULUS:064x}" != store.digest:
        yield "rows were added, changed or taken away: the sum of their digests is not the file's"
