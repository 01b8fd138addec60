"""Attention step by step: scores, softmax, weighted states, context, next word."""
