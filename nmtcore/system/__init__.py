"""What a process asks of the operating system: its memory, locks, and which other processes there are."""
