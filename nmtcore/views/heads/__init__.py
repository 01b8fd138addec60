"""All heads of a Transformer: thumbnails, a table, the arithmetic of one cell, beside the chosen head."""
