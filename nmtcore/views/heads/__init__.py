"""All heads of a Transformer: thumbnails, a table, and the arithmetic of one cell, next to the chosen head."""
