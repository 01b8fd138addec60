"""The operating system: memory, file locks and processes."""
