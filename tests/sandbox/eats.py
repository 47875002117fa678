"""Uses memory, at most 1 GiB of it, and says that nothing has stopped it."""

held = []
for _ in range(128):
    held.append(bytearray(b"x") * (8 << 20))
print(len(held), flush=True)
