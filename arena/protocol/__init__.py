"""Messages, framing, strict decoding, and what each seat may see. Knows nothing of processes."""
