"""Evaluation: BLEU and chrF, log-likelihood, alignment error rate, challenge set, distillation, model cards.

It may import training and below.
"""
