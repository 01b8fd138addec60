"""The residual stream of a Transformer: any piece's path through any layer, and the logit lens."""
