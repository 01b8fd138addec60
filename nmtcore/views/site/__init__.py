"""The static site: pictures and models on a plain file host, computed by a worker in the reader's browser."""
