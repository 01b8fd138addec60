"""Evaluation: BLEU and chrF, alignment error rate, challenge set, distillation, model cards.

It may import training and below.
"""
