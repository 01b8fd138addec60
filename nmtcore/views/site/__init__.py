"""The static site: the pictures and the models on a plain file host, answered by a worker in the reader's browser."""
