"""Word embeddings: the nearest pieces to any piece of a sentence, and the plane of the first two components."""
