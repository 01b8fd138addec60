"""Mask-predict round by round: all words at once, then the least certain ones masked and predicted again."""
