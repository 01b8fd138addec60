"""The residual stream of a Transformer: any piece's way through any layer, and the logit lens."""
