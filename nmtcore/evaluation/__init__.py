"""Evaluation: BLEU and chrF, log-likelihood, alignment error rate, challenge set, distillation, model cards.

May import training and everything that training may import.
"""
