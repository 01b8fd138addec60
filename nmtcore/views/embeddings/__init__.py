"""Word embeddings: the pieces nearest to any piece of a sentence, and the plane of their first two components."""
