"""Uses 128 MiB, which is nobody's business where no limit was asked for."""

held = bytearray(b"x") * (128 << 20)
print(len(held), flush=True)
